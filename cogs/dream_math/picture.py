"""Draws Dream Math: the grid, and between every two neighbours what the pair scores.

The score of a pair in a row stands on the side that its squares share, on seat 1's colour; that of a pair in a column
on seat 2's. On large grids they stand inside the squares, right of their first number and below it. Where a pair with
GCD 1 scores more than its GCD, its plate is dark. Beside each line is the sum of its pairs, and under that, on a tint,
the 5 that it earns when the sum is a prime. Where squares are too small for the scores of pairs, further pictures list
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from bot.games.position import BOTH
from cogs.dream_math.rules import BONUS, DreamMath, LineScore, Methods, Pair
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import GAP, Layout, Sign, make_remark_sign
from rendering.pages import (
    LegendEntry,
    describe_board,
    describe_progress,
    make_list_pages,
    make_page,
    make_sentence_row,
    seat_colour,
)
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    SEAT_INKS,
    SEAT_PENS,
    TINT_INKS,
    Box,
    Chip,
    Ink,
    Picture,
    Shape,
    Text,
    text_width,
)

TITLE, NAME = "Dream Math", "dream-math"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + text_width("0", LABEL) + GAP
LARGEST = 36
"""The type of a pair's score at most."""
APART = 21
"""How far the middles of a sum and of the 5 it earns are above and below the middle of both."""
SCORES = GAP + LABEL + 18
"""What the sums below the board take; what they earn for primes takes `2 * APART` more."""
STAGGER = 40
"""How much lower the sums of every other column stand where they are too wide side by side."""
OWNER = 34
"""The side of the chips that say whose the sums are."""
HIGH, AROUND, ROUND = 1.15, 8, 7
"""The height of a plate in parts of its type, what it is wider than its number, and the radius of its corners."""
CLEAR = 4
"""What is between a number and the plates about it, at least."""
LARGE = 6
"""From this size on plates stand inside the squares."""

# In squares.
PLATE = 0.2
"""The type of a pair's score, as long as that is legible and not too large."""
NUMBER = 0.36
"""The type of the numbers that were placed, where they fit."""

SMALLER, ELSE_GCD, JUST_GCD = (
    "only 1 divides both: scores the smaller number",
    "scores the largest number that divides both",
    "a pair scores the largest number that divides both",
)
PRIME = "the line's pairs add up to a prime: a bonus"
LISTED = "what pairs score is listed below"
WORDS = {
    "gcd": "GCD",
    "max": "larger",
    "min": "smaller",
    "product": "product",
    "ratio": "ratio",
    "divisors": "divisors of sum",
}
"""What a pair may score, in the key."""


def pictures(position: DreamMath) -> tuple[Picture, ...]:
    """The board with the scores of its pairs and lines, or lists of them where they do not fit there."""
    plan, entries = _make_plan(position.size, position.methods, position.variant), _make_legend_entries(position)
    base, shapes, key = boards.draw_grid(plan.layout), _draw_shapes(position, plan), tuple(_make_key_signs(plan))
    board = make_page(plan.layout, NAME, _write_alt_text(position), base, shapes, entries, key)
    return (board,) if plan.places.plates else (board, *_make_lists(position))


class SquarePlaces(NamedTuple):
    """Where things stand in a square, as parts of its side: a number, and how high in its row the score of a pair."""

    plates: bool
    """Whether the scores of pairs fit on the board."""
    inside: bool = False
    """Whether they stand inside the first square of a pair, not on the side that both share."""
    x: float = 0.5
    y: float = 0.5
    beside: float = 0.5
    free: float = 0.9
    """The greatest width of a number."""


class BoardPlan(NamedTuple):
    """Where things stand for a size, a variant and its methods."""

    layout: Layout
    methods: Methods
    variant: str
    plate: float
    """The type of a pair's score in points."""
    places: SquarePlaces
    stagger: float
    """How much lower the sums of every other column stand, in points."""


