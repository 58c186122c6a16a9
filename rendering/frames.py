"""Marks on a picture what a player has chosen of a move: bold frames, and lines between them.

A mark is dark with a pale rim on either side, so that it shows on a phone: on paper, on gold, on pieces of any colour
and among the lines of a grid. It hides nothing within it. Its tag says what it stands for: `chosen b3`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rendering.shapes import EDGE, LEAST, LEGEND, Box, Ink, Line, Picture, Ring, Shape, Spot, Text, fitting, width

WEIGHT, SHARE = 9, 0.11
"""The weight of a mark in points, and at most in parts of a square."""
RIM = 0.7
"""The weight of the pale rim on either side, in parts of the mark's."""
ROOM = 0.76
"""The width of a text in a square, at most, in parts of the square."""
STRIP = 64
"""The height of the strip below a picture for what has no place on it, in points."""
CHOSEN = "chosen"
"""What the tag of every mark begins with."""


def over(picture: Picture, marks: Iterable[Shape]) -> Picture:
    """A picture with marks over it, rims first, so that no rim cuts the mark of a neighbour; without its key and its
    legend, which frees the space below for what is tapped."""
    drawn, picture = sorted(marks, key=lambda mark: bool(mark.tag)), picture.bare
    return replace(picture, shapes=(*picture.shapes, *drawn))


def tagged(name: str) -> str:
    """The tag of the mark of a square, a position, a number."""
    return f"{CHOSEN} {name}"


def weight(unit: float, side: float = 1.0) -> float:
    """The weight of a mark about something with this side, in squares; `unit` is a point in squares."""
    return min(WEIGHT * unit, SHARE * side)


def square(column: float, row: float, name: str, unit: float) -> Iterator[Shape]:
    """A frame on the edges of a square of the board."""
    return box(column, row, 1, 1, name, unit)


def box(left: float, top: float, wide: float, high: float, name: str, unit: float) -> Iterator[Shape]:
    """A frame about a rectangle, half within it and half outside."""
    heavy = weight(unit, min(wide, high))
    rim, reach = RIM * heavy, heavy / 2
    for out, line, tag in (reach + rim, heavy + 2 * rim, ""), (reach, heavy, tagged(name)):
        ink: Ink = "ink" if tag else "paper"
        yield Box(left - out, top - out, wide + 2 * out, high + 2 * out, None, ink, line, tag=tag)


def ring(x: float, y: float, radius: float, name: str, unit: float) -> Iterator[Shape]:
    """A ring about a dot, outside of this radius."""
    heavy = weight(unit, 4 * radius)
    rim = RIM * heavy
    yield Ring(x, y, radius + heavy + 2 * rim, "paper", heavy + 2 * rim)
    yield Ring(x, y, radius + heavy + rim, "ink", heavy, tag=tagged(name))


def line(start: Spot, end: Spot, name: str, unit: float, side: float = 1.0) -> Iterator[Shape]:
    """A line from spot to spot; `side` is that of the squares it runs through."""
    heavy = weight(unit, side)
    yield Line(*start, *end, "paper", heavy * (1 + 2 * RIM))
    yield Line(*start, *end, "ink", heavy, tag=tagged(name))


def between(start: Spot, end: Spot, away: float, name: str, unit: float, side: float = 1.0) -> Iterator[Shape]:
    """A line between two spots that keeps `away` from both, and so leaves what is there legible."""
    far = math.dist(start, end)
    if far > 2 * away:
        (x, y), (right, down) = start, ((end[0] - start[0]) / far * away, (end[1] - start[1]) / far * away)
        yield from line((x + right, y + down), (end[0] - right, end[1] - down), name, unit, side)


def room_for(text: str, unit: float, side: float = 1.0) -> bool:
    """Whether a text can be read in a square."""
    return width(text, LEAST * unit) <= ROOM * side


def written(left: float, top: float, text: str, unit: float, side: float = 1.0) -> Iterator[Shape]:
    """A text that a move would write into a square, over what is there."""
    yield filled(left, top, "paper", text, side)
    size = fitting(text, max(LEAST * unit, 0.5 * side), ROOM * side, LEAST * unit)
    yield Text(left + side / 2, top + side / 2, text, size, tag=tagged(text))


def filled(left: float, top: float, ink: Ink, name: str, side: float = 1.0) -> Box:
    """The ground that a move would give a square, over what is there."""
    inset = 0.08 * side
    return Box(left + inset, top + inset, side - 2 * inset, side - 2 * inset, ink, tag=tagged(name))


def noted(picture: Picture, words: str, name: str) -> Picture:
    """A picture with a strip below it, for what is chosen and has no place on the board."""
    left, top, right, bottom = picture.bare.extent
    unit = picture.point
    high, size = STRIP * unit, LEGEND * unit
    across = right - left - 2 * EDGE * unit
    text = Text(
        left + EDGE * unit + size / 2, bottom + high * 0.42, words,
        fitting(words, size, across - size, LEAST * unit), anchor="left", tag=tagged(name),
    )  # fmt: skip
    wide = width(words, text.size) + size
    marks = (*box(left + EDGE * unit, bottom + 0.05 * high, wide, 0.74 * high, name, unit), text)
    return replace(over(picture, marks), extent=(left, top, right, bottom + high))
