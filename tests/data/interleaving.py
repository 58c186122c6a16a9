"""Two transactions at once on PostgreSQL, one in the midst of the other: before every statement of the first in turn,
and before its end, the second is run, until it is done or waits for the first. So whatever two processes may do to each
other is tried in order, and nothing depends on who is faster.

What they come to must be what they come to one after the other, in either order: what both return or raise, and every
row of every table. Nor may either have been repeated: the database was asked for that protection, not the last net.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

from sqlalchemy import Connection, Executable, RowMapping, Table, insert, select, text
from sqlalchemy.util.concurrency import await_

from data.store import Store, Transaction
from data.tables.rows import METADATA

Act = Callable[[Transaction], Any]
Scene = Callable[[Store], Awaitable[tuple[Act, Act]]]
"""Sets a scene in an empty database, and gives two acts on it."""
TABLES = METADATA.sorted_tables
EMPTIED = ", ".join(f"of_{table.name} AS (DELETE FROM {table.name})" for table in TABLES)
EMPTY = text(f"WITH {EMPTIED} SELECT 1")
COUNTED = text(
    "SELECT setval(pg_get_serial_sequence('matches', 'id'), coalesce(max(id), 1), max(id) IS NOT NULL) FROM matches"
)
LOOK = text(" UNION ALL ".join(f"SELECT '{one.name}', to_jsonb({one.name})::text FROM {one.name}" for one in TABLES))
WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")

MOMENT = 0.003
"""Seconds between two looks whether somebody waits for a lock."""


class Stop:
    """A place before one statement of a transaction, where it stands still until it is let go on."""

    def __init__(self, statement: int) -> None:
        self.statement = statement
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()

    async def stand(self) -> None:
        """Stand still."""
        self.reached.set()
        await self.go_on.wait()


class Halting:
    """A connection that stands still at a place, once."""

    def __init__(self, connection: Connection, stop: Stop) -> None:
        self._connection, self._stop, self._said = connection, stop, 0
        self.dialect = connection.dialect

    def halt(self) -> None:
        """Stand still, if this is the place: before a statement, or before the end."""
        if self._said == self._stop.statement and not self._stop.go_on.is_set():
            await_(self._stop.stand())
        self._said += 1

    def execute(self, statement: Executable, values: Any = None) -> Any:
        """Say something to the server, or stand still before."""
        self.halt()
        return self._connection.execute(statement, values)


@dataclass(frozen=True)
class Interleaving:
    """What both acts returned or raised, and what is in the database then."""

    first: str
    second: str
    rows: dict[str, list[dict[str, Any]]]


class Processes:
    """Two processes' stores on one database, and a third that looks on."""

    def __init__(self, url: str) -> None:
        self.one, self.other, self.looker = Store(url), Store(url), Store(url)
        self.runs = 0
        self.waited = False
        """Whether the second waited for the first."""
        self.acts: tuple[Act, Act]
        self.stands: dict[Table, list[RowMapping]] = {}

    async def close(self) -> None:
        """Close all connections."""
        for store in (self.one, self.other, self.looker):
            await store.close()

    async def begin(self, scene: Scene) -> None:
        """Set a scene, and remember how it stands."""
        self.acts = await scene(self.looker)
        self.stands = await self.looker.database.read(
            lambda connection: {table: [*connection.execute(select(table)).mappings()] for table in TABLES}
        )

    async def again(self) -> tuple[Act, Act]:
        """The acts of the scene, which stands as it did."""

        def put(connection: Connection) -> None:
            connection.execute(EMPTY)
            for table, rows in self.stands.items():
                kept = [{name: row[name] for name in row if table.c[name].computed is None} for row in rows]
                if kept:
                    connection.execute(insert(table), kept)
            connection.execute(COUNTED)

        await self.looker.database.write(put)
        self.runs = 0
        return self.acts

    async def run(self, store: Store, act: Act, stop: Stop | None = None) -> str:
        """What an act returns or raises, in words."""

        def once(connection: Connection) -> Any:
            self.runs += 1
            if stop is None:
                return act(Transaction(connection))
            halting = Halting(connection, stop)
            done = act(Transaction(cast("Connection", halting)))
            halting.halt()
            return done

        try:
            return repr(await store.database.write(once))
        except (TypeError, AttributeError, LookupError):
            raise  # no outcome, but a scene that is out of date
        except Exception as fault:
            return repr(fault)

    async def found(self, first: str, second: str) -> Interleaving:
        """What there is now."""

        found: dict[str, list[dict[str, Any]]] = {table.name: [] for table in TABLES}
        for name, row in sorted(await self.looker.database.read(lambda connection: [*connection.execute(LOOK)])):
            found[name].append(json.loads(row))
        return Interleaving(first, second, found)

    async def apart(self) -> list[Interleaving]:
        """What the acts come to one after the other, in either order."""
        first, second = await self.again()
        forth = await self.found(await self.run(self.one, first), await self.run(self.other, second))
        first, second = await self.again()
        then = await self.run(self.other, second)
        return [forth, await self.found(await self.run(self.one, first), then)]

    async def within(self, statement: int, turned: bool) -> Interleaving | None:
        """What they come to where the second is run within the first, before a statement of it; None where there is
        none so late. `turned`: the first within the second."""
        stop, acts = Stop(statement), await self.again()
        outer, inner = reversed(acts) if turned else acts
        begun = asyncio.create_task(self.run(self.one, outer, stop))
        standing = asyncio.create_task(stop.reached.wait())
        await asyncio.wait((begun, standing), return_when=asyncio.FIRST_COMPLETED)
        standing.cancel()
        if not stop.reached.is_set():
            return None
        beside = asyncio.create_task(self.run(self.other, inner))
        while not beside.done() and not await self._waits():
            await asyncio.wait((beside,), timeout=MOMENT)
        self.waited = not beside.done()
        stop.go_on.set()
        came = await begun, await beside
        return await self.found(*(reversed(came) if turned else came))

    async def _waits(self) -> bool:
        """Whether somebody waits for a lock."""
        return await self.looker.database.read(lambda connection: connection.execute(WAITING).scalar_one()) > 0


