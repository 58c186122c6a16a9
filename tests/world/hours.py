"""The referee's own arithmetic of time: when a player rests, when it is night for them, when a number of seconds will
have counted. It is written anew, in another way than the bot's: day by day on the player's own calendar, and
shares nothing with it but the rules.

>>> hours = Hours("Europe/Berlin", weekends=False)
>>> friday = moment("Europe/Berlin", 2027, 3, 26, 23)  # before the night in which clocks are put forward
>>> (hours.after(friday, 2 * 3600) - friday) / 3600  # an hour on Friday, a weekend of 47 hours, an hour on Monday
49.0
>>> hours.asleep(friday), hours.asleep(friday - 7200)
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from itertools import takewhile
from zoneinfo import ZoneInfo

FAR = 400
"""The most days that are looked at until the seconds have counted."""


def moment(zone: str, year: int, month: int, day: int, hour: int = 0) -> int:
    """A moment in a player's local time."""
    return int(datetime(year, month, day, hour, tzinfo=ZoneInfo(zone)).timestamp())


@lru_cache(100_000)
def midnight(zone: str, day: date) -> int:
    """When a day begins somewhere."""
    return moment(zone, day.year, day.month, day.day)


@lru_cache(100_000)
def local_time(zone: str, hour: int) -> datetime:
    """The local time at the beginning of an hour, counted from the epoch."""
    return datetime.fromtimestamp(hour * 900, ZoneInfo(zone))


@dataclass
class Hours:
    """One person in one server: where they are, whether weekends count, and when they are away; `week` is where their
    weekends are, if not there."""

    zone: str = "UTC"
    weekends: bool = True
    away: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    week: str | None = None

    def asleep(self, at: int) -> bool:
        """Whether it is night: between 22:00 and 8:00. No zone moves its clocks by less than a quarter of an hour."""
        hour = local_time(self.zone, at // 900).hour
        return hour >= 22 or hour < 8

    def date(self, at: int) -> date:
        """What day it is for them."""
        return local_time(self.zone, at // 900).date()

    def gone(self, at: int) -> bool:
        """Whether they are away."""
        return any(begin <= at < end for begin, end in self.away)

    def resting(self, at: int) -> bool:
        """Whether their clocks stand still."""
        return self.gone(at) or not self.weekends and local_time(self.week or self.zone, at // 900).weekday() >= 5

    def awake(self, at: int) -> int:
        """The first moment from this one on at which they are neither asleep nor rest."""
        while self.asleep(at) or self.resting(at):
            at = min([end for _, end in self.away if end > at] + [(at // 900 + 1) * 900])
        return at

    def counted(self, begin: int, end: int) -> int:
        """Seconds that count between two moments."""
        if self.weekends and not self.away:
            return max(0, end - begin)
        stretches = takewhile(lambda stretch: stretch[0] < end, self._awake(begin))
        return sum(min(until, end) - since for since, until in stretches)

    def after(self, begin: int, seconds: int) -> int:
        """The moment at which `seconds` have counted."""
        if seconds <= 0 or self.weekends and not self.away:
            return begin + max(0, seconds)
        for since, until in self._awake(begin):
            if until - since >= seconds:
                return since + seconds
            seconds -= until - since
        raise AssertionError(f"{seconds} seconds never pass")

    def _awake(self, begin: int) -> Iterator[tuple[int, int]]:
        """The stretches that count, from a moment on: cut at every midnight and where an absence begins or ends."""
        week = self.week or self.zone
        day, last = local_time(week, begin // 900).date(), begin
        for number in range(1, FAR):
            next_day = midnight(week, day + timedelta(days=number))
            edges = {edge for absence in self.away for edge in absence if last < edge < next_day}
            for edge in sorted({*edges, next_day}):
                if edge > last and not self.resting(last):
                    yield last, edge
                last = max(last, edge)
