"""The loop's time, and the process's view of its machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

from bot import VERSION

# Tells monotonic time for everything that runs in the event loop, by the loop's own clock.


def loop_time() -> float:
    """Seconds by the clock of the running event loop."""
    return asyncio.get_running_loop().time()


# Whether some work is done in the background.


in_background: ContextVar[bool] = ContextVar("in_background", default=False)
"""Whether this is background work, for which no user waits; a task inherits it from the one that started it."""


# The process's view of the machine on which it runs: clocks, processors, and a unique name.


@dataclass(frozen=True, slots=True)
class Machine:
    """`wall_time` gives epoch seconds, but may be wrong, and be set. `steady` counts seconds from an arbitrary start;
    it is never set, and where possible goes on while the machine sleeps. `name` is the unique name of the process,
    without spaces. `processors` is the number of threads that can draw at once. `version` is that of the program, as
    hosts see it."""

    wall_time: Callable[[], float]
    steady: Callable[[], float]
    name: str
    processors: int
    version: str = VERSION