@lru_cache(maxsize=128)
def _make_plan(size: int, methods: Methods, variant: str) -> BoardPlan:
    most = size**2 * (size**2 - 1) if "product" in methods else size**2
    widest = text_width("0" * len(str(most * (size - 1))), LABEL)
    right = GAP + max(widest, text_width("+5", LABEL) + AROUND) + EDGE / 2
    square = (900 - LEFT - right) / size
    stagger = STAGGER if widest * LEAST / LABEL > 0.96 * square else 0
    below = SCORES + stagger + (2 * APART if variant != "simple" else 0)
    layout = Layout(columns=size, rows=size, left=LEFT, right=right, below=below)
    plate = max(LEAST, min(LARGEST, PLATE * square))
    wide = text_width("0" * len(str(most)), plate) + AROUND
    places = _place_in_square(square, wide, plate * HIGH, size >= LARGE)
    return BoardPlan(layout, methods, variant, plate, places, stagger)


def _place_in_square(square: float, wide: float, high: float, inside: bool) -> SquarePlaces:
    """Where the number of a square and the plates at it stand, all of these sizes in points."""
    free, tall = square - wide - (2 if inside else 1) * CLEAR, 0.75 * LEAST
    fits = free >= text_width("00", LEAST)
    if not inside:
        return SquarePlaces(fits, free=free / square) if fits else SquarePlaces(False)
    if fits:
        y = (square - high - CLEAR) / 2 / square
        return SquarePlaces(True, True, (CLEAR + free) / 2 / square, y, y, free / square)
    if tall + 2 * high + 4 * CLEAR <= square and wide + 2 * CLEAR <= square:
        return SquarePlaces(True, True, 0.5, (CLEAR + tall / 2) / square, 1 - (1.5 * high + 2 * CLEAR) / square, 0)
    return SquarePlaces(False)


def _draw_shapes(position: DreamMath, plan: BoardPlan) -> Iterator[Shape]:
    yield from _draw_numbers(position, plan)
    yield from _draw_owners(plan.layout)
    for seat in BOTH:
        *tags, _ = position.working_of(seat)
        for place, (result, tag) in enumerate(zip(position.line_results(seat), tags, strict=True)):
            for pair in result.pairs if plan.places.plates else ():
                yield from _draw_pair(plan, seat, place, pair, tag)
            yield from _draw_line(plan, seat, place, result, tag)


def _draw_numbers(position: DreamMath, plan: BoardPlan) -> Iterator[Shape]:
    for value, index in enumerate(position.placed, 1):
        row, column = divmod(index, position.size)
        on: Ink = "paper"
        if index == position.placed[-1]:
            on = "gold"
            yield boards.shade_square(plan.layout, column, row)
        x, y, size = column + plan.places.x, row + plan.places.y, NUMBER / plan.layout.squares_per_point
        yield Text(x, y, str(value), plan.layout.fit(str(value), plan.places.free, size), on=on)


def _draw_pair(plan: BoardPlan, seat: int, place: int, pair: Pair, tag: str) -> Iterator[Shape]:
    """What a pair scores, on the side that its squares share or in the first of them; dark where its GCD is 1 and it
    scores more than that."""
    unit, text, inside = plan.layout.squares_per_point, str(pair.score), plan.places.inside
    if seat == 1:
        within = (_plate_width(text, plan.plate) / 2 + CLEAR) * unit
        x, y = pair.place + 1 - within * inside, place + plan.places.beside
    else:
        within = (HIGH * plan.plate / 2 + CLEAR) * unit
        x, y = place + plan.places.x, pair.place + 1 - within * inside
    dark = pair.coprime and plan.variant != "simple"
    yield from _draw_plate(plan.layout, x, y, seat, text, plan.plate, dark, tag)


def _draw_plate(
    layout: Layout, x: float, y: float, seat: int, text: str, points: float = LEAST, dark: bool = False, tag: str = ""
) -> Iterator[Shape]:
    """A text on a seat's tint, or on its full colour."""
    unit = layout.squares_per_point
    wide, high = _plate_width(text, points) * unit, HIGH * points * unit
    fill = SEAT_INKS[seat - 1] if dark else TINT_INKS[seat - 1]
    yield Box(x - wide / 2, y - high / 2, wide, high, fill, radius=ROUND * unit, tag=tag)
    if text:
        yield Text(x, y, text, points * unit, SEAT_PENS[seat - 1] if dark else "ink", on=fill, tag=tag)


