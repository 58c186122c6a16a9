"""What happened in a server in the week before a Monday, by the clocks of its own zone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from bot.core.league import week
from bot.core.league.week import Week
from bot.core.rating.stored_standings import RANKED_FROM, Standing
from bot.core.values.ids import GuildId
from bot.service.time.calendars import Calendar
from data.store import Reader

WEEK = 7


def looked_back(
    reader: Reader, guild: GuildId, monday: int, seen: Collection[int], points: Callable[[Standing], int]
) -> Week:
    """The week before a Monday, a day's number, from what happened in channels that are `seen`, and as if there were no
    others: streaks and ratings too are those of matches there. `points` are the rating of a standing as it is shown.
    Puzzles are solved in no channel."""
    calendar = Calendar(reader.settings(guild).zone)
    since, until = (calendar.moment(date.fromordinal(day), 0) for day in (monday - WEEK, monday))
    finished = [(one, whole) for one, whole in reader.finished_between(guild, since, until) if one.channel in seen]
    ended = [one for one, whole in finished if whole]
    board = reader.standings_in(guild, seen) if finished else ()
    rated = {one.user: points(one) for one in board if one.played >= RANKED_FROM}
    streaks = {one.user: one.streak for one in board}
    winners = dict.fromkeys(came.user for one, _ in finished for came in one.people if came.rank == 1)
    surprise = week.surprise(ended, rated)
    leagues = (*reader.leagues(guild, ("live",)), *reader.leagues(guild, ("finished",)))
    told = [one for one in leagues if one.channel in seen]
    loaded = [reader.league(one.id) for one in told if one.state == "live" or since <= (one.ended or 0) < until]
    return Week(
        len(finished),
        week.closest(ended),
        surprise and (next(one for one in ended if one.match == surprise[0]), surprise[1]),
        {user: streaks.get(user, 0) for user in winners if user > 0},
        reader.solved_between(guild, monday - WEEK, monday),
        tuple(one for one in loaded if one),
    )
