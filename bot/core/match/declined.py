"""Who has declined a challenge, as it is stored where refused proposals stand once a match has begun."""

from __future__ import annotations

from collections.abc import Iterable

from bot.core.match.stored import MatchRow
from bot.core.values.ids import UserId

BY, DECLINED = "by", "declined"


def written(people: Iterable[UserId]) -> str:
    """People as one text to be stored: each stands between two spaces, so that somebody who is forgotten is found.

    >>> written([UserId(5), UserId(7)])
    'by 5 7 declined'
    """
    return " ".join((BY, *map(str, people), DECLINED))


def declined(row: MatchRow) -> tuple[UserId, ...]:
    """Everybody who has declined a challenge that has not become a match, also those who have come since."""
    begins, *people, ends = (row.refused or f"{BY} {DECLINED}").split()
    return tuple(UserId(int(one)) for one in people) if (begins, ends) == (BY, DECLINED) else ()


def absent(row: MatchRow) -> tuple[UserId, ...]:
    """Those of them who do not sit there now; of a challenge that was declined, everybody."""
    seated = {player.user for player in row.players} if row.state == "open" else set[UserId]()
    return tuple(user for user in declined(row) if user not in seated)
