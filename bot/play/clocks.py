"""Clocks: the pace of a match, and the time of each seat, in whole seconds.

A clock runs while its owner is to move, except during rests: absences and weekends. Rests are known beforehand, so a
running clock has a fixed deadline. Nothing here reads the time: moments are arguments, in UTC epoch seconds.

>>> clock = TurnClock.make_full(Pace.parse("2").first_allotment).start(now=1000)
>>> clock.deadline - 1000 == 2 * DAY, clock.left_at(1000 + DAY) == DAY
(True, True)
>>> weekend = ((1000 + DAY, 1000 + 3 * DAY),)
>>> (TurnClock.make_full(2 * DAY).start(1000, weekend).deadline - 1000) // DAY
4
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from bot.games.wording import join_words

HOUR, DAY = 3_600, 86_400
BANK_DAYS = 10
"""Days that a bank holds at the beginning, and at most."""
APART = DAY // 2
"""Two reminders that would be closer together than this become one."""
SOON = 60
"""Seconds of a turn after which its board is sent by direct message: who is there moves before that."""

Rests = tuple[tuple[int, int], ...]
"""Periods in which a clock stops, as (from, until); ascending, and apart from each other."""


class BadPace(ValueError):
    """The text names no pace; the message lists the paces."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The time control of a match: days for each move, a bank, or no clock if `days` is 0.

    `days` are those for a move, or those that are in the bank at first; a bank grows by `more` days with each move.
    """

    key: str
    days: int
    more: int = 0

    @property
    def first_allotment(self) -> int | None:
        """Seconds for the first move; None where there is no clock."""
        return self.days * DAY or None

    def compute_next_allotment(self, left: int) -> int:
        """Seconds for the move after one that ended with `left` seconds."""
        return min(left + self.more * DAY, BANK_DAYS * DAY) if self.more else self.days * DAY

    def __str__(self) -> str:
        if not self.days:
            return "no clock"
        if self.more:
            return f"{self.days} days, and 1 more with each move"
        return "1 day for each move" if self.days == 1 else f"{self.days} days for each move"

    @classmethod
    def parse(cls, key: str) -> Pace:
        """The pace of this key, or `BadPace`."""
        if key not in PACES:
            raise BadPace(f"There is no such pace. Choose {join_words(PACES, ' or ')}.")
        return PACES[key]


PACES = {
    pace.key: pace
    for pace in (Pace("none", 0), *(Pace(str(days), days) for days in (1, 2, 3, 5, 7, 14)), Pace("bank", BANK_DAYS, 1))
}
"""All paces by key, as stored and offered."""


def merge_rests(rests: Iterable[tuple[int, int]]) -> Rests:
    """Periods in ascending order, touching ones merged."""
    whole: list[tuple[int, int]] = []
    for begin, end in sorted(rest for rest in rests if rest[0] < rest[1]):
        if whole and begin <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(end, whole[-1][1]))
        else:
            whole.append((begin, end))
    return tuple(whole)


def count_seconds(start: int, end: int, rests: Rests = ()) -> int:
    """The seconds that a clock counts between two moments, without rests."""
    rested = sum(max(0, min(until, end) - max(begin, start)) for begin, until in rests)
    return max(0, end - start - rested)


def add_counted_seconds(start: int, seconds: int, rests: Rests = ()) -> int:
    """When a clock has counted `seconds`; where a rest begins just then, that moment and not the rest's end."""
    moment = start
    for begin, until in rests:
        if until <= moment or begin - moment >= seconds:
            continue
        seconds -= max(0, begin - moment)
        moment = until
    return moment + seconds


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The clock of one seat for one turn: `allotted` seconds, of which `left` were left at `since`.

    Without `since` it is stopped, and has no `deadline`. Its methods need the rests that it was started with.
    """

    allotted: int
    left: int
    since: int | None = None
    deadline: int | None = None

    @classmethod
    def make_full(cls, seconds: int) -> Self:
        """A clock for a new turn, stopped until the board is shown to its owner."""
        return cls(seconds, seconds)

    def start(self, now: int, rests: Rests = ()) -> Self:
        return replace(self, since=now, deadline=add_counted_seconds(now, self.left, rests))

    def left_at(self, now: int, rests: Rests = ()) -> int:
        """Seconds that are left at a moment; 0 once it has run out."""
        gone = 0 if self.since is None else count_seconds(self.since, now, rests)
        return max(0, self.left - gone)

    def stop(self, now: int, rests: Rests = ()) -> Self:
        """The clock, stopped with the time left."""
        return replace(self, left=self.left_at(now, rests), since=None, deadline=None)

    def give_back(self, begin: int, end: int, rests: Rests = ()) -> Self:
        """A running clock as if it had been stopped between two moments, of which the later is now."""
        if self.since is None or end <= begin:
            return self
        return self.stop(max(self.since, begin), rests).start(max(self.since, end), rests)

    @property
    def reminder_marks(self) -> tuple[int, ...]:
        """At how many seconds left its owner is reminded, in order: half the time, and a day before the end."""
        half, day = self.allotted // 2, DAY
        if day >= self.allotted:
            return (half,)
        return (max(half, day),) if abs(half - day) < APART else (max(half, day), min(half, day))

    def count_due_reminders(self, now: int, rests: Rests = ()) -> int:
        """How many reminders of this turn are due or behind its owner at a moment, without one at its beginning."""
        return sum(self.left_at(now, rests) <= mark for mark in self.reminder_marks)

    def find_next_reminder(self, reminded: int, rests: Rests = ()) -> int | None:
        """When the next reminder is due after `reminded` of them, at -1 soon after the beginning; None if there is no
        other, or the clock is stopped."""
        if self.since is not None and reminded < 0:
            return add_counted_seconds(self.since, SOON, rests)
        if self.since is None or reminded >= len(self.reminder_marks):
            return None
        return add_counted_seconds(self.since, max(0, self.left - self.reminder_marks[reminded]), rests)
