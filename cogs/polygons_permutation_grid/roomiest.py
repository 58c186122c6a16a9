"""Where a mark fits best into a polygon: far from all of its sides. For looks only, so in floats."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from rendering.shapes import Spot

STEPS = 6
"""How often the search about the best spot is refined."""
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))


def roomiest(corners: Sequence[Spot]) -> tuple[Spot, float]:
    """A spot inside a polygon far from its sides, and how far it is from the nearest."""
    best = max(_candidates(corners), key=lambda spot: _room(corners, spot))
    room = _room(corners, best)
    step = max(room, 0.01)
    for _ in range(STEPS):
        near = [(best[0] + dx * step, best[1] + dy * step) for dx, dy in AROUND]
        found = max(near, key=lambda spot: _room(corners, spot))
        if (other := _room(corners, found)) > room:
            best, room = found, other
        else:
            step /= 2
    return best, room


def _candidates(corners: Sequence[Spot]) -> Iterator[Spot]:
    """The middles of all corners, of each two and of each three in a row: one at least is inside."""
    yield _middle(corners)
    yield from map(_middle, combinations(corners, 2))
    yield from (_middle((corners[at - 2], corners[at - 1], corners[at])) for at in range(len(corners)))


def _middle(spots: Sequence[Spot]) -> Spot:
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def _room(corners: Sequence[Spot], spot: Spot) -> float:
    """The distance to the nearest side; negative outside."""
    x, y = spot
    inside, nearest = False, math.inf
    x1, y1 = corners[-1]
    for x2, y2 in corners:
        dx, dy = x2 - x1, y2 - y1
        part = min(1.0, max(0.0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
        nearest = min(nearest, math.hypot(x1 + part * dx - x, y1 + part * dy - y))
        if (y1 > y) != (y2 > y) and x < x1 + dx * (y - y1) / dy:
            inside = not inside
        x1, y1 = x2, y2
    return nearest if inside else -nearest
