"""What nobody waits for runs in the background until the bot stops."""

from __future__ import annotations

import asyncio

from bot.app.client import BackgroundLoops
from bot.platform.machine import in_background


async def ready() -> None:
    """Be ready at once."""


async def test_what_runs_beside_all_else_is_in_the_background() -> None:
    heard: list[bool] = []

    async def hear() -> None:
        heard.append(in_background.get())

    await BackgroundLoops(ready, 1.0).spawn_task(hear())
    assert heard == [True] and not in_background.get()


async def test_what_runs_beside_all_else_ends_when_the_bot_stops() -> None:
    loops = BackgroundLoops(ready, 1.0)
    before = loops.spawn_task(asyncio.sleep(3600.0))
    await asyncio.sleep(0)
    loops.stop()
    after = loops.spawn_task(asyncio.sleep(3600.0))
    await asyncio.wait((before, after), timeout=5.0)
    assert before.cancelled() and after.cancelled()
