"""Seasons: the quarters of the calendar by UTC, each a number of its year and its quarter, or 0 for all time.

A match counts in the season in which it ended. That is computed from its epoch seconds, without a clock or a calendar.

>>> [season_of(at) for at in (1_790_812_799, 1_790_812_800)]  # about midnight before the 1st of October 2026
[20263, 20264]
>>> name_of(20264), span_of(20264), begins(20264), following(20264)
('2026 Q4', 'October to December 2026', 1790812800, 20271)
"""

from __future__ import annotations

import re

ALL_TIME = 0
"""In place of a season: all of them together."""
DAY, YEAR = 86_400, 31_556_952
"""Seconds of a day, and of a year on average."""
DAYS_BEFORE = 0, 90, 181, 273
"""How many days of a year are over when a quarter begins, where February has 28."""
MONTHS = "January to March", "April to June", "July to September", "October to December"
FOR_EVER = 2**63 - 1
WRITTEN = re.compile(r"(?P<year>[0-9]{4})[ /-]*[Qq]?(?P<quarter>[1-4])|[Qq]?(?P<first>[1-4])[ /-]*(?P<then>[0-9]{4})")


def season_of(at: int) -> int:
    """The season that a second lies in."""
    near = 1970 + at // YEAR
    seasons = [10 * year + quarter for year in (near - 1, near, near + 1) for quarter in (1, 2, 3, 4)]
    return max(season for season in seasons if begins(season) <= at)


def begins(season: int) -> int:
    """The first second of a season."""
    year, quarter = divmod(season, 10)
    leaps = sum((year - 1) // years - 1969 // years for years in (4, 400)) - ((year - 1) // 100 - 1969 // 100)
    leap = quarter > 1 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return DAY * (365 * (year - 1970) + leaps + DAYS_BEFORE[quarter - 1] + leap)


def following(season: int) -> int:
    """The season after one."""
    return season + 1 if season % 10 < 4 else season + 7


def bounds(season: int) -> tuple[int, int]:
    """The second before a season, and its last one; of all time likewise."""
    return (begins(season) - 1, begins(following(season)) - 1) if season else (0, FOR_EVER)


def name_of(season: int) -> str:
    """A season as people write it."""
    return "{} Q{}".format(*divmod(season, 10))


def span_of(season: int) -> str:
    """The months of a season."""
    year, quarter = divmod(season, 10)
    return f"{MONTHS[quarter - 1]} {year}"


def read_season(text: str) -> int | None:
    """The season of a typed text; None where that is none.

    >>> [read_season(text) for text in ("2026 Q3", "2026q3", "q3 2026", "20263", "2026 Q5", "1969 Q4", "summer")]
    [20263, 20263, 20263, 20263, None, None, None]
    """
    found = WRITTEN.fullmatch(text.strip())
    if not found:
        return None
    year, quarter = found["year"] or found["then"], found["quarter"] or found["first"]
    return 10 * int(year) + int(quarter) if int(year) >= 1970 else None
