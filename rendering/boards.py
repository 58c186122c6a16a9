"""Shared boards: grids, pieces, rows of bits, and the numbers, keys and paragraphs around them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    NOTE,
    POINTS,
    Box,
    Chip,
    Disc,
    Ink,
    Line,
    Path,
    Shape,
    Spot,
    Text,
    fit_type_size,
    text_width,
    wrap_text,
)

# Layouts.


Direction = Literal["right", "left", "down", "up"]

GAP = 18
"""Points between a board and its row numbers."""
ABOVE = EDGE / 2 + LABEL + GAP
"""Points above a board, for the column letters."""
HAIR, BOLD = 2, 5
"""Weights of lines in points."""
CHIP = 0.8
"""The side of a piece, in squares."""
BITS = ("0", "1")
GILDED, PLAIN = 0.12, 0.04
"""The inset of a bit in its square, on gold and elsewhere, in squares."""
TURNS: dict[Direction, tuple[int, int]] = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}


@dataclass(frozen=True, slots=True)
class Layout:
    """A board of columns × rows squares on its page; the margins are in points.

    `below` is the height of numbers below the board; `make_page` adds the key and the legend.
    """

    columns: float
    rows: float
    left: float = 100
    right: float = EDGE
    above: float = ABOVE
    below: float = GAP

    @property
    def squares_per_point(self) -> float:
        """A point in squares."""
        return self.columns / (POINTS - self.left - self.right)

    @property
    def page_extent(self) -> tuple[float, float, float, float]:
        """The page in squares, as `Picture.extent`."""
        unit = self.squares_per_point
        return -self.left * unit, -self.above * unit, self.columns + self.right * unit, self.rows + self.below * unit

    @property
    def edges(self) -> tuple[float, float]:
        """The left and right edge for text on the page, in squares."""
        left, _, right, _ = self.page_extent
        return left + EDGE * self.squares_per_point, right - EDGE * self.squares_per_point

    def fit(self, text: str, width: float, points: float = LABEL) -> float:
        """The largest type size in squares, at most `points` but at least legible, at which a text fits into a width in
        squares."""
        return fit_type_size(text, max(LEAST, points) * self.squares_per_point, width, LEAST * self.squares_per_point)


def column_name(column: int) -> str:
    return chr(97 + column)


def row_name(row: int) -> str:
    """The name of a row, or of a position in a row."""
    return str(row + 1)


# Empty boards.


@lru_cache(maxsize=256)
def draw_coordinates(layout: Layout, points: float = GAP) -> tuple[Shape, ...]:
    """The names of columns above a board and of rows at its left, at a distance of `points`."""
    size, gap, columns, rows = (
        LABEL * layout.squares_per_point,
        points * layout.squares_per_point,
        round(layout.columns),
        round(layout.rows),
    )
    above = (Text(column + 0.5, -gap - size * 0.5, column_name(column), size, "faded") for column in range(columns))
    beside = (Text(-gap, row + 0.5, row_name(row), size, "faded", "right") for row in range(rows))
    return (*above, *beside)


@lru_cache(maxsize=256)
def draw_grid(layout: Layout, points: float = GAP) -> tuple[Shape, ...]:
    """The grid lines, and coordinates at a distance of `points`."""
    columns, rows = round(layout.columns), round(layout.rows)
    weight = HAIR * layout.squares_per_point
    upright = (Line(column, 0, column, rows, "ink", weight) for column in range(columns + 1))
    level = (Line(0, row, columns, row, "ink", weight) for row in range(rows + 1))
    return (*upright, *level, *draw_coordinates(layout, points))


@lru_cache(maxsize=256)
def draw_lattice(layout: Layout, radius: float = 0.06, points: float = GAP) -> tuple[Shape, ...]:
    """Dots at the centres of a grid's squares, with coordinates at a distance of `points`."""
    squares = ((row, column) for row in range(round(layout.rows)) for column in range(round(layout.columns)))
    dots = (Disc(*square_centre(column, row), radius, "faded") for row, column in squares)
    return (*dots, *draw_coordinates(layout, points))


def spot_on_circle(degrees: float, radius: float = 1.0) -> Spot:
    """The spot `degrees` clockwise from the top of a circle about (1, 1)."""
    angle = math.radians(degrees)
    return 1 + radius * math.sin(angle), 1 - radius * math.cos(angle)


# Contents of boards.


def square_centre(column: int, row: int) -> Spot:
    return column + 0.5, row + 0.5


