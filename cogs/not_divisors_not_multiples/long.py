"""Draws numbers too long for their squares: a letter for each, and a list of them with their factors.

The list stands below the board, or on pages of its own; it has two columns where all its numbers are short enough.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cogs.not_divisors_not_multiples.fitting import factors
from cogs.not_divisors_not_multiples.rules import NotDivisorsNotMultiples
from rendering.boards import HAIR, Layout
from rendering.pages import LIST, page
from rendering.shapes import EDGE, LEAST, POINTS, Box, Ink, Picture, Shape, Text, grouped, width

# In points.
ROW = 44
BADGE, LETTER = 38, 18
"""The frame of a letter, and by how much each further letter widens it."""
LETTERED = 70
"""From the left edge of such a frame in the list to the number."""
GAP = 16
"""The gap between two columns."""
ROOM = POINTS - 2 * EDGE - LETTERED
"""The room for a number in a single column."""

PAGE_ROWS = 28


class Long(NamedTuple):
    """A long number, in which square it is, and the letter that stands there."""

    square: int
    value: int
    letter: str

    @property
    def product(self) -> str:
        """The number, with its prime factors unless there are too many: "46 060 = 2^2*5*7^2*47"."""
        powers = [grouped(prime) + f"^{power}" * (power > 1) for prime, power in factors(self.value)]
        number, product = grouped(self.value), "*".join(powers)
        told = number if product == number else f"{number} = {product}"
        return told if width(told, LEAST) <= ROOM else number


def numbers(position: NotDivisorsNotMultiples, room: float) -> tuple[Long, ...]:
    """The numbers that need more than `room` points in the smallest type, in the order of writing."""
    written = ((square, position.cells[square]) for square, _ in position.log)
    long = ((square, value) for square, value in written if width(grouped(value), LEAST) > room)
    return tuple(Long(square, value, _letter(place)) for place, (square, value) in enumerate(long))


def _letter(place: int) -> str:
    # A, B, … Z, AA, AB, …
    rest, last = divmod(place, 26)
    return (_letter(rest - 1) if rest else "") + chr(65 + last)


def badge(layout: Layout, x: float, y: float, letter: str, on: Ink = "paper", tag: str = "") -> Iterator[Shape]:
    """A letter in a frame, in place of a long number."""
    wide, high = (BADGE + LETTER * (len(letter) - 1)) * layout.point, BADGE * layout.point
    yield Box(x - wide / 2, y - high / 2, wide, high, None, "ink", HAIR * layout.point, 6 * layout.point, on)
    yield Text(x, y, letter, LEAST * layout.point, "ink", on=on, tag=tag)


def columns(listed: Sequence[Long]) -> int:
    """In how many columns numbers are listed."""
    room = (POINTS - 2 * EDGE) / 2 - LETTERED - GAP
    return 2 if all(width(number.product, LEAST) <= room for number in listed) else 1


def height(listed: Sequence[Long]) -> float:
    """How many points a list takes."""
    return ROW * math.ceil(len(listed) / columns(listed))


def table(layout: Layout, listed: Sequence[Long], top: float) -> Iterator[Shape]:
    """The list, from `top` points below the board."""
    point, (left, right) = layout.point, layout.edges
    rows, room = math.ceil(len(listed) / columns(listed)), (right - left) / columns(listed)
    for place, number in enumerate(listed):
        column, row = divmod(place, rows)
        start, y = left + column * room, layout.rows + (top + ROW * (row + 0.5)) * point
        x = start + LETTERED * point
        yield from badge(layout, start + BADGE / 2 * point, y, number.letter)
        yield Text(x, y, number.product, layout.fit(number.product, start + room - x, LEAST), "ink", "left")


def pages(listed: Sequence[Long], title: str, name: str) -> Iterator[Picture]:
    """The list on pages of its own."""
    most = PAGE_ROWS * columns(listed)
    for number, first in enumerate(range(0, len(listed), most), 1):
        shown = listed[first : first + most]
        alt = f"{title}: the numbers {shown[0].letter} to {shown[-1].letter} with their factors."
        yield page(replace(LIST, below=height(shown)), f"{name}-numbers-{number}", alt, (), table(LIST, shown, 0))
