"""Advances leagues, and keeps their messages in line with the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.features.board.closed_places import ClosedChannels
from bot.features.board.lobbies import LEAGUES_WAIT
from bot.features.board.match_pictures import Renderer, paint_pictures
from bot.features.board.posts import NONCES, matches_text, mentions_exactly
from bot.features.board.publisher import Publisher
from bot.features.leagues import views, words
from bot.features.leagues.service import LeagueService
from bot.platform import edits
from bot.platform.edits import POST
from bot.platform.error_codes import Code, describe_obstacle, is_code, is_refusal
from bot.platform.jobs import Backoff, JobQueue, Rank
from bot.platform.machine import in_background, loop_time
from bot.platform.members import AT_ONCE, MemberCache, fetch_departed
from bot.platform.messages import Channels
from bot.platform.outbox import ENDED_WITHIN, UNEXPECTED, describe_failure
from bot.platform.ui import Drawing
from bot.play.ids import ChannelId, GuildId, LeagueId, MessageId, UserId, is_person
from bot.play.league_tables import League, LoadedLeague, Pairing
from bot.umpire import notifications
from data.engine.errors import Unavailable
from data.store import Reader, Transaction

# Tells the members of a league which of their matches have begun: one message a user, however many begin at once.


LONGEST = 30.0
"""Seconds after which a league whose members are being told is left for the next poll."""
AGAIN = Backoff(5, 300)
"""When a league is retried whose members could not be told."""
PLACED_WITHIN = LEAGUES_WAIT + 60
"""Seconds for which a message waits for a match that has no place yet."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class MatchStartNotifier:
    """Tells members which of their matches have begun, those of each league in a job of its own."""

    def __init__(self, leagues: LeagueService, channels: Channels, members: MemberCache) -> None:
        self._leagues = leagues
        self._store = leagues.store
        self._channels = channels
        self._members = members
        self._jobs = JobQueue(self._tell_league, AGAIN, log_telling_failure)

    async def poll(self) -> None:
        """Start a job for each league with members to be told."""
        due = [one for one in await self._store.ask(Reader.leagues_untold) if not self._jobs.is_resting(one)]
        if jobs := [self._jobs.start(league) for league in due]:
            await asyncio.wait(jobs, timeout=LONGEST)

    async def close(self) -> None:
        """Stop; members who are not told by now are told after the next start."""
        if jobs := self._jobs.cancel():
            await asyncio.wait(jobs, timeout=ENDED_WITHIN)

    async def _tell_league(self, league: LeagueId) -> None:
        in_background.set(True)
        loaded = await self._store.ask(Reader.load_league, league)
        if loaded is None or self._channels.is_guild_pending(loaded.league.guild):
            return
        if loaded.league.state == "live" and loaded.league.ready:
            return  # more may begin
        async with asyncio.timeout(LONGEST):
            for user in dict.fromkeys(user for one in loaded.pairings for user in one.users_to_notify):
                await self._tell_user(loaded, user)

    async def _tell_user(self, loaded: LoadedLeague, user: UserId) -> None:
        """Tell a member which of their matches are being played, and note that; not in their quiet hours, or while one
        of the matches may still get its place."""
        guild, now = loaded.league.guild, self._leagues.clock()
        owed = [one for one in loaded.pairings if user in one.users_to_notify]
        going = [one for one in owed if one.state == "live"]
        if is_person(user) and not await self._members.find_departed(guild, [user]):
            if any(one.place is None and now - (one.begun or 0) < PLACED_WITHIN for one in going):
                return
            if await self._store.ask(notifications.find_wake_time, guild, user, now) > now:
                return
            if placed := [one for one in going if one.place]:
                await self._post(loaded, user, placed)
        await self._store.do(Transaction.mark_told_of_pairings, loaded.league.id, user, [one.number for one in owed])

    async def _post(self, loaded: LoadedLeague, user: UserId, begun: Sequence[Pairing]) -> None:
        """Post the message in the channel of the first match, or in another. In a channel that refuses messages the
        match has none either, and its players are notified as of all such matches."""
        league, text = loaded.league, words.describe_begun_matches(loaded, self._leagues.games, user, begun)
        first = sorted(begun, key=lambda one: (one.home != user, one.number))
        nonce = f"k{league.id % NONCES}.{user % 10**5}.{begun[-1].number}"
        for place in dict.fromkeys([*(ChannelId(one.place) for one in first if one.place), league.channel]):
            try:
                if any(
                    matches_text(one, text) and mentions_exactly(one, [user])
                    for one in await self._channels.own_messages(place)
                ):
                    return
                await self._channels.say(league.guild, place, text, [user], nonce)
            except discord.HTTPException as fault:
                if not is_refusal(fault):
                    raise
                log.info("Somebody in league %d is told elsewhere: %s %s", league.id, fault, describe_obstacle(fault))
            else:
                steps.debug("begun %d", begun[0].match or 0)
                return


