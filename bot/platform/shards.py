"""Shards: which are connected, how they come back, and whose turn it is to identify."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Literal

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard, ShardInfo

from bot.platform.processes import IDENTIFY, take_turn, use_turn
from bot.play.ids import TIME_BITS, ShardShare
from data.engine.errors import Unavailable
from data.store import Store

# Tracks which of the bot's shards are connected, and which servers each has reported.


BACK, LOST = ("shard_connect", "shard_resumed"), "shard_disconnect"
"""discord.py's events for a shard that is connected again, and for one that is lost."""


class ShardStates:
    """Tracks which shards are connected."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self.client = client
        self._there: set[int] = set()
        self._introduced: set[int] = set()

    def track_sessions(self, parsers: MutableMapping[str, Callable[[Any], Any]]) -> None:
        """Note which servers a shard has, when its session starts."""
        parse = parsers["READY"]

        def ready(data: Any) -> None:
            parse(data)
            self._drop_departed_guilds(int(data["shard"][0]), {int(guild["id"]) for guild in data["guilds"]})

        parsers["READY"] = ready

    def note_event(self, event: str, shard: Any) -> None:
        """Note an event of discord.py's, before any listener does."""
        if event in BACK:
            self._there.add(shard)
        elif event == LOST:
            self._there.discard(shard)

    @property
    def connected_shards(self) -> tuple[ShardShare, ...]:
        """The shards with a live connection, one by one; none before the bot is ready."""
        # The last event may be long ago where little happens; discord.py closes a connection that does not answer it.
        if not self.client.is_ready():
            return ()
        shards = self.client.shards.items()
        open_now = sorted(number for number, shard in shards if number in self._there and not shard.is_closed())
        return tuple(ShardShare(number, number, self.shard_count) for number in open_now)

    def shard_of(self, guild: int) -> ShardShare:
        """The shard to which a server belongs, by itself."""
        number = (guild >> TIME_BITS) % self.shard_count
        return ShardShare(number, number, self.shard_count)

    def is_guild_connected(self, guild: int) -> bool:
        """Whether the server's shard is connected now."""
        return any(shard.holds(guild) for shard in self.connected_shards)

    def has_guild_list(self, guild: int) -> bool:
        """Whether Discord has ever listed the servers of the server's shard."""
        return self.shard_of(guild).first in self._introduced

    @property
    def shard_count(self) -> int:
        """The number of all shards, of this process and of others; one before Discord was asked for it."""
        return self.client.shard_count or 1

    def _drop_departed_guilds(self, shard: int, guilds: set[int]) -> None:
        self._introduced.add(shard)
        state: Any = self.client._connection  # pyright: ignore[reportPrivateUsage]  -- there is no public way
        for guild in self.client.guilds:
            if guild.shard_id == shard and guild.id not in guilds:
                state._remove_guild(guild)


# Reconnects a shard to Discord's gateway, in pauses of half a minute at most.


DOUBLINGS = 5
"""How often the longest pause is doubled, from a second on: to 32."""
IN_A_ROW = 1
"""The number of connections without an event that are followed by another one at once: a session that cannot be resumed
is replaced."""

log = logging.getLogger(__name__)


class ClosedBeforeHello(ConnectionError):
    """A connection was accepted and closed."""

    def __init__(self) -> None:
        super().__init__("Discord closed the connection before it said anything")


