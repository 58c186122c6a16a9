"""SQLite's transactions without threads: each runs whole, in the event loop, between two pauses.

They stand in for the methods of `ThreadConnection` while a simulated loop runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from data.engine.sqlite_driver import ThreadConnection
from tests.simulation.loop import SimulatedLoop

T = TypeVar("T")


async def opened_inline(connection: ThreadConnection) -> None:
    """Connect."""
    connection._opened()


async def closed_inline(connection: ThreadConnection) -> None:
    """Close."""
    if connection._over:
        connection._over.close()


async def crossed_inline(connection: ThreadConnection, function: Callable[..., T], *args: Any) -> T:
    """Run something at once; before and after it as much time passes as the loop's disk takes."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    await asyncio.sleep(loop.disk())
    done = function(*args)
    await asyncio.sleep(loop.disk())
    return done
