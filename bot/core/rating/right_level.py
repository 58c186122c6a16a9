"""The level of the computer that somebody beats about half the time at a game, by how their matches against it ended,
and by what their moves lost where that could be computed.

Somebody as strong as a level wins half of their matches against it, and three of four against the level below; and
loses as many points a move as it does, in whatever match. Levels lose evenly less from the first to the last, which
loses next to none. The strength is the most likely one by all that; before any, people are taken to be near the usual
level, so that one match says little. A win with hints says nothing.

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
    """What somebody's moves lost at a game, and which part of what moves by lot lose there the first level loses."""

    lost: Losses
    first: float

    def beside(self, strong: float) -> float:
        """What somebody of a strength in levels loses beside moves by lot."""
        return self.first * max(0.0, (LEVELS[-1] - strong) / (LEVELS[-1] - LEVELS[0]))

    def points(self, level: int) -> float:
        """What a level would have lost in place of these moves, in points a move."""
        return self.lost.by_lot / self.lost.moves * self.beside(level)


class Advice(NamedTuple):
    """The level that suits somebody, how many of ten matches they should win against it, and the next level, which is
    None where there is none; what they lose in points a move, and what the next level would have lost in their place,
    where that is known."""

    level: int
    wins: int
    next_level: int | None
    loses: float | None = None
    next_loses: float | None = None


def strength(results: Sequence[Against], losing: Losing | None = None) -> float:
    """How strong somebody is at a game, in levels, by their results against the computer and what their moves lost."""
    return max(STRENGTHS, key=lambda one: (_likelihood(one, results) + _likely_to_lose(one, losing), -one))


def advised(results: Sequence[Against], offered: range, losing: Losing | None = None) -> Advice | None:
    """What suits somebody of the levels that are offered; None before there is anything that says something."""
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
    """The same for what somebody's moves lost."""
    if not losing:
        return 0.0
    return -0.5 * losing.lost.moves * ((losing.lost.beside - losing.beside(strong)) / SCATTER) ** 2
