"""The connection to the database: what is particular to each kind of it, and what happens when it does not answer.

A write opens with BEGIN IMMEDIATE, so that nothing it has read can be changed under it; reads see one snapshot and wait
for nobody. Discord wants its answer within 3 seconds, so a transaction that cannot begin gives up well before that, as
`Unavailable`: waiting for a place in the queue, for a connection and for the lock each have their share of the time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, func, make_url, select
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from data.driver import Driver, File, Server

BUSY_MILLISECONDS = 1500
"""How long SQLite waits for another program's lock."""
OPENING_SECONDS = 0.3
"""How long a new connection waits for a program that does not even let others read."""

T = TypeVar("T")

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", f"busy_timeout = {BUSY_MILLISECONDS}")
READING: dict[str, dict[str, Any]] = {
    "sqlite": {"reading": True},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
"""The options of a transaction that only reads: one snapshot, which nobody waits for."""
PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
}
"""SQLite's errors that say nothing about the program: locked, full, not writable."""
BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
CHECKS = ("integrity_check", "foreign_key_check")


class Unavailable(Exception):
    """The database could not be used just now, and the transaction left no trace."""

    def __init__(self, sentence: str = "Nothing was changed; try again in a moment.") -> None:
        super().__init__(sentence)


class Damaged(Unavailable):
    """The database's file is broken, which no waiting mends."""

    def __init__(self) -> None:
        super().__init__("The database is damaged: whoever runs this bot has to restore a backup.")


def address(url: str) -> URL:
    """The URL with the driver that is used for its kind of database; `ValueError` for a SQLite without a file."""
    read = make_url(url)
    if read.get_backend_name() == "sqlite":
        if read.database in (None, "", ":memory:"):
            raise ValueError("The database needs a file, like sqlite:///var/graphpaper.db.")
        return read.set(drivername="sqlite+pysqlite")
    if read.get_backend_name() == "postgresql":
        return read.set(drivername="postgresql+asyncpg")
    raise ValueError(f"The database is SQLite or PostgreSQL, not {read.get_backend_name()}.")


def is_sqlite(url: URL) -> bool:
    """Whether the database is a file of SQLite's."""
    return url.get_backend_name() == "sqlite"


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database; None for another kind."""
    return Path(url.database) if is_sqlite(url) and url.database else None


def damage(connection: Connection) -> list[str]:
    """What SQLite finds wrong with its own file, a line each; nothing for another kind of database."""
    if connection.dialect.name != "sqlite":
        return []
    found = [row for check in CHECKS for row in connection.exec_driver_sql(f"PRAGMA {check}")]
    return [" ".join(map(str, row)) for row in found if tuple(row) != ("ok",)]


def go_alone(connection: Connection, key: int) -> None:
    """Let no other transaction with this key run beside this one, until its end. On SQLite every write is alone."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(key)))


def named(error: exc.DBAPIError) -> Unavailable | None:
    """What an error means when the database is locked, full, away or broken; None when the program is wrong."""
    if isinstance(error.orig, sqlite3.Error):
        code: int = getattr(error.orig, "sqlite_errorcode", 0)
        primary = code & 0xFF
        return Damaged() if primary in BROKEN else Unavailable() if primary in PASSING else None
    away = isinstance(error, exc.OperationalError | exc.InterfaceError) or error.connection_invalidated
    return Unavailable() if away else None


@contextmanager
def told_as_unavailable() -> Generator[None]:
    """Raise `Unavailable` in place of the many errors that mean it."""
    try:
        yield
    except exc.DBAPIError as error:
        if meaning := named(error):
            raise meaning from error
        raise
    except (TimeoutError, exc.TimeoutError, OSError) as error:  # waited too long, or a server that is not there
        raise Unavailable from error


def sqlite_engine(url: URL, pragmas: tuple[str, ...]) -> Engine:
    """An engine whose connections have these pragmas, and whose transactions begin as its options say."""

    def opened() -> sqlite3.Connection:
        # Without transactions of its own: sqlite3's begin late and never IMMEDIATE.
        file = url.database or ""
        return sqlite3.connect(file, timeout=OPENING_SECONDS, isolation_level=None, check_same_thread=False)

    engine = create_engine(url, creator=opened, poolclass=NullPool)

    def connected(connection: Any, _record: Any) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    def begun(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine


class Database:
    """Runs transactions, each a function of a connection. Made within an event loop, and closed in it."""

    def __init__(self, url: str, pragmas: tuple[str, ...] = PRAGMAS) -> None:
        self.url = address(url)
        options = READING[self.url.get_backend_name()]
        if is_sqlite(self.url):
            self.driver: Driver = File(sqlite_engine(self.url, pragmas), options)
        else:
            self.driver = Server(create_async_engine(self.url, pool_pre_ping=True), options)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """One transaction that may write: committed at the end, undone by any error; `Unavailable` in under 2.5 s."""
        with told_as_unavailable():
            return await self.driver.write(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """One snapshot, which nobody waits for; `Unavailable` in under 2.5 s."""
        with told_as_unavailable():
            return await self.driver.read(work)

    async def close(self) -> None:
        """Close all connections."""
        await self.driver.close()
