"""Posts what comes by itself in the channels that servers have chosen: once each, and nobody is pinged.

`bot.service.daily.posting` decides in the store which message is due and who sends it. A message that may have arrived
is looked for before it is sent again; where we cannot look, it is given up: better none than two. One that Discord
refuses is owed: it is tried again when something in the server changes, and every hour.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod

import discord

from bot.client.background.clock_worker import Shards
from bot.client.http.messages import Channels
from bot.client.moves.trial_pad import Shown
from bot.client.people.members import Members
from bot.client.publisher.retries import SEND_WITHIN, failure_reason
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Code, is_code, obstacle, refused
from bot.client.runtime.loop_time import loop_time
from bot.client.solving.closed_channels import ClosedChannels
from bot.client.views.renderer import Renderer
from bot.core.puzzle.stored_puzzles import DailyChannel, Series
from bot.core.values.ids import ChannelId, GuildId, MessageId
from bot.service.daily import posting
from bot.service.daily.posting import UNSENT, Post
from bot.service.umpire.umpire import Umpire
from data.store import Reader

BETWEEN = 30.0
"""Seconds between two looks."""
REFUSED_FOR = 3600.0
"""Seconds after which a message is tried again that Discord has refused, if nothing in its server changes before."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Poster(ABC):
    """Looks for messages of a series that are due, and sends them one after the other."""

    series: Series

    def __init__(
        self, umpire: Umpire, channels: Channels, members: Members, renderer: Renderer, closed: ClosedChannels
    ) -> None:
        self._umpire = umpire
        self._store = umpire.store
        self._channels = channels
        self._members = members
        self._renderer = renderer
        self._closed = closed
        self._next = 0.0
        self._refused: dict[GuildId, tuple[ChannelId, float]] = {}
        """The places in which Discord takes no message of ours now, and until when, by the loop's time, none is
        tried."""

    @abstractmethod
    async def composed(self, post: Post) -> Shown | None:
        """The message; None where there is nothing to tell."""

    @abstractmethod
    def is_of(self, message: discord.Message, day: int) -> bool:
        """Whether a message of ours is that of a day."""

    async def look(self, shards: Shards) -> None:
        """Send what is due, if the last look was a while ago."""
        if loop_time() < self._next:
            return
        self._next = loop_time() + BETWEEN
        in_background.set(True)
        for row in await self._store.ask(Reader.daily_channels, self.series):
            now = self._umpire.clock()
            waits = posting.due(row, now, self.series) is None
            if waits or not shards.reaches(row.guild) or self._channels.awaits(row.guild) or self._rests(row):
                continue
            if not self._channels.is_timed_out(row.guild, now):  # else it is posted when that is over
                await self._send(row, now)

    def reopened(self, guild: GuildId | None) -> int:
        """Let what a server owes, or all servers, be tried again; how many these are."""
        found = [one for one in self._refused if guild in (None, one)]
        for one in found:
            del self._refused[one]
        return len(found)

    def _rests(self, row: DailyChannel) -> bool:
        channel, until = self._refused.get(row.guild, (None, 0.0))
        return channel == row.channel and until > loop_time()

    async def _send(self, row: DailyChannel, now: int) -> None:
        begun = loop_time()
        post = await self._store.do(posting.claimed, row, now, self.series)
        if post is None:
            return
        steps.debug("claimed %s %d", self.series, post.day)
        if self._channels.closed(post.guild, post.channel):
            log.info("A message (%s) is owed: its channel is closed.", self.series)
            await self._owe(row, post, begun)
            return
        try:
            async with asyncio.timeout(SEND_WITHIN):
                message = await self._sent(post)
        except Exception as fault:
            if isinstance(fault, discord.HTTPException) and await self._is_refused(post, fault):
                log.info("A message (%s) is owed: %s %s", self.series, fault, obstacle(fault))
                await self._owe(row, post, begun, fault)
                return
            why = failure_reason(fault)
            log.log(
                logging.INFO if why else logging.WARNING, "A message (%s) is posted again later: %s.",
                self.series, why or "an unexpected error", exc_info=None if why else fault,
            )  # fmt: skip
            return
        steps.debug("posted %s %d", self.series, post.day)
        await self._store.do(posting.sent, post, message)
        if message:
            await self._closed.opened(post.guild, post.channel)

    async def _owe(
        self, row: DailyChannel, post: Post, begun: float, fault: discord.HTTPException | None = None
    ) -> None:
        """Leave a message for later that Discord has refused."""
        self._refused[row.guild] = row.channel, loop_time() + REFUSED_FOR
        await self._store.do(posting.refused, post, self._umpire.clock())
        self._closed.refused(post.guild, post.channel, begun, fault)

    async def _is_refused(self, post: Post, fault: discord.HTTPException) -> bool:
        """Whether the message of a day cannot be posted; a timeout of ours ends, and then it can."""
        if is_code(fault, Code.NO_PERMISSION):
            return await self._channels.ask_timed_out(post.guild) <= self._umpire.clock()
        return refused(fault)

    async def _sent(self, post: Post) -> MessageId:
        """The message of a day: the one that has arrived already, or a new one; `UNSENT` where nobody can know, or
        there is nothing to tell."""
        if post.again:
            reads = self._channels.reads(post.guild, post.channel)
            ours, whole = await self._channels.ours_since(post.channel, post.since, direct=reads)
            found = next((message for message in ours if self.is_of(message, post.day)), None)
            if found or not whole:
                return MessageId(found.id) if found else UNSENT
        shown = await self.composed(post)
        if shown is None:
            return UNSENT
        view, files = shown
        return MessageId((await self._channels.post(post.guild, post.channel, view, files, (), nonce(post))).id)


def nonce(post: Post) -> str:
    """The nonce of a server's message of a day; a retry has the same."""
    return f"{post.series[0]}{post.day}.{post.guild % 10**10}"
