"""The bot's heartbeat: every few seconds it notes that it is alive and whether Discord is there, for `health` to read.

Whatever else the bot does, this goes on beside it. A process that was stopped or that hangs notes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from bot.client.app.client import GraphPaper
from data.engine.database_errors import Unavailable, Unusable, reason
from data.store import Store
from data.upkeep import health
from data.upkeep.health import Pulse

BEAT_SECONDS, FIRST_SECONDS = 20.0, 5.0
"""Seconds between two beats, and until the bot has been connected for the first time."""

log = logging.getLogger(__name__)


def unheard(_: bool) -> None:
    """Nobody listens."""


def connected(client: GraphPaper) -> bool:
    """Whether any of the bot's shards is connected to Discord now."""
    return bool(client.connections.there)


async def beat(
    store: Store,
    client: GraphPaper,
    clock: Callable[[], float] = time.time,
    beaten: Callable[[bool], None] = unheard,
) -> None:
    """Note for ever that the bot is alive, and say what keeps it from noting that. `beaten` is told of every round, and
    whether Discord is connected."""
    seen = 0
    while True:
        now = int(clock())
        seen = now if connected(client) else seen
        try:
            await store.do(health.beat, Pulse(now, seen))
            client.measures.heartbeat.set(now)
        except Unusable as fault:
            log.error("%s", fault)
        except Unavailable as fault:
            log.warning("The database cannot be written: %s.", reason(fault))
        beaten(connected(client))
        await asyncio.sleep(BEAT_SECONDS if seen else FIRST_SECONDS)
