"""Draws Sum Of Products: the grid, and beside each line how often every number stands in it.

The counts of a row are at its right under little boxes that say of which number, those of a column below it. The ones
that are multiplied, up to the first gap, lie on a band in the colour of the seat that counts the line; the product
follows. In the grid a number that counts in its row is underlined, one that counts in its column has a stroke at its
side, and one that counts in neither is faded. So the finished board explains its scores by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from bot.games.position import BOTH
from cogs.sum_of_products.rules import SumOfProducts, count_factors
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import GAP, Layout, Sign
from rendering.frames import mark_as_pale, mark_as_worked
from rendering.pages import LegendEntry, describe_board, describe_progress, make_page
from rendering.shapes import EDGE, LABEL, LEAST, SEAT_INKS, TINT_INKS, Box, Disc, Line, Picture, Shape, Text, text_width

TITLE, NAME = "Sum Of Products", "sum-of-products"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + text_width("0", LABEL) + GAP
COUNTS, CLOSEST = 252, 40
"""What the counts of a line take, and how close together they stand at most."""
BOX = 33
"""The side of the little box that says which number is counted."""
BAND = 40
"""The breadth of the band behind the counts that are multiplied."""
ZERO = 2.5
"""The radius of the dot that stands for a count of zero."""
SCORE = 62
"""The width of a line's score."""
STROKE, SAMPLE = 5, 34
"""The weight of a mark on a square, and its length in the key."""
TALLY = 36
"""The type of the counts."""
COUNTED, MULTIPLIED = "counts of 1s, 2s, 3s, ... in a line", "shaded counts are multiplied: here to 6"

# In squares.
FROM, TO, AWAY = 0.16, 0.84, 0.9
"""Where a mark begins and ends along its side of a square, and how far that is from the other side."""


def pictures(position: SumOfProducts) -> tuple[Picture, ...]:
    """The board with its counts and scores."""
    layout, entries = _make_layout(position.size), _make_legend_entries(position)
    board, said = f"{position.size} by {position.size}", describe_progress(position, position.plies, position.size**2)
    alt, shapes = (
        describe_board(TITLE, board, said, entries),
        (*mark_as_worked(_draw_headings(layout)), *_draw_shapes(position, layout)),
    )
    return (make_page(layout, NAME, alt, boards.draw_grid(layout), shapes, entries, tuple(_make_key_signs(layout))),)


def _count_pitch(size: int) -> float:
    # From one count to the next, in points.
    return max(CLOSEST, COUNTS / size)


@lru_cache(maxsize=16)
def _make_layout(size: int) -> Layout:
    margin = GAP + size * _count_pitch(size) + SCORE
    return Layout(columns=size, rows=size, left=LEFT, right=margin + EDGE / 2, below=margin)


def _draw_headings(layout: Layout) -> Iterator[Shape]:
    """The little boxes above the counts of rows and beside those of columns."""
    size, unit = round(layout.columns), layout.squares_per_point
    for seat, before in zip(BOTH, (GAP + LABEL / 2, GAP + 12), strict=True):
        for value in range(1, size + 1):
            x, y = _count_spot(layout, seat, -before * unit, value)
            yield Box(x - BOX / 2 * unit, y - BOX / 2 * unit, BOX * unit, BOX * unit, None, "faded", 2 * unit)
            yield Text(x, y, str(value), LEAST * unit, "faded")


def _count_spot(layout: Layout, seat: int, along: float, value: int) -> tuple[float, float]:
    """Where the count of a value stands: `along` the board in the line's middle, after its counts of lower values."""
    away = layout.columns + (GAP + (value - 0.5) * _count_pitch(round(layout.columns))) * layout.squares_per_point
    return (away, along) if seat == 1 else (along, away)


def _draw_shapes(position: SumOfProducts, layout: Layout) -> Iterator[Shape]:
    yield from _draw_squares(position, layout)
    for seat in BOTH:
        yield from mark_as_worked(_draw_counts(position, seat, layout))


