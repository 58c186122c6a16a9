"""Archives the threads of matches that are over, and wakes those of live matches.

Discord only hides a thread after its `auto_archive_duration`; it stays active for a week or longer. A server has a
thousand active threads at most, and after that no match gets one. Which threads are active Discord tells by itself, and
which matches are over the store knows: so nothing has to be noted, and a start finds what is left. Where something of
a match is still to be shown, its thread waits for that. Where many threads are active the oldest of those go before
their hour is over. Busy channels archive threads early: a live match's thread is woken then, since in an archived one
nothing on a board works for who may not write there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress

import aiohttp
import discord
from discord.ext import commands

from bot.client.publisher.publisher import Publisher
from bot.client.publisher.retries import SEND_WITHIN
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Route, Then, follows
from bot.client.runtime.loop_time import loop_time
from bot.core.values.ids import ChannelId, GuildId
from bot.service.umpire.umpire import Umpire
from data.engine.database_errors import Unavailable
from data.store import Reader

OVER_FOR = 3600
"""Seconds for which people find their match in the sidebar when it is over."""
CROWDED = 950
"""From so many active threads in a server on, there is no time for that. Discord allows a thousand; some of private
channels we do not see."""
EVERY, AT_A_LOOK = 60, 30
"""Seconds between two looks, and how many threads are archived in one: as many as there may be, in half an hour."""
ASKED_AGAIN = 600
"""Seconds after which is asked again whether the matches of a thread are over."""
LET_BE = 86_400
"""Seconds for which a thread is let be that could not be archived, or that somebody has woken after its match."""
WOKEN_EVERY = 600.0
"""Seconds between two times that a thread is woken: somebody may archive it again and again."""
MATCHES_AT_A_LOOK = 200

log = logging.getLogger(__name__)


class ThreadArchive(commands.Cog):
    """Knows which active threads are ours, and when to look at them again."""

    def __init__(self, umpire: Umpire, publisher: Publisher) -> None:
        self.store, self.clock = umpire.store, umpire.clock
        self.publisher, self.channels = publisher, publisher.channels
        self._looked: int | None = None
        self._next: dict[ChannelId, int] = {}
        """When it is asked again whether the matches of an active thread are over, in epoch seconds."""
        self._barred: dict[ChannelId, int] = {}
        """Until when threads are let be."""
        self._woken: dict[ChannelId, float] = {}

    async def look(self) -> None:
        """Archive some of the threads that are due, the oldest first; at the start, wake those of live matches."""
        in_background.set(True)
        now = self.clock()
        if self._looked is None:
            self.publisher.queue.beside(self._wake_all())
        elif abs(now - self._looked) < EVERY:
            return
        self._looked = now
        active = {guild: self.channels.own_threads(guild) for guild in self.channels.guilds() if self._serves(guild)}
        known = {thread for threads in active.values() for thread in threads}
        self._next = {thread: at for thread, at in self._next.items() if thread in known}
        self._barred = {thread: until for thread, until in self._barred.items() if until > now}
        due = [found for guild, threads in active.items() for found in await self._due(guild, threads, now)]
        for _, guild, thread in sorted(due)[:AT_A_LOOK]:
            if not await self._archived(guild, thread):
                self._barred[thread] = now + LET_BE

    def _serves(self, guild: GuildId) -> bool:
        return self.store.share.holds(guild) and not self.channels.awaits(guild)

    async def _due(
        self, guild: GuildId, threads: Mapping[ChannelId, int], now: int
    ) -> list[tuple[int, GuildId, ChannelId]]:
        """The threads of a server that are to be archived now, each with when its last match ended."""
        excess = self.channels.active_threads(guild) - CROWDED + 1
        asked = [one for one in threads if one not in self._barred and (excess > 0 or self._next.get(one, 0) <= now)]
        over = await self.store.ask(Reader.threads_over, guild, asked) if asked else {}
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

    async def _archived(self, guild: GuildId, thread: ChannelId, archived: bool = True) -> bool:
        """Archive a thread, or wake it; False where that cannot be done."""
        try:
            async with asyncio.timeout(SEND_WITHIN):
                await self.channels.set_archived(guild, thread, archived)
        except discord.HTTPException as fault:
            log.debug("Thread %d stays as it is: %s", thread, fault)
            return follows(fault, Route.THREAD) is Then.LATER
        except (discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError):
            return True  # the next look tries again
        return True

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        """A thread was archived, perhaps."""
        state = event.data["thread_metadata"]
        if state["archived"] and not state.get("locked"):
            self.publisher.queue.beside(self._woken_up(GuildId(event.guild_id), ChannelId(event.thread_id)))

    async def _woken_up(self, guild: GuildId, thread: ChannelId) -> None:
        """Wake a thread in which a live match is played, if it is its own."""
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
            await self._archived(guild, thread, False)

    async def _wake_all(self) -> None:
        """Wake the threads of live matches that were archived while the bot was away, one after another."""
        in_background.set(True)
        after = 0
        with suppress(Unavailable):
            while found := await self.store.ask(Reader.in_threads, MATCHES_AT_A_LOOK, after):
                for match, guild, thread in found:
                    after = match
                    if self._serves(guild) and not self.channels.lists(guild, thread):
                        await self._wake(guild, thread)
