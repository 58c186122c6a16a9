"""Draws integers in boxes: a prime's is dark, another's light, so a list of dark boxes is done.

All measures are in points. The present list is large and takes as many lines as it needs. An earlier list has one line,
in which perhaps only the integers around a change fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.core.values.primes import is_prime
from rendering.boards import HAIR, Layout
from rendering.shapes import Box, Ink, Shape, Text, grouped, width


class Style(NamedTuple):
    """How large boxes are: the type, the height, the room at both sides of a number, and the gap between boxes."""

    type: float
    high: float
    pad: float
    gap: float
    numbered: bool = True
    """Whether each box has the number of its position above; else only the first of a line has, at its left."""

    def wide(self, integer: int) -> float:
        """The width of a box."""
        return max(self.high, width(grouped(integer), self.type) + 2 * self.pad)

    @property
    def pitch(self) -> float:
        """From one line of a list to the next."""
        return self.high + (NUMBER + LEADING if self.numbered else LEADING / 2)


STYLES = (
    Style(60, 96, 18, 24),
    Style(50, 80, 15, 20),
    Style(42, 68, 13, 17),
    Style(34, 56, 11, 14),
    Style(30, 46, 8, 9),
)
"""For the present list, the most wanted first."""
DENSE = Style(30, 40, 5, 5, numbered=False)
"""For a list that is too long for all of these."""
SMALL_STYLE = Style(36, 48, 6, 6)
"""For earlier lists."""
NUMBER, NUMBER_TYPE = 40, 30
"""The height of the numbers of positions above a line of boxes, and their type."""
INDENT = 72
"""Room for the number of a position at the left of a line."""
LEADING = 10
"""Between two lines of boxes."""
HIGHEST = 620
"""The greatest height of a list that is not dense."""
ROUND = 0.16
"""The radius of a box's corners, in parts of its height."""
DOTS = "..."
"""The sign that a list goes on."""


# The present list.


class Place(NamedTuple):
    """Where a box of a list stands: its left edge, the line from 0, and its width."""

    x: float
    line: int
    wide: float


def placed(integers: Sequence[int], style: Style, room: float) -> list[Place]:
    """The places of the boxes of a list, in lines no longer than the room."""
    indent = 0 if style.numbered else INDENT
    places: list[Place] = []
    x, line = float(indent), 0
    for position, integer in enumerate(integers, 1):
        wide = max(style.wide(integer), width(str(position), NUMBER_TYPE) if style.numbered else 0)
        if x + wide > room:
            x, line = float(indent), line + 1
        places.append(Place(x, line, wide))
        x += wide + style.gap
    return places


def height(places: Sequence[Place], style: Style) -> float:
    """The height of a list."""
    return style.pitch * (places[-1].line + 1)


def chosen(integers: Sequence[int], room: float) -> tuple[Style, list[Place]]:
    """The largest style in which a list is not too high, with the places of its boxes."""
    laid = ((style, placed(integers, style, room)) for style in STYLES)
    fitting = (each for each in laid if height(each[1], each[0]) <= HIGHEST)
    return next(fitting, None) or (DENSE, placed(integers, DENSE, room))


def box(
    layout: Layout, place: Place, y: float, integer: int, style: Style, on: Ink = "paper", tag: str = ""
) -> Iterator[Shape]:
    """An integer in its box, about the middle `y`."""
    unit, prime = layout.point, is_prime(integer)
    fill: Ink = "ink" if prime else on
    left, top, radius = place.x * unit, (y - style.high / 2) * unit, ROUND * style.high * unit
    yield Box(left, top, place.wide * unit, style.high * unit, fill, "ink", HAIR * unit, radius, on)
    middle, ink = (place.x + place.wide / 2) * unit, "paper" if prime else "ink"
    yield Text(middle, y * unit, grouped(integer), style.type * unit, ink, on=fill, tag=tag)


# An earlier list.


def window(integers: Sequence[int], start: int, end: int, room: float) -> tuple[int, int]:
    """The places of a list that a line shows (first, and one past the last): `start` to `end`, and others that fit.

    Where even `start` to `end` does not fit, its end is left out.
    """
    wide = [SMALL_STYLE.wide(integer) + SMALL_STYLE.gap for integer in integers]
    if sum(wide) <= room:
        return 0, len(wide)
    rest = room - 2 * dots_width()
    first, last = start, start
    while last < end and wide[last] <= rest:
        rest -= wide[last]
        last += 1
    while last >= end:
        left, right = first > 0 and wide[first - 1] <= rest, last < len(wide) and wide[last] <= rest
        if right and (not left or last - end < start - first):
            rest -= wide[last]
            last += 1
        elif left:
            first -= 1
            rest -= wide[first]
        else:
            break
    return first, last


def dots_width() -> float:
    """The width of the sign that a list goes on."""
    return width(DOTS, SMALL_STYLE.type) + SMALL_STYLE.gap
