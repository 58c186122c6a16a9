"""Waits at the start for what is not up yet: a network, Discord, a database's server, or a clock that is set late.

A small machine that was switched on has none of them for a while. So the bot tries again for five minutes, and says
so; then it ends with status 1, and whatever keeps it going starts it again. What a person has to put right is not
waited for.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import discord

from bot.client.runtime.loop_time import loop_time
from bot.host.exit_status import EARLIEST, LATER, TooEarly, Unreachable, ending
from bot.host.this_machine import wall
from bot.settings import Settings
from data.engine.address import address, is_sqlite
from data.engine.database_errors import Failing, Unavailable, Unusable

PATIENCE = 300.0
"""Seconds after its beginning in which a start is tried again."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
"""Seconds before the second try, doubled before each further one."""
AGAIN = "%s Trying again."

log = logging.getLogger(__name__)


async def patiently(serve: Callable[[Settings], Awaitable[None]], settings: Settings) -> None:
    """Serve, as soon as that is possible; what keeps it from that after `PATIENCE` is raised."""
    pause, until = FIRST_PAUSE, loop_time() + PATIENCE
    while True:
        try:
            refuse_early(settings)
            await serve(settings)
        except Exception as fault:
            end = ending(fault) if passes(fault, settings) and loop_time() + pause <= until else None
            if end is None:
                raise
            log.warning(AGAIN, end[0].removesuffix(f" {LATER}"))
        else:
            return
        if not await slept(pause):
            return
        pause = min(2 * pause, LONGEST_PAUSE)


def refuse_early(settings: Settings) -> None:
    """Raise `TooEarly` where the clock shows a time in which this program was not written."""
    if not settings.sandboxed and (now := wall()) < EARLIEST:
        raise TooEarly(datetime.fromtimestamp(now, UTC))


def passes(fault: Exception, settings: Settings) -> bool:
    """Whether an error at a start may pass by itself in minutes. A file of SQLite's is there, or a person's to put
    right."""
    if isinstance(fault, Unavailable):
        return not isinstance(fault, Unusable | Failing) and not is_sqlite(address(settings.database))
    return isinstance(fault, TooEarly | Unreachable | discord.DiscordServerError | discord.GatewayNotFound)


async def slept(seconds: float) -> bool:
    """Wait; whether the process may go on, and was not told to stop meanwhile."""
    loop = asyncio.get_running_loop()
    waiting = asyncio.create_task(asyncio.sleep(seconds))
    signals = signal.SIGTERM, signal.SIGINT
    for name in signals:
        loop.add_signal_handler(name, waiting.cancel)
    await asyncio.wait([waiting])
    for name in signals:
        loop.remove_signal_handler(name)
    return not waiting.cancelled()
