"""Messages and threads on Discord by their numbers alone: posting, editing, looking whether one is still there.

What may go wrong on the way is told apart here, by Discord's error codes, so that the publisher can think in matches.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

import discord

from bot.client.texts import LONGEST_NAME
from bot.core.ids import ChannelId, GuildId, MessageId, UserId

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ARCHIVED, THREAD_EXISTS, LOCKED = 10003, 10008, 50083, 160004, 160005
NO_ACCESS, NO_PERMISSION, MOST_THREADS = 50001, 50013, 160006

FORBIDDEN = (UNKNOWN_CHANNEL, NO_ACCESS, NO_PERMISSION, ARCHIVED, LOCKED)
"""Codes with which a channel is closed to us; a thread that is only archived revives when we post."""
OFFENSIVE = (50035, 200000, 200001)
"""Codes for a name that Discord's form, or the server's automatic moderation, does not let through."""
SERVER_AT_FAULT = 500
RENAME_WITHIN = 30.0
"""Seconds for a new name: Discord allows two in ten minutes, and discord.py would wait for as long."""
THREAD_MINUTES = 10080
"""A match's thread is archived after a week of silence; a message of the bot revives it."""


class Channels:
    """The bot's messages, without any memory of them."""

    def __init__(self, client: discord.Client) -> None:
        self.client = client

    async def post(
        self,
        channel: ChannelId,
        view: discord.ui.LayoutView,
        files: list[discord.File],
        tell: Sequence[UserId],
        nonce: str,
    ) -> discord.Message:
        """Post a message that tells some people; the same nonce within minutes gives back the first message."""
        told = [discord.Object(user) for user in tell if user > 0]
        mentions = discord.AllowedMentions(users=told, everyone=False, roles=False)
        return await self._channel(channel).send(view=view, files=files, allowed_mentions=mentions, nonce=nonce)

    async def edit(
        self,
        channel: ChannelId,
        message: MessageId,
        view: discord.ui.LayoutView,
        files: list[discord.File] | None = None,
    ) -> bool:
        """Edit a message of ours, its attachments too where files are given.

        False when it is gone, or its channel is, or its thread is archived, which only a new message revives.
        """
        partial = self._channel(channel).get_partial_message(message)
        try:
            if files is None:
                await partial.edit(view=view, allowed_mentions=discord.AllowedMentions.none())
            else:
                await partial.edit(view=view, attachments=files, allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as fault:
            if fault.code not in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ARCHIVED):
                raise
            return False
        return True

    async def there(self, channel: ChannelId, message: MessageId) -> bool:
        """Whether a message still exists, as far as we may know."""
        try:
            await self._channel(channel).fetch_message(message)
        except discord.NotFound:
            return False
        except discord.Forbidden:
            # Without Read Message History nobody can tell; then a second board would be worse than none.
            return True
        return True

    async def names(self, guild: GuildId, users: Sequence[UserId]) -> list[str]:
        """What people are called in a server; those who are not there any more are left out."""
        found = self.client.get_guild(guild)
        names: list[str] = []
        for user in users:
            if found is None or user < 0:
                continue
            with contextlib.suppress(discord.NotFound, discord.Forbidden):
                member = found.get_member(user) or await found.fetch_member(user)
                names.append(member.display_name)
        return names

    async def rename(self, guild: GuildId, thread: ChannelId, mark: str) -> None:
        """Put a mark before the name of a thread that has none yet; nothing where that cannot be done."""
        found = self.client.get_guild(guild)
        try:
            async with asyncio.timeout(RENAME_WITHIN):
                place = found and found.get_thread(thread) or await self.client.fetch_channel(thread)
                if isinstance(place, discord.Thread) and not place.archived and not place.name.startswith(mark):
                    await place.edit(name=f"{mark}{place.name}"[:LONGEST_NAME])
        except (discord.NotFound, discord.Forbidden, TimeoutError):
            pass
        except discord.HTTPException as fault:
            if fault.status >= SERVER_AT_FAULT:
                raise

    async def thread(
        self, guild: GuildId, channel: ChannelId, message: MessageId, name: str, plain: str
    ) -> ChannelId | None:
        """A thread made from a message, or the one that it has; None where there can be none.

        Where Discord takes no offence at the `name` it has that, else the `plain` one.
        """
        if not self._threads_allowed(guild, channel):
            return None
        origin = self._channel(channel, guild).get_partial_message(message)
        try:
            return ChannelId((await origin.create_thread(name=name, auto_archive_duration=THREAD_MINUTES)).id)
        except discord.HTTPException as fault:
            if fault.code in OFFENSIVE and name != plain:
                return await self.thread(guild, channel, message, plain, plain)
            if fault.code == THREAD_EXISTS:
                # A thread made from a message has that message's id.
                return ChannelId(message)
            if fault.code in (NO_PERMISSION, UNKNOWN_MESSAGE, MOST_THREADS):
                return None
            raise

    def _threads_allowed(self, guild: GuildId, channel: ChannelId) -> bool:
        found = self.client.get_guild(guild)
        place = found.get_channel(channel) if found else None
        if not found or not isinstance(place, discord.TextChannel):
            return False
        permissions = place.permissions_for(found.me)
        return permissions.create_public_threads and permissions.send_messages_in_threads

    def _channel(self, channel: ChannelId, guild: GuildId | None = None) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(channel, guild_id=guild)


def obstacle(fault: discord.HTTPException) -> str:
    """Why a channel is closed to us, in a sentence for the people who play there."""
    if fault.code == UNKNOWN_CHANNEL:
        return "the channel of this match was deleted"
    if fault.code in (ARCHIVED, LOCKED):
        return "the thread of this match is locked, and only somebody who may manage threads can unlock it"
    return "I may not post there: I need View Channel, Send Messages, Send Messages in Threads and Attach Files"
