"""Discord's limits on shards: which ones a bot may open, how many at once, how often.

A test sets them; by default any shard that exists may be opened at once.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.world.api_errors import Json, is_list

Shard = tuple[int, int]
"""Which, of how many."""
WHOLE: Shard = (0, 1)
NOT_A_SHARD, SHARDS_NEEDED, TOKEN_GONE = 4010, 4011, 4004
MOST_SERVERS = 2500
IDENTIFY_SECONDS = 5.0
"""So long Discord wants between two sessions that begin."""
DAY = 86_400.0


def asked(data: Json) -> Shard | None:
    """The shard that an IDENTIFY names, or the only one; None if there is no such shard."""
    given: Any = data.get("shard")
    if given is None:
        return WHOLE
    if not is_list(given) or [type(one) for one in given] != [int, int] or not 0 <= given[0] < given[1]:
        return None
    return given[0], given[1]


def loop_time() -> float:
    """Seconds by the clock of the event loop."""
    return asyncio.get_running_loop().time()


@dataclass
class Sharding:
    """The limits on shards, and how often the bot broke them.

    recommended: what a bot that asks is told to open. required: whether one that names no shard is refused.
    most_servers: so many a shard may have. total: sessions in a day. concurrency: so many may begin side by side.
    pause: seconds between two that begin by the same key, IDENTIFY_SECONDS on Discord, 0 for none; by `clock`.
    hasty: how many came too early and were sent away.
    """

    recommended: int = 1
    required: bool = False
    most_servers: int = MOST_SERVERS
    total: int = 1000
    concurrency: int = 1
    pause: float = 0.0
    clock: Callable[[], float] = loop_time
    hasty: int = 0
    begun: list[float] = field(default_factory=list[float])
    latest: dict[int, float] = field(default_factory=dict[int, float])

    @property
    def remaining(self) -> int:
        """How many sessions may still begin within a day of the first."""
        if self.begun and self.clock() - self.begun[0] >= DAY:
            self.begun.clear()
        return self.total - len(self.begun)

    def advice(self) -> Json:
        """The answer to a bot that asks how to connect."""
        limit: Json = {"total": self.total, "remaining": max(0, self.remaining), "max_concurrency": self.concurrency}
        ends = self.begun[0] + DAY - self.clock() if self.begun else DAY
        return {"shards": self.recommended, "session_start_limit": limit | {"reset_after": round(ends * 1000)}}

    def wrong(self, data: Json, servers: int) -> int:
        """The close code for an IDENTIFY whose shard has so many servers, or 0."""
        if asked(data) is None:
            return NOT_A_SHARD
        if servers > self.most_servers or (self.required and data.get("shard") is None):
            return SHARDS_NEEDED
        return 0 if self.remaining > 0 else TOKEN_GONE

    def begin(self, shard: Shard) -> bool:
        """Whether a session may begin now; if so, it does."""
        key, now = shard[0] % self.concurrency, self.clock()
        if self.pause and now - self.latest.get(key, -self.pause) < self.pause:
            self.hasty += 1
            return False
        self.latest[key] = now
        self.begun.append(now)
        return True