class ReconnectBackoff(ExponentialBackoff[Literal[False]]):
    """Random pauses, whose bound doubles up to half a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._max = DOUBLINGS

    def reset(self) -> None:
        self._exp = 0


class ReturningShard(Shard):
    """A shard that reconnects in a task of its own."""

    _pauses: ReconnectBackoff
    _coming_back: asyncio.Task[None] | None = None
    _known: int | None = None
    """The number of the last event that was received."""
    _fruitless = 0
    """The number of connections in a row without an event."""

    @classmethod
    def take_over(cls, shard: ShardInfo) -> None:
        """Make a shard that discord.py has just launched reconnect in this way.

        discord.py makes its shards itself, of a class that cannot be chosen.
        """
        taken = shard._parent  # pyright: ignore[reportPrivateUsage]  -- there is no public way
        taken.__class__ = cls
        assert isinstance(taken, cls)
        taken._backoff = taken._pauses = ReconnectBackoff()
        taken._handled_exceptions += (ReconnectWebSocket,)

    def launch(self) -> None:
        """Read from a new connection; the event numbers of a resumed session continue."""
        self._known = self.ws.sequence
        super().launch()

    async def reconnect(self) -> None:
        """Start a new session, without waiting for it."""
        self._start_attempt(super().reconnect)

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Resume the session or start a new one, without waiting for it; after a pause where several connections in a
        row brought no event."""
        self._fruitless = 0 if self._has_received_events() else self._fruitless + 1
        pause = self._pauses.delay() if self._fruitless > IN_A_ROW else 0.0
        if pause:
            log.warning("Shard %d is closed as soon as it is open: it tries again in %.1f s.", self.id, pause)
        resume = super().reidentify

        async def resume_after_pause() -> None:
            await asyncio.sleep(pause)
            await resume(exc)

        self._start_attempt(resume_after_pause)

    async def close(self) -> None:
        """Close the connection, and stop reconnecting."""
        if self._coming_back:
            self._coming_back.cancel()
        await super().close()

    async def _handle_disconnect(self, e: Exception) -> None:
        self._has_received_events()
        await super()._handle_disconnect(ClosedBeforeHello() if isinstance(e, ReconnectWebSocket) else e)

    def _has_received_events(self) -> bool:
        """Whether events have come since the last call; then the pauses start anew."""
        heard = self.ws.sequence not in (None, self._known)
        self._known = self.ws.sequence
        if heard:
            self._pauses.reset()
        return heard

    def _start_attempt(self, attempt: Callable[[], Awaitable[None]]) -> None:
        self._coming_back = asyncio.create_task(self._try_attempt(attempt))

    async def _try_attempt(self, attempt: Callable[[], Awaitable[None]]) -> None:
        try:
            await attempt()
        except Exception as fault:  # discord.py expects none; in its own loop it would end the bot
            self._queue_put(EventItem(EventType.terminate, self, fault))


# Lets a shard identify in its turn among all processes, and only while Discord allows further sessions.


LOOKS_APART = 0.5
"""Seconds between two polls of the queue, at most: another process may have taken the turn."""
BLINDLY = 5.0
"""Seconds to wait where the database is unavailable; as long as discord.py waits by itself."""
ANSWERS_WITHIN = 10.0
"""Seconds for Discord to say how many sessions are left."""
SHORT = 4
"""When fewer than one in this number of sessions are left, they are saved."""
BEARABLE = 30.0
"""Seconds for which a connection that is already open may be kept waiting."""
SILENT = (
    discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, ValueError, LookupError, TypeError,
)  # fmt: skip
"""The errors where Discord does not say how many sessions are left, or not in a readable form."""


@dataclass(frozen=True, slots=True)
class SessionLimit:
    """Discord's limit of sessions: the number of queues; the sessions per day, those that are left, and the seconds
    until the limit is reset."""

    queues: int = 1
    total: int = 1000
    left: int = 1000
    again: float = 0.0

    @classmethod
    def parse(cls, said: Any) -> SessionLimit:
        """Parse Discord's `session_start_limit`."""
        return cls(
            max(1, int(said["max_concurrency"])), int(said["total"]), int(said["remaining"]), said["reset_after"] / 1000
        )

    def seconds_to_wait(self, most: int, own: int) -> float:
        """Seconds to wait before `own` sessions are started, when all processes may start `most` at once."""
        if self.left < most:
            return self.again
        return min(self.again, self.again * own / self.left) if self.left * SHORT < self.total else 0.0


class SessionsExhausted(OSError):
    """Discord allows no further session for now; discord.py retries as after a network error."""


