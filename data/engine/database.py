"""Runs transactions on SQLite or PostgreSQL, for the store and for hosts' commands.

A write opens with BEGIN IMMEDIATE, so nothing it has read can change meanwhile; reads see one snapshot and wait for no
lock. Discord requires an answer within 3 seconds, so a transaction that cannot begin gives up well before that with
`Unavailable`: waiting in the queue, for a connection and for a lock share one deadline.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection

from data.engine.address import DatabaseAddress, file_of, file_stamp, is_sqlite, parse_address
from data.engine.driver import Driver, TimeLimits, watch_commit
from data.engine.errors import Moved
from data.engine.sql import raise_as_unavailable
from data.engine.sqlite import SqliteDriver, sqlite_engine

T = TypeVar("T")
Observer = Callable[[str, float, BaseException | None], None]
"""Called after every transaction: "read" or "write", its seconds, and the error that ended it, if any."""

PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
LOOKING = tuple(pragma for pragma in PRAGMAS if not pragma.startswith("journal_mode"))
"""The pragmas for read-only access: the journal mode is stored in the file."""
CHECKS = ("integrity_check", "foreign_key_check")


def find_damage(connection: Connection) -> list[str]:
    """What SQLite finds wrong with its file, a line each; empty for PostgreSQL."""
    if connection.dialect.name != "sqlite":
        return []
    found = [row for check in CHECKS for row in connection.exec_driver_sql(f"PRAGMA {check}")]
    return [" ".join(map(str, row)) for row in found if tuple(row) != ("ok",)]


class Database:
    """Runs transactions, each a function of a connection. Created and closed within one event loop.

    The default time limits are those of users' acts; hosts' commands give others.
    """

    def __init__(
        self, url: str | DatabaseAddress, pragmas: tuple[str, ...] = PRAGMAS, limits: TimeLimits | None = None
    ) -> None:
        self.url = parse_address(url)
        self._file = file_of(self.url)
        self._stamp: tuple[int, int] | None = None
        self.observer: Observer | None = None
        if is_sqlite(self.url):
            self.driver: Driver = SqliteDriver(sqlite_engine(self.url, pragmas))
        else:
            # It imports half of SQLAlchemy, which a bot on SQLite does not need.
            from data.engine.postgres import PostgresDriver

            self.driver = PostgresDriver(self.url, limits)

    async def write(self, work: Callable[[Connection], T], limits: TimeLimits | None = None) -> T:
        """Run a transaction that may write: committed at the end, rolled back by any error; `Unavailable` in under 2.5
        s, or within the given limits. `Uncertain` if it is unknown whether it was committed."""
        with self._observe("write"), raise_as_unavailable():
            self.refuse_moved()
            return await self.driver.write(watch_commit(work), limits)

    async def read(self, work: Callable[[Connection], T], limits: TimeLimits | None = None) -> T:
        """Run a function in one snapshot, without locks; `Unavailable` in under 2.5 s, or within the given limits."""
        with self._observe("read"), raise_as_unavailable():
            self.refuse_moved()
            return await self.driver.read(work, limits)

    @contextmanager
    def _observe(self, kind: str) -> Generator[None]:
        """Call the observer when the transaction in the block is over."""
        clock, fault = asyncio.get_running_loop().time, None
        began = clock()
        try:
            yield
        except BaseException as raised:
            fault = raised
            raise
        finally:
            if self.observer:
                self.observer(kind, clock() - began, fault)

    def refuse_moved(self) -> None:
        """Raise `Moved` unless the file is still the one that was opened: SQLite would go on writing to a deleted one.

        The check takes two microseconds.
        """
        if self._file is None:
            return
        found = file_stamp(self._file)
        self._stamp = self._stamp or found
        if found != self._stamp:
            raise Moved

    def file_sizes(self) -> dict[str, int]:
        """The bytes of SQLite's file and of its journal; empty for PostgreSQL."""
        files = {"file": self._file, "wal": self._file.with_name(f"{self._file.name}-wal")} if self._file else {}
        return {part: found.stat().st_size for part, found in files.items() if found.exists()}

    async def close(self) -> None:
        """Close all connections; a later transaction opens the file that exists then."""
        await self.driver.close()
        self._stamp = None
