"""Has a copy of the database made every day while the bot serves, and tells how old the newest one is.

It asks every few minutes whether one is due, so an hour that was missed is made up for. What fails is tried again after
an hour, and the alarm is the age of the newest copy.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.metrics import Metrics
from data.engine.address import address, file_of
from data.upkeep.backup_folder import copy_of_the_day, standing
from data.upkeep.file_check import Refused
from data.upkeep.hindrance import no_copies

FIRST_LOOK, EVERY, AFTER_FAILURE = 60.0, 300.0, 3600.0
"""Seconds from the start to the first look, when the start is over; between two; and after a copy that failed."""

log = logging.getLogger(__name__)


class DailyCopies:
    """Makes copies of one database in one folder."""

    def __init__(self, url: str, folder: Path, clock: Callable[[], float], metrics: Metrics) -> None:
        self.url, self.folder, self.clock, self.metrics = url, folder, clock, metrics
        self._next = loop_time()

    async def keep(self) -> None:
        """Look again and again, for ever; what is wrong with the folder is said at once."""
        file = file_of(address(self.url))
        if file and (why_not := await asyncio.to_thread(no_copies, self.folder, file)):
            log.error("%s", why_not)
        await self.tell()
        await asyncio.sleep(FIRST_LOOK)
        while True:
            await self.look()
            await asyncio.sleep(EVERY)

    async def look(self) -> None:
        """Make the copy of the day if it is due."""
        if loop_time() < self._next:
            return
        try:
            if made := await copy_of_the_day(self.url, self.folder, self.clock):
                log.info("The copy of the day is %s.", made)
        except (Refused, OSError) as fault:
            self._next = loop_time() + AFTER_FAILURE
            log.error("The copy of the day was not made. %s It is tried again in an hour.", fault)
        except Exception:
            self._next = loop_time() + AFTER_FAILURE
            log.exception("The copy of the day was not made. It is tried again in an hour.")
        await self.tell()

    async def tell(self) -> None:
        """Bring the figures up to date."""
        try:
            found = await asyncio.to_thread(standing, self.folder, self.clock())
        except OSError as fault:
            log.debug("The folder of copies cannot be read: %s", fault)
            return
        self.metrics.backup_at.set(found.newest)
        self.metrics.backup_bytes.set(found.bytes)