def _draw_squares(position: SumOfProducts, layout: Layout) -> Iterator[Shape]:
    rows, columns = (position.counting_squares(seat) for seat in BOTH)
    weight = STROKE * layout.squares_per_point
    for index, value in enumerate(position.cells):
        if value:
            y, x = divmod(index, position.size)
            on = "gold" if index == position.last else "paper"
            if index == position.last:
                yield boards.shade_square(layout, x, y)
            ink = "ink" if index in rows | columns else "faded"
            yield from mark_as_pale([boards.draw_number(layout, x, y, str(value), ink, on)])
            if index in rows:
                yield from mark_as_worked([Line(x + FROM, y + AWAY, x + TO, y + AWAY, SEAT_INKS[0], weight, on=on)])
            if index in columns:
                yield from mark_as_worked([Line(x + AWAY, y + FROM, x + AWAY, y + TO, SEAT_INKS[1], weight, on=on)])


def _draw_counts(position: SumOfProducts, seat: int, layout: Layout) -> Iterator[Shape]:
    """For each line of a seat how often it has each number, on a band what is multiplied, and the score."""
    size, unit = position.size, layout.squares_per_point
    *tags, _ = position.working_of(seat)
    away = layout.columns + (GAP + size * _count_pitch(size) + SCORE / 2) * unit
    for place, (line, score) in enumerate(zip(position.list_lines(seat), position.line_scores(seat), strict=True)):
        multiplied = len(count_factors(line))
        yield from _draw_band(layout, seat, place, multiplied)
        for value in range(1, size + 1):
            x, y = _count_spot(layout, seat, place + 0.5, value)
            count = line.count(value)
            ink, on = ("ink", TINT_INKS[seat - 1]) if value <= multiplied else ("faded", "paper")
            yield Text(x, y, str(count), TALLY * unit, ink, on=on) if count else Disc(x, y, ZERO * unit, "faded")
        x, y = (away, place + 0.5) if seat == 1 else (place + 0.5, away)
        yield Text(x, y, str(score), LABEL * unit, tag=tags[place])


def _draw_band(layout: Layout, seat: int, place: int, multiplied: int) -> Iterator[Shape]:
    """What lies behind the counts that are multiplied."""
    if multiplied:
        start, middle = layout.columns + GAP * layout.squares_per_point, place + 0.5
        long, half = (
            multiplied * _count_pitch(round(layout.columns)) * layout.squares_per_point,
            BAND / 2 * layout.squares_per_point,
        )
        corner = (start, middle - half) if seat == 1 else (middle - half, start)
        sides = (long, 2 * half) if seat == 1 else (2 * half, long)
        yield Box(*corner, *sides, TINT_INKS[seat - 1], radius=8 * layout.squares_per_point)


def _make_key_signs(layout: Layout) -> Iterator[Sign]:
    """What the marks on the squares and the numbers beside the board mean."""
    for seat in BOTH:
        yield Sign(f"counts in its {SIDES[seat - 1][:-1]}", SAMPLE, partial(_draw_sample, layout, seat))
    yield Sign(COUNTED, BOX, partial(_draw_box_sample, layout))
    yield Sign(MULTIPLIED, 2 * CLOSEST, partial(_draw_multiplied_sample, layout))


def _draw_box_sample(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    unit = layout.squares_per_point
    yield Box(x, y - BOX / 2 * unit, BOX * unit, BOX * unit, None, "faded", 2 * unit)
    yield Text(x + BOX / 2 * unit, y, "1", LEAST * unit, "faded")


def _draw_multiplied_sample(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    unit, on = layout.squares_per_point, TINT_INKS[0]
    yield Box(x, y - BAND / 2 * unit, 2 * CLOSEST * unit, BAND * unit, on, radius=8 * unit)
    for place, count in enumerate("32"):
        yield Text(x + (place + 0.5) * CLOSEST * unit, y, count, TALLY * unit, on=on)


def _draw_sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    half = SAMPLE / 2 * layout.squares_per_point
    dx, dy = (half, 0) if seat == 1 else (0, half)
    yield Line(x + half - dx, y - dy, x + half + dx, y + dy, SEAT_INKS[seat - 1], STROKE * layout.squares_per_point)


def _make_legend_entries(position: SumOfProducts) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_with_working(position, SIDES)
