"""Tells which lines each possible segment of a drawing would cross, by bit boards of points.

`left[i][j]` holds the points left of the line from point i to point j, so that all segments from a point are looked at
together: from a point left of a line a-b, those that cross it lead to the points that lie right of it, left of the ray
to a and right of the ray to b.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cmp_to_key, lru_cache
from typing import Self

from bot.games.position import Suggestion
from bot.games.wording import join_words

# Points on the circle and where lines cross, with exact answers: beside which side of a line they lie, or on it.


PRIME = 2**127 - 15967
ROOT = pow(13, (PRIME - 1) // 360, PRIME)
"""A 360th root of unity modulo `PRIME`, and of no lower order."""
HALF = (PRIME + 1) // 2

FILTER = 2.0**-40
"""A form whose value in floating point is beyond this has the sign of that value."""
BITS = 256
"""Points are kept in units of 2^-BITS, and right to 2^-RIGHT at least."""
RIGHT = 128
GUARD = 64
"""Bits that are computed beyond those wanted of sines and cosines: 2^-GUARD times their error is far below 1."""

Pair = tuple[int, int]
Form = Callable[..., float]
"""An expression of degree two in points' coordinates; floats give a float, integers an exact integer."""


@dataclass(frozen=True, slots=True)
class ExactPlace:
    """Coordinates (right, up) in units of 2^-bits, each at most `error` units wrong."""

    x: int
    y: int
    error: int

    @property
    def pair(self) -> Pair:
        return self.x, self.y

    def with_fewer_bits(self, bits: int) -> ExactPlace:
        """The same place with `bits` bits fewer."""
        return ExactPlace(self.x >> bits, self.y >> bits, (self.error >> bits) + 2)


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A point of the unit disc: its coordinates modulo `PRIME`, its `ExactPlace`, and the nearest floats.

    `origin` is a whole degree, or the four points whose lines, first to second and third to fourth, cross there.
    """

    residues: Pair
    place: ExactPlace
    near: tuple[float, float]
    origin: int | tuple[Point, Point, Point, Point]


# Where points lie.


@lru_cache(maxsize=16)
def degree_places(bits: int) -> tuple[ExactPlace, ...]:
    """The places of all whole degrees, at most two units wrong."""
    unit = 1 << bits + GUARD
    cos, sin = _cos_sin(_pi(bits + GUARD) // 180, unit)
    x, y = 0, unit
    found: list[ExactPlace] = []
    for _ in range(360):
        found.append(ExactPlace(x >> GUARD, y >> GUARD, 2))
        x, y = (x * cos + y * sin) // unit, (y * cos - x * sin) // unit
    return tuple(found)


def _pi(bits: int) -> int:
    # By Machin's formula, with a few bits to spare for the rounding of its terms.
    unit = 1 << bits + 16
    return (16 * _arc_cotangent(5, unit) - 4 * _arc_cotangent(239, unit)) >> 16


def _arc_cotangent(number: int, unit: int) -> int:
    power, total, odd = unit // number, 0, 1
    while power:
        total += power // odd if odd % 4 == 1 else -(power // odd)
        power //= number**2
        odd += 2
    return total


def _cos_sin(angle: int, unit: int) -> Pair:
    # Taylor's series of a small angle: the terms are cosine's and sine's in turn.
    sums, term, order = [0, 0], unit, 0
    while term:
        sums[order % 2] += -term if order % 4 > 1 else term
        order += 1
        term = term * angle // (unit * order)
    return sums[0], sums[1]


def locate(point: Point, bits: int) -> ExactPlace:
    """A point's place in units of 2^-bits, found anew from the degrees on."""
    known: dict[Point, ExactPlace] = {}

    def find(each: Point) -> ExactPlace:
        if each not in known:
            if isinstance(each.origin, int):
                known[each] = degree_places(bits)[each.origin]
            else:
                known[each] = _cross_places(*(find(end) for end in each.origin), unit=1 << bits)
        return known[each]

    return find(point)