class IdentifyQueue:
    """Gives the shards of one process their turns; without a `gap` (seconds) there is nothing to wait for.

    `gateway` asks Discord for /gateway/bot; `clock` is the time by Discord's dates, `steady` a clock that is never set.
    """

    def __init__(
        self, store: Store, holder: str, gateway: Callable[[], Awaitable[tuple[int, str, Any]]],
        clock: Callable[[], int], gap: float, steady: Callable[[], float],
    ) -> None:  # fmt: skip
        self.store = store
        self.holder = holder
        self.gateway = gateway
        self.clock = clock
        self.gap = gap
        self.steady = steady
        self.sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
        self.allowance = SessionLimit()
        self.taken: dict[int, str] = {}
        self.begun: set[int] = set()
        self._until: float | None = None
        self._number = 0

    async def prepare(self, count: int | None, own: int | None) -> int | None:
        """Before any connection is opened: wait until sessions are allowed for `own` of `count` shards (None: all).

        Returns the number of shards: `count`, else as many as Discord recommends; None where it does not answer.
        """
        while True:
            recommended = await self._fetch_limit()
            count = count or recommended
            most = count or 1
            pause = self.allowance.seconds_to_wait(most, own or most)
            if not pause:
                return count
            self._warn_of_pause(pause)
            await self.sleep(pause)
            if self.allowance.left >= most:
                return count

    async def wait_to_connect(self, shard: int) -> None:
        if self.gap:
            self.taken[shard] = await self._take_turn(shard)

    async def wait_to_identify(self, shard: int) -> None:
        """Before IDENTIFY: use the turn that was taken, or wait for another."""
        if shard in self.begun:
            await self._expect_allowed()
        self.begun.add(shard)
        if not self.gap:
            return
        taken = self.taken.pop(shard, "")
        try:
            used = taken and await self.store.do(use_turn, self._queue_key(shard), taken, self._make_claim())
        except Unavailable:
            used = True  # it was this shard's turn a moment ago
        if not used:
            await self._take_turn(shard)

    async def _take_turn(self, shard: int) -> str:
        """Wait for a turn and take it; returns the row that was written."""
        seen, since = None, self.steady()
        while True:
            mine, queue = self._make_claim(), self._queue_key(shard)
            try:
                row, waits = await self.store.do(take_turn, queue, seen, self.steady() - since, mine, self.gap)
            except Unavailable:
                log.warning("The database does not say when shard %d may begin: it waits for %d s.", shard, BLINDLY)
                await self.sleep(BLINDLY)
                return ""
            if row == mine:
                return mine
            if row != seen:
                seen, since = row, self.steady()
            await self.sleep(min(waits, LOOKS_APART) if waits else 0)

    def _queue_key(self, shard: int) -> str:
        return f"{IDENTIFY}{shard % self.allowance.queues}"

    def _make_claim(self) -> str:
        self._number += 1
        return f"{self.clock()} {self.holder} {self._number}"

    async def _fetch_limit(self) -> int | None:
        """Ask Discord how many sessions are left; how many shards it recommends, None where it does not answer."""
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                shards, _, limit = await self.gateway()
            self.allowance = SessionLimit.parse(limit)
        except SILENT:
            log.warning("Discord does not say how many sessions may be begun.")
            return None
        return shards

    async def _expect_allowed(self) -> None:
        """Before a session that replaces one: raise `SessionsExhausted`, after a while, where none may start yet."""
        now = self.steady()
        if self._until is None:
            await self._fetch_limit()
            pause = self.allowance.seconds_to_wait(1, 1)
            if not pause:
                return
            self._warn_of_pause(pause)
            self._until = now + pause
        if self._until - now > BEARABLE:
            await self.sleep(BEARABLE)
            raise SessionsExhausted("no further session may be begun yet")
        await self.sleep(max(0.0, self._until - now))
        self._until = None

    def _warn_of_pause(self, pause: float) -> None:
        text = (
            "Discord allows %d of %d new sessions before %d minutes are over: this process waits for %d minutes before"
            " it connects. Something restarts the bot, or breaks its connection, again and again."
        )
        log.warning(text, self.allowance.left, self.allowance.total, self.allowance.again / 60 + 1, pause / 60 + 1)
