"""The level of the computer that somebody beats about half the time at a game, by how their matches against it ended.

Somebody as strong as a level wins half of their matches against it, and three of four against the level below. The
strength is the most likely one by the results; before any, people are taken to be near the usual level, so that one
match says little. A win with hints says nothing. Nothing is stored: it follows from the finished matches.

>>> strength([Against("plexus", 2, won=3, drawn=0, lost=3, unaided=3)])
2.0
>>> advised([Against("plexus", 2, won=6, drawn=0, lost=1, unaided=6)], range(1, 5))
Advice(level=3, wins=6, next_level=4)
>>> advised([], range(1, 5)) is None
True
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from bot.core.rating.stored_standings import Against
from bot.core.values.computer_users import LEVELS, USUAL

STEP = math.log(3)
"""What a level's worth of strength does to the odds of winning."""
SPREAD = 1.5
"""How many levels people are apart (a standard deviation of the prior)."""
STRENGTHS = [tenth / 10 for tenth in range(10 * LEVELS[-1] + 11)]


class Advice(NamedTuple):
    """The level that suits somebody, how many of ten matches they should win against it, and the next level, which is
    None where there is none."""

    level: int
    wins: int
    next_level: int | None


def strength(results: Sequence[Against]) -> float:
    """How strong somebody is at a game, in levels, by their results against the computer there."""
    return max(STRENGTHS, key=lambda one: (_likelihood(one, results), -one))


def advised(results: Sequence[Against], offered: range) -> Advice | None:
    """What suits somebody of the levels that are offered; None before a match has ended that says something."""
    if not any(one.unaided + one.drawn + one.lost for one in results):
        return None
    strong = strength(results)
    level = min(max(round(strong), offered[0]), offered[-1])
    following = level + 1 if level < offered[-1] else None
    return Advice(level, _wins(strong, level), following)


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
