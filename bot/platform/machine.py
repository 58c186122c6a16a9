"""The loop's time, and what a process knows of its machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

from bot import VERSION

# Tells monotonic time for everything that runs in the event loop, by the loop's own clock.


def loop_time() -> float:
    """Seconds by the clock of the event loop that runs here."""
    return asyncio.get_running_loop().time()


# Whether some work is done in the background.


in_background: ContextVar[bool] = ContextVar("in_background", default=False)
"""Whether this is background work, for which no person waits; a task inherits it from the task that began it."""


# What a process is told of the machine on which it runs: its clocks and processors, and a name of its own.


@dataclass(frozen=True, slots=True)
class Machine:
    """`wall` gives epoch seconds, but may be wrong, and be set. `steady` counts seconds from anywhere; nobody sets it,
    and where it can it goes on while the machine sleeps. `name` is the name of the process, which no other has, without
    spaces. `processors` says how many threads can draw at once. `version` is that of the
    program, as hosts are told it."""

    wall: Callable[[], float]
    steady: Callable[[], float]
    name: str
    processors: int
    version: str = VERSION
