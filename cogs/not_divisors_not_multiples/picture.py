"""Draws (Not)Divisors Or (Not)Multiples: the grid, which number divides which, and the open squares.

Between two numbers over a side a triangle points from the divisor to its multiple. Squares that the seat to move may
write into are tinted. A dead square is crossed out; a bold arm of its cross points to a number over a corner that
divides all common multiples of the numbers beside. Numbers too long for their square have a letter there, and stand
below the board with their factors, or on pages of their own when there are many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial

from bot.core.values.plural import Plural
from cogs.not_divisors_not_multiples import long
from cogs.not_divisors_not_multiples.fitting import FREE
from cogs.not_divisors_not_multiples.long import Long
from cogs.not_divisors_not_multiples.rules import NotDivisorsNotMultiples
from rendering import boards, legend
from rendering.boards import HAIR, Direction, Layout
from rendering.legend import Entry, colour
from rendering.margins import Sign
from rendering.pages import facts, page
from rendering.shapes import LEAST, TINT_INKS, Box, Chip, Ink, Picture, Shape, Text, grouped

TITLE, NAME = "(Not)Divisors Or (Not)Multiples", "not-divisors-not-multiples"
HIGHEST = 1.58
"""The greatest height of a board, in widths."""

# In points.
GAP = 16
"""What is below the board."""
SAMPLE, BOUND, HIGH = 34, 84, 42
"""The side of a sign in the key, and how wide and high the one with a word is."""
TRIANGLE = 26
"""The greatest size of a triangle."""
THIN, BOLD = 3, 8
"""The weight of a cross, and the greatest of its bold arms."""
LARGE = "large"
"""The sign of a square that only numbers above 9999 can be written into."""

# In squares.
ARMS = 0.08
"""The greatest weight of a bold arm."""
DIGITS, TALL = 0.84, 0.42
"""The room for a number, and its greatest size of type."""
POINTED = 0.16
"""The greatest size of a triangle."""
ARM = 0.24
"""How far from its corner a cross ends."""
MARK, AWAY = 0.2, 0.16
"""The chip of the seat that wrote a number, and how far it is from the sides."""

SIDES: tuple[tuple[int, int, Direction, Direction], ...] = ((1, 0, "right", "left"), (0, 1, "down", "up"))
"""Columns and rows to a neighbour, and where a triangle points when the neighbour is the multiple and when not."""
OPEN = Plural("1 square is open: a number fits here", "{number} squares are open: a number fits here")
NUMBERS = Plural("1 number", "{number} numbers")
SQUARES = Plural("1 square is open, {dead} dead", "{number} squares are open, {dead} dead")


def pictures(position: NotDivisorsNotMultiples) -> tuple[Picture, ...]:
    """The board; where more numbers are too long for their squares than fit below it, also pages that list them."""
    room = DIGITS / _layout(position.size, 0).point
    numbers = long.numbers(position, room)
    board = _board(position, numbers, numbers)
    left, top, right, bottom = board.extent
    if bottom - top <= HIGHEST * (right - left):
        return (board,)
    return (_board(position, numbers, ()), *long.pages(numbers, TITLE, NAME))


# The board.


@lru_cache(maxsize=64)
def _layout(size: int, listed: float) -> Layout:
    return Layout(columns=size, rows=size, below=GAP + listed)


def _board(position: NotDivisorsNotMultiples, numbers: Sequence[Long], listed: Sequence[Long]) -> Picture:
    """The board with letters for long numbers, of which some are listed below it."""
    layout, board = _layout(position.size, long.height(listed)), f"{position.size} by {position.size}"
    alt = facts(TITLE, board, *_progress(position))
    shapes = (*_on_board(position, layout, numbers), *long.table(layout, listed, GAP))
    return page(layout, NAME, alt, boards.grid(layout), shapes, _entries(position), tuple(_key(position, layout)))


def _on_board(position: NotDivisorsNotMultiples, layout: Layout, numbers: Sequence[Long]) -> Iterator[Shape]:
    yield from _grounds(position, layout)
    yield from _numbers(position, layout, {number.square: number.letter for number in numbers})
    yield from _triangles(position, layout)
    for index in position.dead_squares():
        yield from _cross(position, layout, index)


def _grounds(position: NotDivisorsNotMultiples, layout: Layout) -> Iterator[Shape]:
    """Gold under the number written last; the tint of the seat to move where it may write, with what it is bound to."""
    for square, _ in position.log[-1:]:
        yield boards.shaded(layout, *_place(position, square))
    for seat in position.turn if position.log else ():
        for index in position.open_squares():
            column, row = _place(position, index)
            yield boards.own(layout, column, row, seat)
            if position.leasts[index] > FREE:
                yield _bound(layout, column + 0.5, row + 0.5, TINT_INKS[seat - 1])


def _bound(layout: Layout, x: float, y: float, on: Ink) -> Text:
    """The sign of a square that no number up to 9999 fits."""
    return Text(x, y, LARGE, LEAST * layout.point, "ink", on=on)


def _numbers(position: NotDivisorsNotMultiples, layout: Layout, letters: dict[int, str]) -> Iterator[Shape]:
    last = position.log[-1].square if position.log else None
    for square, seat in position.log:
        column, row = _place(position, square)
        on: Ink = "gold" if square == last else "paper"
        tag = "".join(position.verdict()) if square == last else ""
        yield Chip(column + AWAY, row + AWAY, MARK, seat, on=on)
        if square in letters:
            yield from long.badge(layout, column + 0.5, row + 0.5, letters[square], on, tag)
        else:
            text = grouped(position.cells[square])
            size = layout.fit(text, DIGITS, TALL / layout.point)
            yield Text(column + 0.5, row + 0.5, text, size, "ink", on=on, tag=tag)


def _triangles(position: NotDivisorsNotMultiples, layout: Layout) -> Iterator[Shape]:
    """From the divisor to its multiple, over each side between two numbers."""
    size = min(POINTED, TRIANGLE * layout.point)
    for square, _ in position.log:
        column, row = _place(position, square)
        for right, down, forth, back in SIDES:
            x, y = column + right, row + down
            other = position.cells[y * position.size + x] if max(x, y) < position.size else 0
            if other:
                direction = forth if other > position.cells[square] else back
                yield boards.arrow(column + 0.5 + right / 2, row + 0.5 + down / 2, direction, size)


def _cross(position: NotDivisorsNotMultiples, layout: Layout, index: int) -> Iterator[Shape]:
    """A dead square: its tag says why it is."""
    column, row = _place(position, index)
    near, far = ARM, 1 - ARM
    for start, end in ((near, near), (far, far)), ((far, near), (near, far)):
        yield boards.segment(
            layout, (column + start[0], row + start[1]), (column + end[0], row + end[1]), "faded", THIN,
            tag=position.explain(index),
        )  # fmt: skip
    for other in position.blockers(index):
        x, y = _place(position, other)
        end = (column + (near if x < column else far), row + (near if y < row else far))
        yield boards.segment(layout, boards.centre(column, row), end, "ink", min(BOLD, ARMS / layout.point))


def _place(position: NotDivisorsNotMultiples, index: int) -> tuple[int, int]:
    row, column = divmod(index, position.size)
    return column, row


# Below the board.


def _key(position: NotDivisorsNotMultiples, layout: Layout) -> Iterator[Sign]:
    """What the signs on the board mean."""
    out_of_reach = position.stuck and len(position.log) + len(list(position.dead_squares())) < len(position.cells)
    tint = TINT_INKS[position.mover - 1]
    yield Sign("points from a divisor to its multiple", SAMPLE, partial(_triangle, layout))
    if position.turn:
        yield Sign(OPEN.of(len(list(position.open_squares()))), SAMPLE, partial(_ground, layout, SAMPLE, tint, ""))
    if position.turn and any(position.leasts[index] > FREE for index in position.open_squares()):
        yield Sign("only a number above 9 999 fits here", BOUND, partial(_ground, layout, BOUND, tint, LARGE))
    if out_of_reach:
        yield Sign("lies beside no number", SAMPLE, partial(_ground, layout, SAMPLE, "paper", ""))
    yield Sign("dead: no number fits here any more", SAMPLE, partial(_dead, layout, False))
    yield Sign("bold arm: points to the number that blocks multiples", SAMPLE, partial(_dead, layout, True))


def _triangle(layout: Layout, x: float, y: float) -> Iterable[Shape]:
    yield boards.arrow(x + SAMPLE / 2 * layout.point, y, "right", TRIANGLE * layout.point)


def _ground(layout: Layout, wide: float, fill: Ink, word: str, x: float, y: float) -> Iterable[Shape]:
    unit, high = layout.point, HIGH if word else SAMPLE
    yield Box(x, y - high / 2 * unit, wide * unit, high * unit, fill, "ink", HAIR * unit)
    if word:
        yield Text(x + wide / 2 * unit, y, word, LEAST * unit, "ink", on=fill)


def _dead(layout: Layout, bold: bool, left: float, y: float) -> Iterable[Shape]:
    x, half = left + SAMPLE / 2 * layout.point, 0.4 * SAMPLE * layout.point
    yield boards.segment(layout, (x - half, y - half), (x + half, y + half), "faded", THIN)
    yield boards.segment(layout, (x - half, y + half), (x, y), "faded", THIN)
    ink, weight = ("ink", 0.7 * BOLD) if bold else ("faded", THIN)
    yield boards.segment(layout, (x, y), (x + half, y - half), ink, weight)


# What all say.


def _entries(position: NotDivisorsNotMultiples) -> tuple[Entry, ...]:
    ranks = position.ranks() or (0,) * position.seats
    states = [
        "left" if seat in position.withdrawn else "wins" if rank == 1 else "" for seat, rank in enumerate(ranks, 1)
    ]
    return legend.entries(position, totals=states)


def _progress(position: NotDivisorsNotMultiples) -> tuple[str, ...]:
    count = len(position.log)
    numbers = NUMBERS.of(count) if count else "no numbers"
    if position.stuck:
        return (f"{colour(position.log[-1].seat)} wrote the last of {numbers}",)
    if not position.turn:
        return (f"ended after {numbers}",)
    open_, dead = len(list(position.open_squares())), len(list(position.dead_squares()))
    return (numbers, SQUARES.of(open_, dead=dead)) if count else ("the first number goes anywhere",)
