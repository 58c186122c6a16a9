"""Draws Sum Of Products: the grid with the score of each line, and how the last move's two lines came to theirs.

In the grid a number that counts in its row is underlined, one that counts in its column has a stroke at its side, and
one that counts in neither is faded. Below it stand the row and the column of the last move: how often each number is
there, under little boxes that say which number. The counts that are multiplied, up to the first gap, lie on a band in
the colour of the seat that counts the line; the product follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial

from bot.games.notation import Square
from bot.games.position import BOTH
from cogs.sum_of_products.rules import SumOfProducts, count_factors
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import GAP, Layout, Sign
from rendering.pages import (
    LegendEntry,
    abridge_lines,
    describe_board,
    describe_progress,
    make_list_pages,
    make_page,
    make_sentence_row,
)
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    NOTE,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Disc,
    Line,
    Picture,
    Shape,
    Text,
    group_digits,
    text_width,
)

TITLE, NAME = "Sum Of Products", "sum-of-products"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + text_width("0", LABEL) + GAP
SCORE = 62
"""What the scores beside and below the grid take."""
NAMED = EDGE + text_width("column m", NOTE) + 2 * GAP
"""Where the counts of a line begin, behind its name."""
BOX = 36
"""The side of the little box that says which number is counted."""
BAND = 42
"""The breadth of the band behind the counts that are multiplied."""
ZERO = 2.5
"""The radius of the dot that stands for a count of zero."""
STROKE, SAMPLE, WIDE = 6, 34, 40
"""The weight of a mark on a square; its length in the key, and the width of a count there."""
TALLY = 38
"""The type of the counts."""
COUNTED, MULTIPLIED = "counts of 1s, 2s, 3s, ... in a line", "shaded counts are multiplied: here to 6"

# In squares.
FROM, TO, AWAY = 0.16, 0.84, 0.9
"""Where a mark begins and ends along its side of a square, and how far that is from the other side."""


def pictures(position: SumOfProducts) -> tuple[Picture, ...]:
    """The board with its scores; when the match is over also how each line came to its score."""
    layout, entries = _make_layout(position.size), _make_legend_entries(position)
    board, said = f"{position.size} by {position.size}", describe_progress(position, position.plies, position.size**2)
    alt, shapes = describe_board(TITLE, board, said, entries), _draw_shapes(position, layout)
    key = (*_make_count_signs(position, layout), *_make_key_signs(layout))
    page = make_page(layout, NAME, alt, boards.draw_grid(layout), shapes, entries, key)
    return (page,) if position.turn else (page, *_make_lists(position))


@lru_cache(maxsize=16)
def _make_layout(size: int) -> Layout:
    """The grid with scores at its right and below it."""
    return Layout(columns=size, rows=size, left=LEFT, right=GAP + SCORE + EDGE / 2, below=GAP + LABEL + GAP)


def _draw_shapes(position: SumOfProducts, layout: Layout) -> Iterator[Shape]:
    yield from _draw_squares(position, layout)
    for seat in BOTH:
        *tags, _ = position.working_of(seat)
        yield from _draw_scores(layout, seat, position.line_scores(seat), tags)


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
            yield boards.draw_number(layout, x, y, str(value), ink, on)
            if index in rows:
                yield Line(x + FROM, y + AWAY, x + TO, y + AWAY, SEAT_INKS[0], weight, on=on)
            if index in columns:
                yield Line(x + AWAY, y + FROM, x + AWAY, y + TO, SEAT_INKS[1], weight, on=on)


def _draw_scores(layout: Layout, seat: int, scores: Sequence[int], tags: Sequence[str]) -> Iterator[Shape]:
    """The score of each line of a seat, at the right of its rows or below its columns."""
    draw = boards.draw_row_numbers if seat == 1 else boards.draw_column_numbers
    yield from draw(layout, map(group_digits, scores), tags=tags)


def _make_count_signs(position: SumOfProducts, layout: Layout) -> Iterator[Sign]:
    """Lines above the key: how often each number stands in the row and in the column of the last move."""
    if position.last is None:
        return
    yield Sign("", 0, partial(_draw_boxes, layout), now=True)
    for seat, place in zip(BOTH, Square.from_ordinal(position.last, position.size)[::-1], strict=True):
        yield Sign("", 0, partial(_draw_counts, position, layout, seat, place), now=True)


def _draw_boxes(layout: Layout, x: float, y: float) -> Iterator[Shape]:
    """The little boxes above the counts."""
    unit = layout.squares_per_point
    for value in range(1, round(layout.columns) + 1):
        middle = _count_spot(layout, value)
        yield Box(middle - BOX / 2 * unit, y - BOX / 2 * unit, BOX * unit, BOX * unit, None, "faded", 2 * unit)
        yield Text(middle, y, str(value), LEAST * unit, "faded")


def _count_spot(layout: Layout, value: int) -> float:
    # Where the counts of a number stand.
    start, unit = layout.edges[0] + (NAMED - EDGE) * layout.squares_per_point, layout.squares_per_point
    return start + (value - 0.5) * (layout.columns + GAP * unit - start) / layout.columns


def _draw_counts(position: SumOfProducts, layout: Layout, seat: int, place: int, x: float, y: float) -> Iterator[Shape]:
    """A line of a seat: its name, how often it has each number, on a band what is multiplied, and its score."""
    unit, line = layout.squares_per_point, position.list_lines(seat)[place]
    multiplied, wide = len(count_factors(line)), _count_spot(layout, 2) - _count_spot(layout, 1)
    yield Text(x, y, position.line_name(seat, place), NOTE * unit, anchor="left")
    if multiplied:
        yield Box(
            _count_spot(layout, 1) - wide / 2,
            y - BAND / 2 * unit,
            multiplied * wide,
            BAND * unit,
            TINT_INKS[seat - 1],
            radius=8 * unit,
        )
    for value in range(1, position.size + 1):
        middle, count = _count_spot(layout, value), line.count(value)
        ink, on = ("ink", TINT_INKS[seat - 1]) if value <= multiplied else ("faded", "paper")
        yield Text(middle, y, str(count), TALLY * unit, ink, on=on) if count else Disc(middle, y, ZERO * unit, "faded")
    score, room = group_digits(position.line_scores(seat)[place]), (SCORE - GAP) * unit
    yield Text(layout.columns + 2 * GAP * unit, y, score, layout.fit(score, room), anchor="left")


def _make_lists(position: SumOfProducts) -> Iterator[Picture]:
    """How each line of a finished match came to its score."""
    for entry in _make_legend_entries(position):
        *lines, _ = position.working_of(entry.seat)
        rows, side = [make_sentence_row(line) for line in lines], SIDES[entry.seat - 1]
        yield from make_list_pages(f"{NAME}-{side}", f"{abridge_lines(lines)}.", rows, (entry,))


def _make_key_signs(layout: Layout) -> Iterator[Sign]:
    """What the marks on the squares and the numbers below the board mean."""
    for seat in BOTH:
        yield Sign(f"counts in its {SIDES[seat - 1][:-1]}", SAMPLE, partial(_draw_sample, layout, seat))
    yield Sign(COUNTED, BOX, partial(_draw_box_sample, layout))
    yield Sign(MULTIPLIED, 2 * WIDE, partial(_draw_multiplied_sample, layout))


def _draw_box_sample(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    unit = layout.squares_per_point
    yield Box(x, y - BOX / 2 * unit, BOX * unit, BOX * unit, None, "faded", 2 * unit)
    yield Text(x + BOX / 2 * unit, y, "1", LEAST * unit, "faded")


def _draw_multiplied_sample(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    unit, on = layout.squares_per_point, TINT_INKS[0]
    yield Box(x, y - BAND / 2 * unit, 2 * WIDE * unit, BAND * unit, on, radius=8 * unit)
    for place, count in enumerate("32"):
        yield Text(x + (place + 0.5) * WIDE * unit, y, count, TALLY * unit, on=on)


def _draw_sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    half = SAMPLE / 2 * layout.squares_per_point
    dx, dy = (half, 0) if seat == 1 else (0, half)
    yield Line(x + half - dx, y - dy, x + half + dx, y + dy, SEAT_INKS[seat - 1], STROKE * layout.squares_per_point)


def _make_legend_entries(position: SumOfProducts) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_with_working(position, SIDES)
