"""Writes docs/metrics.md: every metric in a line, made from the registry.

python -m tests.support.metrics_page
"""

from __future__ import annotations

from pathlib import Path

from bot.client.runtime.metrics import Metrics

FILE = Path(__file__).parent.parent.parent / "docs" / "metrics.md"
HEAD = """# What is measured

With `GRAPHPAPER_METRICS=9464` the bot serves its figures at `http://127.0.0.1:9464/metrics`, in the text form that
Prometheus reads. Nothing listens without that setting. The address is this machine's own. With
`GRAPHPAPER_METRICS=0.0.0.0:9464` others may ask, as a container needs; the page asks for no password, so let your
network say who. People, servers, channels, matches and moves are only counted, never named.

A minimal `prometheus.yml`, with a line in `targets` for every process:

    scrape_configs:
      - job_name: graphpaper
        scrape_interval: 15s
        static_configs:
          - targets: ["127.0.0.1:9464"]

[grafana.json](grafana.json) is a dashboard for Grafana 11 and later: *Dashboards → New → Import*. Its first row says
whether people are being served. `python -m bot status` prints the same on a terminal, without Prometheus.

What may be worth an alarm:

| when | what it means |
|---|---|
| `time() - graphpaper_heartbeat_timestamp_seconds > 90` | the process hangs, or the database cannot be written |
| `graphpaper_shards_connected < graphpaper_shards` for 5 minutes | Discord is not connected |
| `graphpaper_boards_oldest_lag_seconds > 300` | somebody waits for a board |
| `rate(graphpaper_acts_total{outcome=~"unavailable\\|failed"}[5m]) > 0` | people are told of the bot's own trouble |
| `graphpaper_twins > 0` | another process serves the same servers; the log and `python -m bot health` say which |
| `time() - graphpaper_backup_timestamp_seconds > 129600` | for a day and a half no copy of the database was made |
| `sum(graphpaper_leader) != 1` for 5 minutes | nobody tidies up, or two do |

Every metric (`process_…` and `python_gc_…` are prometheus-client's own):

| metric | labels | what it is |
|---|---|---|
"""


def line(name: str, kind: str, labels: tuple[str, ...], about: str) -> str:
    """A metric as a line of the table."""
    shown = f"{name}_total" if kind == "counter" else name
    return f"| `{shown}` ({kind}) | {', '.join(labels)} | {about} |"


def table() -> str:
    """The whole page."""
    rows = sorted(Metrics().described(), key=lambda one: one[0])
    return HEAD + "\n".join(line(*row) for row in rows) + "\n"


if __name__ == "__main__":
    FILE.write_text(table())
