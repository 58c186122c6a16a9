"""Follows every request to Discord: background requests are throttled, and all requests are measured.

Background requests leave room for those that people wait for. A bot is allowed fifty requests a second in all.
discord.py waits for the limits of each channel before it asks, but learns of this one only by being refused, and then
everybody waits. So requests are counted here, and background work waits in time. Answers to interactions are not
limited, and not counted.

The limit is on the bot, not on its processes, which know nothing of each other's requests: so a process that serves a
part of the servers takes only that part of the room.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from types import SimpleNamespace

import aiohttp
from discord.http import HTTPClient

from bot.client.interactions.response_deadline import answering
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Code
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.metrics import Metrics

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
CALLBACK = re.compile(r"/interactions/\d+/[^/]+/callback$")
ALREADY_ANSWERED = str(int(Code.ALREADY_ANSWERED)).encode()
"""The code with which Discord refuses an answer where it has one."""


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
        self._begins.append(loop_time())

    async def _ended(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, told: aiohttp.TraceRequestEndParams
    ) -> None:
        if "X-RateLimit-Global" in told.response.headers:
            seconds = told.response.headers.get("Retry-After", "")
            self._all_from = loop_time() + (int(seconds) if seconds.isdecimal() else 0)

    async def room(self) -> None:
        """Wait until there is room for work in the background."""
        while len(self._begins) == self.room_for:
            wait = self._begins[0] + 1 - loop_time()
            if wait <= 0:
                return
            await asyncio.sleep(wait)

    def unblock(self, http: HTTPClient) -> None:
        """Lift a limit on all requests that is over.

        discord.py leaves that to the request that hit the limit. If we cancel that one, no other would ever be
        sent again.
        """
        lifted: asyncio.Event = http._global_over  # pyright: ignore[reportPrivateUsage]  -- there is no other way
        if not lifted.is_set() and loop_time() > self._all_from + GRACE:
            lifted.set()


class HttpMetrics:
    """Measures the requests of an HTTP client: how long each took, and with which status it was answered.

    An answer to an interaction is also timed from the moment when somebody acted, since discord.py tells nobody when
    Discord has taken it.
    """

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Hear of every request; after what keeps requests waiting."""
        trace.on_request_start.append(self._begun)
        trace.on_request_end.append(self._ended)
        trace.on_request_exception.append(self._failed)
        trace.on_response_chunk_received.append(self._read)

    async def _begun(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, __: aiohttp.TraceRequestStartParams
    ) -> None:
        request.begun = loop_time()

    async def _ended(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        status = answer.response.status
        self.metrics.requests.labels(str(status)).inc()
        self.metrics.request_seconds.observe(loop_time() - request.begun)
        request.refused = status == 400
        if (act := answering.get()) and status < 300 and CALLBACK.search(answer.url.path):
            self.metrics.answered(act.kind, act.seconds())

    async def _failed(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceRequestExceptionParams
    ) -> None:
        self.metrics.requests.labels("none").inc()

    async def _read(
        self, _: aiohttp.ClientSession, request: SimpleNamespace, part: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        if getattr(request, "refused", False) and ALREADY_ANSWERED in part.chunk:
            self.metrics.already_answered.inc()
