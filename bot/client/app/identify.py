"""Lets a shard identify in its turn among all processes, and only while Discord allows further sessions.

A bot may begin a thousand sessions a day; Discord takes its token away when it begins more. A bot that dies and is
restarted again and again would use them up in an hour and a half. So Discord is asked first how many are left, and when
they run short, pauses stretch them over the rest of the day.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bot.service.cluster.processes import IDENTIFY, take_turn, use_turn
from data.engine.database_errors import Unavailable
from data.store import Store

LOOKS_APART = 0.5
"""Seconds between two looks at whose turn it is, at most: another process may have taken it."""
BLINDLY = 5.0
"""Seconds to wait where the database cannot say whose turn it is; as long as discord.py waits by itself."""
ANSWERS_WITHIN = 10.0
"""Seconds for Discord to say how many sessions are left."""
SHORT = 4
"""When fewer than one in so many are left, they are made to last."""
BEARABLE = 30.0
"""Seconds for which a connection that is already open may be kept waiting."""
SILENT = (
    discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, ValueError, LookupError, TypeError,
)  # fmt: skip
"""What is raised where Discord does not say how many sessions are left, or not in a form that can be read."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What Discord says of sessions: the number of queues; how many sessions a day has, how many of them are left, and
    the seconds until there are as many again."""

    queues: int = 1
    total: int = 1000
    left: int = 1000
    again: float = 0.0

    @classmethod
    def read(cls, said: Any) -> Allowance:
        """Discord's answer (`session_start_limit`)."""
        return cls(
            max(1, int(said["max_concurrency"])), int(said["total"]), int(said["remaining"]), said["reset_after"] / 1000
        )

    def pause(self, most: int, own: int) -> float:
        """Seconds to wait before `own` sessions are begun, when all processes may begin `most` at once."""
        if self.left < most:
            return self.again
        return min(self.again, self.again * own / self.left) if self.left * SHORT < self.total else 0.0


class NoSession(OSError):
    """Discord allows no further session for now; discord.py tries again by itself after a failure of the network."""


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
        self.allowance = Allowance()
        self.taken: dict[int, str] = {}
        self.begun: set[int] = set()
        self._until: float | None = None
        self._number = 0

    async def prepare(self, count: int | None, own: int | None) -> int | None:
        """Before any connection is opened: wait until sessions are allowed for `own` of so many shards (None: all).

        Gives how many shards there are to be: as many as given, else as many as Discord recommends; None where it does
        not answer.
        """
        while True:
            recommended = await self._asked()
            count = count or recommended
            most = count or 1
            pause = self.allowance.pause(most, own or most)
            if not pause:
                return count
            self._told(pause)
            await self.sleep(pause)
            if self.allowance.left >= most:
                return count

    async def take(self, shard: int) -> None:
        """Before a connection is opened: wait for a turn."""
        if self.gap:
            self.taken[shard] = await self._turn(shard)

    async def turn(self, shard: int) -> None:
        """Before IDENTIFY: use the turn that was taken, or wait for another."""
        if shard in self.begun:
            await self._expect_allowed()
        self.begun.add(shard)
        if not self.gap:
            return
        taken = self.taken.pop(shard, "")
        try:
            used = taken and await self.store.do(use_turn, self._queue(shard), taken, self._mine())
        except Unavailable:
            used = True  # it was this shard's turn a moment ago
        if not used:
            await self._turn(shard)

    async def _turn(self, shard: int) -> str:
        """Wait for a turn and take it; what was written then."""
        seen, since = None, self.steady()
        while True:
            mine, queue = self._mine(), self._queue(shard)
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

    def _queue(self, shard: int) -> str:
        return f"{IDENTIFY}{shard % self.allowance.queues}"

    def _mine(self) -> str:
        self._number += 1
        return f"{self.clock()} {self.holder} {self._number}"

    async def _asked(self) -> int | None:
        """Ask Discord how many sessions are left; how many shards it recommends, None where it does not answer."""
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                shards, _, limit = await self.gateway()
            self.allowance = Allowance.read(limit)
        except SILENT:
            log.warning("Discord does not say how many sessions may be begun.")
            return None
        return shards

    async def _expect_allowed(self) -> None:
        """Before a session that replaces one: `NoSession`, after a while, where none is to be begun yet."""
        now = self.steady()
        if self._until is None:
            await self._asked()
            pause = self.allowance.pause(1, 1)
            if not pause:
                return
            self._told(pause)
            self._until = now + pause
        if self._until - now > BEARABLE:
            await self.sleep(BEARABLE)
            raise NoSession("no further session may be begun yet")
        await self.sleep(max(0.0, self._until - now))
        self._until = None

    def _told(self, pause: float) -> None:
        text = (
            "Discord allows %d of %d new sessions before %d minutes are over: this process waits for %d minutes before"
            " it connects. Something restarts the bot, or breaks its connection, again and again."
        )
        log.warning(text, self.allowance.left, self.allowance.total, self.allowance.again / 60 + 1, pause / 60 + 1)
