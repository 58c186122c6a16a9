"""Where messages can go: closed channels and closed mailboxes."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable

import discord

from bot.platform.error_codes import (
    NOT_THERE,
    SHUT,
    SHUT_OUT,
    Code,
    FailureAction,
    Route,
    choose_action,
    find_rule,
    is_code,
)
from bot.platform.machine import loop_time
from bot.platform.messages import LOOK_WITHIN, Channels
from bot.play.ids import NOWHERE, ChannelId, GuildId, UserId
from bot.play.rows import CHANNEL_DELETED, MatchRow, ServerSettings

# Tells whether the channels of matches are closed to the bot, and where else a notice can be posted.


REMEMBERED = 1000
"""The number of deleted channels of which it is remembered whether they were public."""


class Places:
    """Looks up the channels and threads of servers."""

    def __init__(self, client: discord.Client, channels: Channels, introduced: Callable[[GuildId], bool]) -> None:
        self._client = client
        self._channels = channels
        self._introduced = introduced
        self._deleted: OrderedDict[ChannelId, bool] = OrderedDict()
        self._removed: set[GuildId] = set()
        self.is_known = False
        """Whether this account has been the bot's for long."""

    def has_left_guild(self, guild: GuildId) -> bool:
        """Whether the bot is not in a server any more. False as long as Discord has not listed the shard's servers, and
        during an outage of the server."""
        if guild == NOWHERE:
            return False
        return self._client.get_guild(guild) is None and self._introduced(guild)

    def is_in_guild(self, guild: GuildId) -> bool:
        """Whether the bot is in a server, as far as Discord has said."""
        return self._client.get_guild(guild) is not None

    def note_removal(self, guild: GuildId) -> None:
        """Remember that a server has removed the bot."""
        self._removed.add(guild)

    def note_invitation(self, guild: GuildId) -> None:
        """Remember that the bot is in a server again."""
        self._removed.discard(guild)

    def has_removed_us(self, guild: GuildId) -> bool:
        """Whether a server has removed this bot for certain, rather than being one of another bot that used this
        database."""
        return self.has_left_guild(guild) and (self.is_known or guild in self._removed)

    def note_deleted_channel(self, channel: discord.abc.GuildChannel) -> None:
        """Remember of a deleted channel whether everyone could see it."""
        self._deleted[ChannelId(channel.id)] = channel.permissions_for(channel.guild.default_role).view_channel
        while len(self._deleted) > REMEMBERED:
            self._deleted.popitem(last=False)

    def is_channel_known(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether Discord has listed a channel or thread."""
        found = self._client.get_guild(guild)
        return bool(found and found.get_channel_or_thread(channel))

    def is_lost(self, guild: GuildId, place: ChannelId, reason: str | None) -> bool:
        """Whether a place is closed for this reason for ever: it was deleted, and Discord does not list it either.
        Direct messages are opened anew."""
        return guild != NOWHERE and reason == CHANNEL_DELETED and not self.is_channel_known(guild, place)

    async def find_closed_reason(self, guild: GuildId, place: ChannelId) -> str | None:
        """Why no board can be posted in a place, as far as Discord says; None where nothing is known against it."""
        found = self._client.get_guild(guild)
        if found is None:
            return NOT_THERE if self.has_left_guild(guild) else None
        if found.unavailable:
            return None
        if self._channels.is_channel_closed(guild, place):
            return self._channels.describe_needs(guild, place)
        there = found.get_channel_or_thread(place)
        try:
            async with asyncio.timeout(LOOK_WITHIN):
                there = there or await self._client.fetch_channel(place)
        except discord.HTTPException as fault:
            if is_code(fault, Code.UNKNOWN_CHANNEL):
                return CHANNEL_DELETED
            return SHUT_OUT if is_code(fault, Code.NO_ACCESS) else None
        except Exception:  # any other failure of the request says nothing about the place
            return None
        return SHUT if isinstance(there, discord.Thread) and is_locked_to_us(there) else None

    def is_public(self, row: MatchRow) -> bool | None:
        """Whether the place of a match was visible to everyone in its server; None where that is unknown."""
        found = self._client.get_guild(row.guild)
        if found is None:
            return None
        there = found.get_channel_or_thread(row.thread or row.channel) or found.get_channel(row.channel)
        return self._deleted.get(row.channel) if there is None else _is_public(found, there)

    def everybody_sees(self, guild: GuildId, place: ChannelId) -> bool:
        """Whether a channel or thread is visible to everyone in its server."""
        found = self._client.get_guild(guild)
        there = found.get_channel_or_thread(place) if found else None
        return found is not None and there is not None and _is_public(found, there)

    def find_fallback_channel(self, row: MatchRow, settings: ServerSettings) -> ChannelId | None:
        """Another channel of a match's server for notices to its players: the thread's parent, one that the server uses
        for matches, or the first in which everyone can write and use commands."""
        found = self._client.get_guild(row.guild)
        if found is None or found.unavailable:
            return None
        wanted = (row.channel, *settings.channels, settings.league, settings.daily, settings.week)
        listed: Iterable[object] = (*(found.get_channel(one) for one in wanted if one), found.system_channel)
        for one in (*listed, *found.text_channels):
            if isinstance(one, discord.TextChannel) and one.id != row.thread and _can_notify_in(one):
                return ChannelId(one.id)
        return None


def is_locked_to_us(thread: discord.Thread) -> bool:
    """Whether a thread is locked, and the bot may not write there all the same."""
    parent = thread.parent
    return thread.locked and not (parent and parent.permissions_for(thread.guild.me).manage_threads)


def _is_public(guild: discord.Guild, place: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether a channel or thread is visible to everyone in a server."""
    channel = place.parent if isinstance(place, discord.Thread) else place
    if channel is None or (isinstance(place, discord.Thread) and place.is_private()):
        return False
    return channel.permissions_for(guild.default_role).view_channel


def _can_notify_in(channel: discord.TextChannel) -> bool:
    """Whether the bot can write in a channel and read its own messages there, and everyone can answer."""
    ours, theirs = (channel.permissions_for(one) for one in (channel.guild.me, channel.guild.default_role))
    may = ours.view_channel and ours.send_messages and ours.attach_files and ours.read_message_history
    return may and theirs.view_channel and theirs.send_messages and theirs.use_application_commands


# Remembers refusals of direct messages: all have to wait, none can be sent, or none to a user.


APART = 0.5
"""Seconds between two direct messages; Discord treats many at once as spam."""
FLAGGED = (
    "Discord has flagged this bot and takes no direct messages of it (error %d): reminders go to the threads of their"
    " matches for a day. To have it lifted, write to Discord: https://dis.gd/appeal."
)

log = logging.getLogger(__name__)


class Mailboxes:
    """Whether direct messages can be sent, and when the next one."""

    def __init__(self) -> None:
        self._next = 0.0
        self._waits_until = 0.0
        self._shut_until = 0.0
        self._refused: dict[UserId, float] = {}
        """Until when a user gets messages in threads instead."""

    def take_turn(self) -> float:
        """Reserve the next slot for a direct message; the seconds until then."""
        at = max(loop_time(), self._next)
        self._next = at + APART
        return at - loop_time()

    def seconds_to_wait(self) -> float:
        """Seconds for which no direct message may be tried, as Discord has asked."""
        return max(0.0, self._waits_until - loop_time())

    def may_write_to(self, user: UserId) -> bool:
        """Whether a direct message to a user may be tried, now or after the wait."""
        now = loop_time()
        if self._refused.get(user, now) <= now:
            self._refused.pop(user, None)
        return self._shut_until <= now and user not in self._refused

    def note_refusal(self, user: UserId, fault: discord.HTTPException) -> None:
        """Note that Discord has refused a direct message to a user."""
        until = loop_time() + find_rule(fault).pause
        if choose_action(fault, Route.DIRECT) is FailureAction.LATER:
            if fault.code:
                log.info("Direct messages wait %d s: %s", find_rule(fault).pause, fault.text)
            self._waits_until = max(self._waits_until, until)
        elif is_code(fault, Code.QUARANTINED):
            if self._shut_until <= loop_time():
                log.warning(FLAGGED, fault.code)
            self._shut_until = until
        else:
            self._refused[user] = until
