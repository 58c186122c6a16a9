"""Jobs by key: single-flight, retried with backoff, and never sooner than Discord has asked for."""

from __future__ import annotations

import asyncio

import discord
import pytest

from bot.platform import jobs
from bot.platform.jobs import Backoff, JobQueue
from tests.support.waiting import Still


class Bench:
    """A queue whose jobs raise what they are told to."""

    def __init__(self) -> None:
        self.faults: list[Exception] = []
        self.begun: list[str] = []
        self.pauses: list[float] = []
        self.queue = JobQueue(self.job, Backoff(10, 60), self.failed)

    async def job(self, key: str) -> None:
        self.begun.append(key)
        await asyncio.sleep(0)
        if self.faults:
            raise self.faults.pop(0)

    def failed(self, _key: str, _fault: Exception, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Still:
    still = Still()
    monkeypatch.setattr(jobs, "loop_time", still)
    return still


def test_a_backoff_grows_to_its_longest_pause_and_no_further() -> None:
    assert [Backoff(5, 3600, factor=4).seconds_to_wait(failures) for failures in (1, 2, 3, 9, 10_000)] == [
        5,
        20,
        80,
        3600,
        3600,
    ]


async def test_each_failure_in_a_row_rests_longer_and_a_success_forgets_them(clock: Still) -> None:
    bench = Bench()
    bench.faults = [OSError(), OSError(), OSError()]
    for _ in range(4):
        bench.queue.start("a")
        await bench.queue.settle()
    assert bench.pauses == [10, 20, 40] and not bench.queue.rests
    bench.faults = [OSError()]
    bench.queue.start("a")
    await bench.queue.settle()
    assert bench.pauses[-1] == 10 and bench.queue.is_resting("a")
    clock.now += 11
    assert not bench.queue.is_resting("a")


async def test_a_key_runs_once_at_a_time_and_again_for_those_who_ask_meanwhile() -> None:
    bench = Bench()
    for key in "aba":
        bench.queue.ask(key)
    await asyncio.sleep(0)
    for _ in range(3):
        bench.queue.ask("a")
    await bench.queue.settle()
    assert sorted(bench.begun) == ["a", "a", "b"]


async def test_asking_ends_a_backoff_but_not_one_that_discord_asked_for(clock: Still) -> None:
    bench = Bench()
    bench.faults = [OSError(), discord.RateLimited(90)]
    for _ in range(3):
        bench.queue.ask("a")
        await bench.queue.settle()
    assert bench.pauses == [10, 90] and len(bench.begun) == 2
    clock.now += 91
    bench.queue.ask("a")
    await bench.queue.settle()
    assert len(bench.begun) == 3 and not bench.queue.rests


async def test_what_is_asked_for_after_all_was_broken_off_is_left_to_the_next_start() -> None:
    bench = Bench()
    bench.queue.ask("a")
    await asyncio.sleep(0)
    await asyncio.wait(bench.queue.cancel())
    for key in "ab":
        bench.queue.ask(key)
    await bench.queue.settle()
    assert bench.begun == ["a"]
