"""How long people may be away: 14 days in a row and 30 days within any year, in each server.

Absences with less than a day between them count as one, from the first to the last of them, so that nobody is away for
months with an hour's return every fortnight. What is cut short gives back the days that were not used: absences are
counted as they were. Pure: moments are UTC epoch seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.match.clocks import DAY, HOUR
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored_settings import Away
from bot.core.values.plural import Plural

IN_A_ROW, IN_A_YEAR, YEAR = 14 * DAY, 30 * DAY, 365 * DAY
REMEMBERED = YEAR + IN_A_ROW
"""Absences that ended longer ago than this count for nothing any more."""
UNITS = (
    (DAY, HOUR - 1, Plural("{number} day", "{number} days")),
    (HOUR, 0, Plural("{number} hour", "{number} hours")),
)
"""The length of each unit, how many seconds may be missing for one, and its name."""
TOO_LONG = "{day} is too far away. The longest time in a row is 14 days, so you can be away until {latest} at most."
TOO_MANY = "{day} is too far away. Of 30 days a year you have {left} left, so you can be away until {latest} at most."


class NotAway(Refusal):
    """An absence that the allowance does not permit."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """A user's allowance at a moment: `begins` is since when they are away, or would be from now on; `row` and `year`
    are until when they may be by each of the two bounds, `free` the seconds of the year that are left."""

    begins: int
    row: int
    year: int
    free: int

    @property
    def latest(self) -> int:
        """Until when they may be away."""
        return min(self.row, self.year)


def allowance(absences: Sequence[Away], now: int) -> Allowance:
    """The allowance of a user with these absences."""
    current = next((one for one in absences if one.begins <= now < one.ends), None)
    begins = current.begins if current else now
    past = [Away(one.begins, min(one.ends, now)) for one in absences if one.begins < now and one != current]
    gone = used([*past, Away(begins, now)], now)
    return Allowance(begins, first(past, begins) + IN_A_ROW, year_long(past, begins), max(0, IN_A_YEAR - gone))


def used(absences: Sequence[Away], until: int) -> int:
    """The seconds of absence in the year that ends at a moment."""
    return sum(max(0, min(one.ends, until) - max(one.begins, until - YEAR)) for one in absences)


def first(past: Sequence[Away], begins: int) -> int:
    """When an absence that begins now began, counting earlier ones less than a day apart as one."""
    for one in sorted(past, key=lambda one: one.ends, reverse=True):
        if begins - one.ends < DAY:
            begins = min(begins, one.begins)
    return begins


def year_long(past: Sequence[Away], begins: int) -> int:
    """How long an absence may go on that began at a moment, by the days of a year: the later it ends, the more of the
    year are used, so the last moment that fits is found by halving."""
    least, most = begins, begins + IN_A_ROW
    while least < most:
        middle = (least + most + 1) // 2
        fits = used([*past, Away(begins, middle)], middle) <= IN_A_YEAR
        least, most = (middle, most) if fits else (least, middle - 1)
    return least


def until(absences: Sequence[Away], day: tuple[int, int], now: int) -> Away:
    """The absence that ends with a day, given as its first and its last second, or `NotAway`. On the last day that is
    allowed it ends when the allowance does."""
    begin, end = day
    if end <= now:
        raise NotAway(f"That day, <t:{end}:D>, is already over. Name a later one, like friday, 24.12. or in 10 days.")
    left = allowance(absences, now)
    if left.latest <= now or begin >= left.latest:
        raise NotAway(refusal(left, absences, end, now))
    return Away(left.begins, min(end, left.latest))


def refusal(left: Allowance, absences: Sequence[Away], end: int, now: int) -> str:
    """Why a user cannot be away until a moment, and until when they could."""
    if left.row <= now:
        return (
            "You have been away for 14 days in a row. Play for a whole day first; "
            f"you can be away again from <t:{resting(absences, now)}:f> on."
        )
    if left.year <= now:
        next_free = freed(absences, now)
        return f"You have used all 30 days that you can be away in a year. You get new ones from <t:{next_free}:D> on."
    told = TOO_LONG if left.row <= left.year else TOO_MANY
    return told.format(day=f"<t:{end}:D>", left=days(left.free), latest=f"<t:{left.latest}:f>")


def resting(absences: Sequence[Away], now: int) -> int:
    """When another absence counts as one of its own."""
    return max((min(one.ends, now) for one in absences if one.begins <= now), default=now) + DAY


def freed(absences: Sequence[Away], now: int) -> int:
    """When the first of the days that were used within a year counts no more."""
    counted = [one for one in absences if now - YEAR < one.ends and one.begins < now]
    return min((max(one.begins, now - YEAR) for one in counted), default=now) + YEAR


def days(seconds: int) -> str:
    """A length of time in words, rounded down, so that no more is promised than there is; but a day that lacks minutes
    counts as one: a user who mistakes the date and is back at once has lost none."""
    for size, grace, told in UNITS:
        if number := (seconds + grace) // size:
            return told.of(number)
    return "less than an hour"
