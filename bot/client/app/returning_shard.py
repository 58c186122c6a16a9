"""Brings a shard back to Discord's gateway by itself, in pauses of half a minute at most.

discord.py 2.7.1 comes back in ways that make an outage longer (`tests/sandbox/test_library_faults.py` tells when a
newer version does not, so that this can go):

- a connection that is closed before HELLO, while a new session is asked for, ends the whole bot;
- pauses grow to a quarter of an hour, and a success does not begin them anew;
- they are slept in the one loop that brings back all shards, so that a shard which fails keeps the others away;
- sessions that Discord ends as soon as they have begun are begun again without any pause.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Literal

from discord.backoff import ExponentialBackoff
from discord.gateway import ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard, ShardInfo

DOUBLINGS = 5
"""How often the longest pause is doubled from a second on: to 32."""
IN_A_ROW = 1
"""How many connections that bring nothing are followed by another one at once: a session that cannot be resumed is
replaced."""

log = logging.getLogger(__name__)


class NotGreeted(ConnectionError):
    """A connection was taken and closed."""

    def __init__(self) -> None:
        super().__init__("Discord closed the connection before it said anything")


class Pauses(ExponentialBackoff[Literal[False]]):
    """Pauses of a chance length, whose bound doubles up to half a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._max = DOUBLINGS

    def begin_anew(self) -> None:
        """Let the next pause be short."""
        self._exp = 0


class ReturningShard(Shard):
    """A shard that comes back in a task of its own."""

    _pauses: Pauses
    _coming_back: asyncio.Task[None] | None = None
    _known: int | None = None
    """The number of the last event that is known to have come."""
    _fruitless = 0
    """How many connections in a row have brought no event."""

    @classmethod
    def take_over(cls, shard: ShardInfo) -> None:
        """Let a shard that discord.py has just launched come back in this way.

        discord.py makes its shards itself, of a class that cannot be chosen.
        """
        taken = shard._parent  # pyright: ignore[reportPrivateUsage]  -- there is no other door to it
        taken.__class__ = cls
        assert isinstance(taken, cls)
        taken._backoff = taken._pauses = Pauses()
        taken._handled_exceptions += (ReconnectWebSocket,)

    def launch(self) -> None:
        """Read from a new connection; a session that is resumed goes on with the numbers of its events."""
        self._known = self.ws.sequence
        super().launch()

    async def reconnect(self) -> None:
        """Begin a new session, without waiting for it."""
        self._begin(super().reconnect)

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Resume the session or begin a new one, without waiting for it; after a pause where that has brought nothing
        several times."""
        self._fruitless = 0 if self._has_heard() else self._fruitless + 1
        pause = self._pauses.delay() if self._fruitless > IN_A_ROW else 0.0
        if pause:
            log.warning("Shard %d is closed as soon as it is open: it tries again in %.1f s.", self.id, pause)
        resume = super().reidentify

        async def resumed() -> None:
            await asyncio.sleep(pause)
            await resume(exc)

        self._begin(resumed)

    async def close(self) -> None:
        """Close the connection, and come back no more."""
        if self._coming_back:
            self._coming_back.cancel()
        await super().close()

    async def _handle_disconnect(self, e: Exception) -> None:
        self._has_heard()
        await super()._handle_disconnect(NotGreeted() if isinstance(e, ReconnectWebSocket) else e)

    def _has_heard(self) -> bool:
        """Whether events have come since this was last asked; then the pauses begin anew."""
        heard = self.ws.sequence not in (None, self._known)
        self._known = self.ws.sequence
        if heard:
            self._pauses.begin_anew()
        return heard

    def _begin(self, attempt: Callable[[], Awaitable[None]]) -> None:
        self._coming_back = asyncio.create_task(self._tried(attempt))

    async def _tried(self, attempt: Callable[[], Awaitable[None]]) -> None:
        try:
            await attempt()
        except Exception as fault:  # discord.py foresees none; in its own loop it would end the bot
            self._queue_put(EventItem(EventType.terminate, self, fault))