def _cross_places(a: ExactPlace, b: ExactPlace, c: ExactPlace, d: ExactPlace, unit: int) -> ExactPlace:
    """Where two lines a-b and c-d cross that do so between their ends; the centre, a radius wrong, where it is unknown.

    The crossing is a + t·(b - a) with t = n / m, n = (c - a) × (d - c) and m = (b - a) × (d - c), 0 < t < 1. If each
    coordinate is e units wrong at most, n and m are wrong by 24·e·unit at most, t by twice that over |m|, and so the
    crossing by 3·e and 4·unit times the error of t.
    """
    error = max(a.error, b.error, c.error, d.error)
    (ux, uy), (vx, vy), (wx, wy) = (_subtract(b, a), _subtract(d, c), _subtract(c, a))
    n, m = wx * vy - wy * vx, ux * vy - uy * vx
    wrong = 3 * error + 2 + 192 * error * unit**2 // abs(m) if m else unit
    if wrong >= unit:
        return ExactPlace(0, 0, unit)
    return ExactPlace(a.x + n * ux // m, a.y + n * uy // m, wrong)


def _subtract(a: ExactPlace, b: ExactPlace) -> Pair:
    return a.x - b.x, a.y - b.y


# Points.


def _make_point(residues: Pair, place: ExactPlace, origin: int | tuple[Point, Point, Point, Point]) -> Point:
    unit = 1 << BITS
    return Point(residues, place, (place.x / unit, place.y / unit), origin)


_ON_CIRCLE: dict[int, Point] = {}


def point_on_circle(degree: int) -> Point:
    """The point at a whole degree, clockwise from the top: always the same one, since points are known by identity.

    Boards are drawn and moves are decided on several threads; of two that make it at once, both go on with the first.
    """
    return _ON_CIRCLE.get(degree) or _ON_CIRCLE.setdefault(degree, _make_degree_point(degree))


def _make_degree_point(degree: int) -> Point:
    turned = pow(ROOT, degree - 90, PRIME), pow(ROOT, degree, PRIME)
    x, y = ((root + pow(root, -1, PRIME)) * HALF % PRIME for root in turned)
    return _make_point((x, y), degree_places(BITS)[degree], degree)


def cross_segments(a: Point, b: Point, c: Point, d: Point) -> Point:
    """The point at which the segments a-b and c-d cross; they must do so, between their ends."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (point.residues for point in (a, b, c, d))
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    t = ((cx - ax) * vy - (cy - ay) * vx) * pow(ux * vy - uy * vx, -1, PRIME)
    residues = (ax + t * ux) % PRIME, (ay + t * uy) % PRIME
    place, bits = _cross_places(a.place, b.place, c.place, d.place, 1 << BITS), BITS
    point = _make_point(residues, place, (a, b, c, d))
    while place.error >> BITS - RIGHT:
        bits *= 2
        place = locate(point, bits).with_fewer_bits(bits - BITS)
    return _make_point(residues, place, (a, b, c, d))


# Questions.


def find_sign(form: Form, *points: Point) -> int:
    """The sign of a form in points: 1, 0 or -1, found in the three steps above."""
    value = form(*(point.near for point in points))
    if abs(value) > FILTER:
        return 1 if value > 0 else -1
    if form(*(point.residues for point in points)) % PRIME == 0:
        return 0
    return _strict_sign(form, points)


def _strict_sign(form: Form, points: tuple[Point, ...]) -> int:
    # Products of differences are 12·error·unit wrong at most, forms of two 24·error·unit.
    bits, places = BITS, [point.place for point in points]
    while True:
        value = form(*(place.pair for place in places))
        if abs(value) > 24 * max(place.error for place in places) << bits:
            return 1 if value > 0 else -1
        bits *= 2
        places = [locate(point, bits) for point in points]


def turn_form(a: Pair, b: Pair, c: Pair) -> int:
    """A form: positive when c is left of the line from a to b, 0 when it is on the line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def advance_form(a: Pair, b: Pair, c: Pair) -> int:
    """A form: positive when c lies ahead of a, in the direction of b."""
    return (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1])


def farther_form(a: Pair, b: Pair) -> int:
    """A form: positive when a is farther from the centre than b."""
    return a[0] * a[0] + a[1] * a[1] - b[0] * b[0] - b[1] * b[1]


