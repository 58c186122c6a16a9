"""Posts, edits and finds messages and threads by their ids."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from math import ceil
from types import SimpleNamespace
from weakref import WeakValueDictionary

import aiohttp
import discord

from bot.games.wording import cut_text
from bot.platform.edits import Draw, Edits, Files
from bot.platform.error_codes import (
    CLOSED,
    CLOSED_VOICE,
    SERVER_AT_FAULT,
    TIMED_OUT,
    Code,
    FailureAction,
    Route,
    choose_action,
    is_code,
    list_codes,
)
from bot.platform.jobs import parse_seconds, retry_after
from bot.platform.machine import loop_time
from bot.platform.members import find_equally_visible
from bot.play.ids import FORMER, NOWHERE, ChannelId, GuildId, MessageId, UserId, is_person, title_computer

LONGEST_NAME = 100


# Tracks how long Discord refuses new threads in a channel, so that no request waits for minutes.


MADE = re.compile(r"/channels/(\d+)/(?:messages/\d+/)?threads$")


class ThreadLimits:
    """The rate limits of thread creation, read from Discord's answers."""

    def __init__(self) -> None:
        self._until: dict[int, float] = {}
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def follow(self, trace: aiohttp.TraceConfig) -> None:
        """Register with an HTTP client."""
        trace.on_request_end.append(self._on_request_end)

    async def _on_request_end(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, told: aiohttp.TraceRequestEndParams
    ) -> None:
        found = MADE.search(told.url.path) if told.method == "POST" else None
        if found is None:
            return
        headers = told.response.headers
        if told.response.status == 429:
            self.note(int(found[1]), parse_seconds(headers.get("Retry-After", "")))
        elif headers.get("X-RateLimit-Remaining") == "0":
            self.note(int(found[1]), parse_seconds(headers.get("X-RateLimit-Reset-After", "")))

    def note(self, channel: int, seconds: float) -> None:
        """Note that no thread can be made in a channel for this number of seconds."""
        now = loop_time()
        self._until = {one: until for one, until in self._until.items() if until > now}
        self._until[channel] = now + seconds

    def seconds_left(self, channel: int) -> float:
        """Seconds for which no thread can be made in a channel."""
        return max(0.0, self._until.get(channel, 0.0) - loop_time())

    def get_lock(self, channel: int) -> asyncio.Lock:
        """The lock held while a thread is made in a channel."""
        return self._turns.setdefault(channel, asyncio.Lock())


# Posts, edits and finds messages and threads on Discord by their ids alone.


ARCHIVED = Code.ARCHIVED
GONE = list_codes(Route.EDIT, FailureAction.GONE)
"""Codes with which a message cannot be edited, now or later; a thread that is only archived revives when we post."""
LONGEST_NONCE = 23
"""Characters of a nonce, so that it can be counted up where Discord has deleted its message (its limit is 25)."""
FULL_FOR = 600.0
"""Seconds for which a server counts as full of active threads after Discord has said so."""
MOST_ACTIVE = 1000
"""How many active threads Discord allows in a server."""
FULL = Code.TOO_MANY_THREADS, Code.TOO_MANY_ANNOUNCEMENT_THREADS
ANEW = 3
"""How often a message is posted with another nonce, where Discord has deleted the earlier ones."""
HIDDEN = (FailureAction.GONE, FailureAction.PARKED)
"""What follows a failed read where nothing exists, or the bot may not see it."""
LOOKED_THROUGH = 200
"""How many messages of a channel are searched for a certain one of ours."""
SLACK = 300
"""Seconds by which our clock and Discord's may differ, at most."""
RECENT = 50
"""How many messages of a channel are searched for our own."""
LOOK_WITHIN = 1.0
"""Seconds to check whether a channel was deleted; a user waits for an answer meanwhile."""
THREAD_MINUTES = 10080
"""A match's thread is archived after a week of silence; a message of the bot revives it."""

MADE_WITHIN = 5.0
"""Seconds for a thread to be made; if Discord takes longer, the match is played in the channel."""