def _plate_width(text: str, points: float = LEAST) -> float:
    # A plate is never narrower than high.
    return max(text_width(text, points) + AROUND, HIGH * points)


def _draw_line(plan: BoardPlan, seat: int, place: int, result: LineScore, tag: str) -> Iterator[Shape]:
    """The sum of a line's pairs in the margin, and under it what the line earns for a prime."""
    layout, unit = plan.layout, plan.layout.squares_per_point
    apart = APART * unit * (result.bonus > 0)
    if seat == 1:
        x, y = layout.columns + (layout.right + GAP - EDGE / 2) / 2 * unit, place + 0.5
    else:
        x, y = place + 0.5, layout.rows + (GAP + LABEL / 2 + plan.stagger * (place % 2)) * unit + apart
    size = layout.fit(str(result.sum), 1.8 if plan.stagger else 0.94) if seat == 2 else LABEL * unit
    yield Text(x, y - apart, str(result.sum), size, tag=tag)
    if result.bonus:
        yield from _draw_plate(layout, x, y + apart, seat, f"+{result.bonus}", LABEL, tag=tag)


def _draw_owners(layout: Layout) -> Iterator[Shape]:
    """The chip of each seat at the beginning of its sums."""
    unit = layout.squares_per_point
    over, beside = (GAP + LABEL / 2) * unit, layout.columns + (layout.right + GAP - EDGE / 2) / 2 * unit
    yield Chip(beside, -over, OWNER * unit, 1)
    yield Chip(-over, layout.rows + over, OWNER * unit, 2)


def _make_key_signs(plan: BoardPlan) -> Iterator[Sign]:
    """What the plates mean."""

    def sign(words: str, sample: str = "", dark: bool = False) -> Sign:
        return Sign(words, 2 * _plate_width(sample) + 6, partial(_draw_samples, plan.layout, sample, dark))

    if not plan.places.plates:
        yield make_remark_sign(LISTED)
    if plan.variant == "simple":
        yield sign(JUST_GCD)
        return
    yield sign(SMALLER, dark=True)
    if plan.variant == "dream":
        yield sign(ELSE_GCD)
    else:
        two, three, more = (WORDS[name] for name in plan.methods[1:])
        yield sign(f"GCD 2: {two}, 3: {three}")
        yield make_remark_sign(f"GCD 4 or more: {more}")
    yield sign(PRIME, f"+{BONUS}")


def _draw_samples(layout: Layout, sample: str, dark: bool, x: float, y: float) -> Iterable[Shape]:
    wide = _plate_width(sample)
    for seat in BOTH:
        yield from _draw_plate(
            layout, x + (wide / 2 + (wide + 6) * (seat - 1)) * layout.squares_per_point, y, seat, sample, dark=dark
        )


def _make_lists(position: DreamMath) -> Iterator[Picture]:
    """What the pairs of every line score that has any."""
    for seat in BOTH:
        told_of = enumerate(zip(position.working_of(seat), position.line_results(seat), strict=False))
        rows = [
            make_sentence_row(position.describe_pairs(seat, place), fact)
            for place, (fact, result) in told_of
            if result.pairs
        ]
        if rows:
            alt = f"What the pairs of every {SIDES[seat - 1][:-1]} score, and their sums."
            yield from make_list_pages(f"{NAME}-{SIDES[seat - 1]}", alt, rows)


# What all say.


def _make_legend_entries(position: DreamMath) -> tuple[LegendEntry, ...]:
    labels = [f"{side}, next {position.find_next_number(seat)}" for seat, side in enumerate(SIDES, 1)]
    return rendering_pages.make_legend_with_working(
        position, [labels[seat - 1] if seat in position.turn else SIDES[seat - 1] for seat in BOTH]
    )


def _write_alt_text(position: DreamMath) -> str:
    squares, board = position.size**2, f"{position.size} by {position.size}, {position.variant}"
    now = "".join(
        f"{seat_colour(seat)} places {position.find_next_number(seat)} of {squares}" for seat in position.turn
    )
    said = describe_progress(position, len(position.placed), squares, now)
    return describe_board(TITLE, board, said, rendering_pages.make_legend_with_working(position, SIDES))
