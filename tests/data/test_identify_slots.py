"""IDENTIFY slots: all processes together take one at a time, on both kinds of database, and none waits in vain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from typing import Any

import pytest

from bot.platform.processes import DOUBT, GAP, compute_wait
from bot.platform.shards import LOOKS_APART, IdentifyQueue, SessionLimit
from data.store import Reader, Store, Transaction

MANY = 5
EPOCH = 1_800_000_000


class Time:
    """Time that passes when everybody sleeps, and only then."""

    def __init__(self) -> None:
        self.now = 0.0
        self.awake = 0
        self.sleepers: list[tuple[float, int, asyncio.Event]] = []
        self.rng = 0

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self.rng += 1
        self.sleepers.append((self.now + seconds, self.rng, woken))
        self.awake -= 1
        self._next()
        await woken.wait()

    def _next(self) -> None:
        if not self.awake and self.sleepers:
            self.sleepers.sort(key=lambda one: one[:2])
            self.now, _, woken = self.sleepers.pop(0)
            self.awake += 1
            woken.set()

    async def run(self, *works: Coroutine[Any, Any, None]) -> None:
        """Let some do their works side by side."""
        self.awake = len(works)

        async def done(work: Coroutine[Any, Any, None]) -> None:
            try:
                await work
            finally:
                self.awake -= 1
                self._next()

        await asyncio.gather(*map(done, works))


async def silent() -> Any:
    """Discord does not answer."""
    raise TimeoutError


class Scene:
    """Some processes on one database, each with clocks of its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.time = Time()
        self.begun: list[float] = []
        self.stores: list[Store] = []

    def process(self, number: int, rate: float = 1.0, off: float = 0.0) -> IdentifyQueue:
        """One whose steady clock runs so fast, and whose idea of Discord's date is so far off."""
        store, time = Store(self.url), self.time
        self.stores.append(store)
        made = IdentifyQueue(
            store, f"m:{number}:x", silent, lambda: int(EPOCH + time.now + off), GAP,
            lambda: 77.0 * number + rate * time.now,
        )  # fmt: skip
        made.sleep = lambda seconds: time.sleep(seconds / rate)
        return made

    async def begin(self, process: IdentifyQueue, shards: range, connects: float = 0.0) -> None:
        """Begin some shards, one after the other, each of which is connected for a while before IDENTIFY."""
        for shard in shards:
            await process.wait_to_connect(shard)
            if connects:
                await self.time.sleep(connects)
            await process.wait_to_identify(shard)
            self.begun.append(self.time.now)

    @property
    def gaps(self) -> list[float]:
        return [later - sooner for sooner, later in zip(self.begun, self.begun[1:], strict=False)]


@pytest.fixture
async def scene(either: str) -> AsyncGenerator[Scene]:
    made = Scene(either)
    yield made
    for store in made.stores:
        await store.close()


async def test_many_processes_take_turns_and_lose_no_time(scene: Scene) -> None:
    processes = [scene.process(number, 1 + 0.001 * number, (-1) ** number) for number in range(MANY)]
    await scene.time.run(*(scene.begin(process, range(1), 0.3) for process in processes))
    assert len(scene.gaps) == MANY - 1
    assert all(5.0 <= gap <= GAP + LOOKS_APART + 0.31 for gap in scene.gaps), scene.gaps


async def test_whose_connection_took_long_waits_for_another_turn(scene: Scene) -> None:
    slow, fast = scene.process(1), scene.process(2)

    async def later() -> None:
        await scene.time.sleep(1)
        await scene.begin(fast, range(1))

    await scene.time.run(scene.begin(slow, range(1), 7), later())
    assert all(gap >= 5.0 for gap in scene.gaps), scene.gaps


async def test_the_first_does_not_wait_and_queues_do_not_for_each_other(scene: Scene) -> None:
    process = scene.process(1)
    process.allowance = SessionLimit(queues=4)
    await scene.time.run(scene.begin(process, range(4)))
    assert scene.time.now == 0
    await scene.time.run(scene.begin(process, range(4, 5)))
    assert 5.0 <= scene.time.now <= GAP + LOOKS_APART


async def test_a_turn_of_one_who_was_killed_just_passes(scene: Scene) -> None:
    await scene.time.run(scene.process(1).wait_to_connect(0))
    await scene.time.run(scene.begin(scene.process(2), range(1)))
    assert scene.time.now <= GAP + LOOKS_APART
    scene.time.now += GAP + DOUBT
    before = scene.time.now
    await scene.time.run(scene.begin(scene.process(3), range(1)))
    assert scene.time.now == before, "after an hour nobody waits, without having looked on"


async def test_a_time_in_the_far_future_keeps_nobody_for_long(scene: Scene) -> None:
    process = scene.process(1)
    await scene.stores[0].do(Transaction.set_note, "identify 0", f"{EPOCH + 10**6} m:9:x 1")
    await scene.time.run(scene.begin(process, range(1)))
    assert GAP <= scene.time.now <= GAP + LOOKS_APART


async def test_without_a_gap_nothing_is_asked_or_written(scene: Scene) -> None:
    process = scene.process(1)
    process.gap = 0.0
    await scene.time.run(scene.begin(process, range(3)))
    assert scene.time.now == 0
    assert await scene.stores[0].ask(Reader.read_note, "identify 0") is None


async def test_where_the_database_is_away_one_goes_on_after_a_while(scene: Scene, tmp_path_factory: Any) -> None:
    scene.url = f"sqlite:///{tmp_path_factory.mktemp('none')}/none.db"
    await scene.time.run(scene.begin(scene.process(1), range(1)))
    assert len(scene.begun) == 1 and 5.0 <= scene.time.now <= 10.0


def test_a_row_that_says_nothing_is_watched_for_a_gap() -> None:
    assert compute_wait("nonsense", 1.0, EPOCH, GAP) == GAP - 1.0
    assert compute_wait(None, 0.0, EPOCH, GAP) == 0


def test_sessions_that_run_short_are_made_to_last() -> None:
    day = 86_400.0
    assert SessionLimit(1, 1000, 900, day).seconds_to_wait(16, 4) == 0
    assert SessionLimit(1, 1000, 15, day).seconds_to_wait(16, 4) == day, "there are not enough for all"
    assert SessionLimit(1, 1000, 200, day).seconds_to_wait(1, 1) == day / 200
    spent, now, number = 0, 0.0, 800
    while now < day:  # a bot that dies at once and is started again, for a day
        pause = SessionLimit(1, 1000, 1000 - number, day - now).seconds_to_wait(1, 1)
        now += pause + 1
        number += 1 if pause < day - now else 0
        spent += 1
        assert number <= 1000
    assert spent > 100, "it was not shut out"


def test_what_discord_says_is_read() -> None:
    said = {"total": 1000, "remaining": 7, "reset_after": 90_000, "max_concurrency": 16}
    assert SessionLimit.parse(said) == SessionLimit(16, 1000, 7, 90.0)
