"""The metrics, without Discord: boards that are shown late, and levels of searches."""

from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path

import pytest

import bot as _bot
from bot.platform.metrics import EACH, REMEMBERED, Metrics, classify_ending
from bot.play.ids import MatchId, ShardShare
from bot.settings import Address, Settings
from data.engine.errors import Unavailable

ROOT = Path(__file__).parents[2]


def boards(metrics: Metrics) -> tuple[float, float]:
    """How many boards were measured, and their seconds."""
    sample = metrics.registry.get_sample_value
    return sample("graphpaper_board_seconds_count") or 0, sample("graphpaper_board_seconds_sum") or 0


def test_a_board_is_measured_from_the_commit_of_what_it_shows() -> None:
    now = 100.0
    metrics = Metrics(lambda: now)
    metrics.note_commit(MatchId(1), 2)
    now = 103.0
    metrics.note_commit(MatchId(1), 3)
    metrics.note_shown(MatchId(1), 2)
    assert boards(metrics) == (1, 3.0)
    now = 104.0
    metrics.note_shown(MatchId(1), 3)
    assert boards(metrics) == (2, 4.0)
    metrics.note_shown(MatchId(1), 3)
    metrics.note_shown(MatchId(7), 1)
    assert boards(metrics) == (2, 4.0), "nothing was waited for"


async def test_what_is_never_shown_takes_no_room() -> None:
    metrics = Metrics()
    for version in range(3 * EACH):
        metrics.note_commit(MatchId(1), version)
    metrics.note_shown(MatchId(1), 10**6)
    assert boards(metrics)[0] == EACH
    for match in range(REMEMBERED + 5):
        metrics.note_commit(MatchId(match), 1)
    for match in range(REMEMBERED + 5):
        metrics.note_shown(MatchId(match), 1)
    assert boards(metrics)[0] == EACH + REMEMBERED


def test_a_search_is_measured_by_its_level() -> None:
    metrics = Metrics()
    for seed in ("12:0:1:3", "12:0:1:1234567890123456789", "seed"):
        metrics.observe_search(seed, 0.2)
    sample = metrics.registry.get_sample_value
    assert sample("graphpaper_search_seconds_count", {"level": "3"}) == 1
    assert sample("graphpaper_search_seconds_count", {"level": "other"}) == 2


def test_how_transactions_end() -> None:
    faults = (None, Unavailable(), asyncio.CancelledError(), KeyError())
    assert [classify_ending(fault) for fault in faults] == ["done", "unavailable", "abandoned", "undone"]


def test_the_build_is_told() -> None:
    metrics = Metrics()
    metrics.note_build("0.1.0 (1a2b3c4d, 2026-11-28)", "0004_steady", ShardShare(0, 3, 16))
    labels = {"version": "0.1.0 (1a2b3c4d, 2026-11-28)", "schema": "0004_steady", "share": "0-3/16"}
    assert metrics.registry.get_sample_value("graphpaper_build_info", labels) == 1
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == _bot.VERSION


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [("9464", "127.0.0.1", 9464), ("0", "127.0.0.1", 0), ("0.0.0.0:9464", "0.0.0.0", 9464), ("[::1]:80", "::1", 80)],
)
def test_an_address_is_a_port_or_a_host_and_a_port(text: str, host: str, port: int) -> None:
    read = Address.parse(text)
    assert read == Address(host, port)
    assert Address.parse(str(read)) == read


@pytest.mark.parametrize("text", ["70000", "localhost", "http://x:80", ":80", "::1:80", "-1", "9464 9465"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a port, like 9464, or a host and a port"):
        Address.parse(text)


def test_without_an_address_nothing_listens() -> None:
    assert Settings().metrics is None
