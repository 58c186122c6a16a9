"""Carries leagues on and keeps their messages in line with the store: one that is edited, and one at the end.

It looks every few seconds, and after each act on a league. What Discord has accepted is noted afterwards; a message
that was posted and not noted is found by its buttons. What it refuses is owed: it is tried again when something in the
server changes, and every hour. Each league is shown by one job of its own, so that none holds up another. Nobody is
ever told by such a message; `beginnings.py` tells people of their matches.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import discord

from bot.client.http.messages import Channels
from bot.client.league import league_text, league_views
from bot.client.league.beginnings import Beginnings
from bot.client.people.members import AT_ONCE, Members
from bot.client.people.remaining import absent, closed
from bot.client.publisher.orphans import NONCES
from bot.client.publisher.publisher import Publisher
from bot.client.publisher.queue import ENDED_WITHIN
from bot.client.publisher.retries import UNEXPECTED, failure_reason
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import Code, is_code, obstacle, refused
from bot.client.runtime.job_queue import Backoff, JobQueue
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.thread_pool import Rank
from bot.client.solving.closed_channels import ClosedChannels
from bot.client.views import edits
from bot.client.views.naming import POST
from bot.client.views.renderer import Renderer, painted
from bot.client.views.views import Drawing
from bot.core.league.league_standings import Table
from bot.core.league.stored_league import League, Loaded
from bot.core.values.ids import GuildId, LeagueId, MessageId, UserId
from bot.service.league.leagues import Leagues
from data.engine.database_errors import Unavailable
from data.store import Reader, Transaction

LONGEST = 30.0
"""Seconds after which a league that is shown is left for the next look."""
PLACES = 4
"""How many leagues are shown side by side."""
AGAIN = Backoff(5, 300)
"""When a league is tried again that Discord did not take in time."""
GIVEN_UP_AFTER = 30 * 86_400
"""Seconds after its end for which a league's messages are owed."""
REFUSED_FOR = 3600.0
"""Seconds after which a league is tried again that Discord has refused, if nothing in its server changes before."""

log = logging.getLogger(__name__)


