"""Knows until when Discord makes no thread in which channel, so that nobody waits for minutes.

After some threads Discord makes none for minutes (136 to 280 seconds were seen), and discord.py would sleep as long
inside its request, or hold the last answer back. So each request is given up after some seconds, and until the limit
is over no other is sent in that channel; there they are sent one after another.
"""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace
from weakref import WeakValueDictionary

import aiohttp

from bot.client.runtime.job_queue import seconds_in
from bot.client.runtime.loop_time import loop_time

MADE = re.compile(r"/channels/(\d+)/(?:messages/\d+/)?threads$")


class ThreadLimits:
    """The limits of channels, by what the answers of Discord say."""

    def __init__(self) -> None:
        self._until: dict[int, float] = {}
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Hear of every answer."""
        trace.on_request_end.append(self._ended)

    async def _ended(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, told: aiohttp.TraceRequestEndParams
    ) -> None:
        found = MADE.search(told.url.path) if told.method == "POST" else None
        if found is None:
            return
        headers = told.response.headers
        if told.response.status == 429:
            self.note(int(found[1]), seconds_in(headers.get("Retry-After", "")))
        elif headers.get("X-RateLimit-Remaining") == "0":
            self.note(int(found[1]), seconds_in(headers.get("X-RateLimit-Reset-After", "")))

    def note(self, channel: int, seconds: float) -> None:
        """Note that no thread is made in a channel for so long."""
        now = loop_time()
        self._until = {one: until for one, until in self._until.items() if until > now}
        self._until[channel] = now + seconds

    def left(self, channel: int) -> float:
        """For how many seconds no thread is made in a channel."""
        return max(0.0, self._until.get(channel, 0.0) - loop_time())

    def turn(self, channel: int) -> asyncio.Lock:
        """What whoever asks for a thread in a channel holds meanwhile."""
        return self._turns.setdefault(channel, asyncio.Lock())
