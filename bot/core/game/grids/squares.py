"""Names and numbers of the squares and the lines of a square grid.

A grid's cells are a sequence, row by row: numbers (0 for an empty square), or text ("1" for a filled square, "0" for an
empty one).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, Protocol, TypeVar

from bot.core.game.notation import Square
from bot.core.values.seats import Seat

Axis = Literal["row", "column"]
Cells = TypeVar("Cells", str, tuple[int, ...], list[int])


@cache
def names(size: int) -> tuple[str, ...]:
    """The squares of a grid as notation writes them, row by row: a1, b1, …"""
    return tuple(str(Square.of(index, size)) for index in range(size**2))


@cache
def _places(size: int) -> dict[str, int]:
    return {name: index for index, name in enumerate(names(size))}


def place(text: str, size: int) -> int:
    """The number of a square, counted from 0 along the rows, from its name in any form, or `Unreadable`."""
    known = _places(size).get(text)
    return Square.parse(text, size, size).ordinal(size) if known is None else known


class Sized(Protocol):
    """A position on a board with as many columns as rows, or the options of one."""

    @property
    def size(self) -> int: ...


def square_sides(position: Sized) -> tuple[int, int]:
    """How many columns and rows a square board has: the bounds of a "square" part of a move."""
    return position.size, position.size


class Squared:
    """A part of positions whose moves each name one square of a grid."""

    __slots__ = ()

    size: int

    def read(self, seat: Seat, text: str) -> str:
        """Turn a square in any form into its name, or raise `Unreadable`."""
        return names(self.size)[place(text, self.size)]


def lines(cells: Cells, size: int, axis: Axis) -> tuple[Cells, ...]:
    """The rows of a grid from the left, or its columns from the top.

    >>> lines("abcd", 2, "row"), lines("abcd", 2, "column")
    (('ab', 'cd'), ('ac', 'bd'))
    """
    if axis == "row":
        return tuple([cells[start : start + size] for start in range(0, size**2, size)])
    return tuple([cells[column::size] for column in range(size)])


def letter(column: int) -> str:
    """A column's letter, from its number from 0."""
    return chr(97 + column)


def line_name(axis: Axis, index: int) -> str:
    """A line by its name: "row 3", "column c"."""
    return f"{axis} {index + 1 if axis == 'row' else letter(index)}"


def squares_of(board: int) -> Iterator[int]:
    """The squares of a bit board, ascending."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest
