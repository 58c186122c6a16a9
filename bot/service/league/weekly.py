"""What happened in a server in the week before a Monday, by the clocks of its own zone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date

from bot.core.league import week
from bot.core.league.week import Week
from bot.core.rating.ratings import Rating
from bot.core.rating.stored_standings import SETTLED_FROM
from bot.core.values.ids import GuildId
from bot.service.time.calendars import Calendar
from data.store import Reader

WEEK = 7


def looked_back(
    reader: Reader, guild: GuildId, monday: int, seen: Collection[int], scored: Collection[str],
    points: Callable[[Rating], int],
) -> Week:  # fmt: skip
    """The week before a Monday, a day's number, from what happened in channels that are `seen`, and as if there were no
    others: streaks and ratings too are those of matches there. `scored` are the games whose scores decide, `points` a
    rating as it is shown. Puzzles are solved in no channel."""
    calendar = Calendar(reader.settings(guild).zone)
    since, until = (calendar.moment(date.fromordinal(day), 0) for day in (monday - WEEK, monday))
    finished = [(one, own) for one, own in reader.finished_between(guild, since, until) if one.channel in seen]
    own = [one for one, own in finished if own]
    ended = [one for one in own if not one.early]
    course = week.course(reader.counted_in(guild, seen, until) if finished else (), since)
    before = {
        match: {user: points(one) for user, one in people.items() if one.played >= SETTLED_FROM}
        for match, people in course.before.items()
    }
    surprise = week.surprise(ended, before)
    leagues = (*reader.leagues(guild, ("live",)), *reader.leagues(guild, ("finished",)))
    told = [one for one in leagues if one.channel in seen]
    loaded = [reader.league(one.id) for one in told if one.state == "live" or since <= (one.ended or 0) < until]
    return Week(
        len(finished),
        week.closest(ended, scored),
        week.only(ended or own),
        surprise and (next(one for one in ended if one.match == surprise[0]), surprise[1]),
        {user: wins for user, wins in course.wins.items() if user > 0},
        reader.solved_between(guild, monday - WEEK, monday),
        tuple(one for one in loaded if one),
    )
