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
from bot.play.ids import ChannelId, GuildId, UserId
from bot.play.rows import CHANNEL_DELETED, MatchRow, ServerSettings

# Knows whether the places where matches are played are closed to us, and where else people can be told something.


REMEMBERED = 1000
"""Of so many deleted channels it is remembered whether everybody could see them."""


class Places:
    """Looks at the channels and threads of servers."""

    def __init__(self, client: discord.Client, channels: Channels, introduced: Callable[[GuildId], bool]) -> None:
        self._client = client
        self._channels = channels
        self._introduced = introduced
        self._deleted: OrderedDict[ChannelId, bool] = OrderedDict()
        self._removed: set[GuildId] = set()
        self.is_known = False
        """Whether this account has been the bot's for long."""

    def has_left_guild(self, guild: GuildId) -> bool:
        """Whether we are not in a server any more, so that nobody there can act. False as long as Discord has not
        listed our servers, and while it has trouble with one."""
        return self._client.get_guild(guild) is None and self._introduced(guild)

    def is_in_guild(self, guild: GuildId) -> bool:
        """Whether we are in a server, as far as Discord has said."""
        return self._client.get_guild(guild) is not None

    def note_removal(self, guild: GuildId) -> None:
        """Remember that a server has removed us."""
        self._removed.add(guild)

    def note_invitation(self, guild: GuildId) -> None:
        """Remember that we are in a server again."""
        self._removed.discard(guild)

    def has_removed_us(self, guild: GuildId) -> bool:
        """Whether a server has surely removed this bot, and is not one of another bot whose database this is."""
        return self.has_left_guild(guild) and (self.is_known or guild in self._removed)

    def note_deleted_channel(self, channel: discord.abc.GuildChannel) -> None:
        """Remember of a channel that was deleted whether everybody could see it."""
        self._deleted[ChannelId(channel.id)] = channel.permissions_for(channel.guild.default_role).view_channel
        while len(self._deleted) > REMEMBERED:
            self._deleted.popitem(last=False)

    def is_channel_known(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether Discord has named a channel or thread to us."""
        found = self._client.get_guild(guild)
        return bool(found and found.get_channel_or_thread(channel))

    def is_lost(self, guild: GuildId, place: ChannelId, reason: str | None) -> bool:
        """Whether a place is closed for this reason for ever: it was deleted, and Discord does not name it either."""
        return reason == CHANNEL_DELETED and not self.is_channel_known(guild, place)

    async def find_closed_reason(self, guild: GuildId, place: ChannelId) -> str | None:
        """Why no board can be posted in a place, as far as Discord says so; None where nothing speaks against it."""
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
        except Exception:  # whatever else stands in the way of asking says nothing of the place
            return None
        return SHUT if isinstance(there, discord.Thread) and is_locked_to_us(there) else None

    def is_public(self, row: MatchRow) -> bool | None:
        """Whether everybody in its server could see the place of a match; None where nobody knows any more."""
        found = self._client.get_guild(row.guild)
        if found is None:
            return None
        there = found.get_channel_or_thread(row.thread or row.channel) or found.get_channel(row.channel)
        return self._deleted.get(row.channel) if there is None else _is_public(found, there)

    def everybody_sees(self, guild: GuildId, place: ChannelId) -> bool:
        """Whether a channel or thread is one that everybody in its server can see."""
        found = self._client.get_guild(guild)
        there = found.get_channel_or_thread(place) if found else None
        return found is not None and there is not None and _is_public(found, there)

    def find_fallback_channel(self, row: MatchRow, settings: ServerSettings) -> ChannelId | None:
        """Another channel of a match's server in which its people can be told something: the one that its thread hangs
        on, one that the server uses for matches, or the first in which everybody can write and use commands."""
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
    """Whether a thread is locked, and we may not write there all the same."""
    parent = thread.parent
    return thread.locked and not (parent and parent.permissions_for(thread.guild.me).manage_threads)


def _is_public(guild: discord.Guild, place: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether everybody in a server can see a channel or thread."""
    channel = place.parent if isinstance(place, discord.Thread) else place
    if channel is None or (isinstance(place, discord.Thread) and place.is_private()):
        return False
    return channel.permissions_for(guild.default_role).view_channel


def _can_notify_in(channel: discord.TextChannel) -> bool:
    """Whether we can write in a channel and read there what we have written, and everybody can answer."""
    ours, theirs = (channel.permissions_for(one) for one in (channel.guild.me, channel.guild.default_role))
    may = ours.view_channel and ours.send_messages and ours.attach_files and ours.read_message_history
    return may and theirs.view_channel and theirs.send_messages and theirs.use_application_commands


# Remembers what Discord's refusals say of direct messages: that all wait, that none can be sent, or none to somebody.


APART = 0.5
"""Seconds between two direct messages; Discord takes many at once for a flood."""
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
        """Until when people are written to in threads."""

    def take_turn(self) -> float:
        """Seconds until another direct message may be sent; it takes that turn."""
        at = max(loop_time(), self._next)
        self._next = at + APART
        return at - loop_time()

    def seconds_to_wait(self) -> float:
        """Seconds for which no direct message is to be tried, since Discord has asked for that."""
        return max(0.0, self._waits_until - loop_time())

    def may_write_to(self, user: UserId) -> bool:
        """Whether a direct message to somebody may be tried, now or after the wait."""
        now = loop_time()
        if self._refused.get(user, now) <= now:
            self._refused.pop(user, None)
        return self._shut_until <= now and user not in self._refused

    def note_refusal(self, user: UserId, fault: discord.HTTPException) -> None:
        """Note that Discord has refused a direct message to somebody."""
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
