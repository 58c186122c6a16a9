"""Plays random ends of a round for the computer, in floating point.

What a segment crosses is kept in bit boards, as in `crossings`, and only what a new segment changes is found anew. A
playout may take a point that lies a hair beside a line for one on it; the rules never do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from bot.core.game.mind import Lots
from cogs.cross_dont_cross.crossings import Crossings, Line, beyond, bits, straight
from cogs.cross_dont_cross.drawing import Pair, chords_cross
from cogs.cross_dont_cross.exact import on_circle

NEAR = 1e-11
"""Twice the area of a triangle that is taken for none."""


@dataclass(slots=True)
class Offence:
    """Points, drawn lines between them and the boards of `Crossings`, all of which grow."""

    points: list[tuple[float, float]]
    lines: list[Line]
    left: list[list[int]]
    some: list[int]
    more: list[int]
    along: list[int]

    @classmethod
    def of(cls, drawn: Crossings) -> Offence:
        """What is drawn."""
        boards = (list(board) for board in (drawn.some, drawn.more, drawn.along))
        left = [list(row) for row in drawn.left]
        return cls([point.near for point in drawn.points], list(drawn.lines), left, *boards)

    @classmethod
    def chorded(cls, chords: Sequence[Pair]) -> Offence:
        """A circle on which only chords are drawn."""
        ends = {degree: place for place, degree in enumerate(dict.fromkeys(end for chord in chords for end in chord))}
        empty = cls([], [], [], [], [], [])
        for degree in ends:
            empty.add_point(on_circle(degree).near)
        lines = [(ends[start], ends[end]) for start, end in chords]
        crossing = [
            (one, other)
            for (one, chord), (other, another) in combinations(zip(lines, chords, strict=True), 2)
            if chords_cross(chord, another)
        ]
        for pair in crossing:
            x, y = empty.meeting(*pair)
            if all(abs(x - a) + abs(y - b) > NEAR for a, b in empty.points):
                empty.add_point((x, y))
        for line in lines:
            empty.add_line(line)
        return empty

    def played(self, crossing: bool, lots: Lots) -> int:
        """How many random segments are drawn until none is legal."""
        drawn = 0
        while segment := self.chosen(crossing, lots.random()):
            self.draw(segment, crossing)
            crossing, drawn = not crossing, drawn + 1
        return drawn

    def chosen(self, crossing: bool, draw: float) -> Line | None:
        """One of the legal segments, by a number from 0 up to 1."""
        legal, total = list[int](), 0
        for point, (some, along) in enumerate(zip(self.some, self.along, strict=True)):
            # Only those with a greater number.
            board = some & ~self.more[point] & ~along if crossing else ~(some | along)
            board = (board & (1 << len(self.points)) - 1) >> point + 1
            legal.append(board)
            total += board.bit_count()
        at = int(draw * total)
        for point, board in enumerate(legal):
            if at < board.bit_count():
                for _ in range(at):
                    board &= board - 1
                return point, point + (board & -board).bit_length()
            at -= board.bit_count()
        return None

    def draw(self, segment: Line, crossing: bool) -> None:
        """Draw a legal segment, with the point where it crosses a line if it must."""
        if crossing:
            a, b = segment
            met = next(line for line in self.lines if self.across(line, a) >> b & 1)
            self.add_point(self.meeting(segment, met))
        self.add_line(segment)

    def add_line(self, segment: Line) -> None:
        """A line more, with what it crosses and covers."""
        self.lines.append(segment)
        for point in range(len(self.points)):
            across = self.across(segment, point)
            self.more[point] |= self.some[point] & across
            self.some[point] |= across
        on = self.on(segment)
        for point in bits(on):
            self.along[point] |= self.covered(segment, point, on)

    def meeting(self, one: Line, other: Line) -> tuple[float, float]:
        """Where two lines cross."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (self.points[at] for at in (*one, *other))
        ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
        t = ((cx - ax) * vy - (cy - ay) * vx) / (ux * vy - uy * vx)
        return ax + t * ux, ay + t * uy

    def add_point(self, new: tuple[float, float]) -> None:
        """A point more, with what segments to it would cross."""
        self._seen_from(new)
        at = len(self.points)
        self.points.append(new)
        some = more = along = 0
        for line in self.lines:
            across = self.across(line, at)
            more |= some & across
            some |= across
            a, b = line
            if not (self.left[a][b] | self.left[b][a]) >> at & 1:
                along |= self.covered(line, at, self.on(line))
        for board, row in (some, self.some), (more, self.more), (along, self.along):
            for point in bits(board):
                row[point] |= 1 << at
            row.append(board)

    def _seen_from(self, new: tuple[float, float]) -> None:
        # On which side of every line through two points a new one lies.
        x, y = new
        at, left = len(self.points), self.left
        for row in left:
            row.append(0)
        left.append([0] * (at + 1))
        mine, bit = left[at], 1 << at
        for i, (ax, ay) in enumerate(self.points):
            dx, dy = x - ax, y - ay
            for j in range(i):
                bx, by = self.points[j]
                side = (bx - ax) * dy - (by - ay) * dx
                if side > NEAR:
                    p, q = i, j
                elif side < -NEAR:
                    p, q = j, i
                else:
                    continue
                left[p][q] |= bit
                left[q][at] |= 1 << p
                mine[p] |= 1 << q

    def across(self, line: Line, point: int) -> int:
        """The points to which a segment from this one crosses a line."""
        return beyond(self.left, line, point)

    def on(self, line: Line) -> int:
        """The points on the straight, of any length, that leads through a line's ends."""
        return straight(self.left, line)

    def covered(self, line: Line, point: int, on: int) -> int:
        """To which of the points on a line's straight a segment from one of them has more than a point in common with
        the line."""
        (ax, ay), (bx, by) = (self.points[end] for end in line)
        ux, uy = bx - ax, by - ay
        whole = ux * ux + uy * uy
        place = {
            each: ((self.points[each][0] - ax) * ux + (self.points[each][1] - ay) * uy) / whole for each in bits(on)
        }
        here = place[point]
        if here < NEAR:
            return sum(1 << each for each, where in place.items() if where > NEAR)
        if here > 1 - NEAR:
            return sum(1 << each for each, where in place.items() if where < 1 - NEAR)
        return on & ~(1 << point)
