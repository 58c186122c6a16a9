"""Runs the bot's background jobs, each in a task of its own, from login until the bot stops."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import copy_context
from typing import Any

from bot.client.publisher.publisher import Publisher
from bot.client.runtime.background import in_background
from bot.service.umpire.expiry import Sweeper
from data.engine.database_errors import Unavailable

log = logging.getLogger(__name__)


class BackgroundLoops:
    """The tasks by name. Those that look for what is due begin once the bot is `ready`, and look every `interval`
    seconds."""

    def __init__(self, ready: Callable[[], Awaitable[object]], interval: float) -> None:
        self.ready = ready
        self.interval = interval
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.stopped = False
        self._beside: dict[asyncio.Task[None], None] = {}

    def start(self, **jobs: Coroutine[Any, Any, None]) -> None:
        """Run jobs that end by themselves, or never."""
        self.tasks |= {name: asyncio.create_task(job) for name, job in jobs.items()}

    def beside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something for which nobody waits, until it ends or the bot stops."""
        context = copy_context()
        context.run(in_background.set, True)
        task = asyncio.create_task(work, context=context)
        self._beside[task] = None
        task.add_done_callback(self._beside.pop)
        if self.stopped:
            task.cancel()
        return task

    def repeat(self, **looks: Callable[[], Awaitable[None]]) -> None:
        """Look again and again; an error is logged, and the next look tries again."""
        self.start(**{name: self._repeat(look) for name, look in looks.items()})

    async def _repeat(self, look: Callable[[], Awaitable[None]]) -> None:
        await self.ready()
        while True:
            try:
                await look()
            except Unavailable:
                log.warning("Looking for what is due failed and will be tried again: the database cannot be used.")
            except Exception:
                log.warning("Looking for what is due failed and will be tried again.", exc_info=True)
            await asyncio.sleep(self.interval)

    def stop(self) -> None:
        """Look no more, and drop what nobody waits for."""
        self.stopped = True
        for task in (*self.tasks.values(), *self._beside):
            task.cancel()


async def sweep(sweeper: Sweeper, publisher: Publisher, leads: bool) -> None:
    """Close challenges that expired and matches that cannot go on, and have that shown, to those who slept when they
    are awake; the process that `leads` also drops old rows. It waits for no board."""
    in_background.set(True)
    over = (
        *await sweeper.expire(),
        *await sweeper.close_outdated(),
        *await sweeper.close_unreached(),
        *await sweeper.wake(),
    )
    for match in over:
        publisher.soon(match)
    await sweeper.show_returned()
    if leads:
        await sweeper.tidy()