def compare_clockwise(a: Point, b: Point) -> int:
    """Negative when a comes before b: the centre, then clockwise from the top, then by distance from the centre."""
    halves = _half(a), _half(b)
    if halves[0] != halves[1]:
        return halves[0] - halves[1]
    return find_sign(turn_form, circle_centre(), a, b) or find_sign(farther_form, a, b)


def _half(point: Point) -> int:
    # 0 for the centre, 1 from the top clockwise to just above the bottom, 2 for the other half.
    side = find_sign(turn_form, point_on_circle(180), point_on_circle(0), point) or -find_sign(
        turn_form, point_on_circle(270), point_on_circle(90), point
    )
    return {0: 0, -1: 1, 1: 2}[side]


@lru_cache(maxsize=1)
def circle_centre() -> Point:
    return cross_segments(point_on_circle(0), point_on_circle(180), point_on_circle(90), point_on_circle(270))


Line = tuple[int, int]
"""A drawn segment by the places of its ends among the points, counted from 0."""

Board = tuple[int, ...]
"""For each point a set of points, as bits."""


def iter_bits(board: int) -> Iterator[int]:
    """The points of a set, ascending."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def points_beyond(left: Sequence[Sequence[int]], line: Line, point: int) -> int:
    """The points to which a segment from a point crosses a line."""
    a, b = line
    if left[a][b] >> point & 1:
        return left[point][a] & left[b][point] & left[b][a]
    if left[b][a] >> point & 1:
        return left[point][b] & left[a][point] & left[a][b]
    return 0


def points_on_straight(left: Sequence[Sequence[int]], line: Line) -> int:
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
    def from_drawing(cls, points: Sequence[Point], lines: Iterable[Line]) -> Self:
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
                # `turn_form` of a, b and the new point, of which most are decided here.
                value = (b.near[0] - ax) * dy - (b.near[1] - ay) * dx
                side = value if abs(value) > FILTER else find_sign(turn_form, a, b, point)
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
                across = self.points_across(line, i)
                more[i] |= some[i] & across
                some[i] |= across
            for i, others in self._find_overlaps(line):
                along[i] |= others
        return replace(self, lines=(*self.lines, *drawn), some=tuple(some), more=tuple(more), along=tuple(along))

    def points_across(self, line: Line, point: int) -> int:
        """The points to which a segment from this one crosses a line."""
        return points_beyond(self.left, line, point)

    def points_on(self, line: Line) -> int:
        """The points on the straight line, of any length, that leads through a line's ends."""
        return points_on_straight(self.left, line)

    def _find_overlaps(self, line: Line) -> Iterator[tuple[int, int]]:
        # For each point on a line's straight: to which others a segment has more than a point in common with the line.
        a, b = line
        on = self.points_on(line)
        before = 1 << a | self._points_beyond(b, a, on)
        after = 1 << b | self._points_beyond(a, b, on)
        for point in iter_bits(on):
            apart = before if before >> point & 1 else after if after >> point & 1 else 0
            yield point, on & ~apart & ~(1 << point)

    def _points_beyond(self, a: int, b: int, on: int) -> int:
        # The points on the straight from a to b that lie beyond b.
        start, end = self.points[b], self.points[a]
        others = iter_bits(on & ~(1 << a) & ~(1 << b))
        return sum(1 << each for each in others if find_sign(advance_form, start, end, self.points[each]) < 0)

    def legal_points(self, point: int, crossing: bool) -> int:
        """The points to which a segment may be drawn that crosses one drawn segment, or none."""
        everywhere = (1 << len(self.points)) - 1 & ~(1 << point) & ~self.along[point]
        if crossing:
            return everywhere & self.some[point] & ~self.more[point]
        return everywhere & ~self.some[point]

    def crossed_lines(self, i: int, j: int) -> tuple[int, ...]:
        """The drawn lines, in order, that a segment between two points would cross."""
        return tuple(place for place, line in enumerate(self.lines) if self.points_across(line, i) >> j & 1)

    def find_overlapped_line(self, i: int, j: int) -> int | None:
        """The first drawn line with which a segment between two points has more than a point in common, if any."""
        for place, line in enumerate(self.lines):
            if any(point == i and others >> j & 1 for point, others in self._find_overlaps(line)):
                return place
        return None


