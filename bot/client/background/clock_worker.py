"""Every few seconds, finds the deadlines that have passed, acts on them and has the matches shown.

Downtime is given back before any deadline passes. Shards are looked at one by one: where one is disconnected, time
goes on in the servers of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Protocol

from bot.client.runtime.background import in_background
from bot.core.values.ids import MatchId
from bot.core.values.shards import Share, together
from bot.service.time.downtime import OUTAGE, DowntimeKeeper
from bot.service.umpire.deadlines import Deadlines
from bot.service.umpire.umpire import Umpire

AT_ONCE = 20
"""How many boards of a look are shown at once. The reconciler shows the rest in turn, so that people need not wait
behind them after an outage or a weekend."""


class Shards(Protocol):
    """Which connections to Discord are there."""

    @property
    def there(self) -> tuple[Share, ...]:
        """The shards that are connected now; none before the bot is ready."""
        ...

    def shard_of(self, guild: int) -> Share:
        """The shard of a server."""
        ...

    def reaches(self, guild: int) -> bool:
        """Whether the shard of a server is connected now."""
        ...


class ClockWorker:
    """Gives back downtime and passes deadlines; it looks every `interval` seconds, and `soon` shows a match."""

    def __init__(self, umpire: Umpire, shards: Shards, soon: Callable[[MatchId], None], interval: float) -> None:
        self.shards = shards
        self.soon = soon
        longest = max(OUTAGE, 2 * ceil(interval))
        self.outages = DowntimeKeeper(umpire.store, umpire.clock, longest, shards.shard_of)
        self.deadlines = Deadlines(umpire)

    async def look(self) -> None:
        """Give back an outage that is over, then do all that is due; no board is waited for here."""
        in_background.set(True)
        there, done = self.shards.there, 0
        if not there:
            return
        await self.outages.over(there)
        for share in together(there):
            async for match in self.deadlines.pass_(share):
                done += 1
                if done <= AT_ONCE:
                    self.soon(match)
