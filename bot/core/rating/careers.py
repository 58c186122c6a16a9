"""How ratings went: everybody's on one board of a server, after each of their last matches.

Only the ratings of today are stored. The way to them is folded from all results of the board, and kept to be folded on:
what comes in later adds to it, and where somebody was forgotten it is begun anew, so that nothing of them stays.

>>> from bot.core.rating.ratings import Result
>>> first = grown(None, Came(Mark(5, None), True, (Result((7, 8), (1, 2)), Result((7, 9), (1, 2)))))
>>> first.of(7).played, len(first.of(7).values), first.of(7).values[0] < first.of(7).values[1]
(2, 2, True)
>>> grown(first, Came(Mark(6, None), False, (Result((8, 9), (1, 1)),))).of(9).played, first.of(9).played, first.of(5)
(2, 1, None)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bot.core.match.stored import Came, Mark
from bot.core.rating.ratings import Rating, rated

LAST = 100
"""How many matches of somebody's are looked back upon."""


class Career(NamedTuple):
    """Somebody's rating, as leaderboards order by it, after each of their last matches; and how many they played."""

    values: tuple[float, ...]
    played: int


@dataclass(frozen=True, slots=True)
class Careers:
    """The careers of a board, until some mark."""

    mark: Mark
    ratings: Mapping[int, Rating]
    values: Mapping[int, tuple[float, ...]]

    def of(self, user: int) -> Career | None:
        """Somebody's; None where no match of theirs has counted."""
        return Career(self.values[user], self.ratings[user].played) if user in self.values else None


def grown(before: Careers | None, came: Came) -> Careers:
    """The careers after what has come in."""
    known = None if came.whole else before
    ratings, values = (dict(known.ratings), dict(known.values)) if known else ({}, {})
    for result in came.results:
        after = rated(ratings, result)
        ratings.update(after)
        for user, rating in after.items():
            values[user] = (*values.get(user, ())[1 - LAST :], rating.mu - 3 * rating.sigma)
    return Careers(came.mark, ratings, values)
