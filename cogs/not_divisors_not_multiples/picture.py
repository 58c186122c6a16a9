"""Draws (Not)Divisors Or (Not)Multiples: the grid, which number divides which, and the open squares.

Between two numbers over a side a triangle points from the divisor to its multiple. In squares that can be written into
lies a dot, or a word where few numbers fit or only large ones. A dead square is crossed out; a bold arm of its cross
points to a number over a corner that divides all common multiples of the numbers beside. Numbers too long for their
square have a letter there, and stand below the board with their factors, or on pages of their own when there are many.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice
from typing import NamedTuple

from bot.games.wording import Plural
from cogs.not_divisors_not_multiples.rules import FREE, NotDivisorsNotMultiples, factorise
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import HAIR, Direction, Layout, Sign
from rendering.pages import LIST, LegendEntry, join_facts, make_page, seat_colour
from rendering.shapes import (
    EDGE,
    LEAST,
    POINTS,
    Box,
    Chip,
    Disc,
    Ink,
    Picture,
    Shape,
    Text,
    group_digits,
    text_width,
)

# Draws numbers too long for their squares: a letter for each, and a list of them with their factors.


# In points.
ROW = 44
BADGE, LETTER = 38, 18
"""The frame of a letter, and by how much each further letter widens it."""
LETTERED = 70
"""From the left edge of such a frame in the list to the number."""
GAP = 16
"""The gap between two columns."""
NUMBER_WIDTH = POINTS - 2 * EDGE - LETTERED
"""The width of a number in a single column."""

PAGE_ROWS = 28


class LongNumber(NamedTuple):
    """A long number, in which square it is, and the letter that stands there."""

    square: int
    value: int
    letter: str

    @property
    def product(self) -> str:
        """The number, with its prime factors unless there are too many: "46 060 = 2^2*5*7^2*47"."""
        powers = [group_digits(prime) + f"^{power}" * (power > 1) for prime, power in factorise(self.value)]
        number, product = group_digits(self.value), "*".join(powers)
        told = number if product == number else f"{number} = {product}"
        return told if text_width(told, LEAST) <= NUMBER_WIDTH else number


def find_long_numbers(position: NotDivisorsNotMultiples, width: float) -> tuple[LongNumber, ...]:
    """The numbers that need more than `width` points in the smallest type, in the order of writing."""
    written = ((square, position.cells[square]) for square, _ in position.log)
    long = ((square, value) for square, value in written if text_width(group_digits(value), LEAST) > width)
    return tuple(LongNumber(square, value, _letter_of(place)) for place, (square, value) in enumerate(long))


def _letter_of(place: int) -> str:
    # A, B, … Z, AA, AB, …
    rest, last = divmod(place, 26)
    return (_letter_of(rest - 1) if rest else "") + chr(65 + last)


def draw_badge(layout: Layout, x: float, y: float, letter: str, on: Ink = "paper", tag: str = "") -> Iterator[Shape]:
    """A letter in a frame, in place of a long number."""
    wide, high = (BADGE + LETTER * (len(letter) - 1)) * layout.squares_per_point, BADGE * layout.squares_per_point
    yield Box(
        x - wide / 2,
        y - high / 2,
        wide,
        high,
        None,
        "ink",
        HAIR * layout.squares_per_point,
        6 * layout.squares_per_point,
        on,
    )
    yield Text(x, y, letter, LEAST * layout.squares_per_point, "ink", on=on, tag=tag)


def count_columns(listed: Sequence[LongNumber]) -> int:
    width = (POINTS - 2 * EDGE) / 2 - LETTERED - GAP
    return 2 if all(text_width(number.product, LEAST) <= width for number in listed) else 1


def list_height(listed: Sequence[LongNumber]) -> float:
    return ROW * math.ceil(len(listed) / count_columns(listed))


def draw_table(layout: Layout, listed: Sequence[LongNumber], top: float) -> Iterator[Shape]:
    """The list, from `top` points below the board."""
    point, (left, right) = layout.squares_per_point, layout.edges
    rows, width = math.ceil(len(listed) / count_columns(listed)), (right - left) / count_columns(listed)
    for place, number in enumerate(listed):
        column, row = divmod(place, rows)
        start, y = left + column * width, layout.rows + (top + ROW * (row + 0.5)) * point
        x = start + LETTERED * point
        yield from draw_badge(layout, start + BADGE / 2 * point, y, number.letter)
        yield Text(x, y, number.product, layout.fit(number.product, start + width - x, LEAST), "ink", "left")


def make_pages(listed: Sequence[LongNumber], title: str, name: str) -> Iterator[Picture]:
    most = PAGE_ROWS * count_columns(listed)
    for number, first in enumerate(range(0, len(listed), most), 1):
        shown = listed[first : first + most]
        alt = f"{title}: the numbers {shown[0].letter} to {shown[-1].letter} with their factors."
        yield make_page(
            replace(LIST, below=list_height(shown)), f"{name}-numbers-{number}", alt, (), draw_table(LIST, shown, 0)
        )


TITLE, NAME = "(Not)Divisors Or (Not)Multiples", "not-divisors-not-multiples"
HIGHEST = 1.58
"""The greatest height of a board, in widths."""
SAMPLE, DOT, FITTING = 34, 18, 34
"""The side of a sign in the key, the breadth of its dot, and the greatest size of type of a word in a square."""
TRIANGLE = 26
"""The greatest size of a triangle."""
THIN, BOLD = 3, 9
"""The weight of a cross, and the greatest of its bold arms."""
LARGE = "large"
"""The sign of a square that only numbers above 9999 can be written into."""
ONLY, FEW, MOST_COUNTED = "only {number}", Plural("1 fits", "{number} fit"), 9
"""The sign of a square into which few numbers fit, and how many are few."""

# In squares.
ARMS = 0.09
"""The greatest weight of a bold arm."""
DIGITS, TALL = 0.84, 0.42
"""The greatest width of a number, and its greatest size of type."""
POINTED = 0.16
"""The greatest size of a triangle."""
OPEN_DOT = 0.12
"""The radius of the dot in an open square."""
ARM = 0.24
"""How far from its corner a cross ends."""
MARK, AWAY = 0.26, 0.19
"""The chip of the seat that wrote a number, and how far it is from the sides."""

SIDES: tuple[tuple[int, int, Direction, Direction], ...] = ((1, 0, "right", "left"), (0, 1, "down", "up"))
"""Columns and rows to a neighbour, and where a triangle points when the neighbour is the multiple and when not."""
OPEN, OPEN_TO_FEW, OPEN_ABOVE = "open: a number fits", "open to so few numbers", "open to numbers above 9 999"
OPEN_TO_ONE = "open to this number alone"
BESIDE_NONE = "beside no number"
DEAD, BLOCKED = "dead: no number fits here any more", "bold arm: this corner is why no multiple fits"
NUMBERS = Plural("1 number", "{number} numbers")
SQUARES = Plural("1 square is open, {dead} dead", "{number} squares are open, {dead} dead")


def pictures(position: NotDivisorsNotMultiples) -> tuple[Picture, ...]:
    """The board; where more numbers are too long for their squares than fit below it, also pages that list them."""
    width = DIGITS / _make_layout(position.size, 0).squares_per_point
    numbers = find_long_numbers(position, width)
    board = _make_board(position, numbers, numbers)
    left, top, right, bottom = board.extent
    if bottom - top <= HIGHEST * (right - left):
        return (board,)
    return (_make_board(position, numbers, ()), *make_pages(numbers, TITLE, NAME))


# The board.


@lru_cache(maxsize=64)
def _make_layout(size: int, listed: float) -> Layout:
    return Layout(columns=size, rows=size, below=GAP + listed)


def _make_board(
    position: NotDivisorsNotMultiples, numbers: Sequence[LongNumber], listed: Sequence[LongNumber]
) -> Picture:
    """The board with letters for long numbers, of which some are listed below it."""
    layout, board = _make_layout(position.size, list_height(listed)), f"{position.size} by {position.size}"
    alt = join_facts(TITLE, board, *_describe_progress(position))
    shapes = (*_draw_on_board(position, layout, numbers), *draw_table(layout, listed, GAP))
    return make_page(
        layout,
        NAME,
        alt,
        boards.draw_grid(layout),
        shapes,
        _make_legend_entries(position),
        tuple(_make_key_signs(position, layout)),
    )


def _draw_on_board(position: NotDivisorsNotMultiples, layout: Layout, numbers: Sequence[LongNumber]) -> Iterator[Shape]:
    yield from _draw_grounds(position, layout)
    yield from _draw_numbers(position, layout, {number.square: number.letter for number in numbers})
    yield from _draw_triangles(position, layout)
    for index in position.dead_squares():
        yield from _draw_cross(position, layout, index)


def _draw_grounds(position: NotDivisorsNotMultiples, layout: Layout) -> Iterator[Shape]:
    """Gold under the number written last; a dot where the seat to move may write, or what it is bound to."""
    for square, _ in position.log[-1:]:
        yield boards.shade_square(layout, *_place_of(position, square))
    for index in position.open_squares() if position.turn and position.log else ():
        column, row = _place_of(position, index)
        if word := _describe_fitting(position, layout, index):
            yield Text(column + 0.5, row + 0.5, word, layout.fit(word, DIGITS, FITTING), "ink")
        else:
            yield Disc(column + 0.5, row + 0.5, OPEN_DOT, "faded")


def _describe_fitting(position: NotDivisorsNotMultiples, layout: Layout, index: int) -> str:
    """What an open square says of the numbers that fit it, where these are few or large."""
    if position.leasts[index] > FREE:
        return LARGE
    found = [*islice(position.fitting_numbers(index), MOST_COUNTED + 1)]
    if len(found) > MOST_COUNTED:
        return ""
    only = ONLY.format(number=group_digits(found[0]))
    is_short = text_width(only, LEAST) * layout.squares_per_point <= DIGITS
    return only if len(found) == 1 and is_short else FEW.fill_in(len(found))


def _draw_numbers(position: NotDivisorsNotMultiples, layout: Layout, letters: dict[int, str]) -> Iterator[Shape]:
    last = position.log[-1].square if position.log else None
    for square, seat in position.log:
        column, row = _place_of(position, square)
        on: Ink = "gold" if square == last else "paper"
        tag = "".join(position.verdict()) if square == last else ""
        yield Chip(column + AWAY, row + AWAY, MARK, seat, on=on)
        if square in letters:
            yield from draw_badge(layout, column + 0.5, row + 0.5, letters[square], on, tag)
        else:
            text = group_digits(position.cells[square])
            size = layout.fit(text, DIGITS, TALL / layout.squares_per_point)
            yield Text(column + 0.5, row + 0.5, text, size, "ink", on=on, tag=tag)


def _draw_triangles(position: NotDivisorsNotMultiples, layout: Layout) -> Iterator[Shape]:
    """From the divisor to its multiple, over each side between two numbers."""
    size = min(POINTED, TRIANGLE * layout.squares_per_point)
    for square, _ in position.log:
        column, row = _place_of(position, square)
        for right, down, forth, back in SIDES:
            x, y = column + right, row + down
            other = position.cells[y * position.size + x] if max(x, y) < position.size else 0
            if other:
                direction = forth if other > position.cells[square] else back
                yield boards.draw_arrow(column + 0.5 + right / 2, row + 0.5 + down / 2, direction, size)


def _draw_cross(position: NotDivisorsNotMultiples, layout: Layout, index: int) -> Iterator[Shape]:
    """A dead square: its tag says why it is."""
    column, row = _place_of(position, index)
    near, far = ARM, 1 - ARM
    for start, end in ((near, near), (far, far)), ((far, near), (near, far)):
        yield boards.draw_segment(
            layout, (column + start[0], row + start[1]), (column + end[0], row + end[1]), "faded", THIN,
            tag=position.explain(index),
        )  # fmt: skip
    for other in position.blockers(index):
        x, y = _place_of(position, other)
        end = (column + (near if x < column else far), row + (near if y < row else far))
        yield boards.draw_segment(
            layout, boards.square_centre(column, row), end, "ink", min(BOLD, ARMS / layout.squares_per_point)
        )


def _place_of(position: NotDivisorsNotMultiples, index: int) -> tuple[int, int]:
    row, column = divmod(index, position.size)
    return column, row


# Below the board.


def _make_key_signs(position: NotDivisorsNotMultiples, layout: Layout) -> Iterator[Sign]:
    """What the signs on the board mean."""
    reached = len(position.log) + len([*position.open_squares(), *position.dead_squares()])
    words = [_describe_fitting(position, layout, index) for index in position.open_squares()] if position.turn else []
    few = [word for word in words if word not in ("", LARGE)]
    yield Sign("points from a divisor to its multiple", SAMPLE, partial(_draw_triangle, layout))
    if LARGE in words:
        yield _make_word_sign(layout, LARGE, OPEN_ABOVE, now=True)
    named = [word for word in few if word.startswith(ONLY.partition("{")[0])]
    if named:
        yield _make_word_sign(layout, named[0], OPEN_TO_ONE)
    elif few:
        yield _make_word_sign(layout, few[0], OPEN_TO_FEW)
    blank = [Sign(OPEN, SAMPLE, partial(_draw_dot, layout))] if "" in words else []
    if reached < len(position.cells):
        blank.append(Sign(BESIDE_NONE, SAMPLE, partial(_draw_ground, layout)))
    if blank:
        yield boards.join_signs(layout, blank)
    yield Sign(DEAD, SAMPLE, partial(_draw_dead_sample, layout, False))
    yield Sign(BLOCKED, SAMPLE, partial(_draw_dead_sample, layout, True))


def _draw_triangle(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    yield boards.draw_arrow(x + SAMPLE / 2 * layout.squares_per_point, y, "right", TRIANGLE * layout.squares_per_point)


def _draw_ground(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    side = SAMPLE * layout.squares_per_point
    yield Box(x, y - side / 2, side, side, None, "ink", HAIR * layout.squares_per_point)


def _draw_dot(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    yield Disc(x + SAMPLE / 2 * layout.squares_per_point, y, DOT / 2 * layout.squares_per_point, "faded")


def _make_word_sign(layout: Layout, word: str, told: str, now: bool = False) -> Sign:
    """A word that stands in squares of the board, and what it says."""

    def draw(x: float, y: float) -> Iterable[Shape]:
        yield Text(x, y, word, LEAST * layout.squares_per_point, "ink", "left")

    return Sign(told, text_width(word, LEAST), draw, now)


def _draw_dead_sample(layout: Layout, bold: bool, left: float, y: float) -> Iterable[Shape]:
    x, half = left + SAMPLE / 2 * layout.squares_per_point, 0.4 * SAMPLE * layout.squares_per_point
    yield boards.draw_segment(layout, (x - half, y - half), (x + half, y + half), "faded", THIN)
    yield boards.draw_segment(layout, (x - half, y + half), (x, y), "faded", THIN)
    ink, weight = ("ink", 0.7 * BOLD) if bold else ("faded", THIN)
    yield boards.draw_segment(layout, (x, y), (x + half, y - half), ink, weight)


# What all say.


def _make_legend_entries(position: NotDivisorsNotMultiples) -> tuple[LegendEntry, ...]:
    ranks = position.ranks() or (0,) * position.seats
    states = [
        "left" if seat in position.withdrawn else "wins" if rank == 1 else "" for seat, rank in enumerate(ranks, 1)
    ]
    return rendering_pages.make_legend_entries(position, totals=states)


def _describe_progress(position: NotDivisorsNotMultiples) -> tuple[str, ...]:
    count = len(position.log)
    numbers = NUMBERS.fill_in(count) if count else "no numbers"
    if position.is_stuck:
        return (f"{seat_colour(position.log[-1].seat)} wrote the last of {numbers}",)
    if not position.turn:
        return (f"ended after {numbers}",)
    open_, dead = len(list(position.open_squares())), len(list(position.dead_squares()))
    return (numbers, SQUARES.fill_in(open_, dead=dead)) if count else ("the first number goes anywhere",)
