"""Writes docs/metrics.md: every metric in a line, made from the registry.

python -m tests.support.metrics_page
"""

from __future__ import annotations

from pathlib import Path

from bot.platform.metrics import Metrics

FILE = Path(__file__).parent.parent.parent / "docs" / "metrics.md"
HEAD = """# What is measured

With `GRAPHPAPER_METRICS=9464` the bot serves its figures at `http://127.0.0.1:9464/metrics`, in the text form that
Prometheus reads. Nothing listens without that setting. The address is this machine's own. With
`GRAPHPAPER_METRICS=0.0.0.0:9464` others may ask; in a container a port alone means that. The page asks for no password,
so let your network say who. People, servers, channels, matches and moves are only counted, never named.

[watching.md](watching.md) has a configuration for Prometheus, and says which alarms and which dashboard there are.
`python -m bot status` prints the same figures on a terminal, without Prometheus.

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
    rows = sorted(Metrics().describe_all(), key=lambda one: one[0])
    return HEAD + "\n".join(line(*row) for row in rows) + "\n"


if __name__ == "__main__":
    FILE.write_text(table())
