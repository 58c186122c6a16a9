"""The store: one move in it, beside the same statements on a bare sqlite3 connection with the same settings; and the
processor time of a move that the umpire decides and writes."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from random import Random, SystemRandom

from bot.games.catalogue import load_games
from bot.play.acts import Outcome
from bot.play.ids import InteractionId, MatchId, UserId
from bot.play.record import Move
from bot.umpire.transactions import read_match, write_outcome
from bot.umpire.umpire import Umpire
from data.engine.database import PRAGMAS
from data.store import Store
from tests.bench.figures import Sheet, median
from tests.bench.hall import Hall, Live

MATCHES, SIZE, PLIES, ROUNDS, SETTLING = 30, 11, 24, 250, 30
SEEN = "select match from deliveries where interaction = ?"
READ = (
    "select *, (select at from moves where match = matches.id order by ply desc limit 1) from matches where id = ?",
    "select * from players where match = ? order by seat, joined",
    "select seat, text from moves where match = ? and ply > 0 order by ply",
)


async def by_store(store: Store, match: int, act: int) -> None:
    """Read a match, and write one move to it."""
    seen, row = await store.ask(read_match, act, match)
    assert row and not seen
    record = (*row.record, Move(1, "a1"))
    after = replace(row, version=row.version + 1, plies=len(record), turn=(2,), record=record)
    await store.do(write_outcome, act, row, Outcome(after), 1)


async def by_umpire(umpire: Umpire, live: Live, act: int, square: str) -> None:
    """Have the umpire decide a move and write it."""
    await umpire.move(InteractionId(act), MatchId(live.number), UserId(int(live.mover.id)), square)
    live.played(square)


def by_hand(connection: sqlite3.Connection, match: int, act: int) -> None:
    """What `by_store` does in SQL, on one connection, without an event loop."""
    connection.execute("begin")
    seen = connection.execute(SEEN, (act,)).fetchall()
    row, *_ = [connection.execute(query, (match,)).fetchall() for query in READ][0]
    connection.execute("commit")
    assert not seen
    connection.execute("begin immediate")
    changed = connection.execute(
        "update matches set version = version + 1, plies = plies + 1, turn = ? where id = ? and version = ?",
        ("[2]", match, row["version"]),
    )
    assert changed.rowcount == 1
    connection.execute("insert into deliveries values (?, ?, 1)", (act, match))
    connection.execute("insert into moves values (?, ?, 1, 'a1', 1)", (match, row["plies"] + 1))
    connection.execute("commit")


def opened(file: Path) -> sqlite3.Connection:
    """A bare connection with the store's settings."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.row_factory = sqlite3.Row
    for pragma in PRAGMAS:
        connection.execute(f"pragma {pragma}")
    return connection


class Watch:
    """Notes seconds and seconds of the processor's, of all threads, from one mark to the next."""

    def __init__(self) -> None:
        self.passed: dict[str, list[float]] = {}
        self.busy: dict[str, list[float]] = {}
        self.start()

    def start(self) -> None:
        """Begin here."""
        self._at = time.perf_counter(), time.process_time()

    def mark(self, name: str) -> None:
        """What has happened since the last mark was this."""
        now = time.perf_counter(), time.process_time()
        for times, before, after in zip((self.passed, self.busy), self._at, now, strict=True):
            times.setdefault(name, []).append(after - before)
        self._at = now


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of the store."""
    sheet.title("The store (a move: read the match with its record, write)")
    rng, watch = Random(4), Watch()
    async with Hall(folder / "one") as one, Hall(folder / "two") as two, Hall(folder / "three") as three:
        for hall in (one, two):
            await hall.seat(hall.people(2), MATCHES, SIZE, PLIES - 2, rng)
        played = await three.seat(three.people(2), MATCHES, SIZE, PLIES - 2, rng)
        store, connection, umpired = Store(one.database), opened(two.folder / "bench.db"), Store(three.database)
        umpire = Umpire(umpired, load_games(), lambda: int(time.time()), SystemRandom())
        for act in range(1, ROUNDS):
            match, live = act % MATCHES + 1, played[act % MATCHES]
            square = live.square(rng)
            watch.start()
            await by_store(store, match, act)
            watch.mark("store")
            by_hand(connection, match, act)
            watch.mark("bare")
            await by_umpire(umpire, live, act, square)
            watch.mark("umpire")
            await asyncio.sleep(0)
        await umpired.close()
        await store.close()
        connection.close()
    times = {name: median(values[SETTLING:]) for name, values in watch.passed.items()}
    busy = {name: median(values[SETTLING:]) for name, values in watch.busy.items()}
    sheet.add("a move in the store", times["store"] * 1e3, "ms")
    sheet.add("the same statements on bare sqlite3", times["bare"] * 1e3, "ms")
    sheet.add("store / bare sqlite3", times["store"] / times["bare"])
    sheet.add("a move through umpire and store", times["umpire"] * 1e3, "ms")
    sheet.add("processor time of a move through umpire and store", busy["umpire"] * 1e3, "ms")
    sheet.add("processor time of the statements on bare sqlite3", busy["bare"] * 1e3, "ms")
    sheet.add("processor time: umpire and store / bare sqlite3", busy["umpire"] / busy["bare"])
