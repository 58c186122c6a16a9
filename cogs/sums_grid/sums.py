"""Grids of numbers and the sums of their runs: consecutive squares of a row or of a column, or also of a diagonal.

Squares are counted from 0 along the rows. Nothing here knows of seats or of a match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count
from math import isqrt
from types import MappingProxyType

Run = tuple[int, ...]
"""Consecutive squares of a line, from the left or from the top."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The numbers of a square grid, row by row, and whether runs of its diagonals count; false where there is none."""

    numbers: tuple[int, ...] = ()
    diagonals: bool = False

    def __bool__(self) -> bool:
        return bool(self.numbers)

    @property
    def size(self) -> int:
        """How many rows and columns there are."""
        return isqrt(len(self.numbers))

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The numbers, row by row."""
        return tuple(self.numbers[first : first + self.size] for first in range(0, len(self.numbers), self.size or 1))

    def __str__(self) -> str:
        """As a move holds it: "2 9 8 / 3 1 10 / 7 6 15"."""
        return " / ".join(" ".join(map(str, row)) for row in self.rows)


@cache
def runs(size: int, diagonals: bool = False) -> tuple[Run, ...]:
    """All runs of a grid, the shorter before the longer, those of rows before those of columns and of diagonals."""
    lines = [tuple(range(row * size, (row + 1) * size)) for row in range(size)]
    lines += [tuple(range(column, size**2, size)) for column in range(size)]
    lines += slanting(size) if diagonals else []
    found = (
        line[first : first + length]
        for length in range(1, size + 1)
        for line in lines
        for first in range(len(line) - length + 1)
    )
    # A single square is a run of its row, of its column and of its diagonals.
    return tuple(dict.fromkeys(found))


def slanting(size: int) -> list[Run]:
    """All diagonals, long and short, in both directions, from the top.

    >>> slanting(2)
    [(2,), (0, 3), (1,), (0,), (1, 2), (3,)]
    """
    places = [(square, *divmod(square, size)) for square in range(size**2)]
    falling = [tuple(at for at, row, column in places if column - row == gap) for gap in range(1 - size, size)]
    rising = [tuple(at for at, row, column in places if column + row == total) for total in range(2 * size - 1)]
    return falling + rising


@lru_cache(maxsize=1024)
def sums(grid: Grid) -> Mapping[int, Run]:
    """Every sum of a grid, which may be empty, with its shortest run.

    >>> sums(Grid((1, 2, 4, 3)))[3], sums(Grid((1, 2, 4, 3)))[7]
    ((3,), (2, 3))
    >>> sums(Grid((1, 4, 5, 2), diagonals=True))[3]
    (0, 3)
    """
    found: dict[int, Run] = {}
    for run in runs(grid.size, grid.diagonals):
        found.setdefault(sum(grid.numbers[square] for square in run), run)
    return MappingProxyType(found)


def reach(grid: Grid) -> int:
    """The largest m such that 1, 2, … m are all sums of a grid."""
    made = sums(grid)
    return next(number for number in count() if number + 1 not in made)


def expression(grid: Grid, run: Run, plus: str = " + ") -> str:
    """The numbers of a run as a sum: "2 + 9 + 8"."""
    return plus.join(str(grid.numbers[square]) for square in run)
