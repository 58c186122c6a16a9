"""`python -m bot status`: figures that fit a terminal, and sentences where there are none."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.__main__ import main
from bot.host.machine import wall_time
from bot.host.status import (
    MetricsPage,
    describe_heartbeat,
    estimate_quantile,
    list_process_figures,
    list_processes,
    write_report,
)
from bot.platform.metrics import Metrics
from bot.play.ids import MatchId
from bot.settings import Address
from data.queries.sweeps import Figures
from data.store import Store
from data.upkeep.health import Pulse, note_heartbeat
from data.upkeep.upgrade import migrate
from tests.support.postgres import server

NOW = 1_800_000_000
COLUMNS = 80
NOBODY = 1
"""A port at which nobody listens."""


def figures(*notes: tuple[str, str]) -> Figures:
    """Figures of an empty database with some notes."""
    return Figures(0, 0, 0, 0, 0, 0, 0, None, None, notes)


def page(metrics: Metrics) -> MetricsPage:
    """What a process with these measures tells."""
    return MetricsPage([sample for family in metrics.registry.collect() for sample in family.samples])


async def test_it_tells_of_a_bot_that_runs(address: str) -> None:
    store = Store(address)
    await store.do(note_heartbeat, Pulse(int(time.time()), int(time.time())))
    await store.close()
    report = await write_report(address, None, wall_time)
    text = "\n".join(report.lines)
    assert report.sound and re.search(r"all +heard \d+ s ago, connected", text)
    assert "live matches            0" in text and "SQLite, " in text and "Set GRAPHPAPER_METRICS to a port" in text
    assert all(len(line) <= COLUMNS for line in report.lines[2:])


def test_it_tells_of_a_server_too() -> None:
    with server().database() as url:
        report = asyncio.run(write_report(url, None, wall_time))
    assert not report.sound and "no bot has used it yet" in report.lines[1]
    assert any(re.fullmatch(r" +database +PostgreSQL, [0-9.]+ MiB", line) for line in report.lines), report.lines


async def test_it_says_where_nothing_runs(folder: Path) -> None:
    url = f"sqlite:///{folder / 'graphpaper.db'}"
    report = await write_report(url, None, wall_time)
    assert not report.sound and report.lines[-1].startswith("There is no database at ")
    await migrate(url)
    report = await write_report(url, Address("127.0.0.1", NOBODY), wall_time)
    assert not report.sound
    assert "No process has used this database yet." in report.lines
    assert any(line.startswith("There are no figures at http://127.0.0.1:") for line in report.lines)


def test_it_is_a_command_with_an_exit_status(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DISCORD_TOKEN", "no.such.token")
    monkeypatch.setenv("GRAPHPAPER_DATABASE", "sqlite:///nowhere.db")
    assert main(["status"]) == 1
    assert "There is no database at nowhere.db" in capsys.readouterr().out


def test_every_process_is_told_by_its_shards() -> None:
    beats = ("heartbeat", f"{NOW} {NOW}"), ("heartbeat 4-7/16", f"{NOW - 400} {NOW - 400}")
    said = list(list_processes(figures(*beats, ("leader", "web-1:42:0f3a 12")), NOW))
    assert said[1:] == [
        "  all                     heard 0 s ago, connected",
        "  4-7/16                  not heard for 6 minutes",
        "  leader                  process 42 on web-1",
    ]
    assert list(list_processes(figures(*beats, ("leader", "free")), NOW))[-1].endswith("none right now")


def test_a_process_tells_which_version_it_is() -> None:
    """That of the command may be another: the program was updated, and the bot not yet started again."""
    beats = (
        ("heartbeat", f"{NOW} {NOW}"),
        ("heartbeat 4-7/16", f"{NOW} {NOW}"),
        ("version", "0.1.0 (1a2b3c4d, 2026-11-28)"),
    )
    said = list(list_processes(figures(*beats, ("version 4-7/16", "0.0.9 (built 2026-01-02)")), NOW))
    assert said[1:5] == [
        "  all                     heard 0 s ago, connected",
        "                          version 0.1.0 (1a2b3c4d, 2026-11-28)",
        "  4-7/16                  heard 0 s ago, connected",
        "                          version 0.0.9 (built 2026-01-02)",
    ]
    assert all(len(line) <= COLUMNS for line in said)


@pytest.mark.parametrize(
    ("pulse", "said"),
    [
        (Pulse(NOW - 12, NOW - 12), "heard 12 s ago, connected"),
        (Pulse(NOW - 12, NOW - 600), "heard 12 s ago, not connected for 10 minutes"),
        (Pulse(NOW - 12, 0), "heard 12 s ago, not connected since its start"),
        (Pulse(0, 0), "stopped"),
        (Pulse(NOW - 86_400 * 3, NOW - 86_400 * 3), "not heard for 3 days"),
    ],
)
def test_how_a_process_does(pulse: Pulse, said: str) -> None:
    assert describe_heartbeat(pulse, NOW) == said


def test_what_a_process_measured_is_told() -> None:
    now = 0.0
    metrics = Metrics(lambda: now)
    for outcome in ("done", "done", "done", "refused"):
        metrics.count_act("command", outcome)
    for seconds in (0.04, 0.04, 0.04, 4):
        metrics.observe_answer("command", seconds)
    metrics.note_commit(MatchId(1), 1)
    now = 2.0
    metrics.note_shown(MatchId(1), 1)
    lines = [" ".join(line.split()) for line in list_process_figures(page(metrics))]
    assert "what people did 4: 3 done, 1 refused" in lines
    assert any(line.startswith("answers p50 33 ms, p95 ") and line.endswith("75 % within 3 s") for line in lines)
    assert any(line.startswith("boards p50 1.8 s") for line in lines)
    assert "drawing none yet" in lines
    assert all(len(line) <= COLUMNS for line in list_process_figures(page(metrics)))


def test_a_quantile_lies_within_its_bucket() -> None:
    buckets = [(0.1, 50.0), (1.0, 100.0), (float("inf"), 100.0)]
    assert estimate_quantile(0.25, buckets) == pytest.approx(0.05)
    assert estimate_quantile(0.75, buckets) == pytest.approx(0.55)
    assert estimate_quantile(0.5, []) is None and estimate_quantile(0.5, [(1.0, 0.0), (float("inf"), 0.0)]) is None
    assert (estimate_quantile(0.99, [(3.0, 0.0), (float("inf"), 1.0)]) or 0) >= 3


def test_the_text_of_a_page_is_read_as_it_is_written() -> None:
    from prometheus_client import generate_latest

    metrics = Metrics()
    metrics.count_act("pad", "done")
    text = generate_latest(metrics.registry).decode()
    samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
    assert MetricsPage(samples).count_by_label("acts_total", "outcome") == {"done": 1}
