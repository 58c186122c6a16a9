"""Measures the cost of a match: bytes in the database when it is over, commits, processor time.

The umpire plays whole matches and notes boards as shown after every move; nothing is drawn or sent.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from itertools import count, product
from pathlib import Path
from random import Random, SystemRandom

from bot.games.catalogue import load_games
from bot.play import acts
from bot.play.challenges import ChallengeTerms
from bot.play.ids import ChannelId, GuildId, InteractionId, UserId
from bot.play.loaded_match import LoadedMatch
from bot.play.puzzles import PuzzleTry
from bot.play.ratings import PointsLost
from bot.play.rows import CostlyMove, Review, ServerSettings, format_reviews
from bot.umpire import clocks
from bot.umpire.umpire import Umpire
from data.store import Store, Transaction
from data.upkeep.upgrade import migrate
from tests.bench.figures import Sheet
from tests.bench.servers import database, on_disk
from tests.bench.underway import GAME
from tests.support.postgres import Postgres

COSTLY = CostlyMove(12, 1, "a1 15", "b2 16", 60, 40)
MATCHES, SIZE, SERVERS, PEOPLE, SIDE_BY_SIDE = 100, 7, 10, 60, 4
SETTINGS = ServerSettings(most_from_one=1000, most_from_all=1000, most_open=1000)
COMMITS = "SELECT sum(xact_commit)::int FROM pg_stat_database WHERE datname = 'costs'"
BYTES = "SELECT pg_database_size('costs')"


REVIEW = format_reviews((Review(0, (tuple(range(40, 65)), tuple(range(60, 35, -1))), 20, (COSTLY,) * 5),))
"""A review of a match of 24 moves between two, five of which were costly."""
DAYS = 40
"""On so many days everybody tries one puzzle, once."""


class Played:
    """Plays whole matches, and counts their moves."""

    def __init__(self, store: Store) -> None:
        self.umpire = Umpire(store, load_games(), lambda: int(time.time()), SystemRandom())
        self.rng = Random(12)
        self.acts = count(10**15)
        self.moves = 0

    def act(self) -> InteractionId:
        """The number of the next act."""
        return InteractionId(next(self.acts))

    async def prepare(self) -> None:
        """Let people challenge each other as often as is done here."""
        for server in range(1, SERVERS + 1):
            await self.umpire.store.do(Transaction.set_settings, server, SETTINGS)

    async def match(self, number: int) -> None:
        """From the challenge to the end."""
        first, second = map(UserId, self.rng.sample(range(1000, 1000 + PEOPLE), 2))
        guild = GuildId(number % SERVERS + 1)
        challenge = ChallengeTerms(
            guild, ChannelId(5), first, load_games()[GAME], {"size": SIZE}, 2, (second,), pace="7"
        )
        loaded = await self.umpire.challenge(self.act(), challenge)
        await self.shown(loaded)
        loaded = (await self.umpire.act(self.act(), loaded.id, second, acts.accept)).after
        await self.shown(loaded)
        while loaded.match and (turn := loaded.match.turn):
            square = self.rng.choice(list(loaded.match.position.moves(turn[0])))
            user = next(player.user for player in loaded.row.players if player.seat == turn[0])
            loaded = (await self.umpire.move(self.act(), loaded.id, user, square)).after
            self.moves += 1
            await self.shown(loaded)

    async def shown(self, loaded: LoadedMatch) -> None:
        """Note that everybody sees it."""
        row = loaded.row
        await self.umpire.store.do(
            clocks.record_shown, row.id, row.version, int(time.time()), 7, 10**18 + row.version, row.plies
        )

    async def some(self, numbers: range) -> None:
        """One match after another."""
        for number in numbers:
            await self.match(number)


Measured = Callable[[], Awaitable[int]]


async def played(sheet: Sheet, kind: str, url: str, size: Measured, commits: Measured | None) -> None:
    """Play all matches in a database, and say what it came to for each."""
    store = Store(url)
    table = Played(store)
    await table.prepare()
    before, done, busy = await size(), await commits() if commits else 0, time.process_time()
    await asyncio.gather(*(table.some(range(first, MATCHES, SIDE_BY_SIDE)) for first in range(SIDE_BY_SIDE)))
    busy = time.process_time() - busy
    sheet.add(f"moves of a match, on {kind}", table.moves / MATCHES)
    after = await size()
    sheet.add(f"kilobytes of a match, on {kind}", (after - before) / MATCHES / 1000, "kB")
    sheet.add(f"processor time of a match, on {kind}, nothing drawn", busy / MATCHES * 1e3, "ms")
    if commits:
        sheet.add(f"transactions of a move, on {kind}", (await commits() - done) / table.moves)
    await store.for_long_work.do(reviewed)
    reviews = await size()
    sheet.add(f"bytes of a review, on {kind}", (reviews - after) / MATCHES)
    await store.for_long_work.do(tried)
    sheet.add(f"bytes of a try of the daily puzzle, on {kind}", (await size() - reviews) / (DAYS * PEOPLE))
    await store.close()


def reviewed(tx: Transaction) -> None:
    """Review every match that was played."""
    for number in range(1, MATCHES + 1):
        tx.keep_review(number, 1, REVIEW, {seat: PointsLost(10, 2.5, 7.25) for seat in (1, 2)})


def tried(tx: Transaction) -> None:
    """Have everybody try the puzzle of each day."""
    for day, user in product(range(DAYS), range(PEOPLE)):
        at = 1_700_000_000 + day * 86_400
        tx.add_try(UserId(10**18 + user), PuzzleTry(740_000 + day, "b2 16", 1, GuildId(10**18 + 5), at, True))


def weighed(file: Path) -> int:
    """The bytes of a file of SQLite's, with all that is in its log."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("pragma wal_checkpoint(truncate)")
    return file.stat().st_size


async def asked(server: Postgres, query: str) -> int:
    """A number that a server knows."""
    return int((await server.tell("SELECT pg_stat_force_next_flush()", query))[0][0])


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures on both databases."""
    sheet.title(f"{MATCHES} whole matches, {SIZE}×{SIZE}, each between two of {PEOPLE} people")
    file = folder / "costs" / "costs.db"
    await migrate(f"sqlite:///{file}")
    await played(sheet, "SQLite", f"sqlite:///{file}", lambda: asyncio.to_thread(weighed, file), None)
    with on_disk(folder / "costs-server") as server:
        url = await database(server, "costs")
        await played(sheet, "PostgreSQL", url, lambda: asked(server, BYTES), lambda: asked(server, COMMITS))
