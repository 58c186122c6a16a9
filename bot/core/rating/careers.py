"""Careers: everybody's rating on one leaderboard, after each of their last matches; drawn as a chart in /profile.

Only today's ratings are stored. Careers are folded from all results of the leaderboard and kept in memory, and later
results are added. When a user is forgotten they are folded anew, so that nothing of that person stays.

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

from bot.core.rating.ratings import Rating, Result, rated

LAST = 100
"""How many matches of each person are kept."""


class Mark(NamedTuple):
    """The state up to which a server's results were read: the end of its last match, and the last alias that was
    given."""

    ended: int | None
    alias: int | None


class Came(NamedTuple):
    """Results of a leaderboard, oldest first, and the mark they reach to: all of them (`whole`), or those since an
    earlier mark."""

    mark: Mark
    whole: bool
    results: tuple[Result, ...]


class Career(NamedTuple):
    """One person's ratings (μ − 3σ) after each of their last matches, and how many matches they played."""

    values: tuple[float, ...]
    played: int


@dataclass(frozen=True, slots=True)
class Careers:
    """The careers of a leaderboard, up to a mark."""

    mark: Mark
    ratings: Mapping[int, Rating]
    values: Mapping[int, tuple[float, ...]]

    def of(self, user: int) -> Career | None:
        """One person's career; None where no match of theirs has counted."""
        return Career(self.values[user], self.ratings[user].played) if user in self.values else None


def grown(before: Careers | None, came: Came) -> Careers:
    """The careers after new results."""
    known = None if came.whole else before
    ratings, values = (dict(known.ratings), dict(known.values)) if known else ({}, {})
    for result in came.results:
        after = rated(ratings, result)
        ratings.update(after)
        for user, rating in after.items():
            values[user] = (*values.get(user, ())[1 - LAST :], rating.value)
    return Careers(came.mark, ratings, values)
