"""Draws Multiples/Divisors Blob: the blob, and when the match is over the runs of every line.

In the margin a line that scores has a 1 on its seat's colour; any other line is grey, with two of its runs side by side
of which neither divides the other. While the match goes on, dots show where the blob can grow. On a finished board two
more pictures list the lines run by run, with a bar under the two runs that fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from bot.games.position import BOTH
from cogs.multiples_divisors_blob.rules import MultiplesDivisorsBlob, find_clash, run_lengths
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import GAP, HAIR, Layout, Sign
from rendering.pages import (
    LIST,
    LegendEntry,
    ListRow,
    describe_board,
    describe_progress,
    make_heading_row,
    make_list_pages,
    make_page,
)
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    POINTS,
    SEAT_INKS,
    SEAT_PENS,
    Box,
    Disc,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    fit_type_size,
    text_width,
)

TITLE, NAME = "Multiples/Divisors Blob", "multiples-divisors-blob"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + text_width("00", LABEL) + GAP
TILE, HALF = 40, 40
"""The side of the ground under a point, which is the breadth of a tile with two runs; and half of the tile's length."""
MARGIN = GAP + 2 * HALF + 16
"""What the points beside and below the board take."""
DOT, SMALL = 14, 20
"""The breadth of a dot in the key, and of a square of a run there."""

GREY: Ink = "rule"
"""Behind lines that fail."""

SCORES = "runs of 2 and 4: 2 divides 4, a point"
FAILS = "runs of 2 and 3: grey, no point"
GROWS = "can be filled next"
HEADING = "dark runs are filled, a bar is under two that fail"

GROWTH = 0.09
"""The radius of a dot where the blob can grow, in squares."""

# The lists of a finished match, in points.
STRIP, CELL = 520, 80
"""What a line's runs take at most, and its squares."""
START = LEFT + GAP
"""Where the runs of a line begin."""
PITCH, HIGH = 62, 44
"""From one line of a list to the next, and the height of a run."""
UNDER, WEIGHT = 28, 5
"""How far below the middle of a run the bar lies that says it fails, and its weight."""


def pictures(position: MultiplesDivisorsBlob) -> tuple[Picture, ...]:
    """The board; when the match is over also the runs of the rows and of the columns."""
    if position.turn:
        return (_make_board(position),)
    return (_make_board(position), *(picture for seat in BOTH for picture in _make_lists(position, seat)))


# The board.


@lru_cache(maxsize=16)
def _make_layout(size: int) -> Layout:
    return Layout(columns=size, rows=size, left=LEFT, right=MARGIN + EDGE / 2, below=MARGIN)


def _make_board(position: MultiplesDivisorsBlob) -> Picture:
    layout, entries = _make_layout(position.size), _make_legend_entries(position)
    board, said = f"{position.size} by {position.size}", describe_progress(position, position.plies, position.length)
    alt, shapes = describe_board(TITLE, board, said, entries), _draw_on_board(position, layout)
    return make_page(
        layout,
        NAME,
        alt,
        (),
        shapes,
        entries,
        tuple(_make_key_signs(layout, _can_grow(position))),
    )


def _can_grow(position: MultiplesDivisorsBlob) -> bool:
    return bool(position.turn and position.plies)


def _draw_on_board(position: MultiplesDivisorsBlob, layout: Layout) -> Iterator[Shape]:
    yield from _shade_failing_lines(position, layout)
    yield from boards.draw_grid(layout)
    yield from boards.draw_pieces(layout, position)
    for seat in BOTH:
        *tags, _ = position.working_of(seat)
        for place, (line, tag) in enumerate(zip(position.list_lines(seat), tags, strict=True)):
            yield from _draw_verdict(layout, seat, place, run_lengths(line), tag)
    if _can_grow(position):
        yield from _draw_growth(position, layout)


def _shade_failing_lines(position: MultiplesDivisorsBlob, layout: Layout) -> Iterator[Shape]:
    """Grey behind the lines without a point."""
    for seat in BOTH:
        for place, line in enumerate(position.list_lines(seat)):
            if find_clash(run_lengths(line)):
                left, top, wide, high = (0, place, position.size, 1) if seat == 1 else (place, 0, 1, position.size)
                yield Box(left, top, wide, high, GREY)


def _draw_growth(position: MultiplesDivisorsBlob, layout: Layout) -> Iterator[Shape]:
    """A dot on every square that can be filled."""
    open_squares = position.open_squares
    for index in range(position.size**2):
        if open_squares >> index & 1:
            row, column = divmod(index, position.size)
            yield Disc(column + 0.5, row + 0.5, GROWTH, "faded")


def _draw_verdict(layout: Layout, seat: int, place: int, runs: tuple[int, ...], tag: str) -> Iterator[Shape]:
    """A line's point in the margin, or two of its runs that cost it the point."""
    away = layout.columns + (GAP / 2 + HALF) * layout.squares_per_point
    x, y = (away, place + 0.5) if seat == 1 else (place + 0.5, away)
    if pair := find_clash(runs):
        less, more = sorted((runs[pair.one], runs[pair.other]))
        yield from _draw_tile(layout, x, y, seat, (str(less), str(more)), tag)
    else:
        yield from _draw_point(layout, x, y, seat, tag)


