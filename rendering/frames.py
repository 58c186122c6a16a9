"""Marks of a partial move on a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rendering.shapes import (
    EDGE,
    LEAST,
    LEGEND,
    Box,
    Ink,
    Line,
    Picture,
    Ring,
    Shape,
    Spot,
    Text,
    fit_type_size,
    text_width,
)

# Marks of a partial move: bold frames, and lines between them.


WEIGHT, SHARE = 9, 0.11
"""The weight of a mark in points, and its maximum in squares."""
RIM = 0.7
"""The weight of the pale rim on either side, as a fraction of the mark's."""
TEXT_SHARE = 0.76
"""The greatest width of a text in a square, as a fraction of the square."""
STRIP = 64
"""The height of the strip below a picture for choices without a place on the board, in points."""
CHOSEN = "chosen"
"""The prefix of the tags of marks."""


def draw_over(picture: Picture, marks: Iterable[Shape]) -> Picture:
    """A picture with marks over it, rims first, so that they do not cover neighbouring marks; without key and legend,
    to save space for the pad."""
    drawn, picture = sorted(marks, key=lambda mark: bool(mark.tag)), picture.without_legend
    return replace(picture, shapes=(*picture.shapes, *drawn))


def tag_of_mark(name: str) -> str:
    """The tag of a mark, by the name of its square, place or number."""
    return f"{CHOSEN} {name}"


def weight_of_mark(unit: float, side: float = 1.0) -> float:
    """The weight of a mark around something with this side, in squares; `unit` is a point in squares."""
    return min(WEIGHT * unit, SHARE * side)


def frame_square(column: float, row: float, name: str, unit: float) -> Iterator[Shape]:
    """A frame on the edges of a square of the board."""
    return frame_box(column, row, 1, 1, name, unit)


def frame_box(left: float, top: float, wide: float, high: float, name: str, unit: float) -> Iterator[Shape]:
    """A frame around a rectangle, half inside it and half outside."""
    heavy = weight_of_mark(unit, min(wide, high))
    rim, reach = RIM * heavy, heavy / 2
    for out, line, tag in (reach + rim, heavy + 2 * rim, ""), (reach, heavy, tag_of_mark(name)):
        ink: Ink = "ink" if tag else "paper"
        yield Box(left - out, top - out, wide + 2 * out, high + 2 * out, None, ink, line, tag=tag)


def draw_ring(x: float, y: float, radius: float, name: str, unit: float) -> Iterator[Shape]:
    """A ring around a dot, outside this radius."""
    heavy = weight_of_mark(unit, 4 * radius)
    rim = RIM * heavy
    yield Ring(x, y, radius + heavy + 2 * rim, "paper", heavy + 2 * rim)
    yield Ring(x, y, radius + heavy + rim, "ink", heavy, tag=tag_of_mark(name))


def draw_line(start: Spot, end: Spot, name: str, unit: float, side: float = 1.0) -> Iterator[Shape]:
    """A line from spot to spot; `side` is that of the squares it runs through."""
    heavy = weight_of_mark(unit, side)
    yield Line(*start, *end, "paper", heavy * (1 + 2 * RIM))
    yield Line(*start, *end, "ink", heavy, tag=tag_of_mark(name))


def draw_line_between(
    start: Spot, end: Spot, away: float, name: str, unit: float, side: float = 1.0
) -> Iterator[Shape]:
    """A line between two spots that ends `away` from both, so that what is there stays legible."""
    far = math.dist(start, end)
    if far > 2 * away:
        (x, y), (right, down) = start, ((end[0] - start[0]) / far * away, (end[1] - start[1]) / far * away)
        yield from draw_line((x + right, y + down), (end[0] - right, end[1] - down), name, unit, side)


def fits_in_square(text: str, unit: float, side: float = 1.0) -> bool:
    """Whether a text fits legibly into a square."""
    return text_width(text, LEAST * unit) <= TEXT_SHARE * side


def write_in_square(left: float, top: float, text: str, unit: float, side: float = 1.0) -> Iterator[Shape]:
    """A text that a move would write into a square, over its contents."""
    yield fill_square(left, top, "paper", text, side)
    size = fit_type_size(text, max(LEAST * unit, 0.5 * side), TEXT_SHARE * side, LEAST * unit)
    yield Text(left + side / 2, top + side / 2, text, size, tag=tag_of_mark(text))


def fill_square(left: float, top: float, ink: Ink, name: str, side: float = 1.0) -> Box:
    """The background that a move would give a square, over its contents."""
    inset = 0.08 * side
    return Box(left + inset, top + inset, side - 2 * inset, side - 2 * inset, ink, tag=tag_of_mark(name))


def add_note_strip(picture: Picture, words: str, name: str) -> Picture:
    """A picture with a strip below it, for a choice without a place on the board."""
    left, top, right, bottom = picture.without_legend.extent
    unit = picture.squares_per_point
    high, size = STRIP * unit, LEGEND * unit
    across = right - left - 2 * EDGE * unit
    text = Text(
        left + EDGE * unit + size / 2, bottom + high * 0.42, words,
        fit_type_size(words, size, across - size, LEAST * unit), anchor="left", tag=tag_of_mark(name),
    )  # fmt: skip
    wide = text_width(words, text.size) + size
    marks = (*frame_box(left + EDGE * unit, bottom + 0.05 * high, wide, 0.74 * high, name, unit), text)
    return replace(draw_over(picture, marks), extent=(left, top, right, bottom + high))
