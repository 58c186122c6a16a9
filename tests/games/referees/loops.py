"""Random closed curves, pockets and all: a rectangle deformed by flipping the sides of unit cells."""

from __future__ import annotations

import random

Point = tuple[int, int]
Side = frozenset[Point]


def cell_sides(x: int, y: int) -> set[Side]:
    ring = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
    return {frozenset(pair) for pair in zip(ring, ring[1:] + ring[:1], strict=True)}


def as_ring(sides: set[Side]) -> list[Point] | None:
    """The points of a single closed loop in order; None when the sides are no such loop."""
    beside: dict[Point, list[Point]] = {}
    for side in sides:
        a, b = sorted(side)
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    if not beside or any(len(others) != 2 for others in beside.values()):
        return None
    ring = [min(beside)]
    while len(ring) == 1 or ring[-1] != ring[0]:
        onward = [point for point in beside[ring[-1]] if len(ring) < 2 or point != ring[-2]]
        ring.append(onward[0])
    return ring[:-1] if len(ring) - 1 == len(beside) else None


def corners(ring: list[Point]) -> list[Point]:
    near = zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True)
    return [here for before, here, after in near if before[0] != after[0] and before[1] != after[1]]


def random_corners(rng: random.Random, size: int, flips: int) -> list[Point]:
    """The corners of a random loop, from any of them on, in either direction."""
    left, top = rng.randrange(size - 2), rng.randrange(size - 2)
    right, bottom = rng.randrange(left + 2, size), rng.randrange(top + 2, size)
    sides: set[Side] = set()
    for x in range(left, right):
        for y in range(top, bottom):
            sides ^= cell_sides(x, y)
    for _ in range(flips):
        flipped = sides ^ cell_sides(rng.randrange(size - 1), rng.randrange(size - 1))
        if as_ring(flipped):
            sides = flipped
    found = corners(as_ring(sides) or [])
    turn = rng.randrange(len(found))
    return (found[turn:] + found[:turn])[:: rng.choice((1, -1))]
