"""Finds places for the numbers of intersections: near their dots, clear of other dots and numbers.

The page about a view is cut into small cells that say what a number there would hide. Numbers choose one after the
other, those with most neighbours first, among spots around their dot at growing distances, and are joined to it by a
thin line. Everything is in points from the middle of the view.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rendering.shapes import Spot

CELL = 8
MARGIN = 80.0
"""How far beyond the view a text may reach whose middle is in it."""
LINE, DOT, NUMBER, BEYOND = 1.0, 25.0, 100.0, 100.0
"""What it costs to hide a cell of a line, of a dot, of a number, and to stand beyond the view."""
GAPS = ((10.0, 0.0), (24.0, 5.0), (40.0, 10.0), (58.0, 16.0), (80.0, 23.0), (108.0, 32.0))
"""Gaps between a dot and its number, and what they cost."""
WAYS = tuple((math.sin(turn * math.pi / 8), -math.cos(turn * math.pi / 8)) for turn in (2, 6, 10, 14, *range(16)))
"""The directions in which a number may stand, diagonals first."""
CLEARANCE = 3.0
"""How far beyond its edge a dot hides cells."""
BESIDE = 100.0
"""Dots closer than this are neighbours."""
LEADER = 0.4
"""What a cell under the line from a dot to its number costs, in parts of what it costs under a number."""
ROUNDS = 200
"""How often numbers around the circle are pushed apart at most."""


class Dot(NamedTuple):
    """A dot, or a ring around several, with the text that names it; one without text is only in the way."""

    spot: Spot
    radius: float
    text: str = ""
    half: Spot = (0, 0)
    """Half the width and height of the text."""


class Label(NamedTuple):
    """Where the middle of a dot's text stands."""

    dot: Dot
    spot: Spot


class Sheet:
    """The cells of a view with a radius and of a margin about it, each with what it costs to hide it."""

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self.side = 2 * math.ceil((radius + MARGIN) / CELL)
        self.costs = list(_empty(radius, self.side))

    def box(self, spot: Spot, half: Spot) -> list[slice]:
        """The cells under a text, row by row."""
        side, middle = self.side, self.side / 2
        (x, y), (wide, high) = spot, half
        left, right = int((x - wide) / CELL + middle), int((x + wide) / CELL + middle) + 1
        top, bottom = int((y - high) / CELL + middle), int((y + high) / CELL + middle) + 1
        return [slice(row * side + left, row * side + right) for row in range(top, bottom)]

    def way(self, start: Spot, end: Spot) -> set[int]:
        """The cells along a line."""
        side, middle = self.side, self.side / 2
        steps = max(1, math.ceil(math.dist(start, end) / CELL))
        x, y = start[0] / CELL + middle, start[1] / CELL + middle
        dx, dy = (end[0] - start[0]) / CELL / steps, (end[1] - start[1]) / CELL / steps
        return {int(y + step * dy) * side + int(x + step * dx) for step in range(steps + 1)}

    def cover(self, spot: Spot, half: Spot, cost: float) -> None:
        """Make the cells under a text or a dot dearer."""
        for row in self.box(spot, half):
            self.costs[row] = [each + cost for each in self.costs[row]]

    def cross(self, start: Spot, end: Spot) -> None:
        """Make the cells along a line dearer."""
        for cell in self.way(start, end):
            self.costs[cell] += LINE

    def holds(self, spot: Spot) -> bool:
        """Whether a spot is in the view."""
        return math.hypot(*spot) < self.radius

    def hidden(self, spot: Spot, half: Spot) -> float:
        """What a text would hide."""
        return sum(sum(self.costs[row]) for row in self.box(spot, half))

    def crossed(self, start: Spot, end: Spot) -> float:
        """What a line to a text would hide."""
        return LEADER * sum(self.costs[cell] for cell in self.way(start, end))


@lru_cache(maxsize=8)
def _empty(radius: float, side: int) -> tuple[float, ...]:
    middles = [(place + 0.5 - side / 2) * CELL for place in range(side)]
    return tuple(BEYOND * (math.hypot(x, y) > radius - CELL / 2) for y in middles for x in middles)


def arranged(dots: Sequence[Dot], lines: Iterable[tuple[Spot, Spot]], radius: float) -> list[Label]:
    """A label for each dot with a text."""
    sheet = Sheet(radius)
    for line in lines:
        sheet.cross(*line)
    for dot in dots:
        reach = dot.radius + CLEARANCE
        sheet.cover(dot.spot, (reach, reach), DOT)
    named = [dot for dot in dots if dot.text]
    crowd = {dot: sum(math.dist(dot.spot, other.spot) < BESIDE for other in dots) for dot in named}
    return [_chosen(sheet, dot) for dot in sorted(named, key=lambda dot: -crowd[dot])]


def _chosen(sheet: Sheet, dot: Dot) -> Label:
    least, best = math.inf, dot.spot
    for gap, far in GAPS:
        if least <= far:
            break
        for spot in filter(sheet.holds, _around(dot, gap)):
            cost = far + sheet.hidden(spot, dot.half)
            if cost < least:
                cost += sheet.crossed(_edge(dot, spot), spot)
            if cost < least:
                least, best = cost, spot
    sheet.cover(best, dot.half, NUMBER)
    sheet.cross(_edge(dot, best), best)
    return Label(dot, best)


def _around(dot: Dot, gap: float) -> Iterator[Spot]:
    # The text's box is moved out along each way until it is so far from the dot's edge.
    (x, y), (wide, high), reach = dot.spot, dot.half, dot.radius + gap
    for right, down in WAYS:
        yield x + right * reach + _sign(right) * wide, y + down * reach + _sign(down) * high


def _sign(part: float) -> float:
    # A text above or beside its dot is centred on it.
    return 0.0 if abs(part) < 0.3 else math.copysign(1.0 if abs(part) > 0.6 else 0.6, part)


def _edge(dot: Dot, spot: Spot) -> Spot:
    """Where a line to a label leaves a dot."""
    (x, y), share = dot.spot, (dot.radius + CLEARANCE + CELL) / math.dist(dot.spot, spot)
    return x + (spot[0] - x) * share, y + (spot[1] - y) * share


# Around the circle.


def spread(angles: Sequence[float], gap: float) -> list[float]:
    """Angles in degrees near the given ones, at least `gap` apart on the circle; a crowd is spread about its middle."""
    order = sorted(range(len(angles)), key=lambda place: angles[place])
    found = list(angles)
    for _ in range(ROUNDS):
        lacks = 0.0
        for turn, a, b in zip((*(0 for _ in order[1:]), 360), order, (*order[1:], *order[:1]), strict=False):
            lack = max(0.0, gap - (found[b] + turn - found[a]))
            found[a], found[b], lacks = found[a] - lack / 2, found[b] + lack / 2, lacks + lack
        if lacks < 0.01:
            break
    return found
