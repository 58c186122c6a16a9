"""A connection of aiosqlite's that crosses to its thread once a statement instead of four times.

SQLAlchemy asks a cursor to open, to execute, to fetch all rows and to close, each on the connection's thread and back.
A move is about ten statements, and the crossings would take several times as long as SQLite itself.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self

import aiosqlite


class Answer(NamedTuple):
    """All there is to know about an executed statement."""

    description: Any = None
    rows: Sequence[Any] = ()
    rowcount: int = -1
    lastrowid: int | None = None


class Cursor:
    """As much of a cursor as SQLAlchemy uses. The rows are there when the statement has been executed."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._answer = Answer()

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, values: Sequence[Any] = ()) -> Self:
        """Run a statement and fetch what it yields."""
        self._answer = await self._connection.answer(sql, values, many=False)
        return self

    async def executemany(self, sql: str, values: Sequence[Any]) -> Self:
        """Run a statement once for each row of values."""
        self._answer = await self._connection.answer(sql, values, many=True)
        return self

    async def fetchall(self) -> Sequence[Any]:
        """All rows."""
        return self._answer.rows

    async def close(self) -> None:
        """Nothing: the cursor behind this one is closed already."""

    @property
    def description(self) -> Any:
        """The columns, or None for a statement without rows."""
        return self._answer.description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._answer.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The id of the row inserted last."""
        return self._answer.lastrowid


class Connection(aiosqlite.Connection):
    """A connection whose cursors are of the kind above, and whose transactions begin with their first statement."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # A connection that was never closed must not keep the program from ending.
        self._thread.daemon = True
        self._opening: str | None = None

    def stop(self) -> asyncio.Future[Any] | None:
        """Stop the thread. A second stop, by a close that was cancelled, would wait for a thread that is no more."""
        stop: Any = super().stop  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  -- unannotated
        return stop() if self._running else None

    def join(self) -> None:
        """Wait for the thread of a connection that has been stopped."""
        self._thread.join()

    def begin(self, opening: str) -> None:
        """Begin a transaction with this statement ("BEGIN IMMEDIATE") as soon as there is another to go with it."""
        self._opening = opening

    def cursor(self) -> Any:
        """A cursor, at once."""
        return Cursor(self)

    async def answer(self, sql: str, values: Sequence[Any], many: bool) -> Answer:
        """Run a statement on the connection's thread."""
        opening, self._opening = self._opening, None
        run: Any = self._execute  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  -- unannotated
        return await run(_answered, self._conn, opening, sql, values, many)

    async def commit(self) -> None:
        """Keep the transaction."""
        if not self._unopened():
            await super().commit()

    async def rollback(self) -> None:
        """Undo the transaction."""
        if not self._unopened():
            await super().rollback()

    def _unopened(self) -> bool:
        opening, self._opening = self._opening, None
        return opening is not None


def _answered(
    connection: sqlite3.Connection, opening: str | None, sql: str, values: Sequence[Any], many: bool
) -> Answer:
    if opening:
        connection.execute(opening)
    cursor = connection.executemany(sql, values) if many else connection.execute(sql, values)
    try:
        rows = cursor.fetchall() if cursor.description else ()
        return Answer(cursor.description, rows, cursor.rowcount, cursor.lastrowid)
    finally:
        cursor.close()


async def connect(file: str, busy_seconds: float) -> aiosqlite.Connection:
    """Open a database file. Transactions begin by `Connection.begin`: sqlite3's own begin late and never IMMEDIATE."""

    def opened() -> sqlite3.Connection:
        return sqlite3.connect(file, timeout=busy_seconds, isolation_level=None)

    connection = Connection(opened)
    try:
        return await connection
    except BaseException:
        # Else its thread, which has only to end, could still be at it when the event loop is closed.
        connection.join()
        raise
