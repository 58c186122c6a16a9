"""A second referee of Polygons In Permutation Grid, naive and sharing no code with the first.

It cuts the plane into upright strips at every end and every crossing, the strips into cells between segments, and joins
cells that meet between two strips: what is joined is a region. Sides are what of its border lies on one straight line.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

Segment = tuple[int, int, int, int]
Cell = tuple[int, int]
FAR = Fraction(10**6)


def drawn(permutation: list[tuple[int, int]]) -> list[Segment]:
    """Segments from left to right, given dots (column, row)."""
    by_row, by_column = sorted(permutation, key=lambda dot: dot[1]), sorted(permutation)
    pairs = [(*a, *b) if a < b else (*b, *a) for path in (by_row, by_column) for a, b in pairwise(path)]
    return [pair for place, pair in enumerate(pairs) if pair not in pairs[:place]]


def height(segment: Segment, x: Fraction) -> Fraction:
    x1, y1, x2, y2 = segment
    return y1 + Fraction(y2 - y1, x2 - x1) * (x - x1)


def meeting(a: Segment, b: Segment) -> Fraction | None:
    """Where two segments that are not parallel meet."""
    slopes = [Fraction(y2 - y1, x2 - x1) for x1, y1, x2, y2 in (a, b)]
    if slopes[0] == slopes[1]:
        return None
    x = (height(b, Fraction(0)) - height(a, Fraction(0))) / (slopes[0] - slopes[1])
    return x if max(a[0], b[0]) <= x <= min(a[2], b[2]) else None


def cut(permutation: list[tuple[int, int]]) -> list[int]:
    """The number of sides of every bounded region."""
    segments = drawn(permutation)
    met = {x for a, b in combinations(segments, 2) if (x := meeting(a, b)) is not None}
    places = sorted({Fraction(x) for segment in segments for x in segment[::2]} | met)
    strips: list[list[Segment]] = []
    for left, right in pairwise(places):
        across = [segment for segment in segments if segment[0] <= left and right <= segment[2]]
        strips.append(sorted(across, key=lambda segment: height(segment, (left + right) / 2)))
    region = joined(strips, places)
    outside = region[0, 0]
    return sorted(sides(strips, region, one) for one in set(region.values()) if one != outside)


def joined(strips: list[list[Segment]], places: list[Fraction]) -> dict[Cell, Cell]:
    """The region of every cell, by one of its cells."""
    parent = {(at, cell): (at, cell) for at, strip in enumerate(strips) for cell in range(len(strip) + 1)}

    def root(cell: Cell) -> Cell:
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    def bounds(at: int, cell: int, x: Fraction) -> tuple[Fraction, Fraction]:
        heights = [-FAR, *(height(segment, x) for segment in strips[at]), FAR]
        return heights[cell], heights[cell + 1]

    for at in range(len(strips) - 1):
        for here in range(len(strips[at]) + 1):
            for there in range(len(strips[at + 1]) + 1):
                low, high = bounds(at, here, places[at + 1])
                bottom, top = bounds(at + 1, there, places[at + 1])
                if max(low, bottom) < min(high, top):
                    parent[root((at, here))] = root((at + 1, there))
        # Beyond all segments is outside, on top as below.
        parent[root((at, len(strips[at])))] = root((at, 0))
    last = len(strips) - 1
    parent[root((last, len(strips[last])))] = root((last, 0))
    return {cell: root(cell) for cell in parent}


def sides(strips: list[list[Segment]], region: dict[Cell, Cell], one: Cell) -> int:
    """The straight sides of a region: pieces of its border on one line, in strip after strip, are one side."""
    border: set[tuple[int, str, Fraction, Fraction]] = set()
    for at, strip in enumerate(strips):
        for place, segment in enumerate(strip):
            below, above = region[at, place] == one, region[at, place + 1] == one
            if below != above:
                slope = height(segment, Fraction(1)) - height(segment, Fraction(0))
                border.add((at, "upper" if below else "lower", slope, height(segment, Fraction(0))))
    return sum((at - 1, *rest) not in border for at, *rest in border)


class Referee:
    """One match without withdrawals: `legal` are the moves of the one `to_move`, `scores` those of finished rounds."""

    def __init__(self, size: int, rounds: int) -> None:
        self.size, self.rounds = size, rounds
        self.roles = [1, 2]
        self.dots: list[tuple[int, int]] = []
        self.done = 0
        self.scores = [0, 0]

    @property
    def to_move(self) -> list[int]:
        return [] if self.done == self.rounds else [self.roles[len(self.dots) % 2]]

    @property
    def legal(self) -> list[str]:
        return sorted(
            "abcdefghijklmn"[x] + str(y + 1)
            for x in range(self.size)
            for y in range(self.size)
            if all(x != column and y != row for column, row in self.dots)
        )

    def move(self, text: str) -> None:
        assert text in self.legal
        self.dots.append((ord(text[0]) - ord("a"), int(text[1:]) - 1))
        if len(self.dots) < self.size:
            return
        for count in cut(self.dots):
            self.scores[self.roles[0 if count == 3 else 1] - 1] += 1
        self.dots, self.done = [], self.done + 1
        self.roles.reverse()