def log_telling_failure(league: LeagueId, fault: Exception, seconds: float) -> None:
    why = describe_failure(fault)
    text = "The people of league %d could not be told of their matches, and will be in %g s: %s."
    level = logging.INFO if why else logging.WARNING
    log.log(level, text, league, seconds, why or UNEXPECTED, exc_info=None if why else fault)


# Advances leagues and keeps their messages in line with the store: one that is edited, and one at the end.


PLACES = 4
"""How many leagues are shown concurrently."""
GIVEN_UP_AFTER = 30 * 86_400
"""Seconds after its end for which a league's messages are owed."""
REFUSED_FOR = 3600.0
"""Seconds after which a league is retried that Discord has refused, if nothing in its server changes before."""


class LeagueKeeper:
    """Does what is due in leagues, and shows them."""

    def __init__(
        self, leagues: LeagueService, channels: Channels, members: MemberCache, renderer: Renderer,
        publisher: Publisher, closed: ClosedChannels,
    ) -> None:  # fmt: skip
        self.leagues = leagues
        self._channels = channels
        self._members = members
        self._renderer = renderer
        self._publisher = publisher
        self._closed = closed
        self._jobs = JobQueue(self._update_league, AGAIN, log_showing_failure)
        self._beginnings = MatchStartNotifier(leagues, channels, members)
        self._places = asyncio.Semaphore(PLACES)
        self._refused: dict[LeagueId, tuple[GuildId, float]] = {}
        """The leagues that Discord refuses to show, each with its server and until when, by the loop's time, it is not
        retried."""

    def request_update(self, league: LeagueId) -> None:
        """Update a league at once, without waiting for it; concurrent requests share one update."""
        if not self._publisher.queue.stopping:
            self._refused.pop(league, None)
            self._jobs.ask(league)

    def retry_refused(self, guild: GuildId | None) -> int:
        """Let the refused leagues of a server, or of all, be shown again; returns their number."""
        found = [league for league, (of, _) in self._refused.items() if guild in (None, of)]
        for league in found:
            del self._refused[league]
        return len(found)

    async def poll(self) -> None:
        """Do all that is due and show all that has changed, each league in a job of its own."""
        due = [league for league, _ in await self.leagues.find_due_leagues()]
        lagging = [one for one in await self.leagues.store.ask(Reader.leagues_lagging) if not self._is_resting(one)]
        jobs = [self._jobs.start(league) for league in dict.fromkeys((*due, *lagging))]
        if jobs:
            await asyncio.wait(jobs, timeout=LONGEST)
        await self._beginnings.poll()

    def _is_resting(self, league: LeagueId) -> bool:
        _, until = self._refused.get(league, (None, 0.0))
        return until > loop_time() or self._jobs.is_resting(league)

    async def close(self) -> None:
        """Stop; what is not shown by now is shown after the next start."""
        await self._beginnings.close()
        if jobs := self._jobs.cancel():
            await asyncio.wait(jobs, timeout=ENDED_WITHIN)

    async def _update_league(self, league: LeagueId) -> None:
        """Do what is due in a league, then show it."""
        in_background.set(True)
        await self.refresh_members(league)
        guild = dict(await self.leagues.find_due_leagues()).get(league)
        if guild is not None:
            await self._advance(league, guild)
        if self._is_resting(league):
            return
        async with self._places, asyncio.timeout(LONGEST):
            await self._show(league)

    async def refresh_members(self, league: LeagueId, within: float = POST) -> None:
        """Note which members of a league have left the server, and who is back, as Discord says."""
        loaded = await self.leagues.store.ask(Reader.load_league, league)
        if loaded is None or loaded.league.ended is not None or self._channels.is_guild_pending(loaded.league.guild):
            return
        guild = loaded.league.guild
        members = [one for one in loaded.members if one.left_at in (None, one.gone)]
        unheard = self._members.find_stale(guild, (one.user for one in members), freshly=True)
        await self._members.learn(guild, unheard[:AT_ONCE], within, freshly=True)
        for one in members:
            if self._members.is_here(guild, one.user) is (one.gone is not None):
                await self._publisher.note_membership(guild, one.user)

    async def _advance(self, league: LeagueId, guild: GuildId) -> None:
        """Advance a league, and have its new matches shown; one that cannot be advanced is shown all the same."""
        try:
            while matches := await self.leagues.advance(league, guild):
                for match in matches:
                    self._publisher.request_publish(match)
        except Unavailable:
            raise
        except Exception:
            log.warning("League %d cannot go on.", league, exc_info=True)

    async def _show(self, league: LeagueId) -> None:
        """Show what is owed of a league, and note what Discord has accepted of it."""
        loaded = await self.leagues.store.ask(Reader.load_league, league)
        if (
            loaded is None
            or self._channels.is_guild_pending(loaded.league.guild)
            or self._is_timed_out(loaded.league.guild)
        ):
            return
        row, begun = loaded.league, loop_time()
        shown, message, farewell = row.shown_version, row.message, row.farewell
        if self._channels.is_channel_closed(row.guild, row.channel):
            await self._put_off(loaded, begun)
            return
        final: discord.HTTPException | None = None
        try:
            message = await self._show_table(loaded)
            if row.state == "finished" and farewell is None:
                farewell = await self._post_farewell(loaded)
                # From now on that message names the winners, and the table links to it.
                message = await self._show_table(
                    replace(loaded, league=replace(row, message=message, farewell=farewell))
                )
            elif row.state == "finished" and farewell and shown < row.version:
                # What changes after the end is that a member was forgotten, whom it may name.
                view = views.build_farewell_view(loaded, self.leagues.games, self.leagues.build_tables(loaded))
                await self._channels.edit(row.guild, row.channel, farewell, view, [])
            shown = row.version
        except discord.HTTPException as fault:
            if is_code(fault, Code.NO_PERMISSION):
                await self._channels.fetch_timed_out_until(row.guild)
            if self._is_timed_out(row.guild):
                log.debug("League %d is shown when a timeout is over.", league)
            elif is_refusal(fault):
                log.info("League %d is not shown: %s %s", league, fault, describe_obstacle(fault))
                final = fault
            else:
                raise
        await self.leagues.store.do(Transaction.mark_league_shown, league, shown, message, farewell)
        if message != row.message:
            await self.leagues.store.do(Transaction.relink_rounds, league)
        if final:
            await self._put_off(loaded, begun, final)
        elif shown == row.version:
            await self._closed.note_posted(row.guild, row.channel)

    async def _put_off(self, loaded: LoadedLeague, begun: float, fault: discord.HTTPException | None = None) -> None:
        """Schedule the retry of a league that Discord has refused. Where its channel is closed or deleted, it moves to
        the server's channel for leagues; one that could not be shown for a month after its end is given up."""
        row = loaded.league
        lost = (
            fault is None
            or is_code(fault, Code.UNKNOWN_CHANNEL)
            or self._channels.is_channel_closed(row.guild, row.channel)
        )
        if lost and await self._move_channel(row):
            self._jobs.ask(row.id)
            return
        if row.ended is not None and row.ended + GIVEN_UP_AFTER < self.leagues.clock():
            log.info("League %d is given up: it could not be shown for a month.", row.id)
            await self.leagues.store.do(Transaction.mark_league_shown, row.id, row.version, row.message, MessageId(0))
            return
        self._refused[row.id] = row.guild, loop_time() + REFUSED_FOR
        self._closed.note_refusal(row.guild, row.channel, begun, fault)

    async def _move_channel(self, row: League) -> bool:
        """Whether a league moves to another channel, which the server has chosen since."""
        chosen = (await self.leagues.store.ask(Reader.load_settings, row.guild)).league
        if chosen is None or chosen == row.channel or self._channels.is_channel_closed(row.guild, chosen):
            return False
        await self.leagues.store.do(Transaction.move_league, row.id, row.channel, chosen)
        return True

    def _is_timed_out(self, guild: GuildId) -> bool:
        return self._channels.is_timed_out(guild, self.leagues.clock())

    async def _show_table(self, loaded: LoadedLeague) -> MessageId:
        row, (view, files) = loaded.league, await self.draw_league(loaded)
        if row.message and await self._channels.edit(row.guild, row.channel, row.message, view, files):
            return row.message
        return await self._post_once(loaded, "t", row.message or 0, view, files, "join")

    async def _post_farewell(self, loaded: LoadedLeague) -> MessageId:
        view = views.build_farewell_view(loaded, self.leagues.games, self.leagues.build_tables(loaded))
        return await self._post_once(loaded, "e", 0, view, [], "next")

    async def _post_once(
        self,
        loaded: LoadedLeague,
        kind: str,
        before: int,
        view: discord.ui.LayoutView,
        files: edits.Files,
        button: views.LeagueVerb,
    ) -> MessageId:
        """Post a message, or find the one that was posted and not noted."""
        row = loaded.league
        ours = await self._channels.own_messages(row.channel)
        if found := [one for one in ours if one.id != before and views.is_about(one, button, row.id)]:
            await self._channels.edit(row.guild, row.channel, MessageId(found[0].id), view, files)
            return MessageId(found[0].id)
        nonce = f"{kind}{row.id % NONCES}.{before % NONCES}"
        return MessageId((await self._channels.post(row.guild, row.channel, view, files, (), nonce)).id)

    async def draw_league(
        self, loaded: LoadedLeague, within: float = POST
    ) -> tuple[discord.ui.LayoutView, edits.Files]:
        """The message of a league. Before it starts, Discord is asked for `within` seconds who has left the server."""
        games = self.leagues.games
        if not loaded.pairings:
            listed = (one.user for one in loaded.members)
            gone = await fetch_departed(self._members, loaded.league.guild, listed, within)
            return views.build_sign_up_view(loaded, games, gone), []
        tables = self.leagues.build_tables(loaded)

        def paint() -> Drawing:
            return paint_pictures([words.draw_crosstable(loaded, one) for one in tables])

        drawing = await self._renderer.run(paint, Rank.IDLE)
        return views.build_standings_view(loaded, games, tables, drawing), drawing.make_files("")


def log_showing_failure(league: LeagueId, fault: Exception, seconds: float) -> None:
    why = describe_failure(fault)
    text = "League %d could not be shown and will be tried again in %g s: %s."
    level = logging.INFO if why else logging.WARNING
    log.log(level, text, league, seconds, why or UNEXPECTED, exc_info=None if why else fault)
