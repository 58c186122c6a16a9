"""Carries leagues on and keeps their messages in line with the store: one that is edited, and one at the end.

It looks every few seconds, and after each act on a league. What Discord has accepted is noted afterwards; a message
that was posted and not noted is found by its buttons. Nobody is ever told by one: only matches tell their people.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import aiohttp
import discord

from bot.client.http.messages import Channels
from bot.client.league import league_text, league_views
from bot.client.people.members import Members
from bot.client.people.remaining import absent, closed
from bot.client.publisher.orphans import NONCES
from bot.client.publisher.publisher import Publisher
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Code, is_code, obstacle, refused
from bot.client.runtime.job_queue import retry_after
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.thread_pool import Rank
from bot.client.views import edits
from bot.client.views.naming import POST
from bot.client.views.renderer import Renderer, painted
from bot.client.views.views import Drawing
from bot.core.league.league_standings import Table
from bot.core.league.stored_league import Loaded
from bot.core.values.ids import GuildId, LeagueId, MessageId, UserId
from bot.service.league.leagues import Leagues
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

LONGEST = 30.0
"""Seconds after which a league that is shown is left for the next look."""

log = logging.getLogger(__name__)


class LeagueKeeper:
    """Does what is due in leagues, and shows them."""

    def __init__(
        self, leagues: Leagues, channels: Channels, members: Members, renderer: Renderer, publisher: Publisher
    ) -> None:
        self.leagues = leagues
        self._channels = channels
        self._members = members
        self._renderer = renderer
        self._publisher = publisher
        self._turn = asyncio.Lock()
        self._rests: dict[LeagueId, float] = {}
        """Until when, by the loop's time, leagues are left alone as Discord has asked."""

    def soon(self) -> None:
        """Look at once, without waiting for it."""
        self._publisher.queue.beside(self._looked())

    async def look(self) -> None:
        """Do all that is due, then show all that has changed."""
        in_background.set(True)
        async with self._turn:
            for league, guild in await self.leagues.due():
                await self._carried_on(league, guild)
            for league in await self.leagues.store.ask(Reader.leagues_lagging):
                await self._tried(league)

    async def _carried_on(self, league: LeagueId, guild: GuildId) -> None:
        """Do what is due in a league, and have its new matches shown; one that cannot go on holds up no other."""
        try:
            while matches := await self.leagues.advance(league, guild):
                for match in matches:
                    self._publisher.soon(match)
        except Unavailable:
            raise
        except Exception:
            log.warning("League %d cannot go on.", league, exc_info=True)

    async def _looked(self) -> None:
        try:
            await self.look()
        except Unavailable:
            log.debug("The leagues are looked at again later.", exc_info=True)
        except Exception:
            log.warning("The leagues could not be looked at.", exc_info=True)

    async def _tried(self, league: LeagueId) -> None:
        if self._rests.get(league, 0.0) > loop_time():
            return
        try:
            async with asyncio.timeout(LONGEST):
                await self._show(league)
        except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as fault:
            self._rests[league] = loop_time() + retry_after(fault)
            log.info("League %d is shown later: %s", league, str(fault) or type(fault).__name__)
        else:
            self._rests.pop(league, None)

    async def _show(self, league: LeagueId) -> None:
        loaded = await self.leagues.store.ask(Reader.league, league)
        if loaded is None or self._channels.awaits(loaded.league.guild) or self._is_timed_out(loaded.league.guild):
            return
        row = loaded.league
        message, farewell = row.message, row.farewell
        try:
            message = await self._table(loaded)
            if row.state == "finished" and farewell is None:
                farewell = await self._farewell(loaded)
        except discord.HTTPException as fault:
            if is_code(fault, Code.NO_PERMISSION):
                await self._channels.ask_timed_out(row.guild)
                if self._is_timed_out(row.guild):
                    return  # it is shown when that is over
            if not refused(fault):
                raise
            log.info("League %d is not shown: %s %s", league, fault, obstacle(fault))  # the next change tries again
        await self.leagues.store.do(Transaction.league_shown, league, row.version, message, farewell)

    def _is_timed_out(self, guild: GuildId) -> bool:
        return self._channels.timed_out(guild) > self.leagues.clock()

    async def _table(self, loaded: Loaded) -> MessageId:
        row, (view, files) = loaded.league, await self.drawn(loaded)
        if row.message and await self._channels.edit(row.guild, row.channel, row.message, view, files):
            return row.message
        return await self._posted(loaded, "t", row.message or 0, view, files, league_views.JOIN)

    async def _farewell(self, loaded: Loaded) -> MessageId:
        view = league_views.farewell(loaded, self.leagues.games, self.leagues.tables(loaded))
        return await self._posted(loaded, "e", 0, view, [], league_views.NEXT)

    async def _posted(
        self, loaded: Loaded, kind: str, before: int, view: discord.ui.LayoutView, files: edits.Files, page: str
    ) -> MessageId:
        """A message that is posted now, or was and is not noted."""
        row = loaded.league
        ours = await self._channels.ours(row.channel)
        if found := [one for one in ours if one.id != before and league_views.is_about(one, page, row.id)]:
            await self._channels.edit(row.guild, row.channel, MessageId(found[0].id), view, files)
            return MessageId(found[0].id)
        nonce = f"{kind}{row.id % NONCES}.{before % NONCES}"
        return MessageId((await self._channels.post(row.guild, row.channel, view, files, (), nonce)).id)

    async def drawn(self, loaded: Loaded, within: float = POST) -> tuple[discord.ui.LayoutView, edits.Files]:
        """A league as its message shows it; for so many seconds Discord is asked who has left the server."""
        games = self.leagues.games
        gone = await absent(self._members, loaded.league.guild, (one.user for one in loaded.members), within)
        if not loaded.pairings:
            return league_views.sign_up(loaded, games, gone), []
        tables = self.leagues.tables(loaded)
        shown, winners = listed(tables, gone), {user for one in tables for user in one.winners}
        paint: Callable[[], Drawing] = lambda: painted([league_text.picture(loaded, one, winners) for one in shown])  # noqa: E731
        drawing = await self._renderer.run(paint, Rank.IDLE)
        return league_views.standing(loaded, games, tables, shown, drawing), drawing.files("")


def listed(tables: Iterable[Table], gone: Collection[UserId]) -> tuple[Table, ...]:
    """The tables of a league without those who have left the server, whose results still count for the others."""
    struck = {one: tuple(user for user in one.struck if user not in gone) for one in tables}
    kept = (replace(one, lines=closed(one.lines, gone), struck=rest) for one, rest in struck.items())
    return tuple(one for one in kept if one.lines or one.struck)
