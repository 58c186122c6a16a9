"""Tells a host that another process serves the same servers on the same database.

The rows of `bot.service.cluster.processes` show it within a minute. Nothing happens twice, since every act counts once
in the database: so it is said, in the log and by `health`, and both processes go on.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from bot.client.app.identity import told
from bot.client.runtime.discord_clock import since_boot
from bot.core.values.shards import Share
from bot.service.cluster import processes
from bot.service.cluster.processes import Census
from data.engine.database_errors import Unavailable
from data.upkeep import health

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

EVERY = 15.0
"""Seconds between two looks."""
SAID_EVERY = 3600.0

log = logging.getLogger(__name__)


class Twins:
    """What one process knows of others that do the same."""

    def __init__(self, client: GraphPaper) -> None:
        self.client = client
        self.steady = since_boot
        self.census = Census(client.holder, client.settings.share)
        self._beats = 0
        self._noted = True  # perhaps by the process that this one replaces
        self._said: dict[str, float] = {}

    async def keep(self) -> None:
        """For ever: note that this process serves, and look who else does."""
        while True:
            await self._looked()
            await asyncio.sleep(EVERY)

    async def begin(self) -> None:
        """Note that this process serves, before it does."""
        await self._looked()

    async def _looked(self) -> None:
        try:
            await self.look()
        except Unavailable:
            log.debug("It cannot be looked up who else serves.")
        except Exception:
            log.warning("Looking who else serves failed and will be tried again.", exc_info=True)

    async def look(self) -> None:
        """Beat, see who else beats, and say what there is to be said."""
        store, census = self.client.umpire.store, self.census
        self._beats += 1
        found, after = await store.do(processes.beaten, census.row, f"{self.client.holder} {self._beats}")
        now = self.steady()
        self.census = census.looked(found, after, now)
        texts = self._texts(now)
        self.client.measures.twins.set(len(texts))
        self._say(texts, now)
        if texts or self._noted:
            noted = f"{int(time.time())} {' '.join(texts)}" if texts else None
            await store.do(health.tell, f"{health.TWINS}{census.share}", noted)
            self._noted = bool(texts)
        if self.client.lease.leads and (stale := self.census.stale(now)):
            await store.do(processes.cleared, stale)

    async def leave(self) -> None:
        """Take the row away that says that this process serves; where that cannot be written, it just stands still."""
        try:
            await self.client.umpire.store.do(processes.left, self.census.row, self.client.holder)
        except Exception as fault:
            log.debug("The row of this process could not be taken away: %s.", type(fault).__name__)

    def _texts(self, now: float) -> list[str]:
        """A sentence about each other process."""
        client, seen = self.client, self.census.twins(now)
        mine = f"this one ({shards(client.settings.share)}, {told(client.holder)})"
        return [
            f"Two processes serve the same servers on one database: {mine} and {told(other)} ({shards(share)})."
            " Nothing happens twice, but stop one of them, or give each shards of its own in GRAPHPAPER_SHARDS."
            for other, share in seen
        ]

    def _say(self, texts: list[str], now: float) -> None:
        """Say in the log what is new, and again each hour."""
        self._said = {text: at for text, at in self._said.items() if text in texts or now - at < SAID_EVERY}
        for text in texts:
            if now - self._said.get(text, -SAID_EVERY) >= SAID_EVERY:
                log.error("%s", text)
                self._said[text] = now


def shards(share: Share) -> str:
    """A share in words."""
    return "all shards" if share.whole else f"shards {share}"
