"""Quiet hours as people choose them: written "23-7", shown as "23:00 to 7:00", or none at all. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.core.game.notation import whole_quoted
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored_settings import MORNING, NIGHT, Preferences

NONE = "none"
"""The word for no quiet hours."""
OFFERED = (
    "20-6", "20-8", "21-6", "21-7", "21-8", "21-9", "22-6", "22-7", "22-8", "22-9", "22-10", "23-6", "23-7", "23-8",
    "23-9", "23-10", "0-7", "0-8", "0-9", "0-10", "1-9", "2-10",
)  # fmt: skip
"""Hours to choose from; any others are typed."""
USUAL = f"{NIGHT}-{MORNING}"
WRITTEN = re.compile(r"([01]?[0-9]|2[0-4])(?::?00)?\s*(?:-|–|to)\s*([01]?[0-9]|2[0-4])(?::?00)?")
UNREAD = "I can't read these hours. Write them like 23-7, from the first hour until the second, or none."


def written(chosen: Preferences) -> str:
    """A user's quiet hours in the form that is typed and stored.

    >>> written(Preferences()), written(Preferences(night=8, morning=8))
    ('22-8', 'none')
    """
    return NONE if chosen.night == chosen.morning else f"{chosen.night}-{chosen.morning}"


def shown(hours: str) -> str:
    """Quiet hours in words.

    >>> shown("22-8"), shown("none")
    ('22:00 to 8:00', 'none')
    """
    night, _, morning = hours.partition("-")
    return hours if hours == NONE else f"{night}:00 to {morning}:00"


def with_hours(before: Preferences, typed: str) -> Preferences:
    """Preferences with other quiet hours, from typed text; raises a refusal.

    >>> [written(with_hours(Preferences(), one)) for one in ("23-7", "24:00 – 09:00", "1 to 9", "none", "5-5")]
    ['23-7', '0-9', '1-9', 'none', 'none']
    """
    if typed.strip().lower() == NONE:
        return replace(before, night=MORNING, morning=MORNING)
    found = WRITTEN.fullmatch(typed.strip().lower())
    if found is None:
        raise Refusal(whole_quoted(typed, UNREAD))
    night, morning = int(found[1]) % 24, int(found[2]) % 24
    return replace(before, night=night, morning=morning) if night != morning else with_hours(before, NONE)


def choices(kept: Preferences) -> list[str]:
    """The hours to choose from, with those that are chosen."""
    return list(dict.fromkeys((written(kept), NONE, *OFFERED)))


def offered(typed: str) -> list[str]:
    """The hours that begin as typed so far, in either form, or else the typed hours themselves.

    >>> offered("22:00 to 8"), offered("9 – 17"), offered("5:00 to 6:00"), offered("at night")
    (['22-8'], ['9-17'], ['5-6'], [])
    """
    begun = typed.strip().lower()
    found = [one for one in (USUAL, NONE, *OFFERED) if one.startswith(begun) or shown(one).startswith(begun)]
    return list(dict.fromkeys(found)) or (
        [written(with_hours(Preferences(), begun))] if WRITTEN.fullmatch(begun) else []
    )
