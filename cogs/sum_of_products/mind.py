"""How the computer plays Sum Of Products: a random end of a match has a random number in each empty square.

There are very many moves, so a number that is good in one square is tried early in others.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from bot.games.grids import split_lines
from bot.games.mind import Measured, Mind, RandomSource
from cogs.sum_of_products.rules import SumOfProducts, score_line

_score_line = lru_cache(maxsize=60_000)(score_line)
"""By the numbers of a line in ascending order: there are 48620 for a side of 9."""


def roll_out(position: SumOfProducts, rng: RandomSource) -> Sequence[int]:
    """The scores when every empty square has got any number."""
    size, draw = position.size, rng.random
    cells = tuple([value or int(draw() * size) + 1 for value in position.cells])
    axes = (split_lines(cells, size, axis) for axis in position.AXES)
    return [sum([_score_line(tuple(sorted(line))) for line in each]) for each in axes]


def position_key(position: SumOfProducts) -> Hashable:
    """The grid with its rows and its columns in order: the order of either changes nothing."""
    rows = sorted(split_lines(position.cells, position.size, "row"))
    columns = sorted(zip(*rows, strict=True))
    return tuple(sorted(zip(*columns, strict=True)))


def estimate_effort(position: SumOfProducts) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[SumOfProducts] = Mind(
    rollout=roll_out,
    key=position_key,
    wide=True,
    effort=estimate_effort,
    measured=Measured(
        playouts=15_000,
        nodes=60_000,
        playout_effort=36,  # squares
        hastes=(0.62, 0.55, 0.45, 0.2),
        lost_by_lot=0.61,
    ),
)
