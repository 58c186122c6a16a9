"""Draws Palindromic Rows/Columns: the grid, its two mirrors, and every square unlike its mirror image.

A dashed line stands where rows are mirrored, another lies where columns are. A square that differs from its mirror
image in the row has seat 1's tint and a level bar, one that differs from that in the column seat 2's and an upright
one; both make a plus on two tints. The bars of a line come in pairs, and the flips in the margin count the pairs. A
line without any is a palindrome, and its 0 stands on the seat's tint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
    Chip,
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
PALINDROME, PAIRS = "a palindrome needs no flip", "two marks are one flip, and fewest flips win"

# In squares.
BAR, THICK = 0.36, 0.22
"""The length of a mark on a square, and its weight in parts of that."""
PIECE = 0.64
"""The side of a piece, small enough for the tint around it."""


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
    return Line(x1, y1, x2, y2, SEAT_INKS[seat - 1], MIRROR * layout.squares_per_point, DASH * layout.squares_per_point)


def _draw_shapes(position: PalindromicRowsColumns, layout: Layout) -> Iterator[Shape]:
    yield from _draw_tints(position, layout)
    yield from _draw_pieces(position, layout)
    for seat in BOTH:
        *tags, _ = position.working_of(seat)
        for place, (line, tag) in enumerate(zip(position.list_lines(seat), tags, strict=True)):
            yield from _draw_marks(position, seat, place, line, tag)
            yield from _draw_flips(layout, seat, place, len(find_differing_pairs(line)), tag)


def _find_differing_squares(position: PalindromicRowsColumns, seat: int) -> set[tuple[int, int]]:
    """The squares, as column and row, that differ from their mirror images in a seat's lines."""
    return {
        (along, place) if seat == 1 else (place, along)
        for place, line in enumerate(position.list_lines(seat))
        for pair in find_differing_pairs(line)
        for along in pair
    }


def _draw_tints(position: PalindromicRowsColumns, layout: Layout) -> Iterator[Shape]:
    """The grounds of squares unlike their mirror images, in halves where both seats have one."""
    rows, columns = (_find_differing_squares(position, seat) for seat in BOTH)
    for column, row in sorted(rows | columns):
        if row * position.size + column != position.last:
            seats = [seat for seat, squares in zip(BOTH, (rows, columns), strict=True) if (column, row) in squares]
            yield from _draw_tint(layout, column, row, seats)


def _draw_tint(layout: Layout, column: float, row: float, seats: Sequence[int], side: float = 1) -> Iterator[Box]:
    inset = HAIR / 2 * layout.squares_per_point
    wide, high = side - 2 * inset, (side - 2 * inset) / len(seats)
    for place, seat in enumerate(seats):
        yield Box(column + inset, row + inset + place * high, wide, high, TINT_INKS[seat - 1])


def _draw_pieces(position: PalindromicRowsColumns, layout: Layout) -> Iterator[Shape]:
    for index in range(position.size**2):
        row, column = divmod(index, position.size)
        if index == position.last:
            yield boards.shade_square(layout, column, row)
        if seat := position.owner(index):
            yield Chip(
                column + 0.5, row + 0.5, PIECE, seat, corner=True, on="gold" if index == position.last else "paper"
            )


def _draw_marks(position: PalindromicRowsColumns, seat: int, place: int, line: str, tag: str) -> Iterator[Shape]:
    """A bar on both squares of each pair that differs in a line of a seat."""
    for pair in find_differing_pairs(line):
        for along in pair:
            column, row = (along, place) if seat == 1 else (place, along)
            owner = position.owner(row * position.size + column)
            yield _draw_bar(column + 0.5, row + 0.5, seat, BAR, SEAT_INKS[owner - 1] if owner else None, tag)


def _draw_bar(x: float, y: float, seat: int, long: float, on: Ink | None = None, tag: str = "") -> Line:
    """What stands for a flip of a seat: level for rows, upright for columns; on the seat's tint unless on a piece."""
    dx, dy = (long / 2, 0) if seat == 1 else (0, long / 2)
    return Line(x - dx, y - dy, x + dx, y + dy, "ink", THICK * long, on=on or TINT_INKS[seat - 1], tag=tag)


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
    yield Sign(PALINDROME, 2 * PLATE + 8, partial(_draw_zeros, layout))
    yield boards.make_remark_sign(PAIRS)


def _draw_sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    side = SAMPLE * layout.squares_per_point
    yield from _draw_tint(layout, x, y - side / 2, [seat], side)
    yield _draw_bar(x + side / 2, y, seat, 0.6 * side)


def _draw_zeros(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    for seat in BOTH:
        middle = x + (PLATE / 2 + (PLATE + 8) * (seat - 1)) * layout.squares_per_point
        yield _draw_plate(layout, middle, y, seat)
        yield Text(middle, y, "0", LABEL * layout.squares_per_point, on=TINT_INKS[seat - 1])


def _make_legend_entries(position: PalindromicRowsColumns) -> tuple[LegendEntry, ...]:
    totals = [FLIPS.fill_in(score) for score in position.scores()]
    return rendering_pages.make_legend_with_working(position, SIDES, totals)
