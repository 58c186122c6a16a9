"""Grids of numbers and the sums of their runs: one or more consecutive squares of a row or of a column.

Squares are counted from 0 along the rows. Nothing here knows of seats or of a match.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import count
from math import isqrt
from types import MappingProxyType

Grid = tuple[int, ...]
"""The numbers of a square grid, row after row; empty where there is none."""
Run = tuple[int, ...]
"""Consecutive squares of a row or of a column, from the left or from the top."""


@cache
def runs(size: int) -> tuple[Run, ...]:
    """All runs of a grid, the shorter before the longer, those of rows before those of columns."""
    rows = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    columns = [tuple(range(column, size**2, size)) for column in range(size)]
    found = (
        line[first : first + length]
        for length in range(1, size + 1)
        for line in (*rows, *columns)
        for first in range(size - length + 1)
    )
    # A single square is a run of its row and of its column.
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1024)
def sums(grid: Grid) -> Mapping[int, Run]:
    """Every sum of a grid, which may be empty, with its shortest run.

    >>> sums((1, 2, 4, 3))[3], sums((1, 2, 4, 3))[7]
    ((3,), (2, 3))
    """
    found: dict[int, Run] = {}
    for run in runs(side(grid)):
        found.setdefault(sum(grid[square] for square in run), run)
    return MappingProxyType(found)


def reach(grid: Grid) -> int:
    """The largest m such that 1, 2, … m are all sums of a grid."""
    made = sums(grid)
    return next(number for number in count() if number + 1 not in made)


def side(grid: Grid) -> int:
    """How many rows and columns a grid has."""
    return isqrt(len(grid))


def rows(grid: Grid) -> tuple[Grid, ...]:
    """The rows of a grid."""
    size = side(grid)
    return tuple(grid[first : first + size] for first in range(0, len(grid), size or 1))


def expression(grid: Grid, run: Run, plus: str = " + ") -> str:
    """The numbers of a run as a sum: "2 + 9 + 8"."""
    return plus.join(str(grid[square]) for square in run)


def written(grid: Grid) -> str:
    """A grid as a move holds it: "2 9 8 / 3 1 10 / 7 6 15"."""
    return " / ".join(" ".join(map(str, row)) for row in rows(grid))
