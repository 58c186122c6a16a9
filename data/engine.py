"""The connection to the database: what is particular to each kind of it, and what happens when it does not answer.

A write opens with BEGIN IMMEDIATE, so that nothing it has read can be changed under it; reads see one snapshot and wait
for nobody. Discord wants its answer within 3 seconds, so a transaction that cannot begin gives up well before that, as
`Unavailable`: however it waits, in the queue, for a connection, for the lock, all of it is one span of time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, func, make_url, select
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from data.driver import Driver, File, Server
from data.files import stamp
from data.spans import Spans

OPENING_SECONDS = 0.3
"""How long a new connection waits for a program that does not even let others read, beyond what a transaction waits."""

T = TypeVar("T")

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
LOOKING = tuple(pragma for pragma in PRAGMAS if not pragma.startswith("journal_mode"))
"""Of whoever only looks: the journal's mode stands in the file itself, which stays as it is."""
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


class Unusable(Unavailable):
    """The database cannot be used until somebody has done something about it; the text says what."""


class Damaged(Unusable):
    """The database's file is broken, which no waiting mends."""

    def __init__(self, sentence: str | None = None) -> None:
        super().__init__(sentence or "The database is damaged: whoever runs this bot has to restore a backup.")


class Moved(Unusable):
    """The database's file is not the one any more that was opened: what were written now would be lost."""

    def __init__(self) -> None:
        super().__init__(
            "Nothing was changed: the bot's database was moved, deleted or replaced while the bot was running. Whoever"
            " runs this bot has to put it back, or restore a backup, and start the bot again."
        )


def address(url: str | URL) -> URL:
    """The URL with the driver that is used for its kind of database; `ValueError` for a SQLite without a file."""
    try:
        read = make_url(url)
    except exc.ArgumentError:
        raise ValueError(
            "The database's address cannot be read: it looks like sqlite:///var/graphpaper.db (three slashes) or"
            " postgresql://user:password@host/name."
        ) from None
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


def reason(fault: BaseException) -> str:
    """Why a database could not be used, in the words of whoever refused."""
    cause = fault.__cause__ if isinstance(fault, Unavailable) else fault
    if isinstance(cause, exc.DBAPIError) and cause.orig:
        cause = cause.orig
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return str(cause or "") or "it did not answer in time"


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
        # Without transactions of its own: sqlite3's begin late and never IMMEDIATE. Nor is a database made that was
        # deleted: only `data.migrate` makes one.
        file = f"{Path(url.database or '').absolute().as_uri()}?mode=rw"
        return sqlite3.connect(file, timeout=OPENING_SECONDS, isolation_level=None, check_same_thread=False, uri=True)

    engine = create_engine(url, creator=opened, poolclass=NullPool, hide_parameters=True)

    def connected(connection: Any, _record: Any) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    def begun(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine


def server_engine(url: URL) -> AsyncEngine:
    """An engine for a database server; `Unusable` where the package that speaks to it is not installed."""
    try:
        return create_async_engine(url, pool_pre_ping=True, hide_parameters=True)
    except ModuleNotFoundError as missing:
        raise Unusable(f"For PostgreSQL the package {missing.name} is needed, and it is not installed.") from None


class Database:
    """Runs transactions, each a function of a connection. Made within an event loop, and closed in it."""

    def __init__(self, url: str | URL, pragmas: tuple[str, ...] = PRAGMAS) -> None:
        self.url = address(url)
        options = READING[self.url.get_backend_name()]
        self._file = file_of(self.url)
        self._stamp: tuple[int, int] | None = None
        self.spans = Spans()
        if is_sqlite(self.url):
            self.driver: Driver = File(sqlite_engine(self.url, pragmas), options)
        else:
            self.driver = Server(server_engine(self.url), options)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """One transaction that may write: committed at the end, undone by any error; `Unavailable` in under 2.5 s."""
        with self.spans.over("write", work) as told, told_as_unavailable():
            self.refuse_moved()
            return await self.driver.write(told)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """One snapshot, which nobody waits for; `Unavailable` in under 2.5 s."""
        with self.spans.over("read", work) as told, told_as_unavailable():
            self.refuse_moved()
            return await self.driver.read(told)

    def refuse_moved(self) -> None:
        """Raise `Moved` unless the file is the one that was opened: SQLite would go on in one that nobody finds again.

        Asking takes two millionths of a second.
        """
        if self._file is None:
            return
        found = stamp(self._file)
        self._stamp = self._stamp or found
        if found != self._stamp:
            raise Moved

    def sizes(self) -> dict[str, int]:
        """The bytes of SQLite's file and of its journal; nothing of another kind of database."""
        files = {"file": self._file, "wal": self._file.with_name(f"{self._file.name}-wal")} if self._file else {}
        return {part: found.stat().st_size for part, found in files.items() if found.exists()}

    async def close(self) -> None:
        """Close all connections; who goes on all the same opens the file that is there then."""
        await self.driver.close()
        self._stamp = None
