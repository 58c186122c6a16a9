"""A pool of threads for work that would hold up the event loop, such as drawing, done in order of its rank.

Moves go first. Work of lower rank leaves one thread free for them. Work that no caller waits for any more is not begun.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeVar

Result = TypeVar("Result")


class Rank(IntEnum):
    """What comes first."""

    MOVE = 0
    """The boards and answers of a match that has gone on."""
    LOOK = 1
    """What one person wants to see."""
    TYPING = 2
    """What is offered while somebody types, asked for at every key."""
    IDLE = 3
    """Work that no person waits for."""


class ThreadPool:
    """Some threads, and the work that waits for one."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="worker")
        self._working = 0
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []
        self._numbers = count()

    async def do(self, work: Callable[[], Result], rank: Rank) -> Result:
        """Do some work in a thread when its turn comes; a caller that is cancelled before that takes it back."""
        await self._turn(rank)
        try:
            job = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except RuntimeError:
            self._ended()
            raise
        job.add_done_callback(self._done)
        # A thread is free when its work is over, not when its caller has left.
        return await asyncio.shield(job)

    async def _turn(self, rank: Rank) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (rank, next(self._numbers), mine))
        self._next()
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self._ended()
            raise

    def _next(self) -> None:
        """Let those begin for whom there is a thread."""
        while self._waiting and self._working < self._room(self._waiting[0][0]):
            mine = heappop(self._waiting)[2]
            if not mine.done():
                self._working += 1
                mine.set_result(None)

    def _room(self, rank: Rank) -> int:
        """How many may be at work when another begins: one thread is for those who play, if there are several."""
        return self._threads if rank is Rank.MOVE else max(1, self._threads - 1)

    def _done(self, job: asyncio.Future[Any]) -> None:
        if not job.cancelled():
            job.exception()  # its caller may have left
        self._ended()

    def _ended(self) -> None:
        self._working -= 1
        self._next()

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=False)
