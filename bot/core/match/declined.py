"""Who has declined a challenge, and whether it starts without them, as it is stored where a match that has begun has
refused proposals."""

from __future__ import annotations

from collections.abc import Iterable

from bot.core.match.stored import MatchRow
from bot.core.values.ids import UserId

BY, DECLINED, FEWER = "by", "declined", "fewer"


def written(people: Iterable[UserId], fewer: bool = False) -> str:
    """The stored form of the users who declined, and of whether the challenge starts without them. Each id has a space
    on both sides, so that a search finds it when a user is forgotten.

    >>> written([UserId(5), UserId(7)])
    'by 5 7 declined'
    >>> written([], fewer=True)
    'by declined fewer'
    """
    return " ".join((BY, *map(str, people), DECLINED, *([FEWER] if fewer else [])))


def is_noted(text: str | None) -> bool:
    """Whether a text is of a challenge, not of refused proposals."""
    words = (text or "").removesuffix(f" {FEWER}").split()
    return len(words) > 1 and (words[0], words[-1]) == (BY, DECLINED)


def plays_on(row: MatchRow) -> bool:
    """Whether a challenge starts without those who decline it."""
    return is_noted(row.refused) and (row.refused or "").endswith(FEWER)


def declined(row: MatchRow) -> tuple[UserId, ...]:
    """All users who have declined an open challenge, also those who have joined it since."""
    if not is_noted(row.refused):
        return ()
    return tuple(UserId(int(one)) for one in (row.refused or "").split() if one not in (BY, DECLINED, FEWER))


def absent(row: MatchRow) -> tuple[UserId, ...]:
    """Those of them who have no seat; of a declined challenge all, since the last keep their seats."""
    seated = set[UserId]() if row.state == "declined" else {player.user for player in row.players}
    return tuple(user for user in declined(row) if user not in seated)
