"""When a user's clock stands still and when they are not to be disturbed: absences, weekends and quiet hours, in their
own time zone. `zone_names.py` finds zones by what people type.

A running clock keeps the weekends that it started with, so that nobody gains time by changing zones.

A zone is an IANA name like Europe/Berlin. Nights and weekends follow its local time, so that the night in which
daylight saving time begins is an hour shorter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.core.match.clocks import DAY, Clock, Rests, merged
from bot.core.match.stored import Player
from bot.core.match.stored_settings import MORNING, NIGHT, Away, Preferences, Reminders, ServerSettings

SATURDAY, MONDAY = 5, 7
"""Days since the beginning of a week, on Monday."""
AHEAD = 120 * DAY
"""Rests are known for so long: a clock of 14 days, two absences and all weekends between fit in."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """One person's time: zone, whether clocks run at weekends, when they are away, how they are reminded; from `night`
    until `morning` they are not to be disturbed. `week` is the zone whose weekends those are; None for the same."""

    zone: str = "UTC"
    weekends: bool = True
    away: tuple[Away, ...] = ()
    reminders: Reminders = "thread"
    week: str | None = None
    night: int = NIGHT
    morning: int = MORNING

    @classmethod
    def of(cls, chosen: Preferences, settings: ServerSettings, away: tuple[Away, ...]) -> Calendar:
        """A person's own calendar, with the choices of their server in place of missing ones."""
        zone, reminders = chosen.zone or settings.zone, chosen.reminders or settings.reminders
        return cls(zone, chosen.weekends, away, reminders, night=chosen.night, morning=chosen.morning)

    def of_clock(self, player: Player) -> Calendar:
        """The calendar by which a player's clock goes: if it runs, with the weekends that it started with."""
        return self if player.since is None else replace(self, weekends=player.weekend is None, week=player.weekend)

    @property
    def weekend(self) -> str | None:
        """The zone in whose weekends clocks stand still; None if they run then."""
        return None if self.weekends else self.week or self.zone

    def rests(self, since: int) -> Rests:
        """The periods in which their clocks stand still, from a moment on, for some months."""
        days = _weekends(self.weekend, since, since + AHEAD) if self.weekend else ()
        return merged((*((one.begins, one.ends) for one in self.away if one.ends > since), *days))

    def start(self, clock: Clock, now: int) -> Clock:
        """A clock of theirs, running from now on."""
        return clock.started(now, self.rests(now))

    def left(self, clock: Clock, now: int) -> int:
        """The seconds that are left on a clock of theirs."""
        return clock.left_at(now, self.rests(clock.since or now))

    def next_reminder(self, clock: Clock, reminded: int) -> int | None:
        """When to send the next reminder of a running clock after `reminded` of them: when it is due, but neither at
        night nor in a rest; None if reminders are off or no time would be left."""
        if clock.since is None or clock.deadline is None or self.reminders == "off":
            return None
        rests = self.rests(clock.since)
        due = clock.next_reminder(reminded, rests)
        moment = None if due is None else self.awake(due, rests)
        return moment if moment is not None and moment < clock.deadline else None

    def awake(self, moment: int, rests: Rests = ()) -> int:
        """The first moment from this one on that is neither at night nor in a rest."""
        for _ in range(len(rests) + 2):
            rest = next((until for begin, until in rests if begin <= moment < until), None)
            later = self._morning(moment if rest is None else rest)
            if later == moment:
                break
            moment = later
        return moment

    def quiet(self, moment: int) -> bool:
        """Whether it is night for them."""
        return self._morning(moment) != moment

    def at_hour(self, moment: int, hour: int) -> int:
        """The next moment after this one with this local hour."""
        today = self._local(moment).date()
        found = (self.moment(today + timedelta(days=days), hour) for days in range(-1, 3))
        return next(at for at in found if at > moment)

    def oclock(self, moment: int) -> str:
        """The local time of a moment: "17:05"."""
        return self._local(moment).strftime("%H:%M")

    def today(self, moment: int) -> date:
        """The day that it is for them at a moment."""
        return self._local(moment).date()

    def moment(self, day: date, hour: int) -> int:
        """The moment of a local hour on a day, in epoch seconds."""
        return _moment(self.zone, day, hour)

    def _morning(self, moment: int) -> int:
        """The end of the night where it is night, else the moment itself."""
        local = self._local(moment)
        since, lasts = (local.hour - self.night) % 24, (self.morning - self.night) % 24
        if since >= lasts:
            return moment
        return self.moment(local.date() + timedelta(days=local.hour >= self.morning), self.morning)

    def _local(self, moment: int) -> datetime:
        return datetime.fromtimestamp(moment, _zone(self.zone))


def weekend_ends(zone: str, now: int) -> int | None:
    """When the weekend ends that it is in a zone; None on other days."""
    return next((until for begin, until in _weekends(zone, now, now + 1) if begin <= now < until), None)


def _weekends(zone: str, since: int, until: int) -> Iterator[tuple[int, int]]:
    day = datetime.fromtimestamp(since, _zone(zone)).date()
    monday = day - timedelta(days=day.weekday())
    while (begin := _moment(zone, monday + timedelta(days=SATURDAY), 0)) < until:
        yield begin, _moment(zone, monday + timedelta(days=MONDAY), 0)
        monday += timedelta(days=7)


def _moment(zone: str, day: date, hour: int) -> int:
    return int(datetime.combine(day, time(hour), _zone(zone)).timestamp())


@lru_cache(1000)
def _zone(name: str) -> tzinfo:
    """The zone of this name; where this machine does not know it any more, UTC."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def away_now(away: tuple[Away, ...], now: int) -> Away | None:
    """The current absence at a moment; None where there is none."""
    return next((one for one in away if one.begins <= now < one.ends), None)
