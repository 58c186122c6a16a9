"""The alarms of docs/rules.yml: each rings in the trouble that it is for, in time, and none while all is well.

Stories of hours are told to promtool, Prometheus's own tool, in series of a figure a minute. The drill makes the same
troubles for a real bot and a real Prometheus (`python -m tests.rings`).
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from prometheus_client import ProcessCollector

from tests.host.test_dashboard import known, metric
from tests.rings.causes import CAUSES

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs/rules.yml").read_text()
WATCHING = (ROOT / "docs/watching.md").read_text()
ALARMS = re.findall(r"^ +- alert: (\w+)$", RULES, re.MULTILINE)
EXPRESSIONS = re.findall(r"^ +expr: (.+)$", RULES, re.MULTILINE)
with_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no promtool: install prometheus")

BOT, BOT_B = 'job="graphpaper", instance="a"', 'job="graphpaper", instance="b"'
HOURS = 180
"""Minutes that a story has."""
WELL = {
    "up": "1x180",
    "graphpaper_heartbeat_timestamp_seconds": "0 60+60x179",
    "graphpaper_leader": "0 1x179",
    "graphpaper_shards": "1x180",
    "graphpaper_shards_connected": "0x2 1x177",
    "process_start_time_seconds": "1000x180",
    'graphpaper_disk_free_bytes{holds="database"}': "20e9x180",
    'graphpaper_disk_free_bytes{holds="copies"}': "100e6x180",
    "graphpaper_backup_timestamp_seconds": "-129600+60x180",
    "graphpaper_boards_oldest_lag_seconds": "300x180",
    'graphpaper_acts_total{outcome="done"}': "0+9x180",
    'graphpaper_acts_total{outcome="refused"}': "0+9x180",
    'graphpaper_acts_total{outcome="unavailable"}': "0x180",
    'graphpaper_acts_total{outcome="failed"}': "3x180",
    'graphpaper_acts_total{outcome="too late"}': "0x90 3x90",
    "graphpaper_twins": "0x180",
    "graphpaper_already_answered_total": "0x90 4x90",
}
"""A bot that has just begun, and is well for three hours, though not better than it must be."""
Rings = dict[int, set[str]]
STORIES: dict[str, tuple[dict[str, str], Rings]] = {
    "a bot that is well is left in peace": ({}, {1: set(), 10: set(), 100: set(), 180: set()}),
    "a bot without copies": ({"graphpaper_backup_timestamp_seconds": "_x180"}, {10: set(), 180: set()}),
    "a bot that makes its first copy after a minute": (
        {"graphpaper_backup_timestamp_seconds": "-9e9x3 60x177"},
        {1: set(), 5: set(), 180: set()},
    ),
    "a bot that is killed": (
        dict.fromkeys(WELL, "_x180")
        | {
            "up": "1x60 0x119",
            "graphpaper_heartbeat_timestamp_seconds": "0+60x60 stale",
            "graphpaper_leader": "1x60 stale",
        },
        {
            60: set(),
            61: set(),
            63: {"GraphPaperDown", "GraphPaperNoHeartbeat"},
            67: {"GraphPaperDown", "GraphPaperNoHeartbeat", "GraphPaperNoLeader"},
            180: {"GraphPaperDown", "GraphPaperNoHeartbeat", "GraphPaperNoLeader"},
        },
    ),
    "a bot that is started again within a minute": (
        {"up": "1x60 0 1x119", "process_start_time_seconds": "1000x60 stale 5000x118"},
        {60: set(), 61: set(), 62: set(), 70: set()},
    ),
    "a bot of which Prometheus knows nothing": (
        dict.fromkeys(WELL, "_x180"),
        {
            0: set(),
            2: {"GraphPaperNoHeartbeat"},
            6: {"GraphPaperNoHeartbeat", "GraphPaperNoLeader", "GraphPaperUnwatched"},
        },
    ),
    "a bot that can't write to its database": (
        {"graphpaper_heartbeat_timestamp_seconds": "0+60x60 3600x119", "graphpaper_leader": "1x61 0x118"},
        {61: set(), 63: {"GraphPaperNoHeartbeat"}, 67: {"GraphPaperNoHeartbeat", "GraphPaperNoLeader"}},
    ),
    "two bots that lead": (
        {f"graphpaper_leader{{{BOT_B}}}": "1x180"},
        {4: set(), 7: {"GraphPaperNoLeader"}},
    ),
    "a bot whose leader is another process": (
        {"graphpaper_leader": "0x180", f"graphpaper_leader{{{BOT_B}}}": "1x180"},
        {7: set(), 180: set()},
    ),
    "a bot without Discord": (
        {"graphpaper_shards_connected": "1x60 0x119"},
        {65: set(), 66: {"GraphPaperDisconnected"}},
    ),
    "a bot that begins again and again": (
        {"process_start_time_seconds": "1x60 2x2 3x2 4x110"},
        {66: set(), 67: {"GraphPaperRestarts"}, 90: {"GraphPaperRestarts"}, 92: set()},
    ),
    "a bot that was updated twice": ({"process_start_time_seconds": "1x60 2x2 3x115"}, {66: set(), 70: set()}),
    "a disk that fills": (
        {'graphpaper_disk_free_bytes{holds="copies"}': "20e9-200e6x180"},
        {99: set(), 102: {"GraphPaperDiskFull"}},
    ),
    "copies that are no longer made": (
        {"graphpaper_backup_timestamp_seconds": "-126000x180"},
        {60: set(), 70: set(), 71: {"GraphPaperCopyOld"}},
    ),
    "a bot that has never made a copy": (
        {"graphpaper_backup_timestamp_seconds": "-9e9x180"},
        {9: set(), 10: {"GraphPaperCopyOld"}},
    ),
    "a board that Discord does not take": (
        {"graphpaper_boards_oldest_lag_seconds": "0x60 0+60x119"},
        {66: set(), 68: {"GraphPaperBoardsLate"}},
    ),
    "somebody who is told that nothing can be saved": (
        {'graphpaper_acts_total{outcome="unavailable"}': "0x60 1x119"},
        {60: set(), 62: {"GraphPaperFailing"}, 67: set()},
    ),
    "somebody who meets with what nobody foresaw": (
        {'graphpaper_acts_total{outcome="failed"}': "3x60 4x119"},
        {60: set(), 62: {"GraphPaperFailing"}, 67: set()},
    ),
    "answers that come too late": (
        {'graphpaper_acts_total{outcome="too late"}': "0x60 5x119"},
        {60: set(), 62: {"GraphPaperTooSlow"}, 77: set()},
    ),
    "two bots on the same servers": (
        {"graphpaper_twins": "0x60 1x119"},
        {62: set(), 63: {"GraphPaperTwins"}},
    ),
    "a second bot with the same token": (
        {"graphpaper_already_answered_total": "0x60 1+1x119"},
        {63: set(), 68: {"GraphPaperAnsweredElsewhere"}},
    ),
}
"""What is otherwise than with a bot that is well; and which alarms ring in which minute, and no other."""


def named(name: str) -> str:
    """A series by its whole name."""
    short, _, labels = name.rstrip("}").partition("{")
    own = BOT if "instance=" not in labels else ""
    return f"{short}{{{', '.join(one for one in (own, labels) if one)}}}"


def story(name: str) -> dict[str, Any]:
    """A story as promtool reads it."""
    changes, rings = STORIES[name]
    return {
        "name": name,
        "interval": "1m",
        "input_series": [{"series": named(one), "values": values} for one, values in (WELL | changes).items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{minute}m",
                "exp_samples": [{"labels": f'{{alertname="{alarm}"}}', "value": 1} for alarm in sorted(alarms)],
            }
            for minute, alarms in rings.items()
        ],
    }


def told(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """What promtool finds of some stories."""
    file = folder / "stories.yml"  # what is JSON is YAML, too
    rules = [str(ROOT / "docs/rules.yml")]
    tests = [story(name) for name in names]
    file.write_text(json.dumps({"rule_files": rules, "evaluation_interval": "1m", "tests": tests}))
    return subprocess.run(["promtool", "test", "rules", str(file)], capture_output=True, text=True)


@with_promtool
def test_what_rings_in_which_trouble_and_when(tmp_path: Path) -> None:
    """All stories at once, since promtool takes long to begin; one by one where something is wrong."""
    if told(tmp_path, *STORIES).returncode:
        found = {name: told(tmp_path, name) for name in STORIES}
        assert {name: done.stdout + done.stderr for name, done in found.items() if done.returncode} == {}


@with_promtool
def test_prometheus_takes_the_configuration_of_the_page(tmp_path: Path) -> None:
    lines = WATCHING[WATCHING.index("    rule_files:") :]
    (tmp_path / "prometheus.yml").write_text(dedent(lines[: lines.index("\n\n")]))
    shutil.copy(ROOT / "docs/rules.yml", tmp_path)
    asked = ["promtool", "check", "config", str(tmp_path / "prometheus.yml")]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert f"{len(ALARMS)} rules found" in done.stdout, done.stdout + done.stderr


def test_every_alarm_rings_in_a_story_and_in_the_drill() -> None:
    in_stories = {alarm for _, rings in STORIES.values() for alarms in rings.values() for alarm in alarms}
    assert sorted(in_stories) == sorted(ALARMS)
    assert {alarm for cause in CAUSES for alarm in cause.rings} == set(ALARMS)


def test_alarms_are_about_figures_that_there_are() -> None:
    of_process = {family.name for family in ProcessCollector(registry=None).collect()}
    named_there = {metric(word) for one in EXPRESSIONS for word in re.findall(r"\b(?:graphpaper|process)_\w+", one)}
    assert len(EXPRESSIONS) == len(ALARMS) and named_there <= known().keys() | of_process


def test_every_alarm_says_how_bad_it_is_what_it_means_and_what_to_do() -> None:
    for alarm in RULES.split("- alert: ")[1:]:
        assert re.search(r"severity: (critical|warning)\}", alarm), alarm
        said = re.search(r"summary: (\S.*\.)\n +description: (?:>-\n)?((?:.|\n)*)", alarm)
        assert said and said[2].strip().endswith((".", ".)")), alarm


def test_no_other_page_repeats_the_alarms() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        assert not re.search(r"graphpaper_\w+(\{[^}]*\})? *[<>!=]=? *\d", page.read_text()), page
