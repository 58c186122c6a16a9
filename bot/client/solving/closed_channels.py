"""Tells whoever owns a server, once, that a channel takes nothing of what comes by itself: directly, or for all to see.

Directly, since the channel may be hidden from others; an owner who takes no direct messages is told in the system
channel of the server, which then names no place. Where neither can be done nobody is told.
"""

from __future__ import annotations

import asyncio
import logging

import discord

from bot.client.background.mailboxes import Mailboxes
from bot.client.http.messages import Channels
from bot.client.publisher.publisher import Publisher
from bot.client.publisher.retries import SEND_WITHIN, UNEXPECTED, failure_reason
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Code, Route, Then, follows, is_code, obstacle, refused
from bot.client.text import closed_text
from bot.core.values.ids import ChannelId, GuildId, UserId
from bot.service.daily import closed_channels
from bot.service.daily.closed_channels import Closing
from bot.service.umpire.umpire import Umpire
from data.store import Reader

NOBODYS = Code.UNKNOWN_GUILD, Code.QUARANTINED, Code.UNVERIFIED, Code.TWO_FACTORS
"""Refusals about which nobody in a server can do anything."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class ClosedChannels:
    """Hears where Discord refuses what comes by itself, and where it takes it."""

    def __init__(self, umpire: Umpire, channels: Channels, publisher: Publisher, mailboxes: Mailboxes) -> None:
        self._store = umpire.store
        self._clock = umpire.clock
        self._channels = channels
        self._publisher = publisher
        self._mailboxes = mailboxes
        self._doubtful: set[ChannelId] = set()
        """Channels that should be open as far as we know, and have refused something once."""

    def refused(
        self, guild: GuildId, channel: ChannelId, begun: float, fault: discord.HTTPException | None = None
    ) -> None:
        """Hear that a channel has refused what we began to post at a time, or that we know it would."""
        self._publisher.refused(guild, begun)
        if (why := self._reason(guild, channel, fault)) is not None:
            self._publisher.queue.beside(self._told(guild, channel, why))

    def _reason(self, guild: GuildId, channel: ChannelId, fault: discord.HTTPException | None) -> str | None:
        """What has to be done so that something can be posted in a channel; empty where it was deleted, None where
        nobody in the server can do anything, or the next try may well succeed."""
        if fault is None or self._channels.closed(guild, channel):
            return self._channels.needs(guild, channel)
        if is_code(fault, Code.UNKNOWN_CHANNEL):
            return ""
        if is_code(fault, *NOBODYS) or follows(fault, Route.POST) not in (Then.PARKED, Then.ELSEWHERE):
            return None
        if channel in self._doubtful:
            return obstacle(fault)
        self._doubtful.add(channel)
        return None

    async def opened(self, guild: GuildId, channel: ChannelId) -> None:
        """Hear that something was posted in a channel."""
        self._doubtful.discard(channel)
        if await self._store.ask(Reader.note, closed_channels.name_of(guild, channel)):
            await self._store.do(closed_channels.opened, guild, channel)

    async def _told(self, guild: GuildId, channel: ChannelId, why: str) -> None:
        """Tell of a channel unless that was done; after a failure the next refusal comes here again."""
        in_background.set(True)
        try:
            found = self._channels.client.get_guild(guild)
            waiting = await self._store.ask(closed_channels.waiting, guild, channel)
            if found is None or not waiting or self._mailboxes.wait():
                return
            closing = await self._store.do(closed_channels.claimed, guild, channel, self._clock())
            if closing is None:
                return
            async with asyncio.timeout(SEND_WITHIN):
                await self._tell(closing, found, closed_text.closed(found.name, channel, why, waiting))
            steps.debug("told owner %d", channel)
            await self._store.do(closed_channels.told, closing)
        except Exception as fault:
            reason = failure_reason(fault)
            log.log(
                logging.INFO if reason else logging.WARNING, "A server's owner is told later of a closed channel: %s.",
                reason or UNEXPECTED, exc_info=None if reason else fault,
            )  # fmt: skip

    async def _tell(self, closing: Closing, server: discord.Guild, text: str) -> None:
        owner, system = UserId(server.owner_id or 0), server.system_channel
        if owner and self._mailboxes.takes(owner) and await self._is_told_directly(closing, owner, text):
            return
        place = ChannelId(system.id) if system else None
        if not owner or place is None or place == closing.channel or self._channels.closed(closing.guild, place):
            log.info("Nobody can be told of a closed channel of server %d.", closing.guild)
            return
        reads = self._channels.reads(closing.guild, place)
        if await self._is_there(closing, place, closed_text.for_all(owner), reads):
            return
        try:
            await self._channels.say(closing.guild, place, closed_text.for_all(owner), [owner], nonce(closing))
        except discord.HTTPException as fault:
            if not refused(fault):
                raise
            log.info("Nobody can be told of a closed channel of server %d: %s", closing.guild, fault)

    async def _is_told_directly(self, closing: Closing, owner: UserId, text: str) -> bool:
        """Tell the owner directly; False where Discord does not let us."""
        try:
            mailbox = await self._channels.mailbox(owner)
            if not await self._is_there(closing, mailbox, text, True):
                await asyncio.sleep(self._mailboxes.turn())
                await self._channels.say(None, mailbox, text, [owner], nonce(closing))
        except discord.HTTPException as fault:
            self._mailboxes.refused(owner, fault)
            if not refused(fault, Route.DIRECT):
                raise
            return False
        return True

    async def _is_there(self, closing: Closing, place: ChannelId, text: str, reads: bool) -> bool:
        """Whether it was told in an earlier try, as far as anybody can know: better never than twice."""
        if not closing.again:
            return False
        ours, whole = await self._channels.ours_since(place, closing.begun, direct=reads)
        first = text.partition(". ")[0]
        return not whole or any(one.content.startswith(first) for one in ours)


def nonce(closing: Closing) -> str:
    """The nonce of what is told of a channel; a retry has the same."""
    return f"o{closing.channel % 10**10}.{closing.begun % 10**8}"