OVER_MINUTES = 60
"""The thread of a match that is over is archived after an hour, the least that Discord offers."""


class Channels:
    """Reads and writes the bot's messages, without remembering them."""

    def __init__(
        self,
        client: discord.Client,
        edits: Edits,
        introduced: Callable[[GuildId], bool],
        limits: ThreadLimits,
    ) -> None:
        self.client = client
        self.edits = edits
        self.mark = ""
        """The suffix of all nonces of this database."""
        self.introduced = introduced
        """Whether Discord has ever listed the servers of a server's shard."""
        self.limits = limits
        self._full: dict[GuildId, float] = {}
        """Until when servers count as full of active threads, by the loop's time."""
        self._names_elsewhere: dict[GuildId, str] = {}
        """The names of servers that Discord sends to other processes, as they were when they were asked for."""

    def is_guild_pending(self, guild: GuildId) -> bool:
        """Whether Discord has yet to send a server: after a start, until its shard is ready, and during an outage.

        False for a server that the bot is not in: requests there are refused with a reason.
        """
        found = self.client.get_guild(guild)
        return found.unavailable if found else not self.introduced(guild)

    def is_channel_closed(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether no board can be posted in a channel, as far as is known without asking Discord."""
        found = self.client.get_guild(guild)
        if guild == NOWHERE:
            return False
        if found is None or found.unavailable:
            return True
        place = found.get_channel_or_thread(channel)
        if place is None or (isinstance(place, discord.Thread) and place.parent is None):
            return False
        may = place.permissions_for(found.me)
        speak = may.send_messages_in_threads if isinstance(place, discord.Thread) else may.send_messages
        heard = may.connect or not isinstance(place, discord.VoiceChannel | discord.StageChannel)
        return not (may.view_channel and speak and may.attach_files and heard)

    def describe_needs(self, guild: GuildId, channel: ChannelId) -> str:
        """The permissions that are missing for boards in a channel, as a sentence."""
        found = self.client.get_guild(guild)
        if found and found.me.is_timed_out():
            return TIMED_OUT.format(until=self.timed_out_until(guild))
        place = found and found.get_channel_or_thread(channel)
        return CLOSED_VOICE if isinstance(place, discord.VoiceChannel | discord.StageChannel) else CLOSED

    def is_hidden_thread(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether a channel is a private thread that the bot cannot see: Discord lists all channels to it, but only the
        threads that it sees, or has seen."""
        found = self.client.get_guild(guild)
        place = found and found.get_channel_or_thread(channel)
        return place is None or (isinstance(place, discord.Thread) and place.is_private())

    async def is_shut_out(self, thread: ChannelId) -> bool:
        """Whether the bot is not in a private thread; commands arrive from there all the same."""
        return await self._is_refused(thread, Code.NO_ACCESS)

    def timed_out_until(self, guild: GuildId) -> int:
        """Until when the bot is timed out in a server, as far as is known, in epoch seconds; 0 for never. It may be
        over: Discord sends no event for that."""
        found = self.client.get_guild(guild)
        until = found.me.timed_out_until if found and not found.unavailable else None
        return ceil(until.timestamp()) if until else 0

    def is_timed_out(self, guild: GuildId, now: int) -> bool:
        """Whether the bot is timed out in a server at `now`, in epoch seconds of Discord's; a past timeout is
        forgotten."""
        until = self.timed_out_until(guild)
        if until and until <= now:
            self.end_timeout(guild)
        return until > now

    def end_timeout(self, guild: GuildId) -> None:
        """Forget a timeout that is over, whatever the machine's clock says."""
        if found := self.client.get_guild(guild):
            found.me.timed_out_until = None

    async def fetch_timed_out_until(self, guild: GuildId) -> int:
        """As `timed_out_until`, but asks Discord."""
        found, me = self.client.get_guild(guild), self.client.user
        if found and me and not found.unavailable:
            with contextlib.suppress(
                discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError
            ):
                async with asyncio.timeout(LOOK_WITHIN):
                    found.me.timed_out_until = (await found.fetch_member(me.id)).timed_out_until
        return self.timed_out_until(guild)

    def can_read_history(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether the bot may read the history of a channel."""
        found = self.client.get_guild(guild)
        place = found and found.get_channel_or_thread(channel)
        return bool(found and place and place.permissions_for(found.me).read_message_history)

    def find_equally_visible(self, guild: GuildId, channel: ChannelId) -> frozenset[int]:
        """The channels and active threads that are visible to all who can see a post in a channel."""
        found = self.client.get_guild(guild)
        return find_equally_visible(found, channel) if found else frozenset((channel,))

    def is_thread_listed(self, guild: GuildId, thread: ChannelId) -> bool:
        """Whether Discord has listed a thread among the active ones of its server."""
        found = self.client.get_guild(guild)
        return found is not None and found.get_thread(thread) is not None

    def get_guild_name(self, guild: GuildId) -> str:
        found = self.client.get_guild(guild)
        return found.name if found else "a server"

    async def find_guild_name(self, guild: GuildId, within: float) -> str:
        """The name of a server, also of one that Discord sends to another process."""
        if self.client.get_guild(guild) is None and guild not in self._names_elsewhere:
            with contextlib.suppress(Exception):  # whatever fails, it has no name
                async with asyncio.timeout(within):
                    self._names_elsewhere[guild] = (await self.client.http.get_guild(guild))["name"]
        return self._names_elsewhere.get(guild) or self.get_guild_name(guild)

    def list_guilds(self) -> list[GuildId]:
        """The servers that Discord has sent."""
        return [GuildId(found.id) for found in self.client.guilds if not found.unavailable]

    def count_active_threads(self, guild: GuildId) -> int:
        """How many threads of a server are active, as far as the bot sees them or Discord has just said."""
        found = self.client.get_guild(guild)
        return MOST_ACTIVE if self._full.get(guild, 0.0) > loop_time() else len(found.threads) if found else 0

    def list_own_threads(self, guild: GuildId) -> dict[ChannelId, int]:
        """The active threads of a server that the bot made, and when each was made or last unarchived, in epoch
        seconds."""
        found, me = self.client.get_guild(guild), self.client.user
        ours = [one for one in found.threads if me and one.owner_id == me.id] if found else []
        return {ChannelId(one.id): int(one.archive_timestamp.timestamp()) for one in ours}

    async def set_archived(self, guild: GuildId, thread: ChannelId, archived: bool) -> None:
        """Archive a thread, or unarchive it unless it is locked."""
        found = self.client.get_guild(guild)
        place = found and found.get_thread(thread) or await self.client.fetch_channel(thread)
        if isinstance(place, discord.Thread) and place.archived != archived and not place.locked:
            await place.edit(archived=archived)

    async def delete_thread(self, guild: GuildId, thread: ChannelId) -> bool:
        """Delete a thread with messages of the bot alone; False where it stays, as it does without Manage Threads."""
        found, me = self.client.get_guild(guild), self.client.user
        place = found and found.get_thread(thread)
        if not found or not place:
            return await self.was_deleted(guild, thread)
        if not me or not place.permissions_for(found.me).manage_threads:
            return False
        try:
            if any([message.author.id != me.id async for message in place.history(limit=RECENT)]):
                return False
            await place.delete()
        except (discord.HTTPException, discord.RateLimited):
            return False
        return True

    async def was_deleted(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether Discord says that a channel was deleted; False while it cannot be asked."""
        found = self.client.get_guild(guild)
        if found is None or found.unavailable or found.get_channel(channel):
            return False
        return await self._is_refused(channel, Code.UNKNOWN_CHANNEL)

    async def _is_refused(self, channel: ChannelId, code: Code) -> bool:
        """Whether Discord answers with this code when asked for a channel or thread."""
        try:
            async with asyncio.timeout(LOOK_WITHIN):
                await self.client.fetch_channel(channel)
        except discord.HTTPException as fault:
            return is_code(fault, code)
        except Exception:  # any other failure of the request says nothing about the channel
            return False
        return False

    async def post(
        self,
        guild: GuildId,
        channel: ChannelId,
        view: discord.ui.LayoutView,
        files: Files,
        tell: Sequence[UserId],
        nonce: str,
    ) -> discord.Message:
        """Post a message that pings the users in `tell`, or silently without them; the same nonce within minutes
        returns the first message."""
        told = [discord.Object(user) for user in tell if is_person(user)]
        mentions = discord.AllowedMentions(users=told, everyone=False, roles=False)
        view = await self.edits.naming.name_in_view(guild, view, tell)

        async def send(nonce: str) -> discord.Message:
            place = self._get_channel(channel)
            quiet = not told
            return await place.send(view=view, files=[*files], allowed_mentions=mentions, nonce=nonce, silent=quiet)

        message = await send_with_nonce(send, self._mark_nonce(nonce))
        self.edits.note_posted(message)
        return message

    async def edit(
        self,
        guild: GuildId,
        channel: ChannelId,
        message: MessageId,
        view: discord.ui.LayoutView,
        files: Files | Draw = (),
        keep: bool = False,
        revived: bool = False,
    ) -> bool:
        """Edit a message of ours; `files` and `keep` are as in `Edits.edit`.

        False when it is gone, or its channel is, or its thread is archived. Where a new message can unarchive the
        thread (`revived`), the error is raised instead, since the edit is possible later.
        """
        try:
            await self.edits.edit(self._get_channel(channel, guild), message, view, files, keep)
        except discord.HTTPException as fault:
            if fault.code not in GONE or (revived and fault.code == ARCHIVED):
                raise
            return False
        return True

    async def say(
        self,
        guild: GuildId | None,
        channel: ChannelId,
        text: str,
        tell: Sequence[UserId],
        nonce: str,
        buttons: discord.ui.View | None = None,
        silent: bool = False,
    ) -> discord.Message:
        """Post a line that pings some users, with buttons below it; phones show its beginning, unless it is `silent`
        and only marks the channel for them. The same nonce within minutes returns the first message."""
        told = [discord.Object(user) for user in tell if is_person(user)]
        mentions = discord.AllowedMentions(users=told, everyone=False, roles=False)
        below = discord.utils.MISSING if buttons is None else buttons
        text = await self.edits.naming.name_in_text(guild, text, tell)
        if buttons:
            await self.edits.naming.name_in_buttons(guild, buttons)

        async def send(nonce: str) -> discord.Message:
            place, quiet = self._get_channel(channel), silent or not told
            return await place.send(
                text, view=below, allowed_mentions=mentions, nonce=nonce, suppress_embeds=True, silent=quiet
            )

        message = await send_with_nonce(send, self._mark_nonce(nonce))
        if buttons:
            self.edits.note_posted(message)
        return message

    async def edit_line(
        self, guild: GuildId, channel: ChannelId, message: MessageId, text: str, tell: Sequence[UserId]
    ) -> None:
        """Edit a line of ours; the users in `tell` stay mentioned and are not pinged again. Ignored if it is gone."""
        try:
            await self.edits.edit_line(self._get_channel(channel, guild), message, guild, text, tell)
        except discord.HTTPException as fault:
            if fault.code not in GONE:
                raise

    def _mark_nonce(self, nonce: str) -> str:
        """A nonce that no other database of this bot makes: Discord checks neither the channel nor the contents of the
        message that it returns."""
        marked = f"{nonce}.{self.mark}"
        return marked if len(marked) <= LONGEST_NONCE else blake2b(marked.encode(), digest_size=11).hexdigest()

    async def open_dm(self, user: UserId, anew: bool = False) -> ChannelId:
        """The channel of the bot's direct messages to a user; `anew` where the one that is remembered is gone."""
        if anew:
            return ChannelId(int((await self.client.http.start_private_message(user))["id"]))
        return ChannelId((await self.client.create_dm(discord.Object(user))).id)

    async def remove(self, channel: ChannelId, message: MessageId) -> None:
        """Delete a message of ours; ignored if it is gone, or in an archived thread."""
        try:
            await self._get_channel(channel).get_partial_message(message).delete()
        except discord.HTTPException as fault:
            if fault.code not in (*GONE, Code.NO_ACCESS):
                raise

    async def own_messages_since(
        self, channel: ChannelId, since: int, direct: bool
    ) -> tuple[list[discord.Message], bool]:
        """Our own messages of a channel since a moment, the newest first, and whether these are all.

        That is unknown where the bot may not read, or too much was written since. A channel that is not `direct` always
        has something to read.
        """
        floor = discord.utils.time_snowflake(datetime.fromtimestamp(since - SLACK, UTC))
        me, ours, seen = self.client.user, list[discord.Message](), 0
        try:
            async for message in self._get_channel(channel).history(limit=LOOKED_THROUGH):
                if message.id < floor:
                    return ours, True
                seen += 1
                ours += [message] if me and message.author.id == me.id else []
        except discord.HTTPException as fault:
            if choose_action(fault, Route.LOOK) not in HIDDEN:
                raise
            return [], False
        return ours, seen < LOOKED_THROUGH and (direct or seen > 0)

    async def exists(self, channel: ChannelId, message: MessageId) -> bool:
        """Whether a message still exists; True where the bot may not read."""
        try:
            return await self.fetch(channel, message) is not None
        except discord.HTTPException as fault:
            if choose_action(fault, Route.LOOK) is not FailureAction.PARKED:
                raise
            # Without Read Message History this is unknown; then a second board would be worse than none.
            return True

    async def own_messages(self, channel: ChannelId) -> list[discord.Message]:
        """Our own among the last messages of a channel, the newest first; none where the bot may not read.
        `RateLimited` where that is refused for another reason, which says nothing about posting there."""
        me = self.client.user
        try:
            return [
                message
                async for message in self._get_channel(channel).history(limit=RECENT)
                if me and message.author.id == me.id
            ]
        except discord.HTTPException as fault:
            if choose_action(fault, Route.LOOK) in HIDDEN:
                return []
            if fault.status >= SERVER_AT_FAULT:
                raise
            raise discord.RateLimited(retry_after(fault)) from fault

    async def fetch(self, channel: ChannelId, message: MessageId) -> discord.Message | None:
        """A message as it is now; None when it is gone."""
        try:
            return await self._get_channel(channel).fetch_message(message)
        except discord.HTTPException as fault:
            if choose_action(fault, Route.LOOK) is not FailureAction.GONE:
                raise
            return None

    async def list_names(self, guild: GuildId, users: Sequence[UserId]) -> list[str]:
        """The names of users in a server, and of computers and forgotten users everywhere; users who have left, or
        whose names are unknown, are left out."""
        members = self.edits.naming.members
        await members.learn(guild, users)
        known, gone = members.list_names(guild, users), members.find_known_departed(guild, users)
        known |= {user: FORMER if user < 0 else title_computer(user) for user in users if not is_person(user)}
        found = [name for user in users if (name := known.get(user)) and user not in gone]
        return [name.capitalize() if not at and name == FORMER else name for at, name in enumerate(found)]

    async def rename(self, guild: GuildId, thread: ChannelId, mark: str) -> None:
        """Put a mark before the name of a thread that has none yet, and archive it after an hour; nothing where that
        cannot be done.

        Discord allows two renames in ten minutes; after that it raises a rate limit as usual.
        """
        found = self.client.get_guild(guild)
        try:
            place = found and found.get_thread(thread) or await self.client.fetch_channel(thread)
            if isinstance(place, discord.Thread) and not place.archived and not place.name.startswith(mark):
                await place.edit(name=cut_text(f"{mark}{place.name}", LONGEST_NAME), auto_archive_duration=OVER_MINUTES)
        except discord.HTTPException as fault:
            if choose_action(fault, Route.THREAD) is FailureAction.LATER:
                raise

    async def retitle(self, guild: GuildId, thread: ChannelId, name: str, mark: str, marked: bool) -> bool:
        """Rename a thread, with a mark if it is to be `marked` or has one: the cached name may be older than the mark.
        It is unarchived for that; returns whether it was. Nothing where that cannot be done."""
        found = self.client.get_guild(guild)
        try:
            place = found and found.get_thread(thread) or await self.client.fetch_channel(thread)
            if not isinstance(place, discord.Thread) or (place.archived and place.locked):
                return False
            slept = place.archived
            if slept:
                await place.edit(archived=False)
            title = cut_text(f"{mark if marked or place.name.startswith(mark) else ''}{name}", LONGEST_NAME)
            if place.name != title:
                await place.edit(name=title)
        except discord.HTTPException as fault:
            if choose_action(fault, Route.THREAD) is FailureAction.LATER:
                raise
            return False
        return slept

    async def open_thread(
        self, guild: GuildId, channel: ChannelId, message: MessageId, name: str, plain: str
    ) -> ChannelId | None:
        """A thread made from a message, or the one that it has; None where there can be none, whatever the reason.

        Named `name`, or `plain` where Discord refuses that. `discord.RateLimited` where
        there may be one later, but not within seconds.
        """
        if not await self._may_create_threads(guild, channel):
            return None
        try:
            async with self.limits.get_lock(channel):
                return await self._create_thread(guild, channel, message, name)
        except discord.HTTPException as fault:
            match choose_action(fault, Route.THREAD):
                case FailureAction.LATER if is_code(fault, *FULL):
                    self._full[guild] = loop_time() + FULL_FOR
                    raise discord.RateLimited(retry_after(fault)) from fault
                case FailureAction.LATER:
                    raise
                case FailureAction.ANEW if name != plain:
                    return await self.open_thread(guild, channel, message, plain, plain)
                case FailureAction.DONE:
                    # A thread made from a message has that message's id.
                    return ChannelId(message)
                case _:
                    return None

    async def _create_thread(
        self, guild: GuildId, channel: ChannelId, message: MessageId, name: str
    ) -> ChannelId | None:
        """Make a thread, unless a rate limit lasts longer than a moment; None where the server removed the bot while
        another thread was made in the channel: discord.py does not even ask then."""
        if (left := self.limits.seconds_left(channel)) > MADE_WITHIN:
            raise discord.RateLimited(left)
        origin = self._get_channel(channel, guild).get_partial_message(message)
        if origin.guild is None:
            return None
        try:
            async with asyncio.timeout(MADE_WITHIN):
                return ChannelId((await origin.create_thread(name=name, auto_archive_duration=THREAD_MINUTES)).id)
        except TimeoutError:
            if self.is_thread_listed(guild, ChannelId(message)):  # a thread made from a message has that message's id
                return ChannelId(message)
            if left := self.limits.seconds_left(channel):
                raise discord.RateLimited(left) from None
            raise

    async def _may_create_threads(self, guild: GuildId, channel: ChannelId) -> bool:
        found = self.client.get_guild(guild)
        place = found and found.get_channel_or_thread(channel) or await self.client.fetch_channel(channel)
        if not found or not isinstance(place, discord.TextChannel):
            return False
        permissions = place.permissions_for(found.me)
        return permissions.create_public_threads and permissions.send_messages_in_threads

    def _get_channel(self, channel: ChannelId, guild: GuildId | None = None) -> discord.PartialMessageable:
        return self.client.get_partial_messageable(channel, guild_id=guild)


async def send_with_nonce(send: Callable[[str], Awaitable[discord.Message]], nonce: str) -> discord.Message:
    """Send a message with a nonce. Where the message of that nonce was deleted a short while ago, Discord makes no new
    one: then it is sent with the next nonce, always in the same order, so that a retry finds what has arrived."""
    for number in range(ANEW):
        try:
            return await send(f"{nonce}.{number}" if number else nonce)
        except discord.HTTPException as fault:
            if choose_action(fault, Route.POST) is not FailureAction.ANEW:
                raise
    return await send(f"{nonce}.{ANEW}")
