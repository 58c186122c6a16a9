"""Draws Sum Of Products: the grid with the score of each line.

A number that counts in its row is underlined, one that counts in its column has a stroke at its side, and one that
counts in neither is faded. When the match is over further pictures tell how each line came to its score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial

from bot.games.position import BOTH
from cogs.sum_of_products.rules import SumOfProducts
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
    SEAT_INKS,
    Line,
    Picture,
    Shape,
    group_digits,
    text_width,
)

TITLE, NAME = "Sum Of Products", "sum-of-products"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + text_width("0", LABEL) + GAP
SCORE = 62
"""What the scores beside and below the grid take."""
STROKE, SAMPLE = 8, 34
"""The weight of a mark on a square, and its length in the key."""

# In squares.
FROM, TO, AWAY = 0.22, 0.78, 0.86
"""Where a mark begins and ends along its side of a square, and how far that is from the other side."""


def pictures(position: SumOfProducts) -> tuple[Picture, ...]:
    """The board with its scores; when the match is over also how each line came to its score."""
    layout, entries = _make_layout(position.size), _make_legend_entries(position)
    board, said = f"{position.size} by {position.size}", describe_progress(position, position.plies, position.size**2)
    alt, shapes = describe_board(TITLE, board, said, entries), _draw_shapes(position, layout)
    page = make_page(layout, NAME, alt, boards.draw_grid(layout), shapes, entries, tuple(_make_key_signs(layout)))
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


def _make_lists(position: SumOfProducts) -> Iterator[Picture]:
    """How each line of a finished match came to its score."""
    for entry in _make_legend_entries(position):
        *lines, _ = position.working_of(entry.seat)
        rows, side = [make_sentence_row(line) for line in lines], SIDES[entry.seat - 1]
        yield from make_list_pages(f"{NAME}-{side}", f"{abridge_lines(lines)}.", rows, (entry,))


def _make_key_signs(layout: Layout) -> Iterator[Sign]:
    """What the marks on the squares mean."""
    for seat in BOTH:
        yield Sign(f"counts in its {SIDES[seat - 1][:-1]}", SAMPLE, partial(_draw_sample, layout, seat))


def _draw_sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    half = SAMPLE / 2 * layout.squares_per_point
    dx, dy = (half, 0) if seat == 1 else (0, half)
    yield Line(x + half - dx, y - dy, x + half + dx, y + dy, SEAT_INKS[seat - 1], STROKE * layout.squares_per_point)


def _make_legend_entries(position: SumOfProducts) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_with_working(position, SIDES)
