"""Whether one database holds what another does: every row of it, and matches that are replayed as they were there.

Rows are compared by sums, table by table; some matches are also read as the bot reads them, and replayed from there.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import TypeVar

from sqlalchemy import Connection, Table

from bot.core.game.game import Game
from bot.core.match.stored import Stored
from data.engine.database import Database
from data.store.reader import Reader
from data.upkeep import copying
from data.upkeep.copying import TABLES, Content
from data.upkeep.integrity import IDS
from data.upkeep.match_check import examined
from data.upkeep.worker_thread import Progress

SAMPLE = 500
"""So many matches are replayed, drawn by a word; all where there are no more."""

T = TypeVar("T")

Seen = tuple[Stored | None, list[str]]


async def unlike(one: Database, other: Database, progress: Progress) -> str | None:
    """The first table that does not hold the same in both, with what it holds; None if there is none."""
    whole = 2 * await one.read(copying.whole)
    seen = 0

    def looked(rows: int) -> None:
        nonlocal seen
        seen += rows
        progress("rows compared", seen, whole)

    def summed(connection: Connection, table: Table) -> Content:
        return copying.content(connection, table, looked)

    for table in TABLES:
        here, there = await _both(one, other, partial(summed, table=table))
        if here != there:
            rows = f"{here.rows} rows, and {there.rows} there"
            return f"{table.name}: {rows}" if here.rows != there.rows else f"{table.name}: {rows}, but not the same"
    return None


async def replayed(
    one: Database, other: Database, games: Mapping[str, Game], word: str, progress: Progress
) -> tuple[int, list[int], list[int]]:
    """Read and replay matches in both: how many, in which something is wrong, and which of these are not the same."""
    ids = drawn(await one.read(lambda connection: connection.execute(IDS).scalars().all()), word)
    faulty: list[int] = []
    others: list[int] = []
    for done, match in enumerate(ids, 1):
        look = partial(_seen, match=match, games=games)
        here, there = await one.read(look), await other.read(look)
        if here[1] or there[1]:
            faulty.append(match)
        if here != there:
            others.append(match)
        progress("matches replayed", done, len(ids))
    return len(ids), faulty, others


async def _both(one: Database, other: Database, work: Callable[[Connection], T]) -> list[T]:
    """What is read from both at once; when one fails, the other has ended too before that is told."""
    reading = [asyncio.ensure_future(each.read(work)) for each in (one, other)]
    try:
        return await asyncio.gather(*reading)
    finally:
        for each in reading:
            each.cancel()
        await asyncio.wait(reading)


def drawn(ids: Sequence[int], word: str) -> list[int]:
    """Some matches as a word draws them, in order; all if there are few."""
    return sorted(heapq.nsmallest(SAMPLE, ids, key=lambda match: blake2b(f"{word} {match}".encode()).digest()))


def _seen(connection: Connection, match: int, games: Mapping[str, Game]) -> Seen:
    lies = examined(connection, match, games)[0]
    try:
        return Reader(connection).load(match), lies
    except (TypeError, ValueError, ArithmeticError):  # of what stands there, which is told of already
        return None, lies