class LeagueKeeper:
    """Does what is due in leagues, and shows them."""

    def __init__(
        self, leagues: Leagues, channels: Channels, members: Members, renderer: Renderer, publisher: Publisher,
        closed: ClosedChannels,
    ) -> None:  # fmt: skip
        self.leagues = leagues
        self._channels = channels
        self._members = members
        self._renderer = renderer
        self._publisher = publisher
        self._closed = closed
        self._jobs = JobQueue(self._kept, AGAIN, failed)
        self._beginnings = Beginnings(leagues, channels, members)
        self._places = asyncio.Semaphore(PLACES)
        self._refused: dict[LeagueId, tuple[GuildId, float]] = {}
        """The leagues that Discord lets nobody show now, each with its server and until when, by the loop's time, it is
        left alone."""

    def soon(self, league: LeagueId) -> None:
        """Look after a league at once, without waiting for it; however many ask, it is shown once for all of them."""
        if not self._publisher.queue.stopping:
            self._refused.pop(league, None)
            self._jobs.ask(league)

    def reopened(self, guild: GuildId | None) -> int:
        """Let the leagues of a server, or of all, be shown again that were refused; how many these are."""
        found = [league for league, (of, _) in self._refused.items() if guild in (None, of)]
        for league in found:
            del self._refused[league]
        return len(found)

    async def look(self) -> None:
        """Do all that is due and show all that has changed, each league by itself."""
        due = [league for league, _ in await self.leagues.due()]
        lagging = [one for one in await self.leagues.store.ask(Reader.leagues_lagging) if not self._rests(one)]
        jobs = [self._jobs.start(league) for league in dict.fromkeys((*due, *lagging))]
        if jobs:
            await asyncio.wait(jobs, timeout=LONGEST)
        await self._beginnings.look()

    def _rests(self, league: LeagueId) -> bool:
        _, until = self._refused.get(league, (None, 0.0))
        return until > loop_time() or self._jobs.resting(league)

    async def close(self) -> None:
        """Stop; what is not shown by now is shown after the next start."""
        await self._beginnings.close()
        if jobs := self._jobs.cancel():
            await asyncio.wait(jobs, timeout=ENDED_WITHIN)

    async def _kept(self, league: LeagueId) -> None:
        """Do what is due in a league, then show it."""
        in_background.set(True)
        await self.ask_after(league)
        guild = dict(await self.leagues.due()).get(league)
        if guild is not None:
            await self._carried_on(league, guild)
        if self._rests(league):
            return
        async with self._places, asyncio.timeout(LONGEST):
            await self._show(league)

    def left(self, guild: GuildId, user: UserId) -> None:
        """Have the boards of somebody who has left a league say what no longer counts."""
        self._publisher.queue.beside(self._publisher.redraw(guild, user))

    async def ask_after(self, league: LeagueId, within: float = POST) -> None:
        """Note who of a league has left the server, and who is back, as Discord says it."""
        loaded = await self.leagues.store.ask(Reader.league, league)
        if loaded is None or loaded.league.ended is not None or self._channels.awaits(loaded.league.guild):
            return
        guild = loaded.league.guild
        members = [one for one in loaded.members if one.left_at in (None, one.gone)]
        unheard = self._members.unheard(guild, (one.user for one in members), freshly=True)
        await self._members.learn(guild, unheard[:AT_ONCE], within, freshly=True)
        for one in members:
            if self._members.is_here(guild, one.user) is (one.gone is not None):
                await self._publisher.noticed(guild, one.user)

    async def _carried_on(self, league: LeagueId, guild: GuildId) -> None:
        """Have a league go on, and its new matches shown; one that cannot go on is shown all the same."""
        try:
            while matches := await self.leagues.advance(league, guild):
                for match in matches:
                    self._publisher.soon(match)
        except Unavailable:
            raise
        except Exception:
            log.warning("League %d cannot go on.", league, exc_info=True)

    async def _show(self, league: LeagueId) -> None:
        """Show what is owed of a league, and note what Discord has accepted of it."""
        loaded = await self.leagues.store.ask(Reader.league, league)
        if loaded is None or self._channels.awaits(loaded.league.guild) or self._is_timed_out(loaded.league.guild):
            return
        row, begun = loaded.league, loop_time()
        shown, message, farewell = row.shown_version, row.message, row.farewell
        if self._channels.closed(row.guild, row.channel):
            await self._owe(loaded, begun)
            return
        final: discord.HTTPException | None = None
        try:
            message = await self._table(loaded)
            if row.state == "finished" and farewell is None:
                farewell = await self._farewell(loaded)
                # From now on that message says who won, and the table leads to it.
                message = await self._table(replace(loaded, league=replace(row, message=message, farewell=farewell)))
            elif row.state == "finished" and farewell and shown < row.version:
                # What changes after the end is that somebody was forgotten, whom it may name.
                view = league_views.farewell(loaded, self.leagues.games, self.leagues.tables(loaded))
                await self._channels.edit(row.guild, row.channel, farewell, view, [])
            shown = row.version
        except discord.HTTPException as fault:
            if is_code(fault, Code.NO_PERMISSION):
                await self._channels.ask_timed_out(row.guild)
            if self._is_timed_out(row.guild):
                log.debug("League %d is shown when a timeout is over.", league)
            elif refused(fault):
                log.info("League %d is not shown: %s %s", league, fault, obstacle(fault))
                final = fault
            else:
                raise
        await self.leagues.store.do(Transaction.league_shown, league, shown, message, farewell)
        if message != row.message:
            await self.leagues.store.do(Transaction.relink_rounds, league)
        if final:
            await self._owe(loaded, begun, final)
        elif shown == row.version:
            await self._closed.opened(row.guild, row.channel)

    async def _owe(self, loaded: Loaded, begun: float, fault: discord.HTTPException | None = None) -> None:
        """Leave a league for later that Discord has refused. Where its channel is closed or gone, it goes to the one
        that the server has chosen for leagues; one that nobody could see for a month after its end is given up."""
        row = loaded.league
        lost = fault is None or is_code(fault, Code.UNKNOWN_CHANNEL) or self._channels.closed(row.guild, row.channel)
        if lost and await self._moved(row):
            self._jobs.ask(row.id)
            return
        if row.ended is not None and row.ended + GIVEN_UP_AFTER < self.leagues.clock():
            log.info("League %d is given up: it could not be shown for a month.", row.id)
            await self.leagues.store.do(Transaction.league_shown, row.id, row.version, row.message, MessageId(0))
            return
        self._refused[row.id] = row.guild, loop_time() + REFUSED_FOR
        self._closed.refused(row.guild, row.channel, begun, fault)

    async def _moved(self, row: League) -> bool:
        """Whether a league is shown from now on in another channel, which the server has chosen since."""
        chosen = (await self.leagues.store.ask(Reader.settings, row.guild)).league
        if chosen is None or chosen == row.channel or self._channels.closed(row.guild, chosen):
            return False
        await self.leagues.store.do(Transaction.move_league, row.id, row.channel, chosen)
        return True

    def _is_timed_out(self, guild: GuildId) -> bool:
        return self._channels.is_timed_out(guild, self.leagues.clock())

    async def _table(self, loaded: Loaded) -> MessageId:
        row, (view, files) = loaded.league, await self.drawn(loaded)
        if row.message and await self._channels.edit(row.guild, row.channel, row.message, view, files):
            return row.message
        return await self._posted(loaded, "t", row.message or 0, view, files, "join")

    async def _farewell(self, loaded: Loaded) -> MessageId:
        view = league_views.farewell(loaded, self.leagues.games, self.leagues.tables(loaded))
        return await self._posted(loaded, "e", 0, view, [], "next")

    async def _posted(
        self,
        loaded: Loaded,
        kind: str,
        before: int,
        view: discord.ui.LayoutView,
        files: edits.Files,
        button: league_views.LeagueVerb,
    ) -> MessageId:
        """A message that is posted now, or was and is not noted."""
        row = loaded.league
        ours = await self._channels.ours(row.channel)
        if found := [one for one in ours if one.id != before and league_views.is_about(one, button, row.id)]:
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


def failed(league: LeagueId, fault: Exception, seconds: float) -> None:
    """Log why a league could not be shown."""
    why = failure_reason(fault)
    text = "League %d could not be shown and will be tried again in %g s: %s."
    level = logging.INFO if why else logging.WARNING
    log.log(level, text, league, seconds, why or UNEXPECTED, exc_info=None if why else fault)
