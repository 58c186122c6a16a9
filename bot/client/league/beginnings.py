"""Tells people of a league which of their matches have begun: one message a person, however many begin at once.

It stands in the thread of one of these matches, once all have theirs, and when its person is awake. The store knows of
which matches somebody was told; a message that was sent and not noted is found by what it says and whom it tells.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import discord

from bot.client.http.messages import Channels
from bot.client.league import league_text
from bot.client.people.members import Members
from bot.client.publisher.lobbies import LEAGUES_WAIT
from bot.client.publisher.orphans import NONCES, reads, tells
from bot.client.publisher.queue import ENDED_WITHIN
from bot.client.publisher.retries import UNEXPECTED, failure_reason
from bot.client.runtime.background import in_background
from bot.client.runtime.error_codes import obstacle, refused
from bot.client.runtime.job_queue import Backoff, JobQueue
from bot.core.league.stored_league import Loaded, Pairing
from bot.core.values.computer_users import is_person
from bot.core.values.ids import ChannelId, LeagueId, UserId
from bot.service.league.leagues import Leagues
from bot.service.time import nights
from data.store import Reader, Transaction

LONGEST = 30.0
"""Seconds after which a league whose people are told is left for the next look."""
AGAIN = Backoff(5, 300)
"""When a league is tried again whose people Discord did not let us tell."""
PLACED_WITHIN = LEAGUES_WAIT + 60
"""Seconds for which a message waits for a match that has no place yet."""

log = logging.getLogger(__name__)
steps = logging.getLogger("graphpaper.steps")


class Beginnings:
    """Tells people which of their matches have begun, the people of each league by a job of its own."""

    def __init__(self, leagues: Leagues, channels: Channels, members: Members) -> None:
        self._leagues = leagues
        self._store = leagues.store
        self._channels = channels
        self._members = members
        self._jobs = JobQueue(self._told, AGAIN, failed)

    async def look(self) -> None:
        """Tell all who are to be told by now."""
        due = [one for one in await self._store.ask(Reader.leagues_untold) if not self._jobs.resting(one)]
        if jobs := [self._jobs.start(league) for league in due]:
            await asyncio.wait(jobs, timeout=LONGEST)

    async def close(self) -> None:
        """Stop; who is not told by now is told after the next start."""
        if jobs := self._jobs.cancel():
            await asyncio.wait(jobs, timeout=ENDED_WITHIN)

    async def _told(self, league: LeagueId) -> None:
        in_background.set(True)
        loaded = await self._store.ask(Reader.league, league)
        if loaded is None or self._channels.awaits(loaded.league.guild):
            return
        if loaded.league.state == "live" and loaded.league.ready:
            return  # more may begin
        async with asyncio.timeout(LONGEST):
            for user in dict.fromkeys(user for one in loaded.pairings for user in one.untold):
                await self._tell(loaded, user)

    async def _tell(self, loaded: Loaded, user: UserId) -> None:
        """Tell somebody of those of their matches that are being played, and note that; not while they sleep, or while
        one of them may still get its place."""
        guild, now = loaded.league.guild, self._leagues.clock()
        owed = [one for one in loaded.pairings if user in one.untold]
        going = [one for one in owed if one.state == "live"]
        if is_person(user) and not await self._members.gone(guild, [user]):
            if any(one.place is None and now - (one.begun or 0) < PLACED_WITHIN for one in going):
                return
            if await self._store.ask(nights.wakes, guild, user, now) > now:
                return
            if placed := [one for one in going if one.place]:
                await self._say(loaded, user, placed)
        await self._store.do(Transaction.told_of_pairings, loaded.league.id, user, [one.number for one in owed])

    async def _say(self, loaded: Loaded, user: UserId, begun: Sequence[Pairing]) -> None:
        """Say it where the first of the matches is played, or where it can be said. In a place that takes no message
        the match has none either, and is told of as all such matches are."""
        league, text = loaded.league, league_text.begun(loaded, self._leagues.games, user, begun)
        first = sorted(begun, key=lambda one: (one.home != user, one.number))
        nonce = f"k{league.id % NONCES}.{user % 10**5}.{begun[-1].number}"
        for place in dict.fromkeys([*(ChannelId(one.place) for one in first if one.place), league.channel]):
            try:
                if any(reads(one, text) and tells(one, [user]) for one in await self._channels.ours(place)):
                    return
                await self._channels.say(league.guild, place, text, [user], nonce)
            except discord.HTTPException as fault:
                if not refused(fault):
                    raise
                log.info("Somebody in league %d is told elsewhere: %s %s", league.id, fault, obstacle(fault))
            else:
                steps.debug("begun %d", begun[0].match or 0)
                return


def failed(league: LeagueId, fault: Exception, seconds: float) -> None:
    """Log why people could not be told of their matches."""
    why = failure_reason(fault)
    text = "The people of league %d could not be told of their matches, and will be in %g s: %s."
    level = logging.INFO if why else logging.WARNING
    log.log(level, text, league, seconds, why or UNEXPECTED, exc_info=None if why else fault)
