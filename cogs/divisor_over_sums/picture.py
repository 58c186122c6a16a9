"""Draws Divisor Over Sums: the numbers, and between neighbours their sums.

The sums of numbers side by side are seat 1's, on little plates on the lines between columns; those of numbers one above
the other are seat 2's, on the lines between rows. When a seat has chosen its divisor, the sums that it divides stand
out in the seat's colour. Before that nothing here depends on any divisor; when the match is over,
the best ones are named below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from bot.games.notation import Square
from bot.games.position import BOTH
from bot.games.wording import join_words
from cogs.divisor_over_sums.rules import DivisorOverSums, Sum
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import GAP, Layout, Sign
from rendering.pages import LegendEntry, join_facts, make_page, seat_colour
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    SEAT_INKS,
    SEAT_PENS,
    TINT_INKS,
    Box,
    Ink,
    Picture,
    Shape,
    Text,
    text_width,
)

TITLE, NAME = "Divisor Over Sums", "divisor-over-sums"
SIDES = ("rows", "columns")
CLOSE = 8
"""From this size on a number stands above the sums at its sides, which do not fit beside it."""

# In points.
LARGEST = 38
"""The type of a sum at most."""
PAD, TALL = 10, 1.15
"""What a plate is wider than its sum, and its height in parts of the type."""
SAMPLE = (44, 34)
"""The sides of a plate in the key."""

# In squares.
NUMBER = 0.4
"""The type of a number at most."""
HIGHER, LOWER = 0.37, 0.635
"""Where in a close square its number and the sums at its sides stand."""


def pictures(position: DivisorOverSums) -> tuple[Picture, ...]:
    best = _describe_best(position)
    words, tags = [words for words, _ in best], [tag for _, tag in best]
    layout = _make_layout(position.size, boards.paragraph_height(words))
    key = [
        Sign(words, SAMPLE[0], partial(_draw_sample, layout, ink), now) for ink, words, now in _plate_meanings(position)
    ]
    shapes = (*_draw_shapes(position, layout), *boards.draw_paragraph(layout, words, GAP, "ink", tags))
    return (
        make_page(
            layout,
            NAME,
            _write_alt_text(position),
            boards.draw_grid(layout),
            shapes,
            _make_legend_entries(position),
            key,
        ),
    )


@lru_cache(maxsize=64)
def _make_layout(size: int, best: float) -> Layout:
    return Layout(columns=size, rows=size, left=EDGE + text_width("0", LABEL) + GAP, below=2 * GAP + best)


def _draw_shapes(position: DivisorOverSums, layout: Layout) -> Iterator[Shape]:
    yield from _draw_numbers(position, layout)
    beside = LOWER if position.size >= CLOSE else 0.5
    for seat in BOTH:
        for found in position.sums_of(seat):
            x, y = (found.column + 1, found.row + beside) if seat == 1 else (found.column + 0.5, found.row + 1)
            yield from _draw_plate(layout, x, y, str(found.total), *_sum_inks(position, seat, found))


def _draw_numbers(position: DivisorOverSums, layout: Layout) -> Iterator[Shape]:
    size, middle = _number_type_size(layout), HIGHER if position.size >= CLOSE else 0.5
    for value, index in enumerate(position.placed, 1):
        row, column = divmod(index, position.size)
        last = value == len(position.placed) and not position.chosen
        if last:
            yield boards.shade_square(layout, column, row)
        yield Text(column + 0.5, row + middle, str(value), size, on="gold" if last else "paper")


def _number_type_size(layout: Layout) -> float:
    # One type for all numbers, in squares: the largest of them fits between two plates with the widest sums.
    squares = round(layout.columns) ** 2
    width = 1 - (_plate_width(layout, str(2 * squares - 1)) + 6) * layout.squares_per_point
    return layout.fit(str(squares), width, NUMBER / layout.squares_per_point)


# On a pad.


def sketch(position: DivisorOverSums, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the chosen square framed; a divisor stands below, and which sums another one divides."""
    (board,) = pictures(position)
    board = replace(board.without_explanations, foot=0)
    if name := chosen.get("square"):
        square = Square.parse(name, position.size, position.size)
        board = frames.draw_over(board, frames.frame_square(*square, name, board.squares_per_point))
    elif divisor := chosen.get("divisor"):
        board = frames.add_note_strip(board, f"your divisor: {divisor}", divisor)
    return (board,)


