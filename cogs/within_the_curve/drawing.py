"""Draws a copy of a curve at any place and size of a page: its squares, its walls and its numbers.

The curve is a corridor in its seat's pale colour between walls, so that it can be followed where it runs beside itself;
what it encloses is white. Numbers that would be too small to read are left out, but never the largest one inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from bot.core.game.notation import Square
from bot.core.values.seats import Seat
from cogs.within_the_curve.curve import STEPS, Curve
from cogs.within_the_curve.sheet import Sheet
from rendering.boards import BOLD, HAIR
from rendering.shapes import LEAST, SEAT_INKS, TINT_INKS, Box, Disc, Ink, Line, Path, Ring, Shape, Spot, Text, width

SNUG, ROOMY = 0.92, 0.84
"""The part of a square that a number takes where space is short, and where it is not."""
INNER, OUTER = 0.52, 0.44
"""Sizes of numbers inside and on the curve, at most, in squares."""
OPENING = 0.3
"""The radius of the ring around a square that the next number may be written into."""


class Edge(NamedTuple):
    """A side of a square: along the top of the square in this column and row, or down its left side."""

    level: bool
    across: int
    along: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where squares lie on a page: the first of them, from where on, how large, and a point, in the page's unit."""

    point: float
    cell: float = 1.0
    left: float = 0.0
    top: float = 0.0
    column: int = 0
    row: int = 0

    def corner(self, column: float, row: float) -> Spot:
        """The top left corner of a square."""
        return self.left + (column - self.column) * self.cell, self.top + (row - self.row) * self.cell

    def centre(self, square: Square) -> Spot:
        """The middle of a square."""
        return self.corner(square.column + 0.5, square.row + 0.5)

    @property
    def hair(self) -> float:
        """The weight of a line between squares."""
        return min(HAIR * self.point, 0.05 * self.cell)

    @property
    def bold(self) -> float:
        """The weight of a wall."""
        return min(BOLD * self.point, 0.13 * self.cell)

    def fits(self, text: str) -> bool:
        """Whether a text is legible in a square."""
        return width(text, LEAST * self.point) <= SNUG * self.cell

    def size(self, text: str, most: float) -> float:
        """The type size for a text in a square."""
        most *= self.cell
        return max(LEAST * self.point, min(most, most * ROOMY * self.cell / width(text, most)))


def bounds(curve: Curve) -> tuple[int, int, int, int]:
    """The first column and row that a curve passes through, and how many of each it spans."""
    columns, rows = zip(*(Square.of(square, curve.size) for square in curve.path), strict=True)
    return min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


# The curve.


def grid(place: Place, size: int) -> Iterator[Line]:
    """The lines of an empty grid, behind everything else."""
    for step in range(size + 1):
        yield Line(*place.corner(step, 0), *place.corner(step, size), "faded", place.hair)
        yield Line(*place.corner(0, step), *place.corner(size, step), "faded", place.hair)


def underlay(curve: Curve, place: Place) -> Iterator[Box]:
    """Lines around the squares of a curve and those inside, where there is no grid."""
    for square in (*curve.path, *curve.interior):
        yield Box(*place.corner(*Square.of(square, curve.size)), place.cell, place.cell, "faded")


@lru_cache(maxsize=256)
def corridor(curve: Curve, seat: Seat, place: Place, tint: Ink | None = None) -> tuple[Shape, ...]:
    """The squares of a curve, in its seat's tint unless another is given, those that it encloses, and its walls."""
    white = (ground(place, Square.of(square, curve.size), "white") for square in curve.interior)
    tinted = (ground(place, Square.of(square, curve.size), tint or TINT_INKS[seat - 1]) for square in curve.path)
    return (*white, *tinted, *_walls(curve, seat, place))


def ground(place: Place, square: Square, ink: Ink) -> Box:
    """A square's ground, between the lines of the grid."""
    inset = place.hair / 2
    left, top = place.corner(square.column, square.row)
    return Box(left + inset, top + inset, place.cell - 2 * inset, place.cell - 2 * inset, ink)


def _walls(curve: Curve, seat: Seat, place: Place) -> Iterator[Line]:
    for edge, length in _runs(edges(curve)):
        start, end = (edge.along, edge.across), (edge.along + length, edge.across)
        start, end = (start, end) if edge.level else (start[::-1], end[::-1])
        yield Line(*place.corner(*start), *place.corner(*end), SEAT_INKS[seat - 1], place.bold)


