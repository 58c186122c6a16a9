"""Stands in for the parts of Discord's client that the timer and its reminders use: members, and messages sent.

Messages are kept with their nonce as Discord does, which for some minutes takes none twice, so that a
sender that gets no answer can look for what it has sent.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any

import discord

from bot.play.ids import WHOLE, ShardShare
from bot.umpire.umpire import Umpire

NONCE = re.compile(r"([rpg])(\d+)\.(\d+)\.\d+")
LISTED = re.compile(r" · (\d+)")
KINDS = {"r": "thread", "p": "message", "g": "digest"}
REMEMBERED = 300
"""Seconds for which a nonce is known."""
CLOSED, CLOSED_BY = 50007, 17
"""One in this many people takes no direct messages."""


class Silent(OSError):
    """Discord has not taken what it was sent, or has and did not say so."""


@dataclass(frozen=True)
class Sent:
    """A message as it stands in a channel."""

    id: int
    at: int
    content: str
    nonce: str


@dataclass
class Discord:
    """Where boards and reminders go: `failing` of the requests come to nothing or are done without an answer. `read` is
    called with everything that a player reads: whom it tells, how, and of which matches;
    `refused` with those who take no direct messages."""

    rng: Random
    failing: float
    clock: Callable[[], int]
    read: Callable[[int, str, tuple[int, ...]], None]
    refused: Callable[[int], None]
    away: bool = False
    messages: int = 5_000_000
    counts: Counter[str] = field(default_factory=Counter[str])
    channels: dict[int, list[Sent]] = field(default_factory=dict[int, list[Sent]])

    def take(self) -> bool:
        """Take a request: whether it is answered. `Silent` where it was not done either."""
        luck = self.rng.random()
        if self.away or luck < self.failing / 2:
            self.counts["requests refused"] += 1
            raise Silent("nobody there")
        self.messages += 1
        if luck < self.failing:
            self.counts["requests done without an answer"] += 1
            return False
        return True

    def say(self, channel: int, text: str, nonce: str) -> Sent:
        """Post a message, once."""
        now, kept = self.clock(), self.channels.setdefault(channel, [])
        known = next((one for one in kept if one.nonce == nonce and abs(now - one.at) < REMEMBERED), None)
        answered = self.take()
        message = known or Sent(self.messages, now, text, nonce)
        if known is None:
            kept.append(message)
            self._told(message)
        if not answered:
            raise Silent("no answer")
        return message

    def _told(self, message: Sent) -> None:
        found = NONCE.fullmatch(message.nonce)
        assert found, message.nonce
        self.read(int(found[3]), KINDS[found[1]], tuple(map(int, LISTED.findall(message.content))))


class Desk:
    """The client of one process. What it does beside is waited for with `settled`."""

    def __init__(self, discord_: Discord, umpire: Umpire, guilds: list[int]) -> None:
        self.discord = discord_
        self.umpire = umpire
        self.guilds = [SimpleNamespace(id=guild, name=f"Server {guild}", unavailable=False) for guild in guilds]
        self.publisher = self.channels = self.queue = self.members = self.cleanup = self
        self._beside: list[asyncio.Task[None]] = []

    # What a client knows.

    @property
    def there(self) -> tuple[ShardShare, ...]:
        """The one shard that there is, if Discord is there."""
        return () if self.discord.away else (WHOLE,)

    def is_guild_connected(self, guild: int) -> bool:
        """Whether the shard of a server is there."""
        return not self.discord.away

    def shard_of(self, guild: int) -> ShardShare:
        """The shard of a server."""
        return WHOLE

    def get_guild(self, guild: int) -> Any:
        """A server."""
        return next((one for one in self.guilds if one.id == guild), None)

    def is_guild_pending(self, guild: int) -> bool:
        """Whether a server is not there yet."""
        return False

    async def gone(self, guild: int, users: list[int]) -> set[int]:
        """Who has left."""
        return set()

    async def learn(self, guild: int, users: list[int], within: float) -> None:
        """Have Discord asked for names: nobody has one here."""

    def names(self, guild: int, users: list[int]) -> dict[int, str]:
        """What people are called."""
        return {}

    # What is sent.

    async def open_dm(self, user: int) -> int:
        """The channel of direct messages to a player."""
        return -user

    async def say(self, guild: int | None, channel: int, text: str, told: list[int], nonce: str) -> Sent:
        """Post a message. Some people take none directly."""
        await asyncio.sleep(0)
        if channel < 0 and -channel % CLOSED_BY == 0:
            self.discord.refused(-channel)
            answer: Any = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(answer, {"code": CLOSED, "message": "Cannot send messages to this user"})
        return self.discord.say(channel, text, nonce)

    async def own_messages_since(self, channel: int, since: int, direct: bool) -> tuple[list[Sent], bool]:
        """What was posted in a channel since a moment, and that it is all."""
        kept = self.discord.channels.get(channel, [])
        return [one for one in reversed(kept) if one.at >= since - 60], True

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside."""
        self._beside.append(asyncio.create_task(work))

    async def of(self, match: int) -> None:
        """Remove what is left over of a match: nobody looks at that here."""

    def soon(self, match: int) -> None:
        """Show a board: the diary sees that it has changed."""

    soon_restored = soon

    async def settled(self) -> None:
        """Wait until all that goes on beside is over; what kills the process is raised."""
        while self._beside:
            work, self._beside = self._beside, []
            for fault in await asyncio.gather(*work, return_exceptions=True):
                if isinstance(fault, BaseException):
                    raise fault
