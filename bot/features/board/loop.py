"""Retries closed channels, and archives and unarchives threads."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Mapping
from contextlib import suppress

import aiohttp
import discord
from discord.ext import commands

from bot.features.board.publisher import Publisher
from bot.platform.error_codes import FailureAction, Route, choose_action
from bot.platform.machine import in_background, loop_time
from bot.platform.outbox import LONGEST_TURN, SEND_WITHIN
from bot.play.ids import ChannelId, GuildId, MatchId
from bot.play.rows import ParkedMatch
from bot.umpire.umpire import Umpire
from data.engine.errors import Unavailable
from data.store import Reader, Transaction

# Retries parked matches when a channel that was closed to the bot may be open again.


RETRIED_EVERY = 3600.0
"""Seconds after which all parked matches are retried."""
AT_MOST_EVERY = 60.0
"""Seconds between two retries of the matches of one server."""
LOCKED_FOR = 60.0
"""Seconds after which players are notified that their thread was locked, unless they learn it from an event of their
match."""
RETRIED_AT_A_LOOK = 200
"""How many parked matches are loaded at once."""

_Channel = discord.abc.GuildChannel


class ChannelRecovery(commands.Cog):
    """Listens for events that may open channels to the bot, and for deleted threads."""

    def __init__(
        self, umpire: Umpire, publisher: Publisher, beside: Callable[[GuildId | None], int] = lambda _: 0
    ) -> None:
        self.games = umpire.games
        self.store = umpire.store
        self.clock = umpire.clock
        self.publisher = publisher
        self._changed: set[GuildId] = set()
        """The servers whose matches are to be retried."""
        self._heard: dict[GuildId, float] = {}
        """When a change in a server was last noted."""
        self._locked: dict[ChannelId, tuple[GuildId, float]] = {}
        """Threads that were locked, in which server and when; each until it is checked."""
        self._left: set[GuildId] = set()
        """Servers that have removed the bot, until their matches are checked."""
        self._tried: dict[GuildId, float] = {}
        self._all_tried: float | None = None
        self._timeouts: dict[GuildId, tuple[int, asyncio.TimerHandle]] = {}
        """When the bot's timeouts in servers end, in epoch seconds, and the timers for that."""
        publisher.refused = self.note_refusal
        self._beside = beside
        """Retries what else is owed in a server, or in all, and returns its number."""

    def _note_change(self, guild: int) -> None:
        """Note that the bot's permissions in a server may have changed."""
        self._changed.add(GuildId(guild))
        self._heard[GuildId(guild)] = loop_time()

    def note_refusal(self, guild: GuildId, begun: float) -> None:
        """Note that Discord has refused a board that was begun at a time: if its server has changed since, the refusal
        is outdated."""
        self._await_timeout(guild)
        if self._heard.get(guild, -math.inf) >= begun:
            self._changed.add(guild)

    def _await_timeout(self, guild: GuildId) -> None:
        """Retry the matches of a server when the bot's timeout there ends, if it is timed out."""
        until, now = self.publisher.channels.timed_out_until(guild), self.clock()
        known, timer = self._timeouts.get(guild, (0, None))
        if until <= now or until == known:
            return
        if timer:
            timer.cancel()
        ends = asyncio.get_running_loop().call_later(until - now, self._on_timeout_end, guild)
        self._timeouts[guild] = until, ends

    def _on_timeout_end(self, guild: GuildId) -> None:
        until, _ = self._timeouts.pop(guild)
        if self.clock() < until:  # clocks differ a little
            self._await_timeout(guild)
            return
        self.publisher.channels.end_timeout(guild)
        self.publisher.queue.spawn_task(self._unpark_or_note(guild))

    async def _unpark_or_note(self, guild: GuildId) -> None:
        try:
            await self._unpark_matches(guild)
        except Unavailable:
            self._note_change(guild)

    async def poll(self) -> None:
        """Unpark the matches of servers that have changed; at the start and every hour, all of them."""
        now = loop_time()
        self._tried = {guild: at for guild, at in self._tried.items() if at > now - AT_MOST_EVERY}
        self._heard = {guild: at for guild, at in self._heard.items() if at > now - LONGEST_TURN}
        for guild in tuple(self._left):
            await self._look_for_closed(guild)
            self._left.discard(guild)
        for thread, (guild, at) in tuple(self._locked.items()):
            if at <= now - LOCKED_FOR:
                await self._look_at_locked(guild, thread)
                self._locked.pop(thread, None)
        if self._all_tried is None:
            self.publisher.queue.spawn_task(self._look_for_threads())
        if self._all_tried is None or now > self._all_tried + RETRIED_EVERY:
            self._changed.clear()
            await self._look_for_closed(None)
            await self._unpark_matches(None)
            self._all_tried = now  # and no sooner: if the store is unavailable, the next poll retries
        for guild in self._changed - self._tried.keys():
            self._changed.discard(guild)
            try:
                if await self._unpark_matches(guild):
                    self._tried[guild] = now
            except Unavailable:
                self._changed.add(guild)
                raise

    async def _look_for_threads(self) -> None:
        """Move the matches whose threads were deleted while the bot was away. Discord lists the active threads by
        itself; about each of the others it is asked, in sequence."""
        in_background.set(True)
        channels, after = self.publisher.channels, 0
        with suppress(Unavailable):  # then it is noticed at the next board
            while found := await self.store.ask(Reader.find_matches_in_threads, RETRIED_AT_A_LOOK, after):
                for match, guild, thread in found:
                    after = match
                    if not channels.is_thread_listed(guild, thread) and await channels.was_deleted(guild, thread):
                        await self.publisher.handle_lost_thread(thread)
            await self._look_for_closed(None, thorough=True)

    async def _look_for_closed(self, guild: GuildId | None, thorough: bool = False) -> None:
        """Find live matches whose server the bot has left, or whose places Discord does not list and reports to be
        deleted or closed. A `thorough` check asks about each thread that is not active, another one only where the
        channel is not listed either."""
        places, after = self.publisher.places, 0
        while found := await self.store.ask(Reader.find_places_of_live_matches, RETRIED_AT_A_LOOK, after, guild):
            for match, of, channel, place in found:
                after = match
                doubtful = not places.is_channel_known(of, place) and (
                    thorough or not places.is_channel_known(of, channel)
                )
                if (doubtful or places.has_left_guild(of)) and not self.publisher.channels.is_guild_pending(of):
                    await self._close_if_shut(match, of, place)

    async def _close_if_shut(self, match: MatchId, guild: GuildId, place: ChannelId) -> None:
        if reason := await self.publisher.places.find_closed_reason(guild, place):
            await self.publisher.close(match, guild, reason)

    async def _unpark_matches(self, guild: GuildId | None) -> int:
        """Unpark matches of one server or of all, retry all else that is owed there, and return the number."""
        after, opened = 0, self._beside(guild)
        while parked := await self.store.ask(Reader.find_parked_matches, RETRIED_AT_A_LOOK, after, guild):
            after = parked[-1].match
            if hopeful := [one.match for one in parked if self._has_no_obstacle(one) and await self._may_be_open(one)]:
                await self.store.for_long_work.do(unpark_matches, hopeful)
                opened += len(hopeful)
        return opened

    async def _may_be_open(self, parked: ParkedMatch) -> bool:
        """Whether showing a match will tell if its place is open. Where there is nothing to show, Discord is asked, and
        players would otherwise be notified again."""
        return parked.lags or await self.publisher.places.find_closed_reason(parked.guild, parked.channel) is None

    def _has_no_obstacle(self, parked: ParkedMatch) -> bool:
        """Whether no known obstacle remains."""
        game = self.games.get(parked.game)
        playable = game is not None and game.version == parked.game_version
        self._await_timeout(parked.guild)
        is_lost = self.publisher.places.is_lost(parked.guild, parked.channel, parked.reason)
        return playable and not is_lost and not self.publisher.channels.is_channel_closed(parked.guild, parked.channel)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: _Channel, after: _Channel) -> None:
        """The permissions of a channel may have changed."""
        self._note_change(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: _Channel) -> None:
        """Its matches have no place any more, nor those in its threads; if the store is unavailable now, that is
        noticed within the hour."""
        self.publisher.places.note_deleted_channel(channel)
        self.publisher.queue.spawn_task(self._check_closed(GuildId(channel.guild.id)))

    async def _check_closed(self, guild: GuildId) -> None:
        in_background.set(True)
        with suppress(Unavailable):
            await self._look_for_closed(guild)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Its members cannot act any more: the next poll stops their clocks."""
        self._left.add(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been locked or unlocked."""
        if event.data["thread_metadata"].get("locked"):
            self._locked.setdefault(ChannelId(event.thread_id), (GuildId(event.guild_id), loop_time()))
        else:
            self._locked.pop(ChannelId(event.thread_id), None)
        self._note_change(event.guild_id)

    async def _look_at_locked(self, guild: GuildId, thread: ChannelId) -> None:
        """Notify the players whose matches are in a thread that has been locked for a while."""
        for row in await self.store.ask(Reader.in_thread, thread):
            if row.state == "live" and row.publish_error is None and self.store.share.holds(row.guild):
                await self._close_if_shut(row.id, guild, thread)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """A match goes on in its channel; if the store is unavailable now, that is noticed at its next board."""
        with suppress(Unavailable):
            await self.publisher.handle_lost_thread(ChannelId(event.thread_id))

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The bot was added to a thread, or to its channel."""
        self._note_change(thread.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """A role may allow more than it did."""
        self._note_change(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A deleted role denies nothing any more."""
        self._note_change(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """The bot may have been given a role, or its timeout was ended; Discord sends no updates of other members."""
        self._note_change(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again."""
        self._note_change(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """An outage of the server is over."""
        self._note_change(guild.id)


def unpark_matches(tx: Transaction, matches: list[MatchId]) -> None:
    """Let matches be shown again."""
    for match in matches:
        tx.park(match, None)
        row = tx.load_row(match)
        if row and row.shown_version >= row.version:
            tx.drop_notices(match)


# Archives the threads of finished matches, and unarchives those of live ones.


OVER_FOR = 3600
"""Seconds for which players find a finished match in the sidebar."""
CROWDED = 950
"""The number of active threads in a server from which threads are archived at once. Discord allows a thousand; the bot
does not see some of private channels."""
ARCHIVED_EVERY, ARCHIVED_AT_A_LOOK = 60, 30
"""Seconds between two polls, and how many threads each archives: all that there may be, in half an hour."""
ASKED_AGAIN = 600
"""Seconds after which the store is asked again whether the matches of a thread have ended."""
LET_BE = 86_400
"""Seconds for which a thread is left alone that could not be archived, or was unarchived after its match."""
WOKEN_EVERY = 600.0
"""Seconds between two times that a thread is unarchived: a user may archive it again and again."""
MATCHES_AT_A_LOOK = 200

log = logging.getLogger(__name__)


class ThreadArchive(commands.Cog):
    """Tracks the bot's active threads, and when to check them again."""

    def __init__(self, umpire: Umpire, publisher: Publisher) -> None:
        self.store, self.clock = umpire.store, umpire.clock
        self.publisher, self.channels = publisher, publisher.channels
        self._looked: int | None = None
        self._next: dict[ChannelId, int] = {}
        """When to check again whether the matches of an active thread have ended, in epoch seconds."""
        self._barred: dict[ChannelId, int] = {}
        """Until when threads are left alone."""
        self._woken: dict[ChannelId, float] = {}

    async def poll(self) -> None:
        """Archive some of the threads that are due, the oldest first; at the start, unarchive those of live matches."""
        in_background.set(True)
        now = self.clock()
        if self._looked is None:
            self.publisher.queue.spawn_task(self._wake_all())
        elif abs(now - self._looked) < ARCHIVED_EVERY:
            return
        self._looked = now
        active = {
            guild: self.channels.list_own_threads(guild) for guild in self.channels.list_guilds() if self._serves(guild)
        }
        known = {thread for threads in active.values() for thread in threads}
        self._next = {thread: at for thread, at in self._next.items() if thread in known}
        self._barred = {thread: until for thread, until in self._barred.items() if until > now}
        due = [found for guild, threads in active.items() for found in await self._list_due(guild, threads, now)]
        for _, guild, thread in sorted(due)[:ARCHIVED_AT_A_LOOK]:
            if not await self._set_archived(guild, thread):
                self._barred[thread] = now + LET_BE

    def _serves(self, guild: GuildId) -> bool:
        return self.store.share.holds(guild) and not self.channels.is_guild_pending(guild)

    async def _list_due(
        self, guild: GuildId, threads: Mapping[ChannelId, int], now: int
    ) -> list[tuple[int, GuildId, ChannelId]]:
        """The threads of a server that are to be archived now, each with the end of its last match."""
        excess = self.channels.count_active_threads(guild) - CROWDED + 1
        asked = [one for one in threads if one not in self._barred and (excess > 0 or self._next.get(one, 0) <= now)]
        over = await self.store.ask(Reader.find_finished_threads, guild, asked) if asked else {}
        due = {one: threads[one] + LET_BE if threads[one] > ended else ended + OVER_FOR for one, ended in over.items()}
        # In an archived thread nothing can be edited: what its last board leaves to be closed would keep its buttons.
        for thread in await self.store.ask(Reader.owed_in, [*over]) if over else ():
            due[thread] = max(due[thread], now + ASKED_AGAIN)
        for thread in asked:
            self._next[thread] = due.get(thread, now + ASKED_AGAIN)
        oldest_first = sorted((ended, thread) for thread, ended in over.items())
        return [
            (ended, guild, thread)
            for number, (ended, thread) in enumerate(oldest_first)
            if number < excess or due[thread] <= now
        ]

    async def _set_archived(self, guild: GuildId, thread: ChannelId, archived: bool = True) -> bool:
        """Archive a thread, or unarchive it; False where that cannot be done."""
        try:
            async with asyncio.timeout(SEND_WITHIN):
                await self.channels.set_archived(guild, thread, archived)
        except discord.HTTPException as fault:
            log.debug("Thread %d stays as it is: %s", thread, fault)
            return choose_action(fault, Route.THREAD) is FailureAction.LATER
        except (discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError):
            return True  # the next poll tries again
        return True

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been archived."""
        state = event.data["thread_metadata"]
        if state["archived"] and not state.get("locked"):
            self.publisher.queue.spawn_task(self._wake_if_live(GuildId(event.guild_id), ChannelId(event.thread_id)))

    async def _wake_if_live(self, guild: GuildId, thread: ChannelId) -> None:
        """Unarchive a live match's own thread."""
        in_background.set(True)
        with suppress(Unavailable):  # its next board wakes it
            rows = await self.store.ask(Reader.in_thread, thread) if self._serves(guild) else ()
            if any(row.state == "live" and row.thread != row.channel for row in rows):
                await self._wake(guild, thread)

    async def _wake(self, guild: GuildId, thread: ChannelId) -> None:
        now = loop_time()
        self._woken = {one: at for one, at in self._woken.items() if at + WOKEN_EVERY > now}
        if thread not in self._woken:
            self._woken[thread] = now
            await self._set_archived(guild, thread, False)

    async def _wake_all(self) -> None:
        """Unarchive the threads of live matches that were archived while the bot was away, in sequence."""
        in_background.set(True)
        after = 0
        with suppress(Unavailable):
            while found := await self.store.ask(Reader.find_matches_in_threads, MATCHES_AT_A_LOOK, after):
                for match, guild, thread in found:
                    after = match
                    if self._serves(guild) and not self.channels.is_thread_listed(guild, thread):
                        await self._wake(guild, thread)
