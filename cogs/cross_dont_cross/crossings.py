"""Tells which lines each possible segment of a drawing would cross, by bit boards of points.

`left[i][j]` holds the points left of the line from point i to point j, so that all segments from a point are looked at
together: from a point left of a line a-b, those that cross it lead to the points that lie right of it, left of the ray
to a and right of the ray to b.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from cogs.cross_dont_cross.exact import FILTER, Point, advance, sign, turn

Line = tuple[int, int]
"""A drawn segment by the places of its ends among the points, counted from 0."""

Board = tuple[int, ...]
"""For each point a set of points, as bits."""


def bits(board: int) -> Iterator[int]:
    """The points of a set, ascending."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def beyond(left: Sequence[Sequence[int]], line: Line, point: int) -> int:
    """The points to which a segment from a point crosses a line."""
    a, b = line
    if left[a][b] >> point & 1:
        return left[point][a] & left[b][point] & left[b][a]
    if left[b][a] >> point & 1:
        return left[point][b] & left[a][point] & left[a][b]
    return 0


def straight(left: Sequence[Sequence[int]], line: Line) -> int:
    """The points on the straight line, of any length, that leads through a line's ends."""
    a, b = line
    return (1 << len(left)) - 1 & ~(left[a][b] | left[b][a])


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """For each point: to which others a segment would cross a drawn one, or more than one, or lie `along` one."""

    points: tuple[Point, ...] = ()
    lines: tuple[Line, ...] = ()
    left: tuple[Board, ...] = ()
    some: Board = ()
    more: Board = ()
    along: Board = ()

    @classmethod
    def of(cls, points: Sequence[Point], lines: Iterable[Line]) -> Self:
        """The crossings of some points and lines, from nothing."""
        found = cls()
        for point in points:
            found = found._with_point(point)
        return found._with_lines(lines)

    def with_line(self, line: Line, points: Sequence[Point]) -> Self:
        """The crossings after a line between points that are there was drawn; `points` are all points that are then."""
        if len(points) == len(self.points):
            return self._with_lines((line,))
        wider = self
        for point in points[len(self.points) :]:
            wider = wider._with_point(point)
        return wider._with_lines((*self.lines, line))

    def _with_point(self, point: Point) -> Self:
        # Only `left` is right afterwards: the lines are to be drawn anew.
        new = len(self.points)
        left = [[*row, 0] for row in self.left]
        left.append([0] * (new + 1))
        x, y = point.near
        for i, a in enumerate(self.points):
            ax, ay = a.near
            dx, dy = x - ax, y - ay
            for j in range(i):
                b = self.points[j]
                # The form `turn` of a, b and the new point, of which most are settled here.
                value = (b.near[0] - ax) * dy - (b.near[1] - ay) * dx
                side = value if abs(value) > FILTER else sign(turn, a, b, point)
                if side:
                    p, q = (i, j) if side > 0 else (j, i)
                    left[p][q] |= 1 << new
                    left[q][new] |= 1 << p
                    left[new][p] |= 1 << q
        none = (0,) * (new + 1)
        return replace(
            self, points=(*self.points, point), lines=(), left=tuple(map(tuple, left)), some=none, more=none, along=none
        )

    def _with_lines(self, lines: Iterable[Line]) -> Self:
        drawn = tuple(lines)
        some, more, along = list(self.some), list(self.more), list(self.along)
        for line in drawn:
            for i in range(len(self.points)):
                across = self.across(line, i)
                more[i] |= some[i] & across
                some[i] |= across
            for i, others in self._overlapping(line):
                along[i] |= others
        return replace(self, lines=(*self.lines, *drawn), some=tuple(some), more=tuple(more), along=tuple(along))

    def across(self, line: Line, point: int) -> int:
        """The points to which a segment from this one crosses a line."""
        return beyond(self.left, line, point)

    def on(self, line: Line) -> int:
        """The points on the straight line, of any length, that leads through a line's ends."""
        return straight(self.left, line)

    def _overlapping(self, line: Line) -> Iterator[tuple[int, int]]:
        # For each point on a line's straight: to which others a segment has more than a point in common with the line.
        a, b = line
        on = self.on(line)
        before = 1 << a | self._beyond(b, a, on)
        after = 1 << b | self._beyond(a, b, on)
        for point in bits(on):
            apart = before if before >> point & 1 else after if after >> point & 1 else 0
            yield point, on & ~apart & ~(1 << point)

    def _beyond(self, a: int, b: int, on: int) -> int:
        # The points on the straight from a to b that lie beyond b.
        start, end = self.points[b], self.points[a]
        others = bits(on & ~(1 << a) & ~(1 << b))
        return sum(1 << each for each in others if sign(advance, start, end, self.points[each]) < 0)

    def legal(self, point: int, crossing: bool) -> int:
        """The points to which a segment may be drawn that crosses one drawn segment, or none."""
        everywhere = (1 << len(self.points)) - 1 & ~(1 << point) & ~self.along[point]
        if crossing:
            return everywhere & self.some[point] & ~self.more[point]
        return everywhere & ~self.some[point]

    def met(self, i: int, j: int) -> tuple[int, ...]:
        """The drawn lines, in order, that a segment between two points would cross."""
        return tuple(place for place, line in enumerate(self.lines) if self.across(line, i) >> j & 1)

    def covered(self, i: int, j: int) -> int | None:
        """The first drawn line with which a segment between two points has more than a point in common, if any."""
        for place, line in enumerate(self.lines):
            if any(point == i and others >> j & 1 for point, others in self._overlapping(line)):
                return place
        return None
