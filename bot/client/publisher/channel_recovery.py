"""Retries parked matches when a channel that was closed to the bot may be open again.

It does so when Discord reports a change that may allow posting, when a timeout of the bot ends, which Discord does not
report, when the bot starts, and every hour, since Discord does not report every change. To retry a match is to unpark
it: the reconciler then shows it, tells the players who are to move, and parks it again if that fails. Where we know
that we may not post, nothing is tried; and the matches of a server are retried once a minute at most.
At the start it also looks for threads that were deleted meanwhile.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress

import discord
from discord.ext import commands

from bot.client.publisher.publisher import Publisher
from bot.client.publisher.queue import LONGEST_TURN
from bot.client.runtime.background import in_background
from bot.client.runtime.loop_time import loop_time
from bot.core.match.stored import Parked
from bot.core.values.ids import ChannelId, GuildId, MatchId
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

EVERY = 3600.0
"""Seconds after which all parked matches are tried again."""
AT_MOST_EVERY = 60.0
"""Seconds between two tries of the matches of one server."""
LOCKED_FOR = 60.0
"""Seconds after which people are told that their thread was locked, unless they hear of it by something that happens in
their match."""
AT_A_LOOK = 200
"""How many parked matches are looked up at once."""

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
        """The servers that are to be looked at."""
        self._heard: dict[GuildId, float] = {}
        """When we last heard of a change in a server."""
        self._locked: dict[ChannelId, tuple[GuildId, float]] = {}
        """Threads that were locked, in which server and when; each until it is looked at."""
        self._left: set[GuildId] = set()
        """Servers that we were taken out of, until their matches are looked at."""
        self._tried: dict[GuildId, float] = {}
        self._all_tried: float | None = None
        self._timeouts: dict[GuildId, tuple[int, asyncio.TimerHandle]] = {}
        """When our timeouts in servers end, in epoch seconds, and what waits for that."""
        publisher.refused = self.refused
        self._beside = beside
        """Has shown what else is owed in a server, or in all, and says how much that is."""

    def _change(self, guild: int) -> None:
        """Note that something in a server may be allowed that was not."""
        self._changed.add(GuildId(guild))
        self._heard[GuildId(guild)] = loop_time()

    def refused(self, guild: GuildId, begun: float) -> None:
        """Note that Discord has refused what we began to show at a time: has its server changed since, the refusal is
        out of date."""
        self._await_timeout(guild)
        if self._heard.get(guild, -math.inf) >= begun:
            self._changed.add(guild)

    def _await_timeout(self, guild: GuildId) -> None:
        """Have the matches of a server tried again at the second in which our timeout there ends, if we are timed
        out."""
        until, now = self.publisher.channels.timed_out(guild), self.clock()
        known, timer = self._timeouts.get(guild, (0, None))
        if until <= now or until == known:
            return
        if timer:
            timer.cancel()
        ends = asyncio.get_running_loop().call_later(until - now, self._timeout_ended, guild)
        self._timeouts[guild] = until, ends

    def _timeout_ended(self, guild: GuildId) -> None:
        until, _ = self._timeouts.pop(guild)
        if self.clock() < until:  # clocks differ a little
            self._await_timeout(guild)
            return
        self.publisher.channels.end_timeout(guild)
        self.publisher.queue.beside(self._reopened(guild))

    async def _reopened(self, guild: GuildId) -> None:
        try:
            await self._reopen(guild)
        except Unavailable:
            self._change(guild)

    async def look(self) -> None:
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
            self.publisher.queue.beside(self._look_for_threads())
        if self._all_tried is None or now > self._all_tried + EVERY:
            self._changed.clear()
            await self._look_for_closed(None)
            await self._reopen(None)
            self._all_tried = now  # and no sooner: where the store cannot be used, the next look tries again
        for guild in self._changed - self._tried.keys():
            self._changed.discard(guild)
            try:
                if await self._reopen(guild):
                    self._tried[guild] = now
            except Unavailable:
                self._changed.add(guild)
                raise

    async def _look_for_threads(self) -> None:
        """Have the matches go on whose threads were deleted while the bot was away. Discord names the active threads by
        itself; for each of the others it is asked, one after another."""
        in_background.set(True)
        channels, after = self.publisher.channels, 0
        with suppress(Unavailable):  # then it is noticed at the next board
            while found := await self.store.ask(Reader.in_threads, AT_A_LOOK, after):
                for match, guild, thread in found:
                    after = match
                    if not channels.lists(guild, thread) and await channels.gone(guild, thread):
                        await self.publisher.lost(thread)
            await self._look_for_closed(None, thorough=True)

    async def _look_for_closed(self, guild: GuildId | None, thorough: bool = False) -> None:
        """Find live matches whose server the bot is not in any more, or whose places Discord does not name and says to
        be deleted or closed. A `thorough` look asks of each thread that is not active, another one only where the
        channel is not named either."""
        places, after = self.publisher.places, 0
        while found := await self.store.ask(Reader.live_places, AT_A_LOOK, after, guild):
            for match, of, channel, place in found:
                after = match
                doubtful = not places.named(of, place) and (thorough or not places.named(of, channel))
                if (doubtful or places.left(of)) and not self.publisher.channels.awaits(of):
                    await self._close_if_shut(match, of, place)

    async def _close_if_shut(self, match: MatchId, guild: GuildId, place: ChannelId) -> None:
        if reason := await self.publisher.places.shut(guild, place):
            await self.publisher.close(match, guild, reason)

    async def _reopen(self, guild: GuildId | None) -> int:
        """Unpark matches of one server or of all, let all else be shown that is owed there, and return how many."""
        after, opened = 0, self._beside(guild)
        while parked := await self.store.ask(Reader.parked, AT_A_LOOK, after, guild):
            after = parked[-1].match
            if hopeful := [one.match for one in parked if self._hopeful(one) and await self._opens(one)]:
                await self.store.unhurried.do(unparked, hopeful)
                opened += len(hopeful)
        return opened

    async def _opens(self, parked: Parked) -> bool:
        """Whether showing a match will tell if its place is open. Where there is nothing to be shown Discord is asked,
        and told people would otherwise be told again."""
        return parked.lags or await self.publisher.places.shut(parked.guild, parked.channel) is None

    def _hopeful(self, parked: Parked) -> bool:
        """Whether nothing that we know of still stands in the way."""
        game = self.games.get(parked.game)
        playable = game is not None and game.version == parked.game_version
        self._await_timeout(parked.guild)
        is_lost = self.publisher.places.is_lost(parked.guild, parked.channel, parked.reason)
        return playable and not is_lost and not self.publisher.channels.closed(parked.guild, parked.channel)

    @commands.Cog.listener()
    async def on_guild_channel_update(self, _before: _Channel, after: _Channel) -> None:
        """Somebody has changed who may do what in a channel, perhaps."""
        self._change(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: _Channel) -> None:
        """Its matches have no place any more, and those in its threads; where the store cannot be asked now, that is
        noticed within the hour."""
        self.publisher.places.deleted(channel)
        self.publisher.queue.beside(self._noticed(GuildId(channel.guild.id)))

    async def _noticed(self, guild: GuildId) -> None:
        in_background.set(True)
        with suppress(Unavailable):
            await self._look_for_closed(guild)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Nobody there can act any more: the next look lets clocks stand still."""
        self._left.add(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """A thread was locked or unlocked, perhaps."""
        if event.data["thread_metadata"].get("locked"):
            self._locked.setdefault(ChannelId(event.thread_id), (GuildId(event.guild_id), loop_time()))
        else:
            self._locked.pop(ChannelId(event.thread_id), None)
        self._change(event.guild_id)

    async def _look_at_locked(self, guild: GuildId, thread: ChannelId) -> None:
        """Have the people told whose matches are played in a thread that has been locked for a while."""
        for row in await self.store.ask(Reader.in_thread, thread):
            if row.state == "live" and row.publish_error is None and self.store.share.holds(row.guild):
                await self._close_if_shut(row.id, guild, thread)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """A match goes on in its channel; where the store cannot be asked now, that is noticed at its next board."""
        with suppress(Unavailable):
            await self.publisher.lost(ChannelId(event.thread_id))

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """We have been let into a thread, or its channel."""
        self._change(thread.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """A role may allow more than it did."""
        self._change(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """What a role was denied is denied no more."""
        self._change(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """We have been given a role, or a timeout of ours was ended, perhaps; of other members Discord does not tell
        us."""
        self._change(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """We have been invited, perhaps again."""
        self._change(guild.id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """An outage of Discord's is over."""
        self._change(guild.id)


def unparked(tx: Transaction, matches: list[MatchId]) -> None:
    """Have matches shown again."""
    for match in matches:
        tx.park(match, None)
        row = tx.row(match)
        if row and row.shown_version >= row.version:
            tx.drop_notices(match)
