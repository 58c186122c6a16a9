"""Waits as long as a busy machine needs: until something is so, or until discord.py is ready."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import discord
from discord.gateway import KeepAliveHandler

from bot.sandbox.stand_in import Sandbox

PATIENCE = 40.0
"""Seconds after which something that does not come is taken to be lost."""
STEP = 0.005
TICK = 0.01
AT_ONCE = 1e-6
"""Seconds; discord.py looks whether there is another server before it waits for one, so that none is passed over."""


async def until(met: Callable[[], Any]) -> Any:
    """Look again and again whether something is so, for what nobody tells of, and give what it has come to."""
    async with asyncio.timeout(PATIENCE):
        while not (value := met()):  # noqa: ASYNC110  nobody tells of it
            await asyncio.sleep(STEP)
        return value


class Still:
    """A monotonic clock that a test moves, put into a module in place of the event loop's."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """The time that the test has set."""
        return self.now


class Hurry:
    """The module asyncio, whose sleepers wake up at once: put into discord.py's requests, which after a failure sleep
    for seconds before they try again."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, _: float) -> None:
        await asyncio.sleep(STEP)


class Stopwatch:
    """Counts `seconds` as the event loop lives them: while a busy machine does not let it run, no time passes. So it
    says how long something waited, and not how long it kept the loop from running."""

    def __init__(self) -> None:
        self.seconds = 0.0

    async def __aenter__(self) -> Self:
        self.ticking = asyncio.create_task(self._tick())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ticking.cancel()

    async def _tick(self) -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(TICK)
            self.seconds += min(time.monotonic() - began, 2 * TICK)


def stop_hearts() -> None:
    """End the threads in which discord.py's heart beats. It leaves one behind where a connection was cut, or never
    quite made; at its next beat, in a later test, that one would find the event loop closed, and complain."""
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler):
            thread.stop()


def ready_when_introduced(client: discord.Client, sandbox: Sandbox) -> None:
    """Let a client, or each of its shards, be ready as soon as it is told of its servers, however long that takes; one
    that is told of late, as ever. By itself discord.py waits for a moment after the last server, and the moment may
    pass before the first."""
    state: Any = client._connection  # pyright: ignore[reportPrivateUsage]  -- discord.py has no hook for it
    moment = state.guild_ready_timeout

    async def told(queue: asyncio.Queue[Any], shard: int, count: int) -> None:
        state.guild_ready_timeout = moment
        if due := servers_at_once(sandbox, shard, count):
            async with asyncio.timeout(PATIENCE):
                for one in [await queue.get() for _ in range(due)]:
                    queue.put_nowait(one)
            state.guild_ready_timeout = AT_ONCE

    if isinstance(client, discord.AutoShardedClient):
        usual_shard = state._delay_shard_ready

        async def delayed_shard(shard: int) -> None:
            await told(state._ready_states[shard], shard, state.shard_count)
            await usual_shard(shard)

        state._delay_shard_ready = delayed_shard
        return
    usual = state._delay_ready

    async def delayed() -> None:
        await told(state._ready_state, client.shard_id or 0, client.shard_count or 1)
        await usual()

    state._delay_ready = delayed


def servers_at_once(sandbox: Sandbox, shard: int, count: int) -> int:
    """How many servers a shard is told of when it says who it is."""
    mine = [one for one in sandbox.world.servers.values() if one.shard_among(count) == shard]
    return sum(sandbox.gateway.introduction_delay(one) == 0 and sandbox.world.me in one.members for one in mine)
