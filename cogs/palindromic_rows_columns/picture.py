"""Palindromic Rows/Columns as a picture: the grid, its two mirrors, and every square that its mirror image is unlike.

A dashed line stands where rows are mirrored, another lies where columns are. A square that differs from its mirror
image in the row carries a level bar, one that differs from that in the column an upright one; both make a plus. The
bars of a line come in pairs, and the flips in the margin count the pairs. A line without any is a palindrome, and its 0
stands on the seat's tint.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cogs.palindromic_rows_columns.rules import AXES, SEATS, PalindromicRowsColumns, differing
from rendering import boards
from rendering import legend as legends
from rendering.boards import CHIP, GAP, Layout, width
from rendering.legend import Entry
from rendering.shapes import EDGE, LABEL, LEAST, SEAT_INKS, TINT_INKS, Box, Chip, Ink, Line, Picture, Shape, Text

TITLE, NAME = "Palindromic Rows/Columns", "palindromic-rows-columns"

# In points.
LEFT = EDGE + width("00", LABEL) + GAP
SCORES = 74
"""What the flips beside and below the board take."""
PLATE = 44
"""The side of the ground under a 0."""
MIRROR, DASH, OVER = 4, 10, 10
"""The weight of a mirror, the length of its dashes, and how far it reaches beyond the board."""
KEY, SAMPLE = 54, 32
"""The height of a line of the key, and the length of a mark there."""
KEYED = ("differs from its mirror image in the row", "in the column")
PALINDROME = "palindrome; every pair of bars is one flip, fewest win"

# In squares.
BAR, THICK = 0.42, 0.24
"""The length of a mark on a square, and its weight in parts of that."""


def pictures(position: PalindromicRowsColumns) -> tuple[Picture, ...]:
    """The board with what spoils its lines, and the flips."""
    layout = _layout(position.size)
    return (
        Picture(
            name=NAME,
            extent=layout.extent,
            base=_base(layout),
            shapes=tuple(_shapes(position, layout)),
            alt=_alt(position),
        ),
    )


@lru_cache(maxsize=16)
def _layout(size: int) -> Layout:
    below = SCORES + 2 * KEY + 8 + legends.old_height(2)
    return Layout(columns=size, rows=size, left=LEFT, right=SCORES + EDGE / 2, below=below)


@lru_cache(maxsize=16)
def _base(layout: Layout) -> tuple[Shape, ...]:
    """The grid and its mirrors."""
    return (*boards.grid(layout), *(_mirror(layout, seat) for seat in SEATS))


def _mirror(layout: Layout, seat: int) -> Line:
    """The line about which what a seat counts is mirrored: upright for rows, level for columns."""
    middle, before, after = layout.columns / 2, -OVER * layout.point, layout.columns + OVER * layout.point
    x1, y1, x2, y2 = (middle, before, middle, after) if seat == 1 else (before, middle, after, middle)
    return Line(x1, y1, x2, y2, SEAT_INKS[seat - 1], MIRROR * layout.point, DASH * layout.point)


def _shapes(position: PalindromicRowsColumns, layout: Layout) -> Iterator[Shape]:
    yield from _pieces(position, layout)
    for seat in SEATS:
        *tags, _ = position.working_of(seat)
        for place, (line, tag) in enumerate(zip(position.lines(seat), tags, strict=True)):
            yield from _marks(position, seat, place, line, tag)
            yield from _flips(layout, seat, place, len(differing(line)), tag)
    yield from _key(layout, SCORES)
    yield from legends.old(layout, _entries(position), SCORES + 2 * KEY + 8)


def _pieces(position: PalindromicRowsColumns, layout: Layout) -> Iterator[Shape]:
    for index in range(position.size**2):
        if seat := position.owner(index):
            row, column = divmod(index, position.size)
            if index == position.last:
                yield boards.shaded(layout, column, row)
            yield _piece(column, row, seat, "gold" if index == position.last else "paper")


@lru_cache(maxsize=2048)
def _piece(column: int, row: int, seat: int, on: Ink) -> Chip:
    return Chip(column + 0.5, row + 0.5, CHIP, seat, corner=True, on=on)


def _marks(position: PalindromicRowsColumns, seat: int, place: int, line: str, tag: str) -> Iterator[Shape]:
    """A bar on both squares of each pair that differs in a line of a seat."""
    for pair in differing(line):
        for along in pair:
            column, row = (along, place) if seat == 1 else (place, along)
            owner = position.owner(row * position.size + column)
            yield _bar(column + 0.5, row + 0.5, seat, BAR, owner, tag)


def _bar(x: float, y: float, seat: int, long: float, owner: int = 0, tag: str = "") -> Line:
    """What stands for a flip of a seat: level for rows, upright for columns; pale on a piece."""
    ink, on = ("paper", SEAT_INKS[owner - 1]) if owner else (SEAT_INKS[seat - 1], "paper")
    dx, dy = (long / 2, 0) if seat == 1 else (0, long / 2)
    return Line(x - dx, y - dy, x + dx, y + dy, ink, THICK * long, on=on, tag=tag)


def _flips(layout: Layout, seat: int, place: int, flips: int, tag: str) -> Iterator[Shape]:
    """How many flips a line costs, in the margin; none stands on the seat's tint."""
    away = layout.columns + SCORES / 2 * layout.point
    x, y = (away, place + 0.5) if seat == 1 else (place + 0.5, away)
    if not flips:
        yield _plate(layout, x, y, seat)
    on: Ink = "paper" if flips else TINT_INKS[seat - 1]
    yield Text(x, y, str(flips), LABEL * layout.point, on=on, tag=tag)


