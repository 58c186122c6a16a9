"""The stored form of a review, the computer's view of a finished match: chances after each move, and costly moves.

A review is stored as a line of JSON, which `Review.read` reads. A match in two legs has two, each in the leg's own
seats; a review without courses is of a leg in which nothing was played.

>>> cost = CostlyMove(1, 2, "b2", "c3", 50, 30), CostlyMove(2, 1, "a1", "a2", 100, 0, (3, -1))
>>> review = Review(0, ((50, 70), (50, 30)), 1, cost)
>>> review.written()
'{"first":0,"courses":[[50,70],[50,30]],"certain":1,"dear":[[1,2,"b2","c3",50,30,null],[2,1,"a1","a2",100,0,[3,-1]]]}'
>>> Review.read(review.written()) == review
True
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from bot.core.values.seats import Seat


class CostlyMove(NamedTuple):
    """A move that cost its seat something, by its number from 1, and a better one.

    `had` is the share of the match, in percent, that the seat could expect with the better move, `kept` with its own.
    Where the rest of the match was solved, `ahead` are the margins by which the seat comes out ahead with either.
    """

    number: int
    seat: Seat
    played: str
    better: str
    had: int
    kept: int
    ahead: tuple[int, int] | None = None

    @property
    def cost(self) -> tuple[int, int]:
        """What it cost: in percent of the match, then in the margin."""
        return self.had - self.kept, self.ahead[0] - self.ahead[1] if self.ahead else 0


class Review(NamedTuple):
    """For each seat its course: the percentage of the match it could expect after each move, from move `first` on (0:
    before any) for as long as it played; from which move on that is `certain`; and the costly moves, seat by seat, the
    costliest first."""

    first: int
    courses: tuple[tuple[int, ...], ...]
    certain: int | None
    costly: tuple[CostlyMove, ...]

    def written(self) -> str:
        """The review as a line to be stored."""
        kept = {"first": self.first, "courses": self.courses, "certain": self.certain, "dear": self.costly}
        return json.dumps(kept, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Review:
        """The review in a stored line."""
        kept: dict[str, Any] = json.loads(text)
        costly = tuple(CostlyMove(*one[:6], ahead=tuple(one[6]) if one[6] else None) for one in kept["dear"])
        return cls(kept["first"], tuple(tuple(course) for course in kept["courses"]), kept["certain"], costly)


NOTHING = Review(0, (), None, ())
"""The review of a leg in which nothing was played."""


def written(reviews: Iterable[Review]) -> str:
    """The reviews of a match as they are stored: a line each."""
    return "\n".join(review.written() for review in reviews)


def read(text: str) -> tuple[Review, ...]:
    """The stored reviews of a match."""
    return tuple(map(Review.read, text.splitlines()))