def edges(curve: Curve) -> set[Edge]:
    """The sides of a curve's squares that it does not cross."""
    path, found = [Square.of(square, curve.size) for square in curve.path], set[Edge]()
    for before, square, after in zip((path[-1], *path), path, (*path[1:], path[0]), strict=False):
        for right, down in STEPS:
            if (square.column + right, square.row + down) not in (before, after):
                side = (
                    (square.row + max(down, 0), square.column) if down else (square.column + max(right, 0), square.row)
                )
                found.add(Edge(bool(down), *side))
    return found


def _runs(found: Iterable[Edge]) -> Iterator[tuple[Edge, int]]:
    """Edges as long lines: the first of each, and how many follow one another."""
    left = set(found)
    for edge in sorted(left):
        length = 0
        while edge._replace(along=edge.along + length) in left:
            left.discard(edge._replace(along=edge.along + length))
            length += 1
        if length:
            yield edge, length


def track(curve: Curve, seat: Seat, place: Place, tint: Ink | None = None) -> Path:
    """A line through the middles of a curve's squares."""
    spots = tuple(place.centre(Square.of(square, curve.size)) for square in curve.path)
    return Path(spots, SEAT_INKS[seat - 1], place.bold, closed=True, on=tint or TINT_INKS[seat - 1])


def bare(curve: Curve, seat: Seat, place: Place, tint: Ink | None = None) -> Iterator[Shape]:
    """A curve without numbers."""
    yield from corridor(curve, seat, place, tint)
    yield track(curve, seat, place, tint)


def turns(curve: Curve, seat: Seat, place: Place) -> Iterator[Disc]:
    """A dot at each corner, the first one larger."""
    for order, square in enumerate(curve.corners):
        radius = 0.14 if order else 0.24
        yield Disc(*place.centre(square), radius * place.cell, SEAT_INKS[seat - 1], TINT_INKS[seat - 1])


# What is written.


def outer(curve: Curve, sheet: Sheet, seat: Seat, place: Place) -> Iterator[Shape]:
    """The numbers on a curve: 1 on dark, 2 with it, and all others that are legible."""
    if sheet.start is None:
        yield track(curve, seat, place)
        return
    for number, ordinal in enumerate(curve.numbered(sheet.start, sheet.clockwise), 1):
        square, text = Square.of(ordinal, curve.size), str(number)
        if number == 1:
            yield ground(place, square, SEAT_INKS[seat - 1])
        if number == 1 or place.fits(text):
            on = SEAT_INKS[seat - 1] if number == 1 else TINT_INKS[seat - 1]
            ink: Ink = "white" if number == 1 else "ink"
            yield Text(*place.centre(square), text, place.size(text, OUTER), ink, on=on)


def inner(curve: Curve, sheet: Sheet, place: Place, tag: str = "") -> Iterator[Shape]:
    """The numbers inside a curve, the largest on gold and with the tag; a dot for one that is not legible."""
    for number, ordinal in enumerate(sheet.filled, 1):
        square, text = Square.of(ordinal, curve.size), str(number)
        if number < len(sheet.filled) and place.fits(text):
            yield Text(*place.centre(square), text, place.size(text, INNER), on="white")
        elif number < len(sheet.filled):
            yield Disc(*place.centre(square), 0.14 * place.cell, "ink", "white")
    if sheet.filled:
        yield from _largest(Square.of(sheet.filled[-1], curve.size), str(len(sheet.filled)), place, tag)


def _largest(square: Square, text: str, place: Place, tag: str) -> Iterator[Shape]:
    """The largest number; where the square is too small for it, its gold is wider than the square."""
    x, y = place.centre(square)
    size = place.size(text, INNER)
    side = place.cell - place.hair
    wide = max(side, width(text, size) + 6 * place.point)
    high = max(side, size)
    yield Box(x - wide / 2, y - high / 2, wide, high, "gold", tag=tag)
    yield Text(x, y, text, size, on="gold", tag=tag)


def openings(squares: Iterable[Square], seat: Seat, place: Place) -> Iterator[Ring]:
    """A ring on each square that the next number may be written into."""
    for square in squares:
        yield opening(*place.centre(square), seat, OPENING * place.cell, place.point)


def opening(x: float, y: float, seat: Seat, radius: float, point: float, on: Ink = "white") -> Ring:
    """The sign of a square that the next number may be written into."""
    return Ring(x, y, radius, SEAT_INKS[seat - 1], BOLD * point, on)
