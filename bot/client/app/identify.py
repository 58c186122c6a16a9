"""Before a shard says who it is: it waits for its turn among all processes, and for Discord to allow so many sessions.

A bot may begin a thousand sessions in a day; Discord takes its token away when it begins more. A bot that is restarted
again and again, by whatever is meant to keep it running, would use them up in an hour and a half. So Discord is asked
first how many are left, and when they run short they are made to last until there are new ones.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import discord

from bot.client.runtime.discord_clock import since_boot
from bot.service.cluster import identify_slots
from data.engine.database_errors import Unavailable

if TYPE_CHECKING:
    from bot.client.app.client import GraphPaper

LOOKS_APART = 0.5
"""Seconds between two looks whether it is one's turn, at most: somebody else may have taken it."""
BLINDLY = 5.0
"""Seconds to wait where the database cannot say whose turn it is; as long as discord.py waits by itself."""
ANSWERS_WITHIN = 10.0
"""Seconds for Discord to say how many sessions are left."""
SHORT = 4
"""When fewer than one in so many are left, they are made to last."""
BEARABLE = 30.0
"""Seconds for which a connection that was opened already may be kept waiting."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What Discord says of sessions: so many queues; how many in a day, how many of them are left, and the seconds
    until there are as many again."""

    queues: int = 1
    total: int = 1000
    left: int = 1000
    again: float = 0.0

    @classmethod
    def read(cls, said: Any) -> Allowance:
        """What Discord has answered."""
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


class Identifying:
    """Gives the shards of one process their turns; without a `gap` there is nothing to wait for."""

    def __init__(self, client: GraphPaper, gap: float, clock: Callable[[], float] = since_boot) -> None:
        self.client = client
        self.gap = gap
        self.steady = clock
        self.sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
        self.allowance = Allowance()
        self.taken: dict[int, str] = {}
        self.begun: set[int] = set()
        self._until: float | None = None
        self._number = 0

    async def prepare(self) -> None:
        """Before any connection is opened: ask how many shards there are to be, and wait until sessions are allowed."""
        while True:
            shards = await self._asked()
            if shards and not self.client.shard_count:
                self.client.shard_count = shards
            most, share = self.client.shard_count or 1, self.client.settings.shards
            pause = self.allowance.pause(most, len(share.shards) if share else most)
            if not pause:
                return
            self._told(pause)
            await self.sleep(pause)
            if self.allowance.left >= most:
                return

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
            used = taken and await self.client.umpire.store.do(
                identify_slots.use, self._queue(shard), taken, self._mine()
            )
        except Unavailable:
            used = True  # it was one's turn a moment ago
        if not used:
            await self._turn(shard)

    async def _turn(self, shard: int) -> str:
        """Wait for a turn and take it; what was written then."""
        seen, since, mine = None, self.steady(), ""
        while True:
            mine, queue = self._mine(), self._queue(shard)
            unchanged = self.steady() - since
            try:
                row, waits = await self.client.umpire.store.do(
                    identify_slots.take, queue, seen, unchanged, mine, self.gap
                )
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
        return f"identify {shard % self.allowance.queues}"

    def _mine(self) -> str:
        self._number += 1
        return f"{self.client.umpire.clock()} {self.client.holder} {self._number}"

    async def _asked(self) -> int | None:
        """Ask Discord how many sessions are left; how many shards it recommends, None where it does not answer."""
        try:
            async with asyncio.timeout(ANSWERS_WITHIN):
                shards, _, limit = await self.client.http.get_bot_gateway()
            self.allowance = Allowance.read(limit)
        except (
            discord.DiscordException,
            aiohttp.ClientError,
            OSError,
            TimeoutError,
            ValueError,
            LookupError,
            TypeError,
        ):
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