@asynccontextmanager
async def processes(url: str) -> AsyncGenerator[Processes]:
    """Two processes on a database, for a while."""
    both = Processes(url)
    try:
        yield both
    finally:
        await both.close()


async def tried(url: str, scene: Scene, alike: bool = False, freely: bool = False) -> list[Interleaving]:
    """Hold all that two acts may come to at once to what they come to one after the other; return that. `alike`: both
    are the same act, so that it does not matter which falls into which. `freely`: neither may wait for the other.

    A lock is held to the end: where the second has waited at two places, it would wait in the same way at all later."""
    async with processes(url) as of:
        await of.begin(scene)
        allowed = await of.apart()
        for turned in (False,) if alike else (False, True):
            waits = 0
            for statement in count():
                outcome = await of.within(statement, turned)
                if outcome is None:
                    assert statement > 0
                    break
                where = f"at statement {statement} of the {'second' if turned else 'first'}"
                assert of.runs == 2, f"{where}: repeated"
                assert not (freely and of.waited), f"{where}: one waits for the other"
                assert outcome in allowed, f"{where}: {differing(outcome, allowed)}"
                waits = waits + 1 if of.waited else 0
                if waits == 2:
                    break
        return allowed


def differing(outcome: Interleaving, allowed: list[Interleaving]) -> str:
    """What an outcome has that none of those allowed has, for the reader of a failure."""
    said = [f"{outcome.first} and {outcome.second}, not {[(one.first, one.second) for one in allowed]}"]
    for name, rows in outcome.rows.items():
        if all(rows != one.rows[name] for one in allowed):
            said.append(f"{name}: {rows}, not {[one.rows[name] for one in allowed]}")
    return "; ".join(said)
