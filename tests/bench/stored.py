"""The store: one move in it, beside the same statements on a bare sqlite3 connection with the same settings."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path
from random import Random

from data.engine import PRAGMAS
from data.store import Store
from tests.bench.figures import Sheet, median
from tests.bench.hall import Hall

MATCHES, PLIES, ROUNDS, SETTLING = 30, 24, 250, 30
SEEN = "select match from deliveries where interaction = ?"
READ = (
    "select *, (select at from moves where match = matches.id order by ply desc limit 1) from matches where id = ?",
    "select * from players where match = ? order by seat, joined",
    "select seat, text from moves where match = ? and ply > 0 order by ply",
)


async def by_store(store: Store, match: int, act: int) -> None:
    """Read a match, and write one move to it."""
    async with store.reading() as reader:
        assert await reader.seen(act) is None
        row = await reader.load(match)
        assert row
    async with store.writing() as tx:
        assert await tx.update(match, row.version, plies=row.plies + 1, turn=(2,))
        await tx.deliver(act, match, 1)
        await tx.append(match, row.plies + 1, 1, "a1", 1)


def by_hand(connection: sqlite3.Connection, match: int, act: int) -> None:
    """The same in SQL, on one connection, without an event loop."""
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


async def measure(sheet: Sheet, folder: Path) -> None:
    """The figures of the store."""
    sheet.title("The store (a move: read the match with its record, write)")
    async with Hall(folder / "one") as one, Hall(folder / "two") as two:
        for hall in (one, two):
            await hall.seat(hall.people(2), MATCHES, 7, PLIES - 2, Random(4))
        store, connection = Store(one.database), opened(two.folder / "bench.db")
        times: dict[str, list[float]] = {"store": [], "bare": []}
        for act in range(1, ROUNDS):
            match = act % MATCHES + 1
            began = time.perf_counter()
            await by_store(store, match, act)
            between = time.perf_counter()
            by_hand(connection, match, act)
            times["bare"].append(time.perf_counter() - between)
            times["store"].append(between - began)
            await asyncio.sleep(0)
        await store.close()
        connection.close()
    ours, bare = (median(times[name][SETTLING:]) for name in ("store", "bare"))
    sheet.add("a move in the store", ours * 1e3, "ms")
    sheet.add("the same statements on bare sqlite3", bare * 1e3, "ms")
    sheet.add("store / bare sqlite3", ours / bare)
