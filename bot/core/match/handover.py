"""Handovers of seats from one person to another, and the text in which a match stores them.

Moves belong to seats. A handover stores the length of the record at that time, which tells who made each move.

>>> once = handings("2 99 5 17 1")
>>> once[0].user, str(once[0]), holder(once, 2, 5), holder(once, 2, 6)
(99, '2 99 5 17 1', 99, None)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bot.core.values.ids import UserId
from bot.core.values.seats import Seat


@dataclass(frozen=True, slots=True)
class Handover:
    """A `user` handed a seat on after `plies` lines of the record, and is notified by version `due` of the match;
    `rated`: whether the match was rated until then."""

    seat: Seat
    user: UserId
    plies: int
    due: int
    rated: bool

    def __str__(self) -> str:
        return f"{self.seat} {self.user} {self.plies} {self.due} {int(self.rated)}"

    @classmethod
    def parse(cls, text: str) -> Handover:
        """Read a handover as it is stored; ValueError for any other text."""
        seat, user, plies, due, rated = map(int, text.split())
        return cls(seat, UserId(user), plies, due, bool(rated))


def handings(text: str | None) -> tuple[Handover, ...]:
    """The handovers in a stored text, the latest last."""
    return tuple(Handover.parse(one) for one in text.split(";")) if text else ()


def written(handed: Iterable[Handover]) -> str | None:
    """Handovers as one text to be stored; None where there are none. A user's id stands between two spaces in it."""
    return "; ".join(map(str, handed)) or None


def holder(handed: Iterable[Handover], seat: Seat, ply: int) -> UserId | None:
    """Who had a seat when a line of the record was written; None if that is its present player."""
    return next((one.user for one in handed if one.seat == seat and ply <= one.plies), None)