# The drawing of one round: its chords, the segments of the offence, their intersections, and what is offered next.


DEGREES = range(360)
ROUND = [*range(0, 360, 30), *range(15, 360, 30)]
"""The degrees that are offered before anything is typed."""
SIDES = {0: "the top", 90: "the right", 180: "the bottom", 270: "the left"}
NAMED = 8
"""The most intersections that a note names."""


def is_between(degree: int, chord: Pair) -> bool:
    """Whether a degree lies strictly between a chord's ends, on the arc away from the top."""
    return chord[0] < degree < chord[1]


def chords_cross(chord: Pair, other: Pair) -> bool:
    """Whether two chords cross: they have four ends, which lie in turn on the circle."""
    apart = not set(chord) & set(other)
    return apart and is_between(other[0], chord) != is_between(other[1], chord)


@dataclass(frozen=True, slots=True)
class Drawing:
    """`chords` as pairs of degrees and `segments` as pairs of points, the smaller first; all else follows from them.

    `points` are the intersections, `lines` what is drawn, chords first; `crossings` is there while the offence is to
    move.
    """

    chords: tuple[Pair, ...] = ()
    segments: tuple[Line, ...] = ()
    points: tuple[Point, ...] = field(default=(), compare=False, repr=False)
    lines: tuple[Line, ...] = field(default=(), compare=False, repr=False)
    newest: int = field(default=0, compare=False, repr=False)
    """How many points were there before the last move."""
    crossings: Crossings | None = field(default=None, compare=False, repr=False)

    @property
    def ends(self) -> dict[int, int]:
        """The points at chords' ends, by degree."""
        return {point.origin: place for place, point in enumerate(self.points) if isinstance(point.origin, int)}

    # The defence.

    def with_chord(self, chord: Pair) -> Self:
        """The drawing with one chord more, between two different degrees and not drawn yet."""
        new = [point_on_circle(degree) for degree in chord if degree not in self.ends]
        new += self._new_crossings(chord)
        points = (*self.points, *sorted(new, key=cmp_to_key(compare_clockwise)))
        start, end = (points.index(point_on_circle(degree)) for degree in chord)
        return replace(
            self,
            chords=(*self.chords, chord),
            points=points,
            lines=(*self.lines, (start, end)),
            newest=len(self.points),
        )

    def _new_crossings(self, chord: Pair) -> Iterator[Point]:
        # Two chords that meet this one in one point cross there already, so no new crossing is found twice.
        start, end = (point_on_circle(degree) for degree in chord)
        on = [point for point in self.points if find_sign(turn_form, start, end, point) == 0]
        for other in self.chords:
            if chords_cross(chord, other):
                a, b = (point_on_circle(degree) for degree in other)
                if not any(find_sign(turn_form, a, b, point) == 0 for point in on):
                    yield cross_segments(start, end, a, b)

    # The offence.

    def begin_segments(self) -> Self:
        """The drawing when all chords are drawn: the offence is to move."""
        return replace(self, crossings=Crossings.from_drawing(self.points, self.lines))

    def close_round(self) -> Self:
        """The drawing when the round is over."""
        return replace(self, crossings=None)

    @property
    def must_cross(self) -> bool:
        """Whether the next segment must cross exactly one drawn segment; else it must cross none."""
        return len(self.segments) % 2 == 1

    def partners(self, point: int) -> int:
        """The points, as bits, to which a legal segment leads from a point; none when the offence is not to move."""
        return self.crossings.legal_points(point, self.must_cross) if self.crossings else 0

    def legal_segments(self) -> Iterator[Line]:
        """The legal segments, in ascending order."""
        for point in range(len(self.points)):
            yield from ((point, other) for other in iter_bits(self.partners(point)) if other > point)

    def with_segment(self, segment: Line) -> Self:
        """The drawing with one legal segment more."""
        assert self.crossings
        points = self.points
        met = self.crossings.crossed_lines(*segment) if self.must_cross else ()
        for place in met:
            line, crossed = segment, self.lines[place]
            points = (*points, cross_segments(*(self.points[each] for each in (*line, *crossed))))
        return replace(
            self,
            segments=(*self.segments, segment),
            points=points,
            lines=(*self.lines, segment),
            newest=len(self.points),
            crossings=self.crossings.with_line(segment, points),
        )

    # In words.

    def describe_line(self, line: int) -> str:
        """A drawn line in a sentence: "the chord 0-90", "the segment 2-7"."""
        if line < len(self.chords):
            return f"the chord {format_pair(self.chords[line])}"
        return f"the segment {format_line(self.segments[line - len(self.chords)])}"

    def describe_place(self, point: Point) -> str:
        """Where an intersection lies: "at 90", or "on 2-4 and 1-3"."""
        if isinstance(point.origin, int):
            return f"at {point.origin}"
        a, b, c, d = (self.points.index(each) for each in point.origin)
        return f"on {format_line((a, b))} and {format_line((c, d))}"