# Sums.


def _sum_type_size(layout: Layout) -> float:
    # The type of a sum, in points.
    return max(LEAST, min(LARGEST, 0.25 / layout.squares_per_point))


def _plate_width(layout: Layout, words: str) -> float:
    # In points; a plate is at least as wide as for two digits.
    return text_width("0" * max(2, len(words)), _sum_type_size(layout)) + PAD


def _sum_inks(position: DivisorOverSums, seat: int, found: Sum) -> tuple[Ink, Ink]:
    """Ground and type of a sum: the seat's tint, or its colour where its divisor divides the sum."""
    choice = position.chosen_divisor(seat)
    if choice and found.total % choice.divisor == 0:
        return SEAT_INKS[seat - 1], SEAT_PENS[seat - 1]
    return TINT_INKS[seat - 1], "ink"


def _draw_plate(layout: Layout, x: float, y: float, words: str, ground: Ink, ink: Ink) -> Iterator[Shape]:
    size, unit = _sum_type_size(layout) * layout.squares_per_point, layout.squares_per_point
    wide, tall = _plate_width(layout, words) * unit, TALL * size
    yield Box(x - wide / 2, y - tall / 2, wide, tall, ground, radius=5 * unit)
    yield Text(x, y, words, size, ink, on=ground)


def _plate_meanings(position: DivisorOverSums) -> Iterator[tuple[Ink, str, bool]]:
    """What the plates mean: whose sums they are, or which of them are divided, as it is only now."""
    for seat in BOTH:
        choice = position.chosen_divisor(seat)
        if choice:
            yield SEAT_INKS[seat - 1], f"divided by {choice.divisor}", True
        else:
            yield TINT_INKS[seat - 1], f"sum in a {SIDES[seat - 1][:-1]}", False


def _draw_sample(layout: Layout, ground: Ink, x: float, y: float) -> Iterable[Shape]:
    unit, (wide, tall) = layout.squares_per_point, SAMPLE
    yield Box(x, y - tall / 2 * unit, wide * unit, tall * unit, ground, radius=5 * unit)


# What is said.


def _make_legend_entries(position: DivisorOverSums) -> tuple[LegendEntry, ...]:
    labels = [_seat_label(position, seat) for seat in BOTH]
    return rendering_pages.make_legend_entries(position, labels, tags=[position.explain(seat) for seat in BOTH])


def _seat_label(position: DivisorOverSums, seat: int) -> str:
    """What a seat counts, with what it does next or has chosen."""
    side, choice, following = SIDES[seat - 1], position.chosen_divisor(seat), position.find_next_number(seat)
    if choice:
        return f"{side}: {len(choice.divided)} × {choice.divisor}"
    return f"{side}, next {following}" if position.turn and following else side


def _describe_best(position: DivisorOverSums) -> Sequence[tuple[str, str]]:
    """A line about the best divisors of each seat, and the fact that it shows; nothing before the end."""
    lines: list[tuple[str, str]] = []
    for seat in BOTH:
        if best := position.best_divisors(seat):
            ways = join_words((f"{len(worth.divided)} × {worth.divisor}" for worth in best), " or ")
            lines.append(
                (f"best for {SIDES[seat - 1]} would have been {ways} = {best[0].score}", position.explain_best(seat))
            )
    return lines


def _describe_progress(position: DivisorOverSums) -> str:
    placed, squares = len(position.placed), position.size**2
    if position.withdrawn:
        return f"{seat_colour(position.withdrawn[0])} is out after {placed + len(position.chosen)} moves"
    if not position.turn:
        return f"{seat_colour(1)} chose {position.chosen[0]} and {seat_colour(2)} chose {position.chosen[1]}"
    (seat,) = position.turn
    if position.is_full:
        return f"the grid is full, and {seat_colour(seat)} chooses a divisor of its sums"
    return f"{seat_colour(seat)} places {position.find_next_number(seat)}, move {placed} of {squares}"


def _write_alt_text(position: DivisorOverSums) -> str:
    board = f"{position.size} by {position.size}"
    totals = join_words(f"{side} {score}" for side, score in zip(SIDES, position.scores(), strict=True))
    return join_facts(
        TITLE, board, _describe_progress(position), totals, *(words for words, _ in _describe_best(position))
    )
