"""A database of either kind under a test's own hands: statements said to it past the store, on the test's own thread.

SQLite's library is called where one stands. A server is spoken to in an event loop, and the test's own is at a stand
meanwhile: so that has a loop of its own, on a thread beside.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from functools import cache
from threading import Thread
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Executable, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from data.engine.address import DatabaseAddress, is_sqlite, parse_address
from data.engine.database import PRAGMAS
from data.engine.driver import HOSTS, READING
from data.engine.postgres_connection import ServerLine
from data.engine.sqlite import begin, sqlite_engine

T = TypeVar("T")


@cache
def beside() -> asyncio.AbstractEventLoop:
    """An event loop that runs for as long as the tests do."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


def waited(work: Coroutine[Any, Any, T]) -> T:
    """What something comes to that runs in the loop beside."""
    return asyncio.run_coroutine_threadsafe(work, beside()).result()


class Remote:
    """What the store needs of a connection, of one that lives in the loop beside; all rows of an answer are there at
    once."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.dialect = connection.dialect

    def execute(self, statement: Executable, values: Any = None) -> Any:
        """Say something to the server."""
        return waited(self._connection.execute(statement, values))


@contextmanager
def connected(url: str | DatabaseAddress, reading: bool = False) -> Generator[Connection]:
    """A transaction; with `reading` a snapshot."""
    read = parse_address(url)
    options = READING[read.kind] if reading else {}
    if is_sqlite(read):
        with sqlite_engine(read, PRAGMAS).execution_options(**options).begin() as connection:
            begin(connection)
            yield connection
        return
    line = ServerLine.to_server(read, HOSTS)

    async def dial(**_: object) -> object:
        return await line.dial()

    engine = create_async_engine("postgresql+asyncpg://", connect_args={"async_creator_fn": dial}, poolclass=NullPool)
    remote = waited(_opened(engine.execution_options(**options).connect()))
    try:
        yield cast("Connection", Remote(remote))
        waited(remote.commit())
    finally:
        waited(remote.close())


async def _opened(connection: AsyncConnection) -> AsyncConnection:
    return await connection


def told(url: str, *statements: str, **values: object) -> list[tuple[Any, ...]]:
    """Change a database behind the program's back, or look into it: what the last statement found."""
    with connected(url) as connection:
        found = [connection.execute(text(statement), values) for statement in statements][-1]
        return [tuple(row) for row in found] if found.returns_rows else []


def tables(url: str) -> list[str]:
    """The names of all its tables."""
    read = parse_address(url)
    if is_sqlite(read):
        return [name for (name,) in told(url, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return [name for (name,) in told(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")]
