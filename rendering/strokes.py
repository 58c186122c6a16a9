"""Where a line leaves its traces: the geometry behind smooth strokes, in pixels.

A long line covers few of the pixels in the rectangle about it. Cut into stretches, each on a tile of its own, it costs
little more than what it covers.
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


def samples(spots: Sequence[Spot]) -> list[Spot]:
    """Spots along a path, close to each other."""
    found = list(spots[:1])
    for (x1, y1), (x2, y2) in zip(spots, spots[1:], strict=False):
        count = math.ceil(math.dist((x1, y1), (x2, y2)) / STEP)
        found += [(x1 + (x2 - x1) * i / count, y1 + (y2 - y1) * i / count) for i in range(1, count + 1)]
    return found


def arc_spots(radius: float, start: float, end: float) -> tuple[Spot, ...]:
    """Spots along an arc about (0, 0), in degrees clockwise from the top."""
    count = max(8, math.ceil(math.radians(abs(end - start)) * radius / STEP))
    angles = (math.radians(start + (end - start) * i / count) for i in range(count + 1))
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


def around(spots: Iterable[Spot], reach: float) -> Tile:
    """The smallest tile with everything within `reach` of the spots."""
    xs, ys = zip(*spots, strict=True)
    left, top = math.floor(min(xs) - reach), math.floor(min(ys) - reach)
    return left, top, math.floor(max(xs) + reach) + 1 - left, math.floor(max(ys) + reach) + 1 - top


def tiles(spots: Sequence[Spot], reach: float, side: int) -> list[Tile]:
    """Tiles that cover everything within `reach` of a way, each about a stretch of it.

    A stretch ends where its tile would become larger than one of a diagonal stretch through a square of `side`.
    """
    found: list[Tile] = []
    most, wider = (side + 2 * reach) ** 2, 2 * reach
    start = 0
    left, top = right, bottom = spots[0]
    for place, (x, y) in enumerate(spots):
        left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
        if place > start + 1 and (right - left + wider) * (bottom - top + wider) > most:
            found.append(around(spots[start:place], reach))
            start = place - 1
            (a, b) = spots[start]
            left, top, right, bottom = min(a, x), min(b, y), max(a, x), max(b, y)
    found.append(around(spots[start:], reach))
    return found


def dashes(x1: float, y1: float, x2: float, y2: float, dash: float) -> Iterator[tuple[Spot, Spot]]:
    """The pieces of a dashed line, a dash at either end."""
    length = math.dist((x1, y1), (x2, y2))
    count = max(1, 2 * round((length / dash + 1) / 2) - 1)
    for piece in range(0, count, 2):
        a, b = piece / count, (piece + 1) / count
        yield (x1 + (x2 - x1) * a, y1 + (y2 - y1) * a), (x1 + (x2 - x1) * b, y1 + (y2 - y1) * b)
