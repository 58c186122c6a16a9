"""SQLite's transactions without threads: each runs whole, in the event loop, between two pauses.

SQLite itself waits in real
time for a file that is locked; so it is told to give up at once, and is asked again in simulated time.
"""

from __future__ import annotations

import asyncio
import sqlite3
from threading import Event
from typing import TypeVar

from sqlalchemy.exc import OperationalError

from data.engine.driver import Work
from data.engine.sqlite import ThreadConnection, run_whole
from tests.simulation.loop import SimulatedLoop

T = TypeVar("T")

LOCKED = "database is locked"
AT_ONCE = 1e-6
"""Seconds in which SQLite gives up."""
AGAIN = 0.05
"""Seconds after which it is asked again."""


class InlineConnection(ThreadConnection):
    """Stands in for `ThreadConnection` while a simulated loop runs."""

    async def open_thread(self) -> None:
        """Connect."""
        await disk()
        self._open_raw()

    async def run(self, work: Work[T], until: float, abandoned: Event) -> T:
        """Run one transaction in one go, if it can begin by some moment of the loop's clock."""
        loop = asyncio.get_running_loop()
        assert self._over and isinstance(loop, SimulatedLoop)
        await disk()
        while True:
            try:
                done = run_whole(self._over, work, lambda: min(until - loop.time(), AT_ONCE), abandoned)
            except (OperationalError, sqlite3.OperationalError) as fault:
                if LOCKED not in str(fault) or loop.time() + AGAIN > until:
                    raise
                await asyncio.sleep(AGAIN)
            else:
                loop.written()
                await disk()
                return done

    async def close(self) -> None:
        """Close."""
        if self._over:
            self._over.close()


async def disk() -> None:
    """Let as much time pass as the loop's disk takes."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    await asyncio.sleep(loop.disk())
