"""The pulse of the event loop: how late it comes to what is due, measured twice a second.

Whoever keeps it from running keeps everybody waiting; nothing else shows that.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

EVERY = 0.5
"""Seconds between two looks."""


async def feel(lagged: Callable[[float], None], felt: Callable[[float], None]) -> None:
    """For ever: tell how late the loop came to this, and that it runs, for so many seconds since."""
    while True:
        due = time.monotonic() + EVERY
        await asyncio.sleep(EVERY)
        lagged(time.monotonic() - due)
        felt(EVERY)
