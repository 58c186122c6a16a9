"""Estimates the computer level that a user beats about half the time at a game, from the results of matches against it,
and from the points that their moves lost where that could be computed.

A user as strong as a level wins half of their matches against it, and three of four against the level below; and loses
as many points a move as it does, in any match. Levels lose evenly less from the first to the last, which loses next to
none. The strength is the most likely one by all that; before any, people are taken to be near the usual level, so that
one match says little. A win with hints says nothing.

>>> strength([Against("plexus", 2, won=3, drawn=0, lost=3, unaided=3)])
2.0
>>> advised([Against("plexus", 2, won=6, drawn=0, lost=1, unaided=6)], range(1, 5))
Advice(level=3, wins=6, next_level=4, loses=None, next_loses=None)
>>> losses = Losses(moves=100, points=30.0, by_lot=100.0, beside=0.3)
>>> advised([], range(1, 7), Losing(losses, first=0.5))
Advice(level=3, wins=5, next_level=4, loses=0.3, next_loses=0.2)
>>> advised([], range(1, 5)) is None
True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from bot.core.rating.stored_standings import Against, Losses
from bot.core.values.computer_users import LEVELS, USUAL

STEP = math.log(3)
"""What a level's worth of strength does to the odds of winning."""
SPREAD = 1.5
"""How many levels people are apart (a standard deviation of the prior)."""
SCATTER = 0.6
"""How far from the mean single moves lie (their standard deviation), beside what a move by lot loses."""
FEWEST = 10
"""What fewer moves lost says nothing."""
STRENGTHS = [tenth / 10 for tenth in range(10 * LEVELS[-1] + 11)]


class Losing(NamedTuple):
    """The points that a user's moves lost at a game, and which part of the loss of random moves the first level loses
    there."""

    lost: Losses
    first: float

    def beside(self, strong: float) -> float:
        """The expected loss at a strength in levels, relative to that of random moves."""
        return self.first * max(0.0, (LEVELS[-1] - strong) / (LEVELS[-1] - LEVELS[0]))

    def points(self, level: int) -> float:
        """What a level would have lost in place of these moves, in points a move."""
        return self.lost.by_lot / self.lost.moves * self.beside(level)


class Advice(NamedTuple):
    """The level that suits a user, how many of ten matches they should win against it, and the next level, None where
    there is none; their loss in points a move, and that expected of the next level in the same positions, where
    known."""

    level: int
    wins: int
    next_level: int | None
    loses: float | None = None
    next_loses: float | None = None


def strength(results: Sequence[Against], losing: Losing | None = None) -> float:
    """A user's strength at a game, in levels: the most likely one by the results against the computer and the points
    lost."""
    return max(STRENGTHS, key=lambda one: (_likelihood(one, results) + _likely_to_lose(one, losing), -one))


def advised(results: Sequence[Against], offered: range, losing: Losing | None = None) -> Advice | None:
    """The level that suits a user, among those offered; None without any evidence."""
    losing = losing if losing and losing.lost.moves >= FEWEST else None
    if not losing and not any(one.unaided + one.drawn + one.lost for one in results):
        return None
    strong = strength(results, losing)
    level = min(max(round(strong), offered[0]), offered[-1])
    following = level + 1 if level < offered[-1] else None
    advice = Advice(level, _wins(strong, level), following)
    if not losing:
        return advice
    loses = losing.lost.points / losing.lost.moves
    return advice._replace(loses=loses, next_loses=losing.points(following) if following else None)


def _wins(strong: float, level: int) -> int:
    return min(max(round(10 * _chance(strong, level)), 1), 9)


def _chance(strong: float, level: int) -> float:
    return 1 / (1 + math.exp(STEP * (level - strong)))


def _likelihood(strong: float, results: Sequence[Against]) -> float:
    """The logarithm of how likely a strength is, but for what is the same of all."""
    found = -0.5 * ((strong - USUAL) / SPREAD) ** 2
    for one in results:
        wins = _chance(strong, one.level)
        found += (one.unaided + one.drawn / 2) * math.log(wins) + (one.lost + one.drawn / 2) * math.log(1 - wins)
    return found


def _likely_to_lose(strong: float, losing: Losing | None) -> float:
    """The log-likelihood of a strength by the points that the user's moves lost, up to a constant."""
    if not losing:
        return 0.0
    return -0.5 * losing.lost.moves * ((losing.lost.beside - losing.beside(strong)) / SCATTER) ** 2
