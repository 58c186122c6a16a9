"""Posts, edits and finds messages and threads on Discord by their ids alone, for the publisher and the reminders.

Discord's error codes are told apart here, so that the callers need not know them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import discord

from bot.client.interactions.errors import INVALID_FORM
from bot.client.text.match_text import LONGEST_NAME
from bot.client.views.edits import Draw, Edits, Files
from bot.core.values.computer_users import is_computer, is_person, titled
from bot.core.values.ids import ChannelId, GuildId, MessageId, UserId

UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ARCHIVED, THREAD_EXISTS, LOCKED = 10003, 10008, 50083, 160004, 160005
NO_ACCESS, NO_PERMISSION, NOT_OURS, TOO_LARGE = 50001, 50013, 50005, 40005
TOO_MANY_THREADS = 160006
"""The code for a thread that can neither be made nor woken: its server has as many active ones as it may."""

GONE = (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, ARCHIVED, NOT_OURS)
"""Codes with which a message cannot be edited, now or later; a thread that is only archived revives when we post, and
what is not ours was posted by another bot, which this one has followed."""
AUTOMOD = (200000, 200001)
"""Codes for what the server's automatic moderation does not let through."""
OFFENSIVE = (INVALID_FORM, *AUTOMOD)
"""Codes for a name that Discord's form, or the server's automatic moderation, does not let through."""
TOO_OFTEN = (20016, 20028, 30046, 40062)
"""Codes for what was asked too often: in a while it goes through."""
UNAUTHORISED, FORBIDDEN, RATE_LIMITED, SERVER_AT_FAULT = 401, 403, 429, 500
CLOSED = "I need View Channel, Send Messages, Send Messages in Threads and Attach Files there."
SHUT = "Its thread is locked, and only somebody who can manage threads can unlock it."
MODERATED = "This server's AutoMod blocks it, and only somebody who manages the server can make an exception for me."
OBSTACLES = {
    UNKNOWN_CHANNEL: "The channel of this match was deleted.",
    **dict.fromkeys((ARCHIVED, LOCKED), SHUT),
    **dict.fromkeys(AUTOMOD, MODERATED),
    TOO_LARGE: "The picture is too large for Discord.",
    **dict.fromkeys((NO_ACCESS, NO_PERMISSION), CLOSED),
}
"""Why a board cannot be posted, for the people who play there."""
LOOKED_THROUGH = 200
"""How many messages of a place are looked through for a certain one of ours."""
SLACK = 300
"""Seconds by which our clock and Discord's may differ, at most."""
RECENT = 50
"""How many messages of a place are looked through for our own."""
LOOK_WITHIN = 1.0
"""Seconds to look whether a channel is gone; somebody waits for an answer meanwhile."""
THREAD_MINUTES = 10080
"""A match's thread is archived after a week of silence; a message of the bot revives it."""

OVER_MINUTES = 60
"""The thread of a match that is over is archived after an hour, the least that Discord offers."""


