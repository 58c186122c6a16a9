"""Draws Sum Kind Of Game: the grid, and in every square that scores the two numbers that add up to it.

The band at the foot of a square has the pair from its row, that at its head the pair from its column, each in the
colour of the seat that counts it; where squares are too small for that, the bands are empty, and when the match is over
further pictures list the pairs. How many squares of a line score stands in the margin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

from bot.games.position import BOTH
from cogs.sum_kind_of_game.rules import SumKindOfGame, find_sums
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import GAP, HAIR, Layout, Sign
from rendering.pages import (
    LegendEntry,
    describe_board,
    describe_progress,
    make_list_pages,
    make_page,
    make_sentence_row,
    seat_colour,
)
from rendering.shapes import EDGE, LABEL, LEAST, TINT_INKS, Box, Ink, Picture, Shape, Text, text_width

TITLE, NAME = "Sum Kind Of Game", "sum-kind-of-game"
SIDES = ("rows", "columns")

SUMS = ("sums in its row", "sums in its column")
PAIR_SHOWN = "1+2"
"""What stands on the bands of the key."""

# In points.
LEFT = EDGE + text_width("00", LABEL) + GAP
RIGHT = GAP + text_width("0", LABEL) + EDGE
SCORES = GAP + LABEL + 12
"""What the scores below the board take."""
LARGEST = 40
"""The type of a pair at most."""
SAMPLE, SAMPLE_HEIGHT = 90, 40
"""The width and the height of a band in the key."""

# In squares.
BAND, AWAY = 0.28, 0.05
"""The height of a band at the head or foot of a square, and how far it is from the next square."""
PAIR = 0.96
"""The greatest width of a pair."""
NUMBER = 0.35
"""The type of the number between the bands."""


def pictures(position: SumKindOfGame) -> tuple[Picture, ...]:
    """The board with its pairs and scores."""
    layout = _make_layout(position.size)
    signs = [Sign(words, SAMPLE, partial(_draw_sample, layout, seat)) for seat, words in zip(BOTH, SUMS, strict=True)]
    key = [boards.join_signs(layout, signs)]
    base, shapes = boards.draw_grid(layout), _draw_shapes(position, layout)
    board = make_page(layout, NAME, _write_alt_text(position), base, shapes, _make_legend_entries(position), key)
    return (board,) if position.turn or _fits_pairs(layout) else (board, *_make_lists(position))


@lru_cache(maxsize=16)
def _make_layout(size: int) -> Layout:
    return Layout(columns=size, rows=size, left=LEFT, right=RIGHT, below=SCORES)


@lru_cache(maxsize=16)
def _fits_pairs(layout: Layout) -> bool:
    """Whether squares are wide enough for the numbers of any pair."""
    most = round(layout.columns) ** 2 // 2
    return text_width(f"{most // 2}+{most // 2}", LEAST) * layout.squares_per_point <= PAIR


def _draw_shapes(position: SumKindOfGame, layout: Layout) -> Iterator[Shape]:
    yield from _draw_numbers(position, layout)
    for seat in BOTH:
        yield from _draw_pairs(position, seat, layout)
    tags = [position.working_of(seat) for seat in BOTH]
    rows, columns = (map(str, position.line_scores(seat)) for seat in BOTH)
    counts = (
        *boards.draw_row_numbers(layout, rows, tags=tags[0]),
        *boards.draw_column_numbers(layout, columns, tags=tags[1]),
    )
    yield from (replace(count, ink="faded") if count.text == "0" else count for count in counts)


def _draw_numbers(position: SumKindOfGame, layout: Layout) -> Iterator[Shape]:
    for index, value in enumerate(position.cells):
        if value:
            row, column = divmod(index, position.size)
            on: Ink = "paper"
            if index == position.placed[-1]:
                on = "gold"
                yield boards.shade_square(layout, column, row)
            yield Text(
                *boards.square_centre(column, row),
                str(value),
                layout.fit(str(value), 0.8, NUMBER / layout.squares_per_point),
                on=on,
            )


def _draw_pairs(position: SumKindOfGame, seat: int, layout: Layout) -> Iterator[Shape]:
    """For each square that is a sum in a line of a seat the two numbers that make it."""
    inset = HAIR / 2 * layout.squares_per_point
    for place, line in enumerate(position.list_lines(seat)):
        for found in find_sums(line):
            column, row = (found.place, place) if seat == 1 else (place, found.place)
            top = row + 1 - BAND - AWAY if seat == 1 else row + AWAY
            yield Box(column + inset, top, 1 - 2 * inset, BAND, TINT_INKS[seat - 1])
            if _fits_pairs(layout):
                y = top + BAND / 2
                words = f"{found.less}+{found.more}"
                size = layout.fit(words, PAIR, min(LARGEST, 0.9 * BAND / layout.squares_per_point))
                yield Text(column + 0.5, y, words, size, on=TINT_INKS[seat - 1])


def _draw_sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    unit = layout.squares_per_point
    yield Box(x, y - SAMPLE_HEIGHT / 2 * unit, SAMPLE * unit, SAMPLE_HEIGHT * unit, TINT_INKS[seat - 1])
    yield Text(x + SAMPLE / 2 * unit, y, PAIR_SHOWN, LABEL * unit, on=TINT_INKS[seat - 1])


def _make_lists(position: SumKindOfGame) -> Iterator[Picture]:
    """The sums of every line, where their pairs do not fit into squares."""
    for seat in BOTH:
        *facts, _ = position.working_of(seat)
        entry = _make_legend_entries(position)[seat - 1]
        alt = f"The sums in every {SIDES[seat - 1][:-1]}: {entry.total}."
        yield from make_list_pages(
            f"{NAME}-{SIDES[seat - 1]}", alt, [make_sentence_row(fact, fact) for fact in facts], (entry,)
        )


def _make_legend_entries(position: SumKindOfGame) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_with_working(position, SIDES)


def _write_alt_text(position: SumKindOfGame) -> str:
    placed, squares = len(position.placed), position.size**2
    places = (f"{seat_colour(seat)} places {position.find_next_number(seat)}" for seat in position.turn)
    now = "".join(f"{who}, move {placed} of {squares}" for who in places)
    board, said = f"{position.size} by {position.size}", describe_progress(position, placed, squares, now)
    return describe_board(TITLE, board, said, rendering_pages.make_legend_entries(position, SIDES))
