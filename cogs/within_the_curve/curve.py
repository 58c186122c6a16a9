"""Closed curves on squared paper: which corner squares make one, which squares it encloses, and how it is numbered.

Squares are counted from 0 along the rows. Nothing here knows of seats or of a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bot.core.game.notation import Square, listed
from bot.core.game.position import Illegal

SHORTEST = 8
"""The fewest squares that a curve passes through."""

FEWEST_CORNERS = 4

Direction = tuple[int, int]
STEPS: tuple[Direction, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))


@dataclass(frozen=True, slots=True)
class Curve:
    """A closed curve: its corners and all its squares in the order drawn, and those that it encloses, ascending."""

    size: int
    corners: tuple[Square, ...]
    path: tuple[int, ...]
    interior: tuple[int, ...]

    @classmethod
    def drawn(cls, corners: Sequence[Square], size: int) -> Curve:
        """The curve through these corners, back to the first; `Illegal` when it breaks a rule."""
        check_turns(corners)
        path = tuple(square.ordinal(size) for side in sides(corners) for square in straight(*side))
        check_path(path, size)
        interior = enclosed(path, size)
        if not interior:
            raise Illegal("This curve has no square inside. Draw it wider.")
        return cls(size, tuple(corners), path, interior)

    @property
    def clockwise(self) -> bool:
        """Whether the curve was drawn clockwise, as the sign of its area by the shoelace formula tells."""
        return sum(a.column * b.row - b.column * a.row for a, b in sides(self.corners)) > 0

    def numbered(self, start: int, clockwise: bool) -> tuple[int, ...]:
        """The squares of the curve in the order of their numbers, the first being `start`."""
        path = self.path if clockwise == self.clockwise else self.path[::-1]
        first = path.index(start)
        return path[first:] + path[:first]

    def __str__(self) -> str:
        return listed(self.corners)


@cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """The squares that share a side with each square."""

    def beside(square: int) -> Iterator[int]:
        column, row = Square.of(square, size)
        for right, down in STEPS:
            if 0 <= column + right < size and 0 <= row + down < size:
                yield square + right + down * size

    return tuple(tuple(beside(square)) for square in range(size**2))


def sides(corners: Sequence[Square]) -> list[tuple[Square, Square]]:
    """The ends of each straight piece, from the first corner's to the one that leads back to it."""
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def direction(start: Square, end: Square) -> Direction:
    """The step that leads straight from one square to another, or `Illegal`."""
    right, down = end.column - start.column, end.row - start.row
    if not right and not down:
        raise Illegal(f"{start} comes twice in a row. Name each corner once; the curve closes by itself.")
    if right and down:
        raise Illegal(f"{start} and {end} share neither a row nor a column, so no straight line joins them.")
    return (right > 0) - (right < 0), (down > 0) - (down < 0)


def check_turns(corners: Sequence[Square]) -> None:
    """Raise `Illegal` unless the curve can be drawn straight from corner to corner and turns at each."""
    if len(corners) < FEWEST_CORNERS:
        raise Illegal(f"A closed curve has at least {FEWEST_CORNERS} corners. This one has {len(corners)}.")
    steps = [direction(*side) for side in sides(corners)]
    for corner, before, after in zip(corners, (steps[-1], *steps), steps, strict=False):
        check_turn(corner, before, after)


def check_turn(corner: Square, before: Direction, after: Direction) -> None:
    """Raise `Illegal` unless a curve turns at a corner to the left or to the right."""
    if before == after:
        raise Illegal(f"The curve runs straight on at {corner}. Name only the squares where it turns.")
    if before == (-after[0], -after[1]):
        raise Illegal(f"The curve turns back on itself at {corner}. It can't pass through a square twice.")


def check_begun(corners: Sequence[Square], size: int) -> None:
    """Raise `Illegal` when a curve that begins so breaks a rule however it goes on."""
    steps = [direction(*side) for side in pairwise(corners)]
    for corner, (before, after) in zip(corners[1:], pairwise(steps), strict=False):
        check_turn(corner, before, after)
    path = [*(square for side in pairwise(corners) for square in straight(*side)), *corners[-1:]]
    check_once([square.ordinal(size) for square in path], size)


def straight(start: Square, end: Square) -> Iterator[Square]:
    """The squares from one corner to just before the next."""
    right, down = direction(start, end)
    length = abs(end.column - start.column) + abs(end.row - start.row)
    return (Square(start.column + right * step, start.row + down * step) for step in range(length))


def check_path(path: Sequence[int], size: int) -> None:
    """Raise `Illegal` when the squares of a curve are too few or one is there twice."""
    check_once(path, size)
    if len(path) < SHORTEST:
        raise Illegal(f"The curve passes through only {len(path)} squares. It needs at least {SHORTEST}.")


def check_once(path: Sequence[int], size: int) -> None:
    """Raise `Illegal` when a square is passed twice."""
    seen: set[int] = set()
    for square in path:
        if square in seen:
            raise Illegal(f"The curve passes through {Square.of(square, size)} twice. Only once is allowed.")
        seen.add(square)


def enclosed(path: Sequence[int], size: int) -> tuple[int, ...]:
    """The squares off the curve whose centre lies inside it.

    A line from the left edge to a centre, a hair above the centres of its row, crosses the curve just where the curve
    goes up from a square of that row: the centre is inside when it crosses an odd number of times.
    """
    on = set(path)
    upwards = {max(a, b) for a, b in zip(path, (*path[1:], path[0]), strict=True) if abs(a - b) == size}
    found: list[int] = []
    for row in range(size):
        inside = False
        for square in range(row * size, (row + 1) * size):
            inside ^= square in upwards
            if inside and square not in on:
                found.append(square)
    return tuple(found)


def next_corners(corners: Sequence[Square], size: int) -> Iterator[Square]:
    """The squares that can be the next corner of a curve begun with these: straight on without a square used twice."""
    here = corners[-1]
    taken = {here, *(square for side in pairwise(corners) for square in straight(*side))}
    came = direction(corners[-2], here) if len(corners) > 1 else (0, 0)
    for right, down in (step for step in STEPS if step not in (came, (-came[0], -came[1]))):
        square = Square(here.column + right, here.row + down)
        while 0 <= square.column < size and 0 <= square.row < size and square not in taken:
            yield square
            square = Square(square.column + right, square.row + down)
