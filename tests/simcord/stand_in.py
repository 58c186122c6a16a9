"""SimCord, a stand-in for Discord that others wrote, with the whole bot on it.

SimCord's own `Env` rules over the event loop of the bot that it tests: time stands still for the bot's tasks, and a
task that waits for ever, but for what discord.py itself waits for, is an error. This bot's store counts down its
deadlines in a thread, whose time goes on, and its heartbeat waits for ever. So `Stage` is an `Env` that leaves the
loop alone: the time is the loop's, and `Life.idle` says when the bot is done. Discord's side, what people can do there
and discord.py's machinery in between are SimCord's, as it comes.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import simcord
from discord import Message
from simcord import _dpy_internals as internals  # pyright: ignore[reportPrivateUsage]  -- there is no other door
from simcord._clock import Clock as TheirClock  # pyright: ignore[reportPrivateUsage]
from simcord.backend import Backend, serializers
from simcord.gateway import ShardRouter
from simcord.http import FakeHTTPClient, FakeWebhookAdapter

from bot.client.app.client import GraphPaper
from bot.client.runtime.machine import Machine
from bot.core.library.catalogue import games
from bot.sandbox.page import reading
from bot.service.umpire.umpire import Umpire
from bot.settings import Settings
from data.store import Store
from tests.e2e.house import owed
from tests.simulation.inline_engine import InlineEngine
from tests.simulation.life import PATIENCE, Life, living, rested
from tests.simulation.loop import SimulatedLoop

Json = dict[str, Any]
Shown = simcord.InteractionResult | simcord.ResponseMessage | Message


class Clock(TheirClock):
    """SimCord's clock, which tells the time of the loop."""

    def now(self) -> datetime:
        """The moment."""
        return datetime.fromtimestamp(time.time(), UTC)


class Bot(Life):
    """The whole bot, which logs in to SimCord."""

    def __init__(self, url: str) -> None:
        self.tasks = set()
        self.dead = self.ended = False
        self.outlived = []
        self.store = Store(url)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        machine = Machine(loop.wall, loop.time, f"simulated:{next(loop.numbers)}:0", processors=2)
        umpire = Umpire(self.store, games(), lambda: int(time.time()), random.Random(1))
        settings = Settings(token="simcord", database=url, retry=0.01, reconcile=3600.0)
        self.client = GraphPaper(settings, umpire, machine, InlineEngine.start)
        self.client.warm_up = rested
        self.client.register = self.register


class Stage(simcord.Env):
    """SimCord with the whole bot on it; `store` is for looking."""

    def __init__(self, url: str) -> None:
        self.life, self.store = Bot(url), Store(url)
        super().__init__(self.life.client, shard_count=1)
        self.backend = Backend(clock=Clock())

    async def start(self) -> None:
        """Put the bot on SimCord's HTTP and gateway, and bring it to READY, as `Env` does."""
        client, state = self.life.client, internals.get_state(self.bot)
        self._loop, self._started = asyncio.get_running_loop(), True
        http: Any = FakeHTTPClient(self.backend, self._loop)
        http._global_over = asyncio.Event()  # as discord.py's own has it from the login on
        http._global_over.set()
        internals.install_http(client, http)
        internals.set_guild_ready_timeout(client, 0.0)
        self._webhook_adapter = FakeWebhookAdapter(self.backend)
        self._message_states.add(state)
        state.shard_count, state.shard_ids = 1, [0]
        router = ShardRouter(self.backend, state, client.dispatch, 1, (0,))
        self._capture_errors()
        mark, previous = living.set(self.life), internals.set_webhook_adapter(self._webhook_adapter)

        def fed(event: str, payload: Mapping[str, Any]) -> None:
            """What comes over the gateway begins tasks of the bot's."""
            mark, previous = living.set(self.life), internals.set_webhook_adapter(self._webhook_adapter)
            router.feed(event, payload)
            internals.reset_webhook_adapter(previous)
            living.reset(mark)

        await client.login("simcord")
        client.shard_count = 1
        internals.install_shards(client, router.shards)
        router.identify(0)
        internals.reset_webhook_adapter(previous)
        living.reset(mark)
        self.backend.subscribers.append(fed)
        await asyncio.wait([client.loops.tasks["registering"]], timeout=PATIENCE)

    async def _settle_internal(self, **_: Any) -> None:
        """Wait until every interaction is treated and Discord shows all that is committed."""
        async with asyncio.timeout(PATIENCE):
            while True:
                await self.life.idle()
                if not await self.store.ask(owed):
                    return
                await self.life.client.publisher.again()
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.1):
                        await asyncio.Event().wait()

    async def shutdown(self) -> None:
        """Stop the bot as a host stops it."""
        await self.life.end()
        await self.store.close()

    # --- what people see

    def seen(self, shown: Shown) -> Json:
        """A message, or the answer that people see, as Discord's clients are told of it."""
        if isinstance(shown, simcord.InteractionResult):
            assert shown.response is not None, f"there is no message: {shown}"
            shown = shown.response
        place = shown.channel_id if isinstance(shown, simcord.ResponseMessage) else shown.channel.id
        message = self.backend.get_message(place, shown.id)
        return dict(serializers.message_payload(self.backend, message))

    def text(self, shown: Shown) -> str:
        """All its text."""
        return reading.text(self.seen(shown))

    def labels(self, shown: Shown) -> list[str]:
        """The labels of its buttons and selects."""
        return [one.label for one in reading.buttons(self.seen(shown))]