@lru_cache(maxsize=8192)
def place_chip(column: int, row: int, seat: int, on: Ink = "paper", tag: str = "", corner: bool = False) -> Chip:
    """A seat's piece on a square."""
    return Chip(column + 0.5, row + 0.5, CHIP, seat, corner, on=on, tag=tag)


class HasFilledSquares(Protocol):
    """A position in which seats fill squares of a grid, numbered row by row from 0."""

    @property
    def size(self) -> int: ...
    @property
    def last(self) -> int | None: ...
    def owner(self, index: int, /) -> int: ...


def draw_pieces(layout: Layout, position: HasFilledSquares, corner: bool = False) -> Iterator[Shape]:
    """The pieces on a grid, the latest on gold."""
    for index in range(position.size**2):
        if seat := position.owner(index):
            row, column = divmod(index, position.size)
            if index == position.last:
                yield shade_square(layout, column, row)
            yield place_chip(column, row, seat, "gold" if index == position.last else "paper", corner=corner)


def draw_bit(
    layout: Layout, x: float, y: float, digit: str, latest: bool = False, type_size: float = 0
) -> Iterator[Shape]:
    """A square of a row of bits, dark for "1", light for "0", in a gold frame if it is the latest; others an outline.

    With a type size the digit is written in the square.
    """
    on: Ink = "gold" if latest else "paper"
    inset = GILDED if latest else PLAIN
    side, weight = 1 - 2 * inset, HAIR * layout.squares_per_point
    if latest:
        yield Box(x, y, 1, 1, on, radius=0.1)
    if digit not in BITS:
        yield Box(x + inset, y + inset, side, side, None, "faded", weight, 0.1)
        return
    fill: Ink = "ink" if digit == "1" else "paper"
    yield Box(x + inset, y + inset, side, side, fill, "ink", weight, 0.1, on)
    if type_size:
        yield Text(x + 0.5, y + 0.5, digit, type_size, "paper" if digit == "1" else "ink", on=fill)


def draw_place_number(layout: Layout, at: int, y: float, size: float, struck: bool) -> Iterator[Shape]:
    """The number of a place in a row, from 1; struck out if it may not be chosen."""
    text, half = str(at), text_width(str(at), size) / 2 + 3 * layout.squares_per_point
    yield Text(at - 0.5, y, text, size, "faded" if struck else "ink")
    if struck:
        yield Line(at - 0.5 - half, y, at - 0.5 + half, y, "ink", 3 * layout.squares_per_point)


def draw_number(
    layout: Layout, column: int, row: int, text: str, ink: Ink = "ink", on: Ink = "paper", tag: str = ""
) -> Text:
    """A number in a square, in the largest size that fits."""
    return Text(
        *square_centre(column, row), text, layout.fit(text, 0.84, 0.5 / layout.squares_per_point), ink, on=on, tag=tag
    )


@lru_cache(maxsize=4096)
def shade_square(layout: Layout, column: int, row: int, ink: Ink = "gold", tag: str = "") -> Box:
    """A square's background between the grid lines: gold for the last move, a tint for a seat's own."""
    inset = HAIR / 2 * layout.squares_per_point
    return Box(column + inset, row + inset, 1 - 2 * inset, 1 - 2 * inset, ink, tag=tag)


def draw_segment(
    layout: Layout, start: Spot, end: Spot, ink: Ink, weight: float = BOLD, dash: float = 0, tag: str = ""
) -> Line:
    """A straight line between two spots, as of `square_centre` or `spot_on_circle`; `weight` and `dash` in points."""
    return Line(*start, *end, ink, weight * layout.squares_per_point, dash * layout.squares_per_point, tag=tag)


def draw_arrow(
    x: float, y: float, direction: Direction, size: float, ink: Ink = "ink", hollow: float = 0, tag: str = ""
) -> Path:
    """A triangular arrow head about its centre; `hollow` is the weight of its outline instead of a fill."""
    dx, dy = TURNS[direction]
    corners = ((0.45, 0.0), (-0.4, -0.5), (-0.4, 0.5))
    spots = tuple((x + size * (dx * a - dy * b), y + size * (dy * a + dx * b)) for a, b in corners)
    if hollow:
        return Path(spots, ink, hollow, closed=True, tag=tag)
    return Path(spots, None, closed=True, fill=ink, tag=tag)


