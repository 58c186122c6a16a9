"""When clocks stop and notifications wait: absences, weekends, quiet hours; and parsing of typed dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.games.notation import quote_whole
from bot.games.wording import Plural
from bot.play.clocks import DAY, HOUR, Rests, TurnClock, merge_rests
from bot.play.loaded_match import Refusal
from bot.play.rows import DIRECT, MORNING, NIGHT, Absence, Player, Preferences, Reminders, ServerSettings

# Absences, weekends and quiet hours, in the user's time zone.


SATURDAY, MONDAY = 5, 7
"""Days since the beginning of a week, on Monday."""
AHEAD = 120 * DAY
"""Seconds for which rests are computed: a clock of 14 days, two absences and all weekends between fit in."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A user's calendar: zone, whether clocks run at weekends, absences, reminders, and quiet hours from `night` until
    `morning`. `week` is the zone whose weekends count; None for `zone`."""

    zone: str = "UTC"
    weekends: bool = True
    away: tuple[Absence, ...] = ()
    reminders: Reminders = "thread"
    week: str | None = None
    night: int = NIGHT
    morning: int = MORNING

    @classmethod
    def of(cls, chosen: Preferences, settings: ServerSettings, away: tuple[Absence, ...]) -> Calendar:
        """A user's calendar, with the server's defaults for what they have not chosen."""
        zone, reminders = chosen.zone or settings.zone, chosen.reminders or settings.reminders
        reminders = "thread" if reminders in DIRECT and not settings.mail else reminders
        return cls(zone, chosen.weekends, away, reminders, night=chosen.night, morning=chosen.morning)

    def adapt_to_clock(self, player: Player) -> Calendar:
        """The calendar of a player's clock: a running clock keeps the weekends that it started with."""
        return self if player.since is None else replace(self, weekends=player.weekend is None, week=player.weekend)

    @property
    def weekend_zone(self) -> str | None:
        """The zone in whose weekends clocks stop; None if they run at weekends."""
        return None if self.weekends else self.week or self.zone

    def list_rests(self, since: int) -> Rests:
        """The rests from a moment on, for `AHEAD` seconds."""
        days = _list_weekends(self.weekend_zone, since, since + AHEAD) if self.weekend_zone else ()
        return merge_rests((*((one.begins, one.ends) for one in self.away if one.ends > since), *days))

    def start_clock(self, clock: TurnClock, now: int) -> TurnClock:
        return clock.start(now, self.list_rests(now))

    def compute_seconds_left(self, clock: TurnClock, now: int) -> int:
        return clock.left_at(now, self.list_rests(clock.since or now))

    def find_next_reminder(self, clock: TurnClock, reminded: int) -> int | None:
        """When to send the next reminder of a running clock after `reminded` of them: when it is due, but neither at
        night nor in a rest; None if reminders are off or no time would be left."""
        if clock.since is None or clock.deadline is None or self.reminders == "off":
            return None
        rests = self.list_rests(clock.since)
        due = clock.find_next_reminder(reminded, rests)
        moment = None if due is None else self.find_awake_moment(due, rests)
        return moment if moment is not None and moment < clock.deadline else None

    def find_awake_moment(self, moment: int, rests: Rests = ()) -> int:
        """The first moment, from this one on, outside quiet hours and rests."""
        for _ in range(len(rests) + 2):
            rest = next((until for begin, until in rests if begin <= moment < until), None)
            later = self._find_morning(moment if rest is None else rest)
            if later == moment:
                break
            moment = later
        return moment

    def is_quiet(self, moment: int) -> bool:
        return self._find_morning(moment) != moment

    def find_next_hour(self, moment: int, hour: int) -> int:
        """The next moment after this one with this local hour."""
        today = self._to_local(moment).date()
        found = (self.compute_moment(today + timedelta(days=days), hour) for days in range(-1, 3))
        return next(at for at in found if at > moment)

    def format_time(self, moment: int) -> str:
        """The local time of a moment: "17:05"."""
        return self._to_local(moment).strftime("%H:%M")

    def find_local_date(self, moment: int) -> date:
        return self._to_local(moment).date()

    def compute_moment(self, day: date, hour: int) -> int:
        """The moment of a local hour on a day, in epoch seconds."""
        return _compute_moment(self.zone, day, hour)

    def _find_morning(self, moment: int) -> int:
        """The end of the quiet hours that a moment is in, else the moment itself."""
        local = self._to_local(moment)
        since, lasts = (local.hour - self.night) % 24, (self.morning - self.night) % 24
        if since >= lasts:
            return moment
        return self.compute_moment(local.date() + timedelta(days=local.hour >= self.morning), self.morning)

    def _to_local(self, moment: int) -> datetime:
        return datetime.fromtimestamp(moment, _load_zone(self.zone))


