"""How a transaction is run: it is one function of a connection, from its beginning to its commit in one go.

SQLite's library waits where it is called, so aiosqlite gives each connection a thread of its own. Crossing to it and
back takes longer than a statement does, and a move is six of them: so the function crosses whole. A server is asked
over the network, which `data.engine.postgres_driver` does.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any, Protocol, TypeVar

import aiosqlite
from sqlalchemy import Connection, Engine

WAIT_SECONDS = 1.8
"""How long a transaction waits before it begins, for whatever it has to wait: the writes of this program that came
before it, a free connection, another program's lock. Discord's answer is due in 3 seconds, and takes a while too."""
CONNECTIONS = 8
"""How many transactions run at once; with SQLite one of these connections is kept for whoever writes."""
READING: dict[str, dict[str, Any]] = {
    "sqlite": {"reading": True},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
"""The options of a transaction that only reads: one snapshot, which nobody waits for."""

T = TypeVar("T")
Work = Callable[[Connection], T]


class Abandoned(Exception):
    """Nobody waits for this transaction any more, so it is undone."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a transaction on a server may take, in seconds. A file's, once begun, waits for nobody."""

    wait: float
    """For beginning, and for each lock that others hold."""
    run: float
    """For all that it does once it has begun."""


UNHURRIED = Patience(wait=5.0, run=60.0)
"""Of what the bot does by itself, and nobody waits for: thousands of clocks moved after an outage."""
HOSTS = Patience(wait=10.0, run=math.inf)
"""Of a host's commands, which take as long as they take."""


class Driver(Protocol):
    """Runs transactions. `TimeoutError` and `OSError` where there is no getting at the database."""

    async def read(self, work: Work[T], patience: Patience | None = None) -> T:
        """One snapshot, which nobody waits for."""
        ...

    async def write(self, work: Work[T], patience: Patience | None = None) -> T:
        """One transaction that may write: committed when the function returns, undone when it raises."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class Held(aiosqlite.Connection):
    """A connection of aiosqlite's, on whose thread SQLAlchemy runs whole transactions over it."""

    def __init__(self, engine: Engine, options: dict[str, Any]) -> None:
        super().__init__(self._opened, iter_chunk_size=64)
        self._engine, self._options = engine, options
        self._over: Connection | None = None
        # A connection that was never closed must not keep the program from ending.
        self._thread.daemon = True

    def _opened(self) -> sqlite3.Connection:
        self._over = self._engine.connect().execution_options(**self._options)
        opened: Any = self._over.connection.driver_connection
        return opened

    async def open(self) -> None:
        """Connect; what stands in the way is raised when the thread has ended."""
        try:
            await self
        except BaseException:
            self._thread.join()
            if self._over:
                self._over.close()
            raise

    async def run(self, work: Work[T], until: float, abandoned: Event) -> T:
        """One transaction, in one go, if it can begin by some moment of the monotonic clock."""
        return await self._cross(_whole, self._over, work, until, abandoned)

    async def close(self) -> None:
        """Close, after what is running."""
        if self._over:
            await self._cross(self._over.close)
        await super().close()

    async def _cross(self, function: Callable[..., T], *args: Any) -> T:
        execute: Any = self._execute  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  -- unannotated
        return await execute(function, *args)


def _whole(connection: Connection, work: Work[T], until: float, abandoned: Event) -> T:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    file: Any = connection.connection.driver_connection
    file.execute(f"PRAGMA busy_timeout = {math.ceil(left * 1000)}")
    try:
        with connection.begin():
            done = work(connection)
            if abandoned.is_set():
                raise Abandoned
    except BaseException:
        # SQLAlchemy leaves a commit that failed as it is, and SQLite may then still hold its lock.
        connection.connection.rollback()
        raise
    return done


class File:
    """For SQLite, which has one writer at a time and waits for it by polling, unfairly: so writes queue up here."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.wait = WAIT_SECONDS
        self._readers = asyncio.Semaphore(CONNECTIONS - 1)
        self._queue = asyncio.Lock()
        self._reads: list[Held] = []
        self._writes: list[Held] = []
        self._running: set[asyncio.Task[Any]] = set()

    async def read(self, work: Work[T], patience: Patience | None = None) -> T:
        """One snapshot, on a thread."""
        until = time.monotonic() + self.wait
        async with asyncio.timeout(self.wait):
            await self._readers.acquire()
        return await self._run(partial(self._held, self._reads, READING["sqlite"], work, until), self._readers.release)

    async def write(self, work: Work[T], patience: Patience | None = None) -> T:
        """One transaction that may write, on a thread, after those that came before it."""
        until = time.monotonic() + self.wait
        async with asyncio.timeout(self.wait):
            await self._queue.acquire()
        return await self._run(partial(self._held, self._writes, {}, work, until), self._queue.release)

    async def _run(self, held: Callable[[Event], Coroutine[Any, Any, T]], release: Callable[[], None]) -> T:
        abandoned = Event()
        running = asyncio.ensure_future(held(abandoned))
        self._running.add(running)

        def ended(done: asyncio.Task[T]) -> None:
            self._running.discard(done)
            release()
            # Nobody may be left to hear of it.
            _ = done.cancelled() or done.exception()

        running.add_done_callback(ended)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            abandoned.set()
            raise

    async def _held(
        self, idle: list[Held], options: dict[str, Any], work: Work[T], until: float, abandoned: Event
    ) -> T:
        if idle:
            held = idle.pop()
        else:
            held = Held(self.engine, options)
            await held.open()
        try:
            return await held.run(work, until, abandoned)
        finally:
            idle.append(held)

    async def close(self) -> None:
        """Let what is running end, and close all connections; who goes on all the same gets new ones."""
        await asyncio.shield(asyncio.ensure_future(self._closed()))

    async def _closed(self) -> None:
        while self._running:
            await asyncio.wait(tuple(self._running))
        for idle in (self._reads, self._writes):
            while idle:
                await idle.pop().close()