def format_pair(pair: Pair) -> str:
    """A pair of numbers in notation."""
    return f"{pair[0]}-{pair[1]}"


def format_line(line: Line) -> str:
    """A line between two points by their numbers, which count from 1."""
    return format_pair((min(line) + 1, max(line) + 1))


# What is offered while a move is typed.


def suggest_chords(drawing: Drawing, typed: str) -> Iterator[Suggestion]:
    """Degrees that begin as typed, each in a chord that may be drawn; after a dash what the chord would cross."""
    start, dash, end = typed.replace(" ", "").partition("-")
    if not dash:
        for degree in _degrees_beginning(start):
            across = (degree + 180) % 360
            other = next(each for each in (across, *DEGREES) if _is_free(drawing, degree, each))
            yield Suggestion(f"{degree}-{other}", _describe_degree(drawing, degree))
    elif start in map(str, DEGREES):
        for degree in _degrees_beginning(end):
            if _is_free(drawing, int(start), degree):
                yield Suggestion(f"{start}-{degree}", _describe_met(drawing, (int(start), degree)))


def _degrees_beginning(typed: str) -> list[int]:
    if not typed:
        return ROUND
    return [degree for degree in DEGREES if str(degree).startswith(typed)]


def _is_free(drawing: Drawing, start: int, end: int) -> bool:
    return start != end and (min(start, end), max(start, end)) not in drawing.chords


def _describe_degree(drawing: Drawing, degree: int) -> str:
    met = [format_pair(chord) for chord in drawing.chords if degree in chord]
    side = [SIDES[degree]] if degree in SIDES else []
    return " · ".join([*side, *(f"an end of {chord}" for chord in met[:2])])


def _describe_met(drawing: Drawing, ends: Pair) -> str:
    chord = min(ends), max(ends)
    met = [format_pair(other) for other in drawing.chords if chords_cross(chord, other)]
    return f"crosses {join_words(met)}" if met else "crosses nothing"


def suggest_segments(drawing: Drawing, typed: str) -> Iterator[Suggestion]:
    """Intersections that begin as typed and from which a legal segment leads; after a dash those to which it leads."""
    start, dash, end = typed.replace(" ", "").partition("-")
    for point in range(len(drawing.points)):
        name, partners = str(point + 1), [other + 1 for other in iter_bits(drawing.partners(point))]
        if dash and start == name:
            offered = [other for other in partners if str(other).startswith(end)]
            yield from (
                Suggestion(f"{name}-{other}", _describe_crossing(drawing, point, other - 1)) for other in offered
            )
        elif not dash and name.startswith(start) and partners:
            yield Suggestion(f"{name}-{partners[0]}", _describe_partners(partners))


def _describe_partners(partners: list[int]) -> str:
    if len(partners) <= NAMED:
        return f"to {join_words(partners, ' or ')}"
    return f"to {join_words([*partners[:NAMED], f'{len(partners) - NAMED} more'], ' or ')}"


def _describe_crossing(drawing: Drawing, start: int, end: int) -> str:
    met = drawing.crossings.crossed_lines(start, end) if drawing.crossings else ()
    return f"crosses {format_line(drawing.lines[met[0]])}" if met else "crosses nothing"
