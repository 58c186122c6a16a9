"""The doctor's client: discord.py's as the bot uses it, but it answers nobody who does not press a button of its own.

It connects beside a running bot with the same token, and hears the same events.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
from yarl import URL

from bot.client.app.client import usual_options
from bot.client.http.request_traces import LONGEST_LIMIT
from bot.client.interactions.context import Interaction, data_of
from bot.client.interactions.custom_ids import DOCTORS
from bot.client.runtime.loop_time import loop_time

RATE_LIMITED = 429


class Visitor(discord.AutoShardedClient):
    """The connection of one run. `run` tells its buttons from those of other runs."""

    def __init__(self, run: str, wall: Callable[[], float], gateway: str | None, **options: Any) -> None:
        trace, usual = aiohttp.TraceConfig(), usual_options()
        trace.on_request_end.append(self._answered)
        super().__init__(
            intents=usual["intents"],
            allowed_mentions=usual["allowed_mentions"],
            max_ratelimit_timeout=LONGEST_LIMIT,
            http_trace=trace,
            **options,
        )
        self.mark = f"{DOCTORS}{run}"
        self.acts: asyncio.Queue[Interaction] = asyncio.Queue()
        """What people did with the doctor's button and form."""
        self.headers: Mapping[str, str] = {}
        """Those of the last answer."""
        self.ahead: float | None = None
        """Seconds by which this machine's clock is ahead of Discord's."""
        self._paused_until = 0.0
        self._wall = wall
        self._gateway = gateway

    @property
    def pause(self) -> float:
        """Seconds for which Discord has asked to wait still, for some of the requests."""
        return max(0.0, self._paused_until - loop_time())

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect; where that fails, say so and do not try for ever."""
        if not initial and not self.shards and (refused := sys.exception()):
            raise refused
        await super().launch_shard(URL(self._gateway or gateway), shard_id, initial=initial)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Note what somebody did with our button or form; everything else is the running bot's."""
        if str(data_of(interaction).get("custom_id", "")) == self.mark:
            self.acts.put_nowait(interaction)

    async def _answered(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        self.headers = answer.response.headers
        with contextlib.suppress(KeyError, ValueError):
            # Discord's date is in whole seconds, cut off.
            self.ahead = self._wall() - parsedate_to_datetime(self.headers["Date"]).timestamp() - 0.5
        if answer.response.status == RATE_LIMITED:
            with contextlib.suppress(KeyError, ValueError):
                self._paused_until = loop_time() + float(self.headers["Retry-After"])
