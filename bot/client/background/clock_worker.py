"""Time goes on: every few seconds, while Discord is connected, what is due is done and shown.

Nothing is done before the time in which the bot was not connected is given back; while it is not, nothing is done at
all. Each shard's servers are looked at for themselves: where one is away, time goes on in those of the others.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import ceil
from typing import Protocol

from bot.client.http.throttle import in_background
from bot.core.values.ids import GuildId, MatchId
from bot.core.values.shards import Share, together
from bot.service.time.downtime import OUTAGE, Outages
from bot.service.umpire.deadlines import Deadlines
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable

AT_ONCE = 20
"""So many boards are shown as soon as possible; where more change at a look, after an outage or a weekend that all had
to themselves, they lag behind and have their turns from the reconciler, or people would wait for them."""

log = logging.getLogger(__name__)


class Shards(Protocol):
    """Which connections to Discord are there."""

    @property
    def there(self) -> tuple[Share, ...]:
        """The shards that are connected now; none before the bot is ready."""
        ...

    def shard_of(self, guild: int) -> Share:
        """The shard of a server."""
        ...


class ClockWorker:
    """Gives back downtime and passes deadlines; it looks every `interval` seconds, and `soon` shows a match."""

    def __init__(self, umpire: Umpire, shards: Shards, soon: Callable[[MatchId], None], interval: float) -> None:
        self.shards = shards
        self.soon = soon
        longest = max(OUTAGE, 2 * ceil(interval))
        self.outages = Outages(umpire.store, umpire.clock, longest)
        self.deadlines = Deadlines(umpire)

    async def look(self) -> None:
        """Give back an outage that is over, then do all that is due; no board is waited for here."""
        in_background.set(True)
        there, done = self.shards.there, 0
        if not there:
            return
        await self._back(there)
        for share in together(there):
            async for match in self.deadlines.pass_(share):
                done += 1
                if done <= AT_ONCE:
                    self.soon(match)

    async def heard(self, guild: GuildId) -> None:
        """Somebody acts in a server, so its shard is connected, perhaps before the bot has looked: nobody's time is to
        be reckoned before an outage is given back. Nearly always there was none."""
        shard = self.shards.shard_of(guild)
        if not self.outages.steady(shard):
            with suppress(Unavailable):  # then nothing can be done to a match either
                await self._back((shard,))

    async def _back(self, shards: Sequence[Share]) -> None:
        if given := await self.outages.over(shards):
            told = ", ".join(map(str, together(shards)))
            log.info("%d seconds without Discord were given back to all who are to move (shards %s).", given, told)
