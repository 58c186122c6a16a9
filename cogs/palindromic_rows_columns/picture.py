"""Draws Palindromic Rows/Columns: the grid, its two mirrors, and every square unlike its mirror image.

A dashed line stands where rows are mirrored, another lies where columns are. Across a square that differs from its
mirror image in the row lies a band of seat 1's colour, across one that differs from that in the column stands a band of
seat 2's. The bands of a line come in pairs, and the flips in the margin count the pairs. A line without any is a
palindrome, and its 0 stands on the seat's tint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from bot.games.position import BOTH
from cogs.palindromic_rows_columns.rules import FLIPS, PalindromicRowsColumns, find_differing_pairs
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import GAP, HAIR, Layout, Sign
from rendering.pages import LegendEntry, describe_board, describe_progress, make_page
from rendering.shapes import (
    EDGE,
    LABEL,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    text_width,
)

TITLE, NAME = "Palindromic Rows/Columns", "palindromic-rows-columns"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + text_width("00", LABEL) + GAP
SCORES = 74
"""What the flips beside and below the board take."""
PLATE = 44
"""The side of the ground under a 0."""
MIRROR, DASH, OVER = 4, 10, 10
"""The weight of a mirror, the length of its dashes, and how far it reaches beyond the board."""
SAMPLE = 38
"""The side of a square in the key."""
KEYED = ("differs from its mirror square in the row", "differs from its mirror square in the column")
FLIPPED = "flips of a line; 0 is a palindrome"

# In squares.
BAND, FREE = 0.2, 0.07
"""The breadth of a band across a square, and how far it ends from the square's sides."""
PIECE, ROUND = 0.48, 0.08
"""The side of a piece, small enough for the bands to show around it, and the radius of its corners."""


def pictures(position: PalindromicRowsColumns) -> tuple[Picture, ...]:
    """The board with what spoils its lines, and the flips."""
    layout, entries = _make_layout(position.size), _make_legend_entries(position)
    board, said = f"{position.size} by {position.size}", describe_progress(position, position.plies, position.length)
    alt, shapes = describe_board(TITLE, board, said, entries), _draw_shapes(position, layout)
    return (make_page(layout, NAME, alt, _draw_base(layout), shapes, entries, tuple(_make_key_signs(layout))),)


@lru_cache(maxsize=16)
def _make_layout(size: int) -> Layout:
    return Layout(columns=size, rows=size, left=LEFT, right=SCORES + EDGE / 2, below=SCORES)


@lru_cache(maxsize=16)
def _draw_base(layout: Layout) -> tuple[Shape, ...]:
    """The grid and its mirrors."""
    return (*boards.draw_grid(layout), *(_draw_mirror(layout, seat) for seat in BOTH))


def _draw_mirror(layout: Layout, seat: int) -> Line:
    """The line about which what a seat counts is mirrored: upright for rows, level for columns."""
    middle, before, after = (
        layout.columns / 2,
        -OVER * layout.squares_per_point,
        layout.columns + OVER * layout.squares_per_point,
    )
    x1, y1, x2, y2 = (middle, before, middle, after) if seat == 1 else (before, middle, after, middle)
    return Line(x1, y1, x2, y2, "faded", MIRROR * layout.squares_per_point, DASH * layout.squares_per_point)


def _draw_shapes(position: PalindromicRowsColumns, layout: Layout) -> Iterator[Shape]:
    if position.last is not None:
        row, column = divmod(position.last, position.size)
        yield boards.shade_square(layout, column, row)
    # Where both differ, the column's band lies under the row's.
    for seat in BOTH[::-1]:
        *tags, _ = position.working_of(seat)
        for place, (line, tag) in enumerate(zip(position.list_lines(seat), tags, strict=True)):
            yield from _draw_bands(position, seat, place, line, tag)
            yield from _draw_flips(layout, seat, place, len(find_differing_pairs(line)), tag)
    yield from _draw_pieces(position)


def _draw_pieces(position: PalindromicRowsColumns) -> Iterator[Shape]:
    """The filled squares, all alike, since it does not matter who filled them."""
    for index in range(position.size**2):
        row, column = divmod(index, position.size)
        if position.owner(index):
            on: Ink = "gold" if index == position.last else "paper"
            yield Box(column + (1 - PIECE) / 2, row + (1 - PIECE) / 2, PIECE, PIECE, "ink", radius=ROUND, on=on)


def _draw_bands(position: PalindromicRowsColumns, seat: int, place: int, line: str, tag: str) -> Iterator[Shape]:
    """A band across both squares of each pair that differs in a line of a seat."""
    for pair in find_differing_pairs(line):
        for along in pair:
            column, row = (along, place) if seat == 1 else (place, along)
            on: Ink = "gold" if row * position.size + column == position.last else "paper"
            yield _draw_band(column, row, seat, 1, on, tag)


def _draw_band(left: float, top: float, seat: int, side: float, on: Ink = "paper", tag: str = "") -> Box:
    """What stands for a flip of a seat across a square: level for rows, upright for columns."""
    inset, thick = FREE * side, BAND * side
    along, across = side - 2 * inset, (side - thick) / 2
    if seat == 1:
        return Box(left + inset, top + across, along, thick, SEAT_INKS[0], on=on, tag=tag)
    return Box(left + across, top + inset, thick, along, SEAT_INKS[1], on=on, tag=tag)


def _draw_flips(layout: Layout, seat: int, place: int, flips: int, tag: str) -> Iterator[Shape]:
    """How many flips a line costs, in the margin; none stands on the seat's tint."""
    away = layout.columns + SCORES / 2 * layout.squares_per_point
    x, y = (away, place + 0.5) if seat == 1 else (place + 0.5, away)
    if not flips:
        yield _draw_plate(layout, x, y, seat)
    on: Ink = "paper" if flips else TINT_INKS[seat - 1]
    yield Text(x, y, str(flips), LABEL * layout.squares_per_point, on=on, tag=tag)


def _draw_plate(layout: Layout, x: float, y: float, seat: int) -> Box:
    side = PLATE * layout.squares_per_point
    return Box(x - side / 2, y - side / 2, side, side, TINT_INKS[seat - 1], radius=8 * layout.squares_per_point)


def _make_key_signs(layout: Layout) -> Iterator[Sign]:
    """What the marks on the squares and the grounds in the margins mean."""
    for seat, words in zip(BOTH, KEYED, strict=True):
        yield Sign(words, SAMPLE, partial(_draw_sample, layout, seat))
    yield Sign(FLIPPED, 2 * PLATE + 8, partial(_draw_zeros, layout))


def _draw_sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    side = SAMPLE * layout.squares_per_point
    yield Box(x, y - side / 2, side, side, None, "ink", HAIR * layout.squares_per_point)
    yield _draw_band(x, y - side / 2, seat, side)


def _draw_zeros(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    for seat in BOTH:
        middle = x + (PLATE / 2 + (PLATE + 8) * (seat - 1)) * layout.squares_per_point
        yield _draw_plate(layout, middle, y, seat)
        yield Text(middle, y, "0", LABEL * layout.squares_per_point, on=TINT_INKS[seat - 1])


def _make_legend_entries(position: PalindromicRowsColumns) -> tuple[LegendEntry, ...]:
    totals = [FLIPS.fill_in(score) for score in position.scores()]
    return rendering_pages.make_legend_with_working(position, SIDES, totals)
