"""What is as it is at a moment, read when somebody asks: matches and boards from the database, and what is in hand.

The database is asked every fifteen seconds at most, however often somebody wants to know, and nobody is kept waiting
for long: what was known before is told, with its age.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from bot.client.app.client import GraphPaper
from data.engine.database_errors import Unavailable
from data.store import Reader, Store

EVERY = 15.0
"""Seconds between two looks into the database."""
PATIENCE = 1.0
"""Seconds that an answer waits for a look; the next one has it then."""

log = logging.getLogger(__name__)


class Gauges:
    """Reads what is to be shown into the measures of a client."""

    def __init__(self, store: Store, client: GraphPaper, clock: Callable[[], float] = time.monotonic) -> None:
        self.store = store
        self.client = client
        self.clock = clock
        self.next = clock()
        self.looking: asyncio.Task[None] | None = None

    async def read(self) -> None:
        """Bring all gauges up to date."""
        self._in_hand()
        self._connections()
        if self.looking is None and self.clock() >= self.next:
            self.next = self.clock() + EVERY
            self.looking = asyncio.create_task(self._look())
            self.looking.add_done_callback(self._looked)
        if self.looking:
            await asyncio.wait((self.looking,), timeout=PATIENCE)

    def _in_hand(self) -> None:
        """What runs and what waits, in this process."""
        measures, client = self.client.measures, self.client
        spans = self.store.database.spans
        workshop, searchers = client.renderer.workshop, client.searchers
        for gauge, running, waiting in (
            (measures.under_way, spans.running, spans.waiting),
            (measures.searches, searchers.running, searchers.waiting),
            (measures.workshop, workshop.working, workshop.waiting),
        ):
            gauge.labels("running").set(running)
            gauge.labels("waiting").set(waiting)
        for part, size in self.store.database.sizes().items():
            measures.bytes.labels(part).set(size)

    def _connections(self) -> None:
        """How Discord is connected."""
        measures, client = self.client.measures, self.client
        measures.shards.set(len(client.shards) or 1)
        measures.shards_connected.set(len(client.connections.there) if client.is_ready() else 0)
        measures.latency.set(client.latency)
        measures.servers.set(len(client.guilds))
        measures.leader.set(int(client.presence.leads))

    async def _look(self) -> None:
        measures = self.client.measures
        found = await self.store.ask(Reader.figures)
        now = int(time.time())
        measures.matches_live.set(found.live)
        measures.challenges_open.set(found.open)
        measures.boards_lagging.set(found.lagging)
        measures.lag_seconds.set(max(0, now - found.oldest) if found.oldest else 0)
        measures.boards_parked.set(found.parked)
        measures.leftovers.set(found.leftovers)
        measures.reminders.set(found.reminders)
        measures.thinking.set(found.thinking)
        if found.bytes is not None:
            measures.bytes.labels("server").set(found.bytes)
        measures.looked.set(now)

    def _looked(self, look: asyncio.Task[None]) -> None:
        self.looking = None
        if look.cancelled():
            return
        if isinstance(fault := look.exception(), Unavailable):
            log.debug("The figures cannot be read now: %s", fault)
        elif fault:
            log.warning("The figures cannot be read.", exc_info=fault)

    def close(self) -> None:
        """Look no more."""
        if self.looking:
            self.looking.cancel()