class Channels:
    """The bot's messages, without any memory of them."""

    def __init__(self, client: discord.Client, edits: Edits, introduced: Callable[[GuildId], bool]) -> None:
        self.client = client
        self.edits = edits
        self.introduced = introduced
        """Whether Discord has ever listed the servers of the shard that a server belongs to."""

    def awaits(self, guild: GuildId) -> bool:
        """Whether Discord has yet to tell us of a server: after a start, until its shard is there, and for as long as
        an outage takes it away.

        False for a server that the bot is not in: Discord refuses what is tried there, and says why.
        """
        found = self.client.get_guild(guild)
        return found.unavailable if found else not self.introduced(guild)

    def closed(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether we know without asking that no board can be posted in a channel."""
        found = self.client.get_guild(guild)
        if found is None or found.unavailable:
            return True
        place = found.get_channel_or_thread(channel)
        if place is None or (isinstance(place, discord.Thread) and place.parent is None):
            return False
        may = place.permissions_for(found.me)
        speak = may.send_messages_in_threads if isinstance(place, discord.Thread) else may.send_messages
        return not (may.view_channel and speak and may.attach_files)

    def reads(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether we may see what was written in a channel."""
        found = self.client.get_guild(guild)
        place = found and found.get_channel_or_thread(channel)
        return bool(found and place and place.permissions_for(found.me).read_message_history)

    def public(self, guild: GuildId) -> frozenset[int]:
        """The channels and active threads of a server that everybody in it can see."""
        found = self.client.get_guild(guild)
        if found is None:
            return frozenset()
        places = (*found.channels, *(thread for thread in found.threads if thread.parent))
        return frozenset(one.id for one in places if one.permissions_for(found.default_role).view_channel)

    def lists(self, guild: GuildId, thread: ChannelId) -> bool:
        """Whether Discord has named a thread among the active ones of its server."""
        found = self.client.get_guild(guild)
        return found is not None and found.get_thread(thread) is not None

    async def gone(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether Discord says that a channel was deleted; as long as it cannot be asked, no channel is."""
        found = self.client.get_guild(guild)
        if found is None or found.unavailable or found.get_channel(channel):
            return False
        try:
            async with asyncio.timeout(LOOK_WITHIN):
                await self.client.fetch_channel(channel)
        except discord.NotFound as fault:
            return fault.code == UNKNOWN_CHANNEL
        except Exception:  # whatever else stands in the way of asking says nothing of the channel
            return False
        return False

    async def post(
        self,
        channel: ChannelId,
        view: discord.ui.LayoutView,
        files: Files,
        tell: Sequence[UserId],
        nonce: str,
    ) -> discord.Message:
        """Post a message that tells some people; the same nonce within minutes gives back the first message."""
        told = [discord.Object(user) for user in tell if is_person(user)]
        mentions = discord.AllowedMentions(users=told, everyone=False, roles=False)
        message = await self._channel(channel).send(view=view, files=[*files], allowed_mentions=mentions, nonce=nonce)
        self.edits.note(message)
        return message

    async def edit(
        self,
        channel: ChannelId,
        message: MessageId,
        view: discord.ui.LayoutView,
        files: Files | Draw = (),
        keep: bool = False,
        revived: bool = False,
    ) -> bool:
        """Edit a message of ours; `files` and `keep` are as in `Edits.edit`.

        False when it is gone, or its channel is, or its thread is archived; but where that is to be `revived` by a new
        message, so that the edit is possible later, the fault is raised.
        """
        try:
            await self.edits.edit(self._channel(channel), message, view, files, keep)
        except discord.HTTPException as fault:
            if fault.code not in GONE or (revived and fault.code == ARCHIVED):
                raise
            return False
        return True

    async def say(self, channel: ChannelId, text: str, tell: Sequence[UserId], nonce: str) -> discord.Message:
        """Post a line that tells some people; the same nonce within minutes gives back the first message."""
        told = discord.AllowedMentions(
            users=[discord.Object(user) for user in tell if is_person(user)], everyone=False, roles=False
        )
        place = self._channel(channel)
        return await place.send(text, allowed_mentions=told, nonce=nonce, suppress_embeds=True)

    async def mailbox(self, user: UserId) -> ChannelId:
        """The channel of our direct messages to somebody."""
        return ChannelId((await self.client.create_dm(discord.Object(user))).id)

    async def remove(self, channel: ChannelId, message: MessageId) -> None:
        """Delete a message of ours; one that is gone, or in an archived thread, is let be."""
        try:
            await self._channel(channel).get_partial_message(message).delete()
        except discord.HTTPException as fault:
            if fault.code not in (*GONE, NO_ACCESS):
                raise

    async def ours_since(self, channel: ChannelId, since: int, direct: bool) -> tuple[list[discord.Message], bool]:
        """Our own messages of a place since a moment, the newest first, and whether these are all.

        Nobody knows that where we may not look, or too much was written since. In a place that is not `direct` there
        is something to be seen always.
        """
        floor = discord.utils.time_snowflake(datetime.fromtimestamp(since - SLACK, UTC))
        me, ours, seen = self.client.user, list[discord.Message](), 0
        try:
            async for message in self._channel(channel).history(limit=LOOKED_THROUGH):
                if message.id < floor:
                    return ours, True
                seen += 1
                ours += [message] if me and message.author.id == me.id else []
        except (discord.NotFound, discord.Forbidden):
            return [], False
        return ours, seen < LOOKED_THROUGH and (direct or seen > 0)

    async def there(self, channel: ChannelId, message: MessageId) -> bool:
        """Whether a message still exists; True where we may not look."""
        try:
            return await self.fetch(channel, message) is not None
        except discord.Forbidden:
            # Without Read Message History nobody can tell; then a second board would be worse than none.
            return True

    async def ours(self, channel: ChannelId) -> list[discord.Message]:
        """Our own among the last messages of a place, the newest first; none where we may not look."""
        me = self.client.user
        try:
            return [
                message
                async for message in self._channel(channel).history(limit=RECENT)
                if me and message.author.id == me.id
            ]
        except (discord.NotFound, discord.Forbidden):
            return []

    async def fetch(self, channel: ChannelId, message: MessageId) -> discord.Message | None:
        """A message as it stands; None when it is gone."""
        try:
            return await self._channel(channel).fetch_message(message)
        except discord.NotFound:
            return None

    async def names(self, guild: GuildId, users: Sequence[UserId]) -> list[str]:
        """What people are called in a server, and computers everywhere; those who are not there any more are left
        out."""
        found = self.client.get_guild(guild)
        names: list[str] = []
        for user in users:
            if is_computer(user):
                names.append(titled(user))
            if found is None or not is_person(user):
                continue
            with contextlib.suppress(discord.NotFound, discord.Forbidden):
                member = found.get_member(user) or await found.fetch_member(user)
                names.append(member.display_name)
        return names

    async def rename(self, guild: GuildId, thread: ChannelId, mark: str) -> None:
        """Put a mark before the name of a thread that has none yet, and have it leave the sidebar in an hour; nothing
        where that cannot be done.

        Discord allows two renames in ten minutes; after that it raises a rate limit as usual.
        """
        found = self.client.get_guild(guild)
        try:
            place = found and found.get_thread(thread) or await self.client.fetch_channel(thread)
            if isinstance(place, discord.Thread) and not place.archived and not place.name.startswith(mark):
                await place.edit(name=f"{mark}{place.name}"[:LONGEST_NAME], auto_archive_duration=OVER_MINUTES)
        except (discord.NotFound, discord.Forbidden):
            pass
        except discord.HTTPException as fault:
            if fault.status >= SERVER_AT_FAULT:
                raise

    async def thread(
        self, guild: GuildId, channel: ChannelId, message: MessageId, name: str, plain: str
    ) -> ChannelId | None:
        """A thread made from a message, or the one that it has; None where there can be none, whatever the reason.

        Where Discord takes no offence at the `name` it has that, else the `plain` one.
        """
        if not await self._threads_allowed(guild, channel):
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
            if refused(fault):
                return None
            raise

    async def _threads_allowed(self, guild: GuildId, channel: ChannelId) -> bool:
        found = self.client.get_guild(guild)
        place = found and found.get_channel_or_thread(channel) or await self.client.fetch_channel(channel)
        if not found or not isinstance(place, discord.TextChannel):
            return False
        permissions = place.permissions_for(found.me)
        return permissions.create_public_threads and permissions.send_messages_in_threads

    def _channel(self, channel: ChannelId, guild: GuildId | None = None) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(channel, guild_id=guild)


def refused(fault: discord.HTTPException) -> bool:
    """Whether Discord will not do what was asked, however often: it is no trouble of its own, and not the time."""
    passing = fault.code in TOO_OFTEN or fault.status in (UNAUTHORISED, RATE_LIMITED)
    return fault.status < SERVER_AT_FAULT and not passing


def obstacle(fault: discord.HTTPException) -> str:
    """Why a board cannot be posted, in a sentence for the people who play there."""
    if fault.code in OBSTACLES:
        return OBSTACLES[fault.code]
    if fault.status == FORBIDDEN:
        return OBSTACLES[NO_PERMISSION]
    code = fault.code or fault.status
    return f"Discord refuses it (error {code}). This bot's host can find the reason in the log."
