"""Finds where intersections crowd, and computes what a lens shows of them.

A view is a disc of the drawing: the whole circle, or what a lens shows. Points closer to each other than eyes can tell
are gathered under lenses, and what still crowds under a lens gets a lens of its own. Differences are taken between the
integers of `exact.Place` before they become floating point numbers, so that a lens can enlarge as much as it takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from cogs.cross_dont_cross.exact import BITS, Point
from rendering.shapes import Spot

UNIT = 1 << BITS
LEAST = 1 << BITS // 2
"""The smallest radius of a lens; what crowds even there is not told apart."""

# In points on the page.
APART = 14.0
"""Points closer than this crowd, unless both are on the circle, where their numbers stand outside."""
WIDEST = 60.0
"""How far apart the points under one lens are at most, where they are gathered."""

EDGE = 0.5
"""A point counts as seen so far beyond the edge of a view; points of the circle lie on the edge of the whole."""

Stretch = tuple[Spot, Spot]


@dataclass(frozen=True, slots=True)
class View:
    """A disc of the drawing: its centre and radius in units of 2^-BITS, and its radius on the page, in points."""

    x: int
    y: int
    radius: int
    size: float

    def spot(self, point: Point) -> Spot:
        """Where a point is seen: points right and down from the middle of the view."""
        scale = self.size / self.radius
        return (point.place.x - self.x) * scale, (self.y - point.place.y) * scale

    def holds(self, point: Point) -> bool:
        """Whether a point is seen at all."""
        return math.hypot(*self.spot(point)) < self.size + EDGE

    def stretch(self, a: Point, b: Point) -> Stretch | None:
        """What is seen of the line from a to b; None for nothing."""
        ax, ay, bx, by = a.place.x - self.x, self.y - a.place.y, b.place.x - self.x, self.y - b.place.y
        length = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        # How far the line passes from the middle, and where along it from there its ends lie, in radii.
        off = (ax * by - ay * bx) / length / self.radius
        half = math.sqrt(max(0.0, 1 - off**2))
        start, end = ((x * ux + y * uy) / self.radius for x, y in ((ax, ay), (bx, by)))
        start, end = max(start, -half), min(end, half)
        if start >= end:
            return None
        first, last = ((along * ux + off * uy, along * uy - off * ux) for along in (start, end))
        return (first[0] * self.size, first[1] * self.size), (last[0] * self.size, last[1] * self.size)

    def circle(self) -> tuple[Spot, ...]:
        """What a view smaller than the circle shows of it, as a way of short lines; empty for nothing."""
        away = math.isqrt(self.x**2 + self.y**2)
        gap = (UNIT - away) / self.radius
        if gap >= 1 or not away:
            return ()
        # Along the tangent at the nearest point of the circle; the circle falls away from it with the square.
        out, along, bend = (self.x / away, -self.y / away), (self.y / away, self.x / away), self.radius / UNIT / 2
        steps = (step / 8 * math.sqrt(1 - gap**2) for step in range(-8, 9))
        spots = ((gap - bend * step**2, step) for step in steps)
        return tuple(
            (self.size * (far * out[0] + step * along[0]), self.size * (far * out[1] + step * along[1]))
            for far, step in spots
        )

    @property
    def times(self) -> float:
        """How many times larger than the whole circle, drawn with a radius of one point, this view is."""
        return self.size * UNIT / self.radius


@dataclass(frozen=True, slots=True)
class Lens:
    """A view of a drawing: the points that can be told apart in it are `clear`, the others are under lenses `inner`."""

    view: View
    clear: tuple[int, ...]
    inner: tuple[Self, ...] = ()

    @classmethod
    def over(cls, view: View, points: Sequence[Point], members: Sequence[int], size: float) -> Self:
        """The lens over some points, with all lenses under it, each of so many points' radius on the page."""
        if view.radius <= LEAST:
            return cls(view, tuple(members))
        spots = {each: view.spot(points[each]) for each in members}
        groups = [part for crowd in crowds(points, spots) for part in parts(crowd, spots)]
        clear = sorted(group[0] for group in groups if len(group) == 1)
        inner = (
            cls.over(about([points[each] for each in group], size), points, sorted(group), size)
            for group in groups
            if len(group) > 1
        )
        return cls(view, tuple(clear), tuple(inner))

    def all(self) -> Iterator[Self]:
        """The lenses under this one and under those, in the order of their letters."""
        for lens in self.inner:
            yield lens
            yield from lens.all()


def whole(points: Sequence[Point], size: float, lens: float) -> Lens:
    """The whole circle, with a radius of `size` points on the page, and lenses with a radius of `lens` points."""
    return Lens.over(View(0, 0, UNIT, size), points, range(len(points)), lens)


def about(points: Sequence[Point], size: float) -> View:
    """The view of some points, half as large again as it takes to see them."""
    xs, ys = [point.place.x for point in points], [point.place.y for point in points]
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    reach = max(math.isqrt((point.place.x - x) ** 2 + (point.place.y - y) ** 2) for point in points)
    return View(x, y, max(LEAST, reach * 3 // 2), size)


def crowds(points: Sequence[Point], spots: Mapping[int, Spot]) -> Iterator[list[int]]:
    """Points in groups: each crowds with another of its group, and with none of another group."""
    left = list(spots)
    while left:
        group = [left.pop(0)]
        for each in group:
            group += [other for other in left if crowding(points, spots, each, other)]
            left = [other for other in left if other not in group]
        yield group


def crowding(points: Sequence[Point], spots: Mapping[int, Spot], a: int, b: int) -> bool:
    """Whether two points are hard to tell apart."""
    outside = isinstance(points[a].origin, int) and isinstance(points[b].origin, int)
    return not outside and math.dist(spots[a], spots[b]) < APART


def parts(group: list[int], spots: Mapping[int, Spot]) -> Iterator[list[int]]:
    """A group, cut at its widest gaps until no part is too wide for a lens."""
    spread = [sorted(group, key=lambda each: spots[each][axis]) for axis in (0, 1)]
    spans = [spots[line[-1]][axis] - spots[line[0]][axis] for axis, line in enumerate(spread)]
    axis = spans.index(max(spans))
    line = [spots[each][axis] for each in spread[axis]]
    if spans[axis] <= WIDEST:
        yield group
        return
    cut = max(range(1, len(line)), key=lambda at: line[at] - line[at - 1])
    yield from parts(spread[axis][:cut], spots)
    yield from parts(spread[axis][cut:], spots)
