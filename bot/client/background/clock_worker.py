"""Time goes on: every few seconds, while Discord is connected, what is due is done and shown.

Nothing is done before the time in which the bot was not connected is given back; while it is not, nothing is done at
all. Each shard's servers are looked at for themselves: where one is away, time goes on in those of the others.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING

from bot.client.http.throttle import in_background
from bot.core.values.ids import GuildId
from bot.core.values.shards import Share, together
from bot.service.time.downtime import OUTAGE, Outages
from bot.service.umpire.deadlines import Deadlines
from data.engine import Unavailable

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

AT_ONCE = 20
"""So many boards are shown as soon as possible; where more change at a look, after an outage or a weekend that all had
to themselves, they lag behind and have their turns from the reconciler, or people would wait for them."""

log = logging.getLogger(__name__)


def connected(client: GraphPaper) -> bool:
    """Whether Discord tells the bot what happens at this moment, over any of its shards."""
    return client.is_ready() and bool(client.connections.there)


class Timer:
    """Looks what is due."""

    def __init__(self, client: GraphPaper) -> None:
        self.client = client
        longest = max(OUTAGE, 2 * ceil(client.settings.reconcile))
        self.outages = Outages(client.umpire.store, client.umpire.clock, longest)
        self.deadlines = Deadlines(client.umpire)

    async def look(self) -> None:
        """Give back an outage that is over, then do all that is due; no board is waited for here."""
        in_background.set(True)
        if not connected(self.client):
            return
        there, done = self.client.connections.there, 0
        await self._back(there)
        for share in together(there):
            async for match in self.deadlines.pass_(share):
                done += 1
                if done <= AT_ONCE:
                    self.client.publisher.soon(match)
        self.client.reminders.look()

    async def heard(self, guild: GuildId) -> None:
        """Somebody acts in a server, so its shard is connected, perhaps before the bot has looked: nobody's time is to
        be reckoned before an outage is given back. Nearly always there was none."""
        shard = self.client.connections.shard_of(guild)
        if not self.outages.steady(shard):
            with suppress(Unavailable):  # then nothing can be done to a match either
                await self._back((shard,))

    async def _back(self, shards: Sequence[Share]) -> None:
        if given := await self.outages.over(shards):
            told = ", ".join(map(str, together(shards)))
            log.info("%d seconds without Discord were given back to all who are to move (shards %s).", given, told)