def _plate(layout: Layout, x: float, y: float, seat: int) -> Box:
    side = PLATE * layout.point
    return Box(x - side / 2, y - side / 2, side, side, TINT_INKS[seat - 1], radius=8 * layout.point)


def _key(layout: Layout, top: float) -> Iterator[Shape]:
    """What the marks on the squares and the grounds in the margins mean."""
    unit, (left, _) = layout.point, layout.edges
    x, y = left, layout.rows + (top + KEY / 2) * unit
    for seat in SEATS:
        yield _bar(x + SAMPLE / 2 * unit, y, seat, SAMPLE * unit)
        words = KEYED[seat - 1]
        x += (SAMPLE + 12) * unit
        yield Text(x, y, words, LEAST * unit, "faded", "left")
        x += width(words, LEAST * unit) + 24 * unit
    y += KEY * unit
    for seat in SEATS:
        x = left + (seat - 0.5) * (PLATE + 8) * unit
        yield _plate(layout, x, y, seat)
        yield Text(x, y, "0", LABEL * unit, on=TINT_INKS[seat - 1])
    yield Text(left + 2 * (PLATE + 8) * unit + 4 * unit, y, PALINDROME, LEAST * unit, "faded", "left")


def _entries(position: PalindromicRowsColumns) -> list[Entry]:
    scores, ranks = position.scores(), position.ranks()
    return [
        Entry(
            seat,
            f"{AXES[seat - 1]}s",
            f"{scores[seat - 1]} flip{'' if scores[seat - 1] == 1 else 's'}",
            ranks is not None and ranks[seat - 1] == 1,
            position.working_of(seat)[-1],
        )
        for seat in SEATS
    ]


def _progress(position: PalindromicRowsColumns) -> str:
    board = f"{position.size} by {position.size}"
    if position.withdrawn:
        return f"{board}, seat {position.withdrawn[0]} withdrew after {position.plies} of {position.length} moves"
    if position.turn:
        return f"{board}, move {position.plies} of {position.length}"
    return f"{board}, finished after {position.length} moves"


def _alt(position: PalindromicRowsColumns) -> str:
    totals = ", ".join(f"{entry.label} {entry.total}" for entry in _entries(position))
    return f"{TITLE}, {_progress(position)}: {totals}."
