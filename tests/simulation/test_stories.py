"""A handful of stories: no seed finds anything, a seed tells the same story anywhere, and time passes as it should.

`make simulate SEEDS=1000` tells many more.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.simulation.__main__ import findings, told
from tests.simulation.loop import SimulatedLoop, Stuck
from tests.simulation.report import Report
from tests.support.log_lines import logging_to
from tests.support.sampled import sampled

SEEDS = (8, 7, 17)
"""Short ones: with three deaths, with refusals of Discord's, and with two processes one of which stops."""


@cache
def reported(seed: int, empty: Path) -> Report:
    """What came of the story of a seed in this process."""
    with logging_to("WARNING"):  # the bot's own log hides what people typed, from whoever listens after it too
        return told(seed, empty, brief=True)[0]


@sampled("seed", SEEDS)
def test_nothing_is_lost_doubled_or_left_in_a_story(seed: int, empty: Path) -> None:
    report = reported(seed, empty)
    assert list(findings(report)) == []
    assert report.matches and report.moves


@pytest.mark.long
def test_a_seed_tells_the_same_story_under_any_order_of_hashes(empty: Path) -> None:
    """In another process, which hashes otherwise, and in this one, which has told other stories."""
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    command = [sys.executable, "-m", "tests.simulation", "--seed", "8", "--brief", "--digest"]
    there = subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": other}, stdout=subprocess.PIPE, text=True)
    assert there.stdout == f"{reported(8, empty).digest}\n"


def test_a_loop_in_which_nothing_can_happen_any_more_says_who_waits() -> None:
    async def waits() -> None:
        await loop.create_future()

    loop = SimulatedLoop(1)
    with pytest.raises(Stuck, match="waits"):
        loop.run_until_complete(waits())
    loop.close()


def test_time_passes_only_where_nothing_is_ready_and_order_is_drawn_by_the_seed() -> None:
    def told_by(seed: int | None) -> list[object]:
        loop, heard = SimulatedLoop(seed), list[object]()

        async def say(what: int) -> None:
            heard.append(what)

        async def story() -> None:
            began = loop.time()
            await asyncio.gather(*(say(what) for what in range(8)))
            heard.append(loop.time() - began)
            await asyncio.sleep(3600)
            heard.append(loop.time() - began)

        loop.run_until_complete(story())
        loop.close()
        return heard

    assert told_by(None) == [*range(8), 0.0, 3600.0]
    drawn = told_by(5)
    assert drawn == told_by(5) != told_by(6) and sorted(map(float, map(str, drawn[:8]))) == [*range(8)]
