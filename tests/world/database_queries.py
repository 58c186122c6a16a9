"""Reads the bot's database from another process, of either kind, by the same SQL and synchronously.

The drill looks at what is stored between two lives of the bot, in the midst of its own event loop, and nothing else is
to happen meanwhile. PostgreSQL's driver wants a loop, so it is given one on a thread of its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any, Protocol
from weakref import finalize

import asyncpg as driver  # pyright: ignore[reportMissingTypeStubs]  -- it has none

from data.engine.address import file_of, parse_address

asyncpg: Any = driver
PATIENCE = 20.0


class Asked(Protocol):
    """A database that can be asked."""

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query; none while there is no schema."""
        ...

    def change(self, *statements: str) -> None:
        """Change something, all or nothing."""
        ...


class File:
    """A file of SQLite's, which is asked on one connection: to open another takes longer than most queries."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._connection: sqlite3.Connection | None = None

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query; none while there is no schema."""
        if not self.file.exists():
            return []
        if self._connection is None:
            self._connection = sqlite3.connect(self.file, timeout=5)
            finalize(self, self._connection.close)
        try:
            return self._connection.execute(query).fetchall()
        except sqlite3.OperationalError as fault:
            if "no such table" in str(fault):
                return []
            raise

    def change(self, *statements: str) -> None:
        """Change something, all or nothing."""
        with closing(sqlite3.connect(self.file, timeout=5)) as connection, connection:
            for statement in statements:
                connection.execute(statement)


class Server:
    """A database of a PostgreSQL server, which may be restarted meanwhile."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._loop = asyncio.new_event_loop()
        Thread(target=self._loop.run_forever, daemon=True).start()

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query; none while there is no schema."""
        return self._done(self._asked(query))

    def change(self, *statements: str) -> None:
        """Change something, all or nothing."""
        self._done(self._changed(statements))

    def _done(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    async def _asked(self, query: str) -> list[tuple[Any, ...]]:
        connection = await asyncpg.connect(self.url)
        try:
            return [tuple(row) for row in await connection.fetch(query)]
        except asyncpg.UndefinedTableError:
            return []
        finally:
            await connection.close()

    async def _changed(self, statements: tuple[str, ...]) -> None:
        connection = await asyncpg.connect(self.url)
        try:
            async with connection.transaction():
                for statement in statements:
                    await connection.execute(statement)
        finally:
            await connection.close()


def asked(url: str) -> Asked:
    """The database at an address."""
    file = file_of(parse_address(url))
    return File(file) if file else Server(url)
