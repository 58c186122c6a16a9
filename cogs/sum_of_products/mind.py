"""How the computer plays Sum Of Products: a random end of a match has a random number in each empty square.

There are very many moves, so a number that is good in one square is tried early in others.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache

from bot.core.game.grids.squares import lines
from bot.core.game.mind import Lots, Mind
from cogs.sum_of_products.rules import SumOfProducts, line_score


@lru_cache(maxsize=60_000)
def _worth(numbers: tuple[int, ...]) -> int:
    # The score of a line by its numbers in ascending order: of a side of 9 there are 48620.
    return line_score(numbers)


def rollout(position: SumOfProducts, lots: Lots) -> Sequence[int]:
    """The scores when every empty square has got any number."""
    size, draw = position.size, lots.random
    cells = tuple([value or int(draw() * size) + 1 for value in position.cells])
    axes = (lines(cells, size, axis) for axis in position.AXES)
    return [sum([_worth(tuple(sorted(line))) for line in each]) for each in axes]


def key(position: SumOfProducts) -> Hashable:
    """The grid with its rows and its columns in order: the order of either changes nothing."""
    rows = sorted(lines(position.cells, position.size, "row"))
    columns = sorted(zip(*rows, strict=True))
    return tuple(sorted(zip(*columns, strict=True)))


def effort(position: SumOfProducts) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[SumOfProducts] = Mind(rollout=rollout, key=key, wide=True, effort=effort)
