"""What the computer finds in a match that is over: how it stood after each move, and which moves cost most.

A review is kept as a line of JSON, which `Review.read` takes back. A match in two legs has two, each in the leg's own
seats; one without lines is of a leg in which nothing was played.

>>> cost = Dear(1, 2, "b2", "c3", 50, 30), Dear(2, 1, "a1", "a2", 100, 0, (3, -1))
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


class Dear(NamedTuple):
    """A move that cost its seat something, by its number from 1, and one that would have been better.

    `had` is what the seat could expect of the match with the better one, `kept` what with its own, in percent. For
    certain, `ahead` is by how much it comes out ahead with either, if nobody errs from there on.
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
        """What it cost: of the match, then of the margin."""
        return self.had - self.kept, self.ahead[0] - self.ahead[1] if self.ahead else 0


class Review(NamedTuple):
    """What was found: for each seat what it could expect of the match, in percent, after each move from the `first` on
    (0: before any was made), as long as it was in the match; from which move on that is `certain`; and the dear moves,
    seat by seat, the dearest first."""

    first: int
    courses: tuple[tuple[int, ...], ...]
    certain: int | None
    dear: tuple[Dear, ...]

    def written(self) -> str:
        """The review as it is kept."""
        return json.dumps(self._asdict(), separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Review:
        """A review that was kept."""
        kept: dict[str, Any] = json.loads(text)
        dear = tuple(Dear(*one[:6], ahead=tuple(one[6]) if one[6] else None) for one in kept["dear"])
        return cls(kept["first"], tuple(tuple(course) for course in kept["courses"]), kept["certain"], dear)


NOTHING = Review(0, (), None, ())
"""Of a leg in which nothing was played."""


def written(reviews: Iterable[Review]) -> str:
    """The reviews of a match as they are kept: a line each."""
    return "\n".join(review.written() for review in reviews)


def read(text: str) -> tuple[Review, ...]:
    """The reviews of a match that were kept."""
    return tuple(map(Review.read, text.splitlines()))
