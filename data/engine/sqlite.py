"""Runs transactions on SQLite: each as a whole on a thread of aiosqlite, writes one after another.

SQLite blocks its caller, so aiosqlite gives each connection a thread. Crossing to it and back takes longer than a
statement does, and a move has six of them: so a transaction's function runs as a whole on the thread.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import aiosqlite
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from data.engine import driver
from data.engine.address import DatabaseAddress
from data.engine.driver import CONNECTIONS, READING, Abandoned, TimeLimits, Work

OPENING_SECONDS = 0.3
"""Seconds that a new connection waits for a program that locks out even readers, beyond a transaction's wait."""

T = TypeVar("T")


def sqlite_engine(url: DatabaseAddress, pragmas: tuple[str, ...]) -> Engine:
    """An engine whose connections have these pragmas. Its transactions are still to `begin`."""

    def open_connection() -> sqlite3.Connection:
        # Without sqlite3's own transactions, which begin late and never IMMEDIATE. A deleted database is not created
        # again: only `data.upkeep.upgrade` creates one.
        file = f"{Path(url.database or '').absolute().as_uri()}?mode=rw"
        return sqlite3.connect(file, timeout=OPENING_SECONDS, isolation_level=None, check_same_thread=False, uri=True)

    engine = create_engine("sqlite+pysqlite://", creator=open_connection, poolclass=NullPool, hide_parameters=True)

    def set_pragmas(connection: Any, _record: Any) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", set_pragmas)
    return engine


def begin(connection: Connection) -> None:
    """Begin SQLAlchemy's transaction in SQLite, by the options of the connection.

    An event listener of SQLAlchemy's could do that, but would slow down every statement.
    """
    reading, file = connection.get_execution_options().get("reading", False), connection.connection.driver_connection
    assert file
    file.execute("BEGIN" if reading else "BEGIN IMMEDIATE")


class ThreadConnection(aiosqlite.Connection):
    """An aiosqlite connection on whose thread SQLAlchemy runs whole transactions.

    aiosqlite's public methods cross to the thread at every statement, by which a transaction of twelve small statements
    took eight times as long when measured. So this class, and no other, uses two of its private names: `_execute`,
    which runs a function on the thread, and `_thread`.
    """

    def __init__(self, engine: Engine, options: dict[str, Any]) -> None:
        super().__init__(self._open_raw, iter_chunk_size=64)
        self._engine, self._options = engine, options
        self._over: Connection | None = None
        # A connection that was never closed must not keep the program from exiting.
        self._thread.daemon = True

    def _open_raw(self) -> sqlite3.Connection:
        self._over = self._engine.connect().execution_options(**self._options)
        opened: Any = self._over.connection.driver_connection
        return opened

    async def open_thread(self) -> None:
        """Connect; an error is raised once the thread has ended."""
        try:
            await self
        except BaseException:
            self._thread.join()
            if self._over:
                self._over.close()
            raise

    async def run(self, work: Work[T], until: float, abandoned: Event) -> T:
        """Run one transaction, if it can begin by a moment of the event loop's clock."""
        clock = asyncio.get_running_loop().time
        return await self._cross(run_whole, self._over, work, lambda: until - clock(), abandoned)

    async def close(self) -> None:
        """Close after the running transaction."""
        if self._over:
            await self._cross(self._over.close)
        await super().close()

    async def _cross(self, function: Callable[..., T], *args: Any) -> T:
        execute: Any = self._execute  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  -- unannotated
        return await execute(function, *args)


def run_whole(connection: Connection, work: Work[T], remaining: Callable[[], float], abandoned: Event) -> T:
    """Run one transaction on this thread, if it can begin in the seconds that are `remaining`."""
    left = remaining()
    if left <= 0:
        raise TimeoutError
    file: Any = connection.connection.driver_connection
    file.execute(f"PRAGMA busy_timeout = {math.ceil(left * 1000)}")
    try:
        with connection.begin():
            begin(connection)
            done = work(connection)
            if abandoned.is_set():
                raise Abandoned
    except BaseException:
        # After a failed commit SQLAlchemy does not roll back, and SQLite may still hold its lock.
        connection.connection.rollback()
        raise
    return done


class SqliteDriver:
    """The driver for SQLite, which allows one write at a time and waits by unfair polling: so writes queue here."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.wait = driver.WAIT_SECONDS
        self._readers = asyncio.Semaphore(CONNECTIONS - 1)
        self._queue = asyncio.Lock()
        self._reads: list[ThreadConnection] = []
        self._writes: list[ThreadConnection] = []
        self._running: dict[asyncio.Task[Any], None] = {}

    async def read(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """One snapshot, on a thread."""
        until = asyncio.get_running_loop().time() + self.wait
        async with asyncio.timeout(self.wait):
            await self._readers.acquire()
        return await self._run(
            partial(self._run_held, self._reads, READING["sqlite"], work, until), self._readers.release
        )

    async def write(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """One transaction that may write, on a thread, after those that came before it."""
        until = asyncio.get_running_loop().time() + self.wait
        async with asyncio.timeout(self.wait):
            await self._queue.acquire()
        return await self._run(partial(self._run_held, self._writes, {}, work, until), self._queue.release)

    async def _run(self, held: Callable[[Event], Coroutine[Any, Any, T]], release: Callable[[], None]) -> T:
        abandoned = Event()
        running = asyncio.ensure_future(held(abandoned))
        self._running[running] = None

        def finish(done: asyncio.Task[T]) -> None:
            del self._running[done]
            release()
            # Retrieved, or asyncio logs the unretrieved errors of cancelled callers.
            _ = done.cancelled() or done.exception()

        running.add_done_callback(finish)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            abandoned.set()
            raise

    async def _run_held(
        self, idle: list[ThreadConnection], options: dict[str, Any], work: Work[T], until: float, abandoned: Event
    ) -> T:
        if idle:
            held = idle.pop()
        else:
            held = ThreadConnection(self.engine, options)
            await held.open_thread()
        try:
            return await held.run(work, until, abandoned)
        finally:
            idle.append(held)

    async def close(self) -> None:
        """Let running transactions end, and close all connections; a later transaction opens new ones."""
        await asyncio.shield(asyncio.ensure_future(self._close_all()))

    async def _close_all(self) -> None:
        while self._running:
            await asyncio.wait(tuple(self._running))
        for idle in (self._reads, self._writes):
            while idle:
                await idle.pop().close()