def trace_curve(start: Spot, leaving: Spot, reaching: Spot, end: Spot, pieces: int = 20) -> tuple[Spot, ...]:
    """A smooth curve between two spots as the spots of a `Path`; it leaves and reaches them along two handles."""
    spots: list[Spot] = []
    for piece in range(pieces + 1):
        part = piece / pieces
        shares = (1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3
        handles = tuple(zip(shares, (start, leaving, reaching, end), strict=True))
        spots.append((sum(share * x for share, (x, _) in handles), sum(share * y for share, (_, y) in handles)))
    return tuple(spots)


# Around a board: the numbers of its lines, a key to its signs, and paragraphs.


ACROSS = POINTS - 2 * EDGE
"""The width of a page between its edges, in points."""
KEY_ROW, SPACE = 48, 14
"""The height of a line of a key, and the gap between a sign and its words, in points."""


def draw_row_numbers(
    layout: Layout, numbers: Iterable[str], ink: Ink = "ink", tags: Sequence[str] = (), gap: float = GAP
) -> Iterator[Text]:
    """A number at the right of each row."""
    x, width = (
        layout.columns + gap * layout.squares_per_point,
        (layout.right - gap - EDGE / 2) * layout.squares_per_point,
    )
    for row, number in enumerate(numbers):
        tag = tags[row] if tags else ""
        yield Text(x, row + 0.5, number, layout.fit(number, width), ink, "left", tag=tag)


def draw_column_numbers(
    layout: Layout,
    numbers: Iterable[str],
    ink: Ink = "ink",
    tags: Sequence[str] = (),
    gap: float = GAP,
    levels: int = 1,
) -> Iterator[Text]:
    """A number below each column; on two `levels` neighbours stand at different heights and may be twice as wide."""
    size = LABEL * layout.squares_per_point
    for column, number in enumerate(numbers):
        y = layout.rows + gap * layout.squares_per_point + size * (0.4 + 1.15 * (column % levels))
        tag = tags[column] if tags else ""
        yield Text(column + 0.5, y, number, layout.fit(number, 0.9 * levels), ink, tag=tag)


class Sign(NamedTuple):
    """A sign of a key: its words if it has any, its width in points, and the function that draws it from the middle of
    its left side. One that is `now` says something of the position; the others explain what the rules explain, too."""

    words: str
    wide: float
    draw: Callable[[float, float], Iterable[Shape]]
    now: bool = False


def key_height(signs: Sequence[Sign]) -> float:
    """The height of a key, in points."""
    return KEY_ROW * len(signs)


def draw_key(layout: Layout, signs: Sequence[Sign], top: float) -> Iterator[Shape]:
    """Signs with their words, from `top` points below the board."""
    unit, (left, right) = layout.squares_per_point, layout.edges
    for place, sign in enumerate(signs):
        y = layout.rows + (top + KEY_ROW * (place + 0.5)) * unit
        yield from _draw_sign(layout, sign, left, y, right - left)


def _draw_sign(layout: Layout, sign: Sign, left: float, y: float, across: float) -> Iterator[Shape]:
    yield from sign.draw(left, y)
    if sign.words:
        before = (sign.wide + SPACE if sign.wide else 0) * layout.squares_per_point
        yield Text(left + before, y, sign.words, layout.fit(sign.words, across - before, NOTE), "faded", "left")


def join_signs(layout: Layout, signs: Sequence[Sign]) -> Sign:
    """Signs with short words side by side, as one entry of a key."""
    across = ACROSS / len(signs) * layout.squares_per_point

    def draw(x: float, y: float) -> Iterator[Shape]:
        for place, sign in enumerate(signs):
            yield from _draw_sign(layout, sign, x + place * across, y, across - SPACE * layout.squares_per_point)

    return Sign("", 0, draw, any(sign.now for sign in signs))


def make_remark_sign(words: str, now: bool = False) -> Sign:
    """An entry of a key without a sign."""
    return Sign(words, 0, _draw_nothing, now)


def _draw_nothing(x: float, y: float) -> Iterable[Shape]:
    return ()


LINE = 1.4 * NOTE
"""A line of a paragraph, in points."""


def paragraph_height(lines: Iterable[str]) -> float:
    """The height of a paragraph, in points."""
    return LINE * sum(len(wrap_text(line, NOTE, ACROSS)) for line in lines)


def draw_paragraph(
    layout: Layout, lines: Iterable[str], top: float, ink: Ink = "faded", tags: Sequence[str] = ()
) -> Iterator[Text]:
    """Lines across the page from `top` points below the board; long ones are wrapped."""
    unit, (left, _) = layout.squares_per_point, layout.edges
    for place, line in enumerate(lines):
        for part in wrap_text(line, NOTE, ACROSS):
            y = layout.rows + (top + LINE / 2) * unit
            yield Text(left, y, part, NOTE * unit, ink, "left", tag=tags[place] if tags else "")
            top += LINE
