"""Where a line leaves its traces: the geometry behind smooth strokes, in pixels.

A long line covers few of the pixels in the rectangle about it. Cut into small tiles along its way, it costs only what
it covers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from rendering.shapes import Spot

Tile = tuple[int, int, int, int]
"""Left, top, width, height."""

STEP = 8.0
"""A line is sampled at least this often, in pixels."""
FINENESS = 4
"""Spots are snapped to this part of a pixel, so that equal shapes at different places share a sprite."""


def snapped(value: float) -> float:
    """The nearest quarter of a pixel."""
    return round(value * FINENESS) / FINENESS


def samples(spots: Sequence[Spot]) -> Iterator[Spot]:
    """Spots along a path, close to each other."""
    yield from spots[:1]
    for (x1, y1), (x2, y2) in zip(spots, spots[1:], strict=False):
        count = math.ceil(math.dist((x1, y1), (x2, y2)) / STEP)
        yield from ((x1 + (x2 - x1) * i / count, y1 + (y2 - y1) * i / count) for i in range(1, count + 1))


def arc_spots(radius: float, start: float, end: float) -> tuple[Spot, ...]:
    """Spots along an arc about (0, 0), in degrees clockwise from the top."""
    count = max(8, math.ceil(math.radians(abs(end - start)) * radius / STEP))
    angles = (math.radians(start + (end - start) * i / count) for i in range(count + 1))
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


def tiles(spots: Iterable[Spot], reach: float, side: int, whole: int) -> list[Tile]:
    """The tiles of a grid of `side` that come within `reach` of the spots; one for all if that is at most `whole`."""
    spots = list(spots)
    xs, ys = zip(*spots, strict=True)
    left, top = math.floor(min(xs) - reach), math.floor(min(ys) - reach)
    width, height = math.ceil(max(xs) + reach) - left, math.ceil(max(ys) + reach) - top
    if width <= whole and height <= whole:
        return [(left, top, width, height)]
    # Half a step more: a line may cut a corner between two samples.
    reach += STEP / 2
    touched = {
        (column, row)
        for x, y in spots
        for column in range(math.floor((x - reach - left) / side), math.floor((x + reach - left) / side) + 1)
        for row in range(math.floor((y - reach - top) / side), math.floor((y + reach - top) / side) + 1)
    }
    return [(left + column * side, top + row * side, side, side) for column, row in sorted(touched)]


def dashes(x1: float, y1: float, x2: float, y2: float, dash: float) -> Iterator[tuple[Spot, Spot]]:
    """The pieces of a dashed line, a dash at either end."""
    length = math.dist((x1, y1), (x2, y2))
    count = max(1, 2 * round((length / dash + 1) / 2) - 1)
    for piece in range(0, count, 2):
        a, b = piece / count, (piece + 1) / count
        yield (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a), (x1 + (x2 - x1) * b, y1 + (y2 - y1) * b)