def find_weekend_end(zone: str, now: int) -> int | None:
    """When the current weekend ends in a zone; None on weekdays."""
    return next((until for begin, until in _list_weekends(zone, now, now + 1) if begin <= now < until), None)


def _list_weekends(zone: str, since: int, until: int) -> Iterator[tuple[int, int]]:
    day = datetime.fromtimestamp(since, _load_zone(zone)).date()
    monday = day - timedelta(days=day.weekday())
    while (begin := _compute_moment(zone, monday + timedelta(days=SATURDAY), 0)) < until:
        yield begin, _compute_moment(zone, monday + timedelta(days=MONDAY), 0)
        monday += timedelta(days=7)


def _compute_moment(zone: str, day: date, hour: int) -> int:
    return int(datetime.combine(day, time(hour), _load_zone(zone)).timestamp())


@lru_cache(1000)
def _load_zone(name: str) -> tzinfo:
    """The zone of this name; UTC if this machine no longer has it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def find_current_absence(away: tuple[Absence, ...], now: int) -> Absence | None:
    return next((one for one in away if one.begins <= now < one.ends), None)


# How long people may be away: 14 days in a row and 30 days within any year, in each server.


IN_A_ROW, IN_A_YEAR, YEAR = 14 * DAY, 30 * DAY, 365 * DAY
REMEMBERED = YEAR + IN_A_ROW
"""Seconds after its end from which an absence no longer counts towards the allowance."""
UNITS = (
    (DAY, HOUR - 1, Plural("{number} day", "{number} days")),
    (HOUR, 0, Plural("{number} hour", "{number} hours")),
)
"""Each unit: its length, how many seconds may be missing to count as one, and its name."""
TOO_LONG = "{day} is too far away. The longest time in a row is 14 days, so you can be away until {latest} at most."
TOO_MANY = "{day} is too far away. Of 30 days a year you have {left} left, so you can be away until {latest} at most."


class AbsenceRefused(Refusal):
    """An absence that the allowance does not permit."""


@dataclass(frozen=True, slots=True)
class AwayAllowance:
    """A user's allowance at a moment: `begins` is since when they are away, or would be from now on; `row` and `year`
    are until when they may be by each of the two bounds, `free` the seconds of the year that are left."""

    begins: int
    row: int
    year: int
    free: int

    @property
    def latest_end(self) -> int:
        """Until when they may be away."""
        return min(self.row, self.year)


def compute_allowance(absences: Sequence[Absence], now: int) -> AwayAllowance:
    current = next((one for one in absences if one.begins <= now < one.ends), None)
    begins = current.begins if current else now
    past = [Absence(one.begins, min(one.ends, now)) for one in absences if one.begins < now and one != current]
    gone = count_used_seconds([*past, Absence(begins, now)], now)
    return AwayAllowance(
        begins, find_merged_begin(past, begins) + IN_A_ROW, find_latest_end(past, begins), max(0, IN_A_YEAR - gone)
    )


def count_used_seconds(absences: Sequence[Absence], until: int) -> int:
    """The seconds of absence in the year that ends at a moment."""
    return sum(max(0, min(one.ends, until) - max(one.begins, until - YEAR)) for one in absences)


def find_merged_begin(past: Sequence[Absence], begins: int) -> int:
    """When an absence that begins now began, counting earlier ones less than a day apart as one."""
    for one in sorted(past, key=lambda one: one.ends, reverse=True):
        if begins - one.ends < DAY:
            begins = min(begins, one.begins)
    return begins


def find_latest_end(past: Sequence[Absence], begins: int) -> int:
    """How long an absence may go on that began at a moment, by the days of a year: the later it ends, the more of the
    year are used, so the last moment that fits is found by halving."""
    least, most = begins, begins + IN_A_ROW
    while least < most:
        middle = (least + most + 1) // 2
        fits = count_used_seconds([*past, Absence(begins, middle)], middle) <= IN_A_YEAR
        least, most = (middle, most) if fits else (least, middle - 1)
    return least


def make_absence(absences: Sequence[Absence], day: tuple[int, int], now: int) -> Absence:
    """The absence that ends with a day, given as its first and its last second; raises `AbsenceRefused`. On the last
    allowed day it ends when the allowance does."""
    begin, end = day
    if end <= now:
        raise AbsenceRefused(
            f"That day, <t:{end}:D>, is already over. Name a later one, like friday, 24.12. or in 10 days."
        )
    left = compute_allowance(absences, now)
    if left.latest_end <= now or begin >= left.latest_end:
        raise AbsenceRefused(explain_refusal(left, absences, end, now))
    return Absence(left.begins, min(end, left.latest_end))


def explain_refusal(left: AwayAllowance, absences: Sequence[Absence], end: int, now: int) -> str:
    """Why a user cannot be away until a moment, and until when they could."""
    if left.row <= now:
        return (
            "You have been away for 14 days in a row. Play for a whole day first; "
            f"you can be away again from <t:{find_separate_begin(absences, now)}:f> on."
        )
    if left.year <= now:
        next_free = find_freed_moment(absences, now)
        return f"You have used all 30 days that you can be away in a year. You get new ones from <t:{next_free}:D> on."
    told = TOO_LONG if left.row <= left.year else TOO_MANY
    return told.format(day=f"<t:{end}:D>", left=format_days(left.free), latest=f"<t:{left.latest_end}:f>")


def find_separate_begin(absences: Sequence[Absence], now: int) -> int:
    """From when on a new absence does not merge with an earlier one."""
    return max((min(one.ends, now) for one in absences if one.begins <= now), default=now) + DAY


def find_freed_moment(absences: Sequence[Absence], now: int) -> int:
    """When the earliest absence within the last year stops counting."""
    counted = [one for one in absences if now - YEAR < one.ends and one.begins < now]
    return min((max(one.begins, now - YEAR) for one in counted), default=now) + YEAR


def format_days(seconds: int) -> str:
    """A length of time in words, rounded down, so that no more is promised than there is; but a day that lacks minutes
    counts as one: a user who mistakes the date and is back at once has lost none."""
    for size, grace, told in UNITS:
        if number := (seconds + grace) // size:
            return told.fill_in(number)
    return "less than an hour"


# Quiet hours as people choose them: written "23-7", shown as "23:00 to 7:00", or none at all. Pure.


NONE = "none"
"""What users type for no quiet hours."""
OFFERED = (
    "20-6", "20-8", "21-6", "21-7", "21-8", "21-9", "22-6", "22-7", "22-8", "22-9", "22-10", "23-6", "23-7", "23-8",
    "23-9", "23-10", "0-7", "0-8", "0-9", "0-10", "1-9", "2-10",
)  # fmt: skip
"""Hours to choose from; any others are typed."""
USUAL = f"{NIGHT}-{MORNING}"
WRITTEN = re.compile(r"([01]?[0-9]|2[0-4])(?::?00)?\s*(?:-|–|to)\s*([01]?[0-9]|2[0-4])(?::?00)?")
UNREAD = "I can't read these hours. Write them like 23-7, from the first hour until the second, or none."


def format_hours(chosen: Preferences) -> str:
    """A user's quiet hours in the form that is typed and stored.

    >>> format_hours(Preferences()), format_hours(Preferences(night=8, morning=8))
    ('22-8', 'none')
    """
    return NONE if chosen.night == chosen.morning else f"{chosen.night}-{chosen.morning}"


def describe_hours(hours: str) -> str:
    """Quiet hours in words.

    >>> describe_hours("22-8"), describe_hours("none")
    ('22:00 to 8:00', 'none')
    """
    night, _, morning = hours.partition("-")
    return hours if hours == NONE else f"{night}:00 to {morning}:00"


def with_hours(before: Preferences, typed: str) -> Preferences:
    """Preferences with other quiet hours, from typed text; raises a refusal.

    >>> [format_hours(with_hours(Preferences(), one)) for one in ("23-7", "24:00 – 09:00", "1 to 9", "none", "5-5")]
    ['23-7', '0-9', '1-9', 'none', 'none']
    """
    if typed.strip().lower() == NONE:
        return replace(before, night=MORNING, morning=MORNING)
    found = WRITTEN.fullmatch(typed.strip().lower())
    if found is None:
        raise Refusal(quote_whole(typed, UNREAD))
    night, morning = int(found[1]) % 24, int(found[2]) % 24
    return replace(before, night=night, morning=morning) if night != morning else with_hours(before, NONE)


def list_hour_choices(kept: Preferences) -> list[str]:
    """The hours to choose from, with those that are chosen."""
    return list(dict.fromkeys((format_hours(kept), NONE, *OFFERED)))


def suggest_hours(typed: str) -> list[str]:
    """The hours that begin as typed so far, in either form, or else the typed hours themselves.

    >>> suggest_hours("22:00 to 8"), suggest_hours("9 – 17"), suggest_hours("5:00 to 6:00"), suggest_hours("at night")
    (['22-8'], ['9-17'], ['5-6'], [])
    """
    begun = typed.strip().lower()
    found = [one for one in (USUAL, NONE, *OFFERED) if one.startswith(begun) or describe_hours(one).startswith(begun)]
    return list(dict.fromkeys(found)) or (
        [format_hours(with_hours(Preferences(), begun))] if WRITTEN.fullmatch(begun) else []
    )


# Typed dates: 2026-12-24, 24.12., 12/24, Dec 24, friday, tomorrow, in 10 days.


MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december")  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WORDS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2}
NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3}
LEADING = re.compile(r"^(?:until|till|on|the)\s+(?!day after)")
MOST_CHOICES = 25
LONGEST = 40
"""Characters that a date may have."""

Maker = Callable[[re.Match[str], date], Iterator[date]]


def read_dates(text: str, today: date) -> tuple[date, ...]:
    """The days that a text may mean, the nearest first; none if it is not a date."""
    typed = " ".join(text.lower().replace(",", " ").split())
    typed = LEADING.sub("", typed)
    if len(typed) > LONGEST:
        return ()
    found = {day for pattern, made in FORMS if (match := pattern.fullmatch(typed)) for day in made(match, today)}
    return tuple(sorted(found, key=lambda day: (day < today, abs(day - today))))


def suggest_dates(typed: str, today: date, last: date) -> tuple[date, ...]:
    """The days offered for the text typed so far, none of them after the last that can be chosen."""
    known = [day for day in read_dates(typed, today) if today <= day <= last]
    begun = " ".join(typed.lower().replace(",", " ").split())
    ahead = [today + timedelta(days=number) for number in range((last - today).days + 1)]
    similar = [day for day in ahead if any(name.startswith(begun) for name in list_date_names(day, today))]
    return tuple(dict.fromkeys((*known, *similar)))[:MOST_CHOICES]


def list_date_names(day: date, today: date) -> tuple[str, ...]:
    """All names of a day, in lower case."""
    ahead, month = (day - today).days, MONTHS[day.month - 1]
    words = [word for word, number in WORDS.items() if number == ahead]
    counted = "1 day" if ahead == 1 else f"{ahead} days"
    numbers = (f"{day.day}.{day.month}.{day.year}", f"{day.day:02}.{day.month:02}.{day.year}", day.isoformat())
    named = (f"{month} {day.day}", f"{month[:3]} {day.day}", f"{day.day} {month}", f"{day.month}/{day.day}")
    return (*words, WEEKDAYS[day.weekday()], *numbers, *named, f"in {counted}", counted)


def describe_date(day: date, today: date) -> str:
    """A day in words: "Friday, December 4, 2026 (in 12 days)"."""
    ahead = (day - today).days
    away = {0: "today", 1: "tomorrow"}.get(ahead, f"in {ahead} days")
    return f"{WEEKDAYS[day.weekday()].title()}, {MONTHS[day.month - 1].title()} {day.day}, {day.year} ({away})"


def _make_day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return


def _find_next_day(month: int, day: int, today: date) -> Iterator[date]:
    """The next day of this name; February 29 may be years away."""
    found = (one for year in range(today.year, today.year + 9) for one in _make_day(year, month, day) if one >= today)
    yield from (one for one, _ in zip(found, range(1), strict=False))


def _read_numbers(year: str | None, month: str, day: str, today: date) -> Iterator[date]:
    if not year:
        yield from _find_next_day(int(month), int(day), today)
    else:
        yield from _make_day(int(year) + 2000 * (len(year) == 2), int(month), int(day))


def _read_by_point(match: re.Match[str], today: date) -> Iterator[date]:
    yield from _read_numbers(match["year"], match["month"], match["day"], today)


def _read_by_slash(match: re.Match[str], today: date) -> Iterator[date]:
    """Both orders: month first and day first."""
    yield from _read_numbers(match["year"], match["one"], match["other"], today)
    yield from _read_numbers(match["year"], match["other"], match["one"], today)


def _read_by_name(match: re.Match[str], today: date) -> Iterator[date]:
    month = next((number for number, name in enumerate(MONTHS, 1) if name.startswith(match["month"])), None)
    if month:
        yield from _read_numbers(match["year"], str(month), match["day"], today)


def _read_by_word(match: re.Match[str], today: date) -> Iterator[date]:
    """A weekday is the next one after today, which has a word of its own."""
    word = match[0]
    if word in WORDS:
        yield today + timedelta(days=WORDS[word])
    for number, name in enumerate(WEEKDAYS):
        if name.startswith(word.removeprefix("next ")) and len(word) >= 3:
            yield today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _read_by_weekday(match: re.Match[str], today: date) -> Iterator[date]:
    """A date with its weekday in front, if they agree."""
    for day in _read_by_name(match, today):
        if WEEKDAYS[day.weekday()].startswith(match["weekday"]):
            yield day


def _read_ahead(match: re.Match[str], today: date) -> Iterator[date]:
    number = NUMBERS.get(match["number"]) or int(match["number"])
    yield today + timedelta(days=number * (7 if match["unit"].startswith("w") else 1))


_YEAR, _NAME = r"(?P<year>[0-9]{4})", r"(?P<month>[a-z]{3,9})\.?"
_WEEKDAY = r"(?P<weekday>[a-z]{3,9})\.?"
_NUMBER = r"(?P<number>[0-9]{1,3}|a|one|two|three)"
FORMS: tuple[tuple[re.Pattern[str], Maker], ...] = tuple(
    (re.compile(pattern), made)
    for pattern, made in (
        (rf"{_YEAR}[-./](?P<month>[0-9]{{1,2}})[-./](?P<day>[0-9]{{1,2}})", _read_by_point),
        (r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\.? ?(?P<year>[0-9]{4}|[0-9]{2})?", _read_by_point),
        (r"(?P<one>[0-9]{1,2})/(?P<other>[0-9]{1,2})(?:/(?P<year>[0-9]{4}|[0-9]{2}))?", _read_by_slash),
        (rf"{_NAME} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: {_YEAR})?", _read_by_name),
        (rf"{_WEEKDAY} {_NAME} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: {_YEAR})?", _read_by_weekday),
        (rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?{_NAME}(?: {_YEAR})?", _read_by_name),
        (r"(?:next )?[a-z ]{3,25}", _read_by_word),
        (rf"(?:in )?{_NUMBER} ?(?P<unit>d|days?|w|weeks?)", _read_ahead),
    )
)
