"""Who has handed a seat on: what is kept of it with the match, and the text that it is kept as.

Moves belong to seats, so whose they were is told by how long the record was when the seat passed on.

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
class Handing:
    """That a seat was handed on by a `user` after so many `plies` of the record. With the version `due` that one is
    told so; `rated`: whether the match counted for ratings until then."""

    seat: Seat
    user: UserId
    plies: int
    due: int
    rated: bool

    def __str__(self) -> str:
        return f"{self.seat} {self.user} {self.plies} {self.due} {int(self.rated)}"

    @classmethod
    def parse(cls, text: str) -> Handing:
        """Read one as it was written; ValueError where it was not."""
        seat, user, plies, due, rated = map(int, text.split())
        return cls(seat, UserId(user), plies, due, bool(rated))


def handings(text: str | None) -> tuple[Handing, ...]:
    """All that a text tells of, the latest last."""
    return tuple(Handing.parse(one) for one in text.split(";")) if text else ()


def written(handed: Iterable[Handing]) -> str | None:
    """All of them in one text; None where there are none. A person's number stands between two spaces in it."""
    return "; ".join(map(str, handed)) or None


def holder(handed: Iterable[Handing], seat: Seat, ply: int) -> UserId | None:
    """Who had a seat when a line of the record was written; None for whoever has it now."""
    return next((one.user for one in handed if one.seat == seat and ply <= one.plies), None)