def _draw_point(layout: Layout, x: float, y: float, seat: int, tag: str = "") -> Iterator[Shape]:
    unit, fill = layout.squares_per_point, SEAT_INKS[seat - 1]
    yield Box(x - TILE / 2 * unit, y - TILE / 2 * unit, TILE * unit, TILE * unit, fill, radius=8 * unit, tag=tag)
    yield Text(x, y, "1", LABEL * unit, SEAT_PENS[seat - 1], on=fill, tag=tag)


def _draw_tile(layout: Layout, x: float, y: float, seat: int, runs: tuple[str, str], tag: str = "") -> Iterator[Shape]:
    """Two runs side by side on grey, level beside a row, upright below a column."""
    unit = layout.squares_per_point
    half, across = HALF * unit, TILE / 2 * unit
    dx, dy = (half, across) if seat == 1 else (across, half)
    yield Box(x - dx, y - dy, 2 * dx, 2 * dy, GREY, radius=6 * unit, tag=tag)
    for run, side in zip(runs, (-1, 1), strict=True):
        at = (x + side * half / 2, y) if seat == 1 else (x, y + side * half / 2)
        yield Text(*at, run, LEAST * unit, "faded", on=GREY, tag=tag)


def _make_key_signs(layout: Layout, grows: bool) -> Iterator[Sign]:
    """What a run is, by two lines with what stands beside them, and the dots where the blob can grow."""
    unit = layout.squares_per_point
    half, start = TILE / 2 * unit, (6 * SMALL + GAP) * unit

    def draw_line(x: float, y: float, empty: int) -> Iterator[Shape]:
        side = SMALL * unit
        for place in range(2 + empty):
            fill: Ink = "ink" if place < 2 else "paper"
            yield Box(x + place * side, y - side / 2, side, side, fill, "ink", HAIR * unit)

    def draw_points(x: float, y: float) -> Iterator[Shape]:
        yield from draw_line(x, y, 4)
        for seat in BOTH:
            yield from _draw_point(layout, x + start + half + (TILE + 4) * (seat - 1) * unit, y, seat)

    def draw_clash(x: float, y: float) -> Iterator[Shape]:
        yield from draw_line(x, y, 3)
        yield from _draw_tile(layout, x + start + HALF * unit, y, 1, ("2", "3"))

    def draw_dot(x: float, y: float) -> Iterator[Shape]:
        yield Disc(x + DOT / 2 * unit, y, DOT / 2 * unit, "faded")

    wide = 6 * SMALL + GAP + 2 * TILE + 4
    yield Sign(SCORES, wide, draw_points)
    yield Sign(FAILS, wide, draw_clash)
    if grows:
        yield Sign(GROWS, DOT, draw_dot)


# The lists of a finished match.


def _make_lists(position: MultiplesDivisorsBlob, seat: int) -> Iterator[Picture]:
    *facts, _ = position.working_of(seat)
    rows = [
        ListRow(PITCH, partial(_draw_list_row, position.size, seat, place, line, fact))
        for place, (line, fact) in enumerate(zip(position.list_lines(seat), facts, strict=True))
    ]
    entry, side = _make_legend_entries(position)[seat - 1], SIDES[seat - 1]
    alt = f"The runs of every {side[:-1]}: {entry.total} of {position.size} score."
    yield from make_list_pages(f"{NAME}-{side}", alt, rows, (entry,), make_heading_row(HEADING))


def _draw_list_row(size: int, seat: int, place: int, line: str, fact: str, y: float) -> Iterator[Shape]:
    """One line: its name, its runs, and its point or what fails."""
    runs, right = run_lengths(line), POINTS - EDGE
    pair, scale = find_clash(runs), min(CELL, STRIP / size)
    yield Text(EDGE, y, boards.row_name(place) if seat == 1 else boards.column_name(place), LABEL, "faded", "left")
    yield from _draw_runs(y, runs, scale, line[0] == "1", seat, pair or (), fact)
    if pair:
        less, more = sorted((runs[pair.one], runs[pair.other]))
        yield Text(right - TILE - 14, y, f"{less} and {more}", LEAST, "faded", "right", tag=fact)
        yield Text(right - TILE / 2, y, "0", LABEL, tag=fact)
    else:
        yield from _draw_point(LIST, right - TILE / 2, y, seat, fact)


def _draw_runs(
    y: float, runs: tuple[int, ...], scale: float, filled: bool, seat: int, failing: Iterable[int], tag: str
) -> Iterator[Shape]:
    """Runs as boxes with their lengths, by turns filled and empty, and a bar under those that fail."""
    start, gap = START, 3
    for place, run in enumerate(runs):
        long, middle = run * scale, start + run * scale / 2
        ink: Ink = "paper" if filled else "ink"
        fill: Ink | None = "ink" if filled else None
        yield Box(start + gap, y - HIGH / 2, long - 2 * gap, HIGH, fill, "ink", HAIR, 6)
        yield Text(middle, y, str(run), fit_type_size(str(run), LABEL, long - 4 * gap, LEAST), ink, on=fill or "paper")
        if place in failing:
            # A line reaches half its weight beyond its ends.
            yield Line(
                start + 2 * gap, y + UNDER, start + long - 2 * gap, y + UNDER, SEAT_INKS[seat - 1], WEIGHT, tag=tag
            )
        start, filled = start + long, not filled


def _make_legend_entries(position: MultiplesDivisorsBlob) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_with_working(position, SIDES)
