"""How a transaction is run: it is one function of a connection, from its beginning to its commit in one go.

SQLite's library waits where it is called, so such a function runs on a thread, whole: crossing to a thread and back
takes longer than a statement does, and a move is six of them. A server is asked over the network; there SQLAlchemy runs
the same function within the event loop, and suspends it at every statement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

QUEUE_SECONDS = 0.6
"""How long a write waits for the writes of this program that came before it."""
POOL_SECONDS = 0.2
"""How long a read waits for a free connection."""
CONNECTIONS = 8
"""How many transactions run at once; with SQLite one of these connections is kept for whoever writes."""

T = TypeVar("T")
Work = Callable[[Connection], T]


class Abandoned(Exception):
    """Nobody waits for this transaction any more, so it is undone."""


class Driver(Protocol):
    """Runs transactions. `TimeoutError` and `OSError` where there is no getting at the database."""

    async def read(self, work: Work[T]) -> T:
        """One snapshot, which nobody waits for."""
        ...

    async def write(self, work: Work[T]) -> T:
        """One transaction that may write: committed when the function returns, undone when it raises."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class Threads:
    """For SQLite, which has one writer at a time and waits for it by polling, unfairly: so writes queue up here."""

    def __init__(self, engine: Engine, reading: dict[str, Any]) -> None:
        self.engine = engine
        self._reader = engine.execution_options(**reading)
        self._threads = ThreadPoolExecutor(CONNECTIONS, "database")
        self._readers = asyncio.Semaphore(CONNECTIONS - 1)
        self._queue = asyncio.Lock()

    async def read(self, work: Work[T]) -> T:
        """One snapshot, on a thread."""
        async with asyncio.timeout(POOL_SECONDS):
            await self._readers.acquire()
        return await self._run(self._reader, work, self._readers.release)

    async def write(self, work: Work[T]) -> T:
        """One transaction that may write, on a thread, after those that came before it."""
        async with asyncio.timeout(QUEUE_SECONDS):
            await self._queue.acquire()
        return await self._run(self.engine, work, self._queue.release)

    async def _run(self, engine: Engine, work: Work[T], release: Callable[[], None]) -> T:
        abandoned = Event()
        running = asyncio.get_running_loop().run_in_executor(self._threads, _whole, engine, work, abandoned)

        def ended(done: asyncio.Future[T]) -> None:
            release()
            # Nobody may be left to hear of it.
            _ = done.cancelled() or done.exception()

        running.add_done_callback(ended)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            abandoned.set()
            raise

    async def close(self) -> None:
        """Let what is running end, and close all connections; who goes on all the same gets new ones."""
        threads, self._threads = self._threads, ThreadPoolExecutor(CONNECTIONS, "database")
        await asyncio.to_thread(threads.shutdown)
        self.engine.dispose()


def _whole(engine: Engine, work: Work[T], abandoned: Event) -> T:
    with engine.begin() as connection:
        done = work(connection)
        if abandoned.is_set():
            raise Abandoned
    return done


class Server:
    """For a database server, which looks after its own queues."""

    def __init__(self, engine: AsyncEngine, reading: dict[str, Any]) -> None:
        self.engine = engine
        self._reader = engine.execution_options(**reading)

    async def read(self, work: Work[T]) -> T:
        """One snapshot."""
        return await self._run(self._reader, work)

    async def write(self, work: Work[T]) -> T:
        """One transaction that may write."""
        return await self._run(self.engine, work)

    async def _run(self, engine: AsyncEngine, work: Work[T]) -> T:
        connection = await engine.connect()
        try:
            async with connection.begin():
                return await connection.run_sync(partial(_called, work))
        finally:
            await asyncio.shield(connection.close())

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()


def _called(work: Work[T], connection: Connection) -> T:
    return work(connection)
