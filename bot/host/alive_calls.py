"""Calls an address each minute while all is well, as a dead man's switch wants it: where no call comes, it rings.

All is well where `health` says so, of the database and of every process that serves people. Of several processes the
leader calls. The address is a secret, since whoever knows it can keep the switch from ringing: so the log says what
happened without it, and never in the words of an error.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

import aiohttp

from bot.settings import Settings
from data.upkeep.health import health

EVERY = 60.0
"""Seconds between two looks whether all is well, the first after the bot has begun."""
WITHIN = 10.0
"""Seconds for the switch to answer."""

CALLED = "GRAPHPAPER_ALIVE was called, and will be each minute while all is well."
ILL = "GRAPHPAPER_ALIVE isn't called: {}"
IN_VAIN = "GRAPHPAPER_ALIVE was called in vain: {}. It is tried again each minute."
UNFORESEEN = "GRAPHPAPER_ALIVE isn't called, for {}."

log = logging.getLogger(__name__)


class AliveCalls:
    """Calls one address for a bot that runs with some settings, while its process `leads`."""

    def __init__(self, settings: Settings, address: str, leads: Callable[[], bool], clock: Callable[[], float]) -> None:
        self.settings, self.address, self.leads, self.clock = settings, address, leads, clock
        self._said = ""

    async def keep(self) -> None:
        """Look again and again, for ever."""
        while True:
            await asyncio.sleep(EVERY)
            await self.look()

    async def look(self) -> None:
        """Call, if all is well. What hangs is not called past, so that the switch rings."""
        if not self.leads():
            self._said = ""
            return
        try:
            report = await health(self.settings.database, self.clock, self.settings.share, for_all=True)
            sentence = await called(self.address) if report.sound else ILL.format(report.lines[0])
        except Exception as fault:
            sentence = UNFORESEEN.format(type(fault).__name__)
        self._tell(sentence)

    def _tell(self, sentence: str) -> None:
        """Log what is new."""
        if sentence != self._said:
            log.log(logging.INFO if sentence == CALLED else logging.WARNING, "%s", sentence)
        self._said = sentence


async def called(address: str) -> str:
    """Call, and give a sentence about what came of it."""
    try:
        limit = aiohttp.ClientTimeout(total=WITHIN)
        headers = {"User-Agent": "Graph Paper"}  # the switch need not know on which versions it runs
        async with aiohttp.ClientSession(timeout=limit, headers=headers) as session, session.get(address) as answer:
            return CALLED if answer.ok else IN_VAIN.format(f"it answered {answer.status}")
    except TimeoutError:
        return IN_VAIN.format(f"no answer came within {WITHIN:.0f} s")
    except (aiohttp.ClientError, OSError, ValueError) as fault:
        number = fault.errno if isinstance(fault, OSError) else None
        return IN_VAIN.format(os.strerror(number) if number and number > 0 else "it can't be reached")
