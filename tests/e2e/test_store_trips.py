"""How often a move reads the store, writes to it and asks Discord, by the way it is entered.

`pytest -s tests/e2e/test_store_trips.py` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import pytest
from sqlalchemy import Connection

from bot.platform.machine import in_background
from data.engine.driver import Driver, TimeLimits
from data.store import Reader
from tests.e2e.harness import FOR_EVER, Harness, form_of, labels

T = TypeVar("T")


class Trips(NamedTuple):
    """Transactions that read and that write, and requests to Discord with the answer among them."""

    reads: int
    writes: int
    requests: int


class Counting:
    """A driver that counts its transactions, but for those of loops that look what is due every few seconds."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.reads = self.writes = 0

    async def read(self, work: Callable[[Connection], T], limits: TimeLimits | None = None) -> T:
        self.reads += not in_background.get()
        return await self.driver.read(work, limits)

    async def write(self, work: Callable[[Connection], T], limits: TimeLimits | None = None) -> T:
        self.writes += not in_background.get()
        return await self.driver.write(work, limits)

    async def close(self) -> None:
        await self.driver.close()


class Counter:
    """Counts from one look to the next."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.driver = Counting(harness.life.store.database.driver)
        harness.life.store.database.driver = self.driver
        self.before = self.now()

    def now(self) -> Trips:
        return Trips(self.driver.reads, self.driver.writes, len(self.harness.sandbox.rest.log))

    async def passed(self, what: str) -> Trips:
        """What was done since the last look, when all is shown."""
        await self.harness.life.idle()
        before, self.before = self.before, self.now()
        trips = Trips(*(now - then for now, then in zip(self.before, before, strict=True)))
        print(f"{what:<40}{trips.reads:>3} reads{trips.writes:>3} writes{trips.requests:>3} requests")
        return trips


@pytest.fixture
def reconcile() -> float:
    """No sweeps meanwhile."""
    return 3600


async def test_a_move_reads_the_store_twice_and_writes_it_three_times(harness: Harness) -> None:
    played = await harness.match()
    counter = Counter(harness)
    await harness.ann.command("binary-primes move", channel=played.place, square="b2")
    trips = {"the game's command": await counter.passed("a move by the game's command")}
    await harness.bea.command("move", channel=played.place, line="a1")
    trips["/move"] = await counter.passed("a move by /move")
    opened = await form_of(harness.ann, (await played.fresh()).board)
    await counter.passed("opening the form")
    await harness.ann.submit(opened, {"Square": "c3"})
    trips["the form"] = await counter.passed("a move by the form")
    # The match that is meant, and as it is shown; the move, that somebody was told, and that it is shown. The answer,
    # the line, the board, the one before it closed, and whatever the answer leaves to be taken away.
    assert all((trip.reads, trip.writes, trip.requests) == (2, 3, 5) for trip in trips.values()), trips
    assert [labels(board) for board in played.boards[:-1]] == [[]] * 3, "each board is closed by the one behind it"
    assert not await harness.store.ask(Reader.find_pending_edits, FOR_EVER, 1)


async def test_lists_ask_once(harness: Harness) -> None:
    challenged = await harness.challenge(opponent=harness.bea)
    counter = Counter(harness)
    await harness.bea.press(challenged.lobby, "Accept")
    accepted = await counter.passed("accepting a challenge")
    await harness.match()
    await harness.match()
    await counter.passed("two matches more")
    lists: dict[str, Trips] = {}
    asked: dict[str, dict[str, str]] = {
        "matches": {}, "records": {"game": "within-the-curve"}, "leaderboard": {}, "preferences": {}, "away show": {},
    }  # fmt: skip
    for command, options in asked.items():
        await harness.ann.command(command, channel="games", **options)
        lists[command] = await counter.passed(f"/{command}")
    # Of those whom matches wait for, it is asked who is away; and where one is asked to take over a seat.
    assert lists.pop("matches") == Trips(3, 0, 1), "what a list shows is read in as few transactions as can be"
    assert set(lists.values()) == {Trips(1, 0, 1)}, f"one transaction reads all that a list shows: {lists}"
    assert accepted.reads <= 11
