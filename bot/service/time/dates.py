"""Dates as people type them: 2026-12-24, 24.12., 12/24, Dec 24, friday, tomorrow, in 10 days; and those that are
offered while they type. All in days of a person's own zone; a day without a year is the next one of its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

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


def readings(text: str, today: date) -> tuple[date, ...]:
    """The days that a text may mean, the next ones first; none where it is no date."""
    typed = " ".join(text.lower().replace(",", " ").split())
    typed = LEADING.sub("", typed)
    if len(typed) > LONGEST:
        return ()
    found = {day for pattern, made in FORMS if (match := pattern.fullmatch(typed)) for day in made(match, today)}
    return tuple(sorted(found, key=lambda day: (day < today, abs(day - today))))


def offered(typed: str, today: date, last: date) -> tuple[date, ...]:
    """The days offered for the text typed so far, none of them after the last that can be chosen."""
    known = [day for day in readings(typed, today) if today <= day <= last]
    begun = " ".join(typed.lower().replace(",", " ").split())
    ahead = [today + timedelta(days=number) for number in range((last - today).days + 1)]
    similar = [day for day in ahead if any(name.startswith(begun) for name in names(day, today))]
    return tuple(dict.fromkeys((*known, *similar)))[:MOST_CHOICES]


def names(day: date, today: date) -> tuple[str, ...]:
    """All that a day is called, in small letters."""
    ahead, month = (day - today).days, MONTHS[day.month - 1]
    words = [word for word, number in WORDS.items() if number == ahead]
    counted = "1 day" if ahead == 1 else f"{ahead} days"
    numbers = (f"{day.day}.{day.month}.{day.year}", f"{day.day:02}.{day.month:02}.{day.year}", day.isoformat())
    named = (f"{month} {day.day}", f"{month[:3]} {day.day}", f"{day.day} {month}", f"{day.month}/{day.day}")
    return (*words, WEEKDAYS[day.weekday()], *numbers, *named, f"in {counted}", counted)


def told(day: date, today: date) -> str:
    """A day in words: "Friday, December 4, 2026 (in 12 days)"."""
    ahead = (day - today).days
    away = {0: "today", 1: "tomorrow"}.get(ahead, f"in {ahead} days")
    return f"{WEEKDAYS[day.weekday()].title()}, {MONTHS[day.month - 1].title()} {day.day}, {day.year} ({away})"


def _day(year: int, month: int, day: int) -> Iterator[date]:
    try:
        yield date(year, month, day)
    except ValueError:
        return


def _next(month: int, day: int, today: date) -> Iterator[date]:
    """The next day of this name; February 29 may be years away."""
    found = (one for year in range(today.year, today.year + 9) for one in _day(year, month, day) if one >= today)
    yield from (one for one, _ in zip(found, range(1), strict=False))


def _numbered(year: str | None, month: str, day: str, today: date) -> Iterator[date]:
    if not year:
        yield from _next(int(month), int(day), today)
    else:
        yield from _day(int(year) + 2000 * (len(year) == 2), int(month), int(day))


def _by_point(match: re.Match[str], today: date) -> Iterator[date]:
    yield from _numbered(match["year"], match["month"], match["day"], today)


def _by_slash(match: re.Match[str], today: date) -> Iterator[date]:
    """Some begin with the month and some with the day."""
    yield from _numbered(match["year"], match["one"], match["other"], today)
    yield from _numbered(match["year"], match["other"], match["one"], today)


def _by_name(match: re.Match[str], today: date) -> Iterator[date]:
    month = next((number for number, name in enumerate(MONTHS, 1) if name.startswith(match["month"])), None)
    if month:
        yield from _numbered(match["year"], str(month), match["day"], today)


def _by_word(match: re.Match[str], today: date) -> Iterator[date]:
    """A weekday is the next one after today, which has a word of its own."""
    word = match[0]
    if word in WORDS:
        yield today + timedelta(days=WORDS[word])
    for number, name in enumerate(WEEKDAYS):
        if name.startswith(word.removeprefix("next ")) and len(word) >= 3:
            yield today + timedelta(days=(number - today.weekday() - 1) % 7 + 1)


def _by_weekday(match: re.Match[str], today: date) -> Iterator[date]:
    """A date with its weekday in front, if they agree."""
    for day in _by_name(match, today):
        if WEEKDAYS[day.weekday()].startswith(match["weekday"]):
            yield day


def _ahead(match: re.Match[str], today: date) -> Iterator[date]:
    number = NUMBERS.get(match["number"]) or int(match["number"])
    yield today + timedelta(days=number * (7 if match["unit"].startswith("w") else 1))


_YEAR, _NAME = r"(?P<year>[0-9]{4})", r"(?P<month>[a-z]{3,9})\.?"
_WEEKDAY = r"(?P<weekday>[a-z]{3,9})\.?"
_NUMBER = r"(?P<number>[0-9]{1,3}|a|one|two|three)"
FORMS: tuple[tuple[re.Pattern[str], Maker], ...] = tuple(
    (re.compile(pattern), made)
    for pattern, made in (
        (rf"{_YEAR}[-./](?P<month>[0-9]{{1,2}})[-./](?P<day>[0-9]{{1,2}})", _by_point),
        (r"(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\.? ?(?P<year>[0-9]{4}|[0-9]{2})?", _by_point),
        (r"(?P<one>[0-9]{1,2})/(?P<other>[0-9]{1,2})(?:/(?P<year>[0-9]{4}|[0-9]{2}))?", _by_slash),
        (rf"{_NAME} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: {_YEAR})?", _by_name),
        (rf"{_WEEKDAY} {_NAME} (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: {_YEAR})?", _by_weekday),
        (rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?{_NAME}(?: {_YEAR})?", _by_name),
        (r"(?:next )?[a-z ]{3,25}", _by_word),
        (rf"(?:in )?{_NUMBER} ?(?P<unit>d|days?|w|weeks?)", _ahead),
    )
)
