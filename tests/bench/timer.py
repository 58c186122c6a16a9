"""The timer with 10,000 live matches: what one of its looks costs the event loop and the database, every few seconds.

The matches are written by hand. A look when nothing is due is what the bot does all day; 500 at once are what a weekend
leaves; an outage is given back to all 10,000 clocks in one transaction, while which nobody else can write.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random

from bot.games.catalogue import load_games
from bot.play.ids import InteractionId, MatchId, UserId
from bot.umpire.acts import DeadlineService
from bot.umpire.clocks import NOTE, DowntimeKeeper
from bot.umpire.umpire import Umpire
from data.store import Reader, Store, Transaction
from data.upkeep.upgrade import migrate
from tests.bench.figures import Sheet, median

LIVE, PLAYERS, DUE, LOOKS, MOVES = 10_000, 5_000, 500, 40, 60
RECONCILE = 5.0
"""Seconds between two looks, as usually set."""
NOW, DAY, HOUR = 1_770_000_000, 86_400, 3_600
MATCH = """INSERT INTO matches (id, guild, channel, game, game_version, options, seats, seating, rated, host, state,
version, plies, turn, created, started, shown_version, shown_plies, published, rename, pace)
VALUES (?, 1, 10, 'binary-primes', ?, '{"size": 9}', 2, 'lot', 1, ?, 'live', 2, 0, '[1]', ?, ?, 2, 0, 0, 0, '7')"""
PLAYER = """INSERT INTO players ("match", user, joined, seat, invited, consent, mention_version, agrees, allotted,
seconds_left, since, deadline, next_reminder_at, reminder_count) VALUES (?, ?, ?, ?, 0, 0, 0, 0, ?, ?, ?, ?, ?, 0)"""
PREFERS = "INSERT INTO preferences (user, confirm, zone, weekends, closed) VALUES (?, 1, ?, ?, 0)"
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")


def begin(file: Path) -> None:
    """Write the live matches into a migrated database: seat 1 is to move in each, and its clock has run for a while. A
    fifth of the people have a zone of their own and weekends without clocks."""
    rng, version = Random(8), load_games()["binary-primes"].version
    with closing(sqlite3.connect(file)) as connection, connection:
        for user in range(1, PLAYERS + 1, 5):
            connection.execute(PREFERS, (user, rng.choice(ZONES), 0))
        for match in range(1, LIVE + 1):
            one, other = rng.sample(range(1, PLAYERS + 1), 2)
            since = NOW - rng.randrange(HOUR, 2 * DAY)
            connection.execute(MATCH, (match, version, one, since, since))
            ends = since + 7 * DAY
            running = (match, one, 1, 1, 7 * DAY, 7 * DAY, since, ends, ends - 7 * DAY // 2)
            connection.executemany(PLAYER, [running, (match, other, 2, 2, 7 * DAY, 7 * DAY, None, None, None)])


class Busy:
    """How long something takes, and how long it keeps the event loop busy meanwhile, in seconds."""

    def __init__(self) -> None:
        self.passed: list[float] = []
        self.held: list[float] = []

    async def time(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do something. What it takes of the loop is the time of this thread's processor."""
        began, busy = time.perf_counter(), time.thread_time()
        await work()
        self.passed.append(time.perf_counter() - began)
        self.held.append(time.thread_time() - busy)


class Bench:
    """A timer on the database, with a clock that is set."""

    def __init__(self, url: str) -> None:
        self.now = NOW
        self.store = Store(url)
        self.umpire = Umpire(self.store, load_games(), lambda: self.now, Random(1))
        self.outages = DowntimeKeeper(self.store, lambda: self.now)
        self.deadlines = DeadlineService(self.umpire)
        self.changed = 0

    async def look(self) -> None:
        """What the timer does in one look, and the questions that reminders ask."""
        await self.outages.note_connected()
        async for _ in self.deadlines.run_due_acts():
            self.changed += 1
        await self.store.ask(Reader.find_due_reminders, self.now, 200)
        await self.store.ask(Reader.digests_due, self.now, 200)
        await self.store.ask(Reader.find_abandoned_messages, self.now, 200)

    async def move(self, act: int) -> None:
        """A move, for comparison."""
        row = await self.store.ask(Reader.load_row, MatchId(act))
        assert row
        user = next(player.user for player in row.players if player.seat == 1)
        await self.umpire.move(InteractionId(10**6 + act), MatchId(act), UserId(user), "a1")

    async def idle(self) -> tuple[Busy, Busy]:
        """Looks with nothing due, by turns with moves."""
        looks, moves = Busy(), Busy()
        for act in range(1, MOVES + 1):
            self.now += int(RECONCILE)
            await looks.time(self.look)
            await moves.time(lambda act=act: self.move(act))
            await asyncio.sleep(0)
        return looks, moves

    async def pile(self) -> Busy:
        """A look that finds 500 who ran out of time."""
        await self.store.do(late, self.now)
        busy, self.changed = Busy(), 0
        await busy.time(self.look)
        assert self.changed == DUE, f"{self.changed} deadlines passed"
        return busy

    async def start_outage(self) -> Busy:
        """The look after an outage of an hour: every clock goes on as if it had stood still."""
        self.now += HOUR
        busy = Busy()
        await busy.time(self.outages.note_connected)
        return busy


def late(tx: Transaction, now: int) -> None:
    """Let the time of some have run out just now."""
    for match in range(LIVE - DUE + 1, LIVE + 1):
        row = tx.load_row(match)
        assert row
        user = next(player.user for player in row.players if player.seat == 1)
        tx.set_player(match, user, deadline=now - 1, next_reminder_at=None)
    tx.set_note(NOTE, str(now))


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of the timer."""
    sheet.title(f"The timer, with {LIVE} live matches")
    # A database beside others would be taken for one that was lost.
    file = folder / "timer" / "timer.db"
    file.parent.mkdir()
    await migrate(f"sqlite:///{file}")
    begin(file)
    bench = Bench(f"sqlite:///{file}")
    await bench.look()
    looks, moves = await bench.idle()
    pile, outage = await bench.pile(), await bench.start_outage()
    await bench.store.close()
    move = median(moves.passed)
    sheet.add("a move, through umpire and store", move * 1e3, "ms")
    sheet.add("a look at which nothing is due", median(looks.passed) * 1e3, "ms")
    sheet.add("the same / a move", median(looks.passed) / move, limit=2)
    sheet.add("the event loop's share for looks, every 5 s", median(looks.held) / RECONCILE * 100, "%", limit=0.2)
    sheet.add(f"a look at which {DUE} run out of time at once", pile.passed[0], "s")
    sheet.add("of it, one that ran out / a move", pile.passed[0] / DUE / move, limit=2)
    sheet.add(f"an outage given back to {LIVE} clocks", outage.passed[0], "s")
    sheet.add("of it, the event loop is busy", outage.held[0] * 1e3, "ms", limit=50)
    sheet.add("of it, one clock / a move", outage.passed[0] / LIVE / move, limit=0.2)
