"""Throttles background requests to Discord, so that they leave room for those that people wait for.

A bot is allowed fifty requests a second in all. discord.py waits for the limits of each channel before it asks, but
learns of this one only by being refused, and then everybody waits. So requests are counted here, and background work
waits in time. Answers to interactions are not limited, and not counted.

The limit is on the bot, not on its processes, which know nothing of each other's requests: so a process that serves a
part of the servers takes only that part of the room.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextvars import ContextVar
from types import SimpleNamespace

import aiohttp
from discord.http import HTTPClient

IN_BACKGROUND = 40
"""How many requests of all processes in the last second leave no room for work in the background. Discord's limit is
50."""
UNLIMITED = ("/interactions/", "/webhooks/")
LONGEST_LIMIT = 330.0
"""Seconds that discord.py is to wait for a limit, at most; of what takes longer it tells us by `discord.RateLimited`.

It allows no less than 30. But it refuses *every* request of a bucket whose window ends later than that, also while the
bucket has requests left: so this is more than five minutes, which is as long a window as we know of.
"""
GRACE = 1.0
"""Seconds after a limit on all requests is over, in which discord.py lifts it by itself."""


in_background: ContextVar[bool] = ContextVar("in_background", default=False)
"""Whether this is background work, for which no person waits; a task inherits it from the task that began it."""


class Throttle:
    """Counts the requests of the last second, and keeps those in the background waiting. Its `trace` goes to the HTTP
    client, which calls it before each request. `part` is the share of all servers that this process serves."""

    def __init__(self, part: float = 1.0) -> None:
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._begun)
        self.room_for = max(1, int(IN_BACKGROUND * part))
        self._begins: deque[float] = deque(maxlen=self.room_for)
        self.trace.on_request_end.append(self._ended)
        self._all_from = 0.0

    async def _begun(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, asked: aiohttp.TraceRequestStartParams
    ) -> None:
        if any(part in asked.url.path for part in UNLIMITED):
            return
        if in_background.get():
            await self.room()
        self._begins.append(time.monotonic())

    async def _ended(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, told: aiohttp.TraceRequestEndParams
    ) -> None:
        if "X-RateLimit-Global" in told.response.headers:
            seconds = told.response.headers.get("Retry-After", "")
            self._all_from = time.monotonic() + (int(seconds) if seconds.isdecimal() else 0)

    async def room(self) -> None:
        """Wait until there is room for work in the background."""
        while len(self._begins) == self.room_for:
            wait = self._begins[0] + 1 - time.monotonic()
            if wait <= 0:
                return
            await asyncio.sleep(wait)

    def unblock(self, http: HTTPClient) -> None:
        """Lift a limit on all requests that is over.

        discord.py leaves that to the request that hit the limit. If we cancel that one, no other would ever be
        sent again.
        """
        lifted: asyncio.Event = http._global_over  # pyright: ignore[reportPrivateUsage]  -- there is no other way
        if not lifted.is_set() and time.monotonic() > self._all_from + GRACE:
            lifted.set()
