"""Draws Sum Of Products: the grid, and beside each line how often every number stands in it.

The counts of a row are at its right under little boxes that say of which number, those of a column below it. The ones
that are multiplied, up to the first gap, lie on a band in the colour of the seat that counts the line; the product
follows. In the grid a number that counts in its row is underlined, one that counts in its column has a stroke at its
side, and one that counts in neither is faded. So the finished board explains its scores by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from bot.core.values.seats import BOTH
from cogs.sum_of_products.rules import SumOfProducts, factors
from rendering import boards, legend
from rendering.boards import GAP, Layout
from rendering.legend import Entry
from rendering.margins import Sign
from rendering.pages import described, page, progress
from rendering.paper import pale, worked
from rendering.shapes import EDGE, LABEL, LEAST, SEAT_INKS, TINT_INKS, Box, Disc, Line, Picture, Shape, Text, width

TITLE, NAME = "Sum Of Products", "sum-of-products"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + width("0", LABEL) + GAP
COUNTS, CLOSEST = 252, 40
"""What the counts of a line take, and how close together they stand at most."""
BOX = 33
"""A little box that says which number is counted."""
BAND = 40
"""The breadth of the band behind the counts that are multiplied."""
ZERO = 2.5
"""The radius of the dot that stands for a count of zero."""
SCORE = 62
"""Room for a line's score."""
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
    layout, entries = _layout(position.size), _entries(position)
    board, said = f"{position.size} by {position.size}", progress(position, position.plies, position.size**2)
    alt, shapes = described(TITLE, board, said, entries), (*worked(_headings(layout)), *_shapes(position, layout))
    return (page(layout, NAME, alt, boards.grid(layout), shapes, entries, tuple(_key(layout))),)


def _pitch(size: int) -> float:
    # From one count to the next, in points.
    return max(CLOSEST, COUNTS / size)


@lru_cache(maxsize=16)
def _layout(size: int) -> Layout:
    margin = GAP + size * _pitch(size) + SCORE
    return Layout(columns=size, rows=size, left=LEFT, right=margin + EDGE / 2, below=margin)


def _headings(layout: Layout) -> Iterator[Shape]:
    """The little boxes above the counts of rows and beside those of columns."""
    size, unit = round(layout.columns), layout.point
    for seat, before in zip(BOTH, (GAP + LABEL / 2, GAP + 12), strict=True):
        for value in range(1, size + 1):
            x, y = _beside(layout, seat, -before * unit, value)
            yield Box(x - BOX / 2 * unit, y - BOX / 2 * unit, BOX * unit, BOX * unit, None, "faded", 2 * unit)
            yield Text(x, y, str(value), LEAST * unit, "faded")


def _beside(layout: Layout, seat: int, along: float, value: int) -> tuple[float, float]:
    """Where the count of a value stands: `along` the board in the line's middle, after its counts of lower values."""
    away = layout.columns + (GAP + (value - 0.5) * _pitch(round(layout.columns))) * layout.point
    return (away, along) if seat == 1 else (along, away)


def _shapes(position: SumOfProducts, layout: Layout) -> Iterator[Shape]:
    yield from _squares(position, layout)
    for seat in BOTH:
        yield from worked(_counts(position, seat, layout))


def _squares(position: SumOfProducts, layout: Layout) -> Iterator[Shape]:
    rows, columns = (position.counting(seat) for seat in BOTH)
    weight = STROKE * layout.point
    for index, value in enumerate(position.cells):
        if value:
            y, x = divmod(index, position.size)
            on = "gold" if index == position.last else "paper"
            if index == position.last:
                yield boards.shaded(layout, x, y)
            ink = "ink" if index in rows | columns else "faded"
            yield from pale([boards.written(layout, x, y, str(value), ink, on)])
            if index in rows:
                yield from worked([Line(x + FROM, y + AWAY, x + TO, y + AWAY, SEAT_INKS[0], weight, on=on)])
            if index in columns:
                yield from worked([Line(x + AWAY, y + FROM, x + AWAY, y + TO, SEAT_INKS[1], weight, on=on)])


def _counts(position: SumOfProducts, seat: int, layout: Layout) -> Iterator[Shape]:
    """For each line of a seat how often it has each number, on a band what is multiplied, and the score."""
    size, unit = position.size, layout.point
    *tags, _ = position.working_of(seat)
    away = layout.columns + (GAP + size * _pitch(size) + SCORE / 2) * unit
    for place, (line, score) in enumerate(zip(position.lines(seat), position.line_scores(seat), strict=True)):
        multiplied = len(factors(line))
        yield from _band(layout, seat, place, multiplied)
        for value in range(1, size + 1):
            x, y = _beside(layout, seat, place + 0.5, value)
            count = line.count(value)
            ink, on = ("ink", TINT_INKS[seat - 1]) if value <= multiplied else ("faded", "paper")
            yield Text(x, y, str(count), TALLY * unit, ink, on=on) if count else Disc(x, y, ZERO * unit, "faded")
        x, y = (away, place + 0.5) if seat == 1 else (place + 0.5, away)
        yield Text(x, y, str(score), LABEL * unit, tag=tags[place])


def _band(layout: Layout, seat: int, place: int, multiplied: int) -> Iterator[Shape]:
    """What lies behind the counts that are multiplied."""
    if multiplied:
        start, middle = layout.columns + GAP * layout.point, place + 0.5
        long, half = multiplied * _pitch(round(layout.columns)) * layout.point, BAND / 2 * layout.point
        corner = (start, middle - half) if seat == 1 else (middle - half, start)
        sides = (long, 2 * half) if seat == 1 else (2 * half, long)
        yield Box(*corner, *sides, TINT_INKS[seat - 1], radius=8 * layout.point)


def _key(layout: Layout) -> Iterator[Sign]:
    """What the marks on the squares and the numbers beside the board mean."""
    for seat in BOTH:
        yield Sign(f"counts in its {SIDES[seat - 1][:-1]}", SAMPLE, partial(_sample, layout, seat))
    yield Sign(COUNTED, BOX, partial(_boxed, layout))
    yield Sign(MULTIPLIED, 2 * CLOSEST, partial(_multiplied, layout))


def _boxed(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    unit = layout.point
    yield Box(x, y - BOX / 2 * unit, BOX * unit, BOX * unit, None, "faded", 2 * unit)
    yield Text(x + BOX / 2 * unit, y, "1", LEAST * unit, "faded")


def _multiplied(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    unit, on = layout.point, TINT_INKS[0]
    yield Box(x, y - BAND / 2 * unit, 2 * CLOSEST * unit, BAND * unit, on, radius=8 * unit)
    for place, count in enumerate("32"):
        yield Text(x + (place + 0.5) * CLOSEST * unit, y, count, TALLY * unit, on=on)


def _sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    half = SAMPLE / 2 * layout.point
    dx, dy = (half, 0) if seat == 1 else (0, half)
    yield Line(x + half - dx, y - dy, x + half + dx, y + dy, SEAT_INKS[seat - 1], STROKE * layout.point)


def _entries(position: SumOfProducts) -> tuple[Entry, ...]:
    return legend.summed(position, SIDES)
