"""Stands in for the machine under the libraries: their clocks, their chance, and the threads that they start.

The product is handed its clock and its chance; aiohttp, discord.py and aiosqlite ask the machine. Each row of `places`
is such a question, answered by the loop while it runs.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import aiohttp.connector
import discord.backoff
import discord.gateway
import discord.utils

from data.engine import sqlite
from tests.simulation.inline_store import InlineConnection
from tests.simulation.loop import SimulatedLoop


class KeepAlive:
    """discord.py's heartbeat, which is a thread there, as a task: it beats, and closes a connection that is silent."""

    def __init__(self, *, ws: Any, interval: float, shard_id: int | None = None) -> None:
        self.ws = ws
        self.interval = interval
        self.shard_id = shard_id
        self.loop = asyncio.get_running_loop()
        self.heartbeat_timeout: float = ws._max_heartbeat_timeout
        self.latency = float("inf")
        self._sent = self._received = self.loop.time()
        self._beating: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to beat."""
        self._beating = asyncio.create_task(self._beat(), name="keep-alive")

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.interval)
            if self._received + self.heartbeat_timeout < self.loop.time():
                await self.ws.close(4000)
                return
            try:
                await self.ws.send_heartbeat(self.get_payload())
            except Exception:  # as the thread does: who reads from the connection finds out
                return
            self._sent = self.loop.time()

    def get_payload(self) -> dict[str, Any]:
        """What a heartbeat says."""
        return {"op": self.ws.HEARTBEAT, "d": self.ws.sequence}

    def beat(self) -> dict[str, Any]:
        """A heartbeat that Discord has asked for."""
        self._sent = self.loop.time()
        return self.get_payload()

    def tick(self) -> None:
        """Something was heard."""
        self._received = self.loop.time()

    def ack(self) -> None:
        """A heartbeat was answered."""
        self.latency = self.loop.time() - self._sent

    def stop(self) -> None:
        """Beat no more."""
        if self._beating and self._beating is not asyncio.current_task():
            self._beating.cancel()


def simulated_loop(seed: int | None = None) -> SimulatedLoop:
    """A loop of simulated time under which libraries, too, tell its time and draw from its seed."""
    loop = SimulatedLoop(seed)
    chance = random.Random(seed or 0)
    state = random.Random(chance.getrandbits(64)).getstate()

    def seeded() -> Unseedable:
        return Unseedable(random.Random(chance.getrandbits(64)))

    places: tuple[tuple[Any, str, Any], ...] = (
        (time, "time", loop.epoch_time),
        (time, "monotonic", loop.time),
        (time, "perf_counter", loop.time),
        (aiohttp.connector, "monotonic", loop.time),
        (discord.utils, "utcnow", lambda: datetime.fromtimestamp(loop.epoch_time(), UTC)),
        (discord.gateway, "KeepAliveHandler", KeepAlive),
        (discord.backoff, "random", SimpleNamespace(Random=seeded)),
        (sqlite, "ThreadConnection", InlineConnection),
        (os, "urandom", chance.randbytes),
        (random, "_urandom", chance.randbytes),
    )

    @contextmanager
    def around() -> Generator[None]:
        nonlocal state
        real = [getattr(owner, name) for owner, name, _ in places]
        kept = random.getstate()
        random.setstate(state)
        for owner, name, stand_in in places:
            setattr(owner, name, stand_in)
        try:
            yield
        finally:
            for (owner, name, _), one in zip(places, real, strict=True):
                setattr(owner, name, one)
            state = random.getstate()
            random.setstate(kept)

    loop.around = around
    return loop


class Unseedable:
    """A source of chance that keeps its seed, whatever discord.py seeds it with."""

    def __init__(self, chance: random.Random) -> None:
        self.uniform = chance.uniform
        self.randrange = chance.randrange

    def seed(self) -> None:
        """Keep the seed."""
