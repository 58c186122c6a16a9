"""Tells monotonic time for everything that runs in the event loop, by the loop's own clock.

`asyncio.sleep`, `asyncio.timeout` and `call_later` go by that clock too. So whoever moves it, like a loop of simulated
time, moves everything together.
"""

from __future__ import annotations

import asyncio


def loop_time() -> float:
    """Seconds by the clock of the event loop that runs here."""
    return asyncio.get_running_loop().time()
