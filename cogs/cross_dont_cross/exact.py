"""Points on the circle and where lines cross, with exact answers: beside which side of a line they lie, or on it.

A point is the end of a chord at a whole degree, or where two lines between earlier points cross. With z a primitive
360th root of unity, sin d and cos d are (z^(d-90) + z^(90-d)) / 2 and (z^d + z^-d) / 2, and crossing takes only
+, -, × and ÷. So the coordinates of all points, however deeply nested, are real numbers in the field of the 360th roots
of unity. Every question is the sign of a form, an expression of degree two in coordinates, and is asked in three steps:

1. In floating point. Coordinates are at most 1 and right to 2^-52 (`Point`), which makes a form right to 2^-45: a value
   beyond 2^-40 has a certain sign.
2. Modulo P = 2^127 - 15967, a prime that is 1 modulo 360, so that the integers modulo P contain 360th roots of unity.
   To put one of them in place of z keeps sums and products: what is not 0 modulo P is certainly not zero. What is 0
   modulo P and within 2^-40 of zero is taken for zero.
3. The sign of what is not zero comes from integers: coordinates in units of 2^-bits, each with a bound of its error,
   which is carried from crossing to crossing (`located`). The bits are doubled until the bound decides.

So a point that is said to lie beside a line does so, on the side that is said, whatever the nesting. Only "on the line"
could be wrong, and only if P divides the norm N of a number other than zero. In homogeneous coordinates, the ends being
(2 sin d, 2 cos d, 2), nothing is divided, and a point's coordinates and all their conjugates are at most 2^h: h is 1
for an end, and for a crossing 3 more than the sum of h over the four points that its lines join, that is 7 for a
crossing of chords. The four points are different and earlier; so after the 49 nested crossings that a round may have h
is below 2^51, and a norm, the product of 96 conjugates of a form in three points, is below 2 to the power of 2^59. Such
a number has at most 2^52 prime divisors of 127 bits, of the 2^112 primes of that size that are 1 modulo 360: the odds
that P, which was chosen before any circle, is one of them are below 2^-60 at that worst, and below 2^-100 where
crossings are nested no deeper than three times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

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
class Place:
    """Coordinates (right, up) in units of 2^-bits, each at most `error` units wrong."""

    x: int
    y: int
    error: int

    @property
    def pair(self) -> Pair:
        return self.x, self.y

    def coarser(self, bits: int) -> Place:
        """The same place with so many bits fewer."""
        return Place(self.x >> bits, self.y >> bits, (self.error >> bits) + 2)


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A point of the unit disc: its coordinates modulo `PRIME`, its `Place`, and the nearest floating point numbers.

    `origin` is a whole degree, or the four points whose lines, first to second and third to fourth, cross there.
    """

    residues: Pair
    place: Place
    near: tuple[float, float]
    origin: int | tuple[Point, Point, Point, Point]


# Where points lie.


@lru_cache(maxsize=16)
def degrees(bits: int) -> tuple[Place, ...]:
    """The places of all whole degrees, at most two units wrong."""
    unit = 1 << bits + GUARD
    cos, sin = _cos_sin(_pi(bits + GUARD) // 180, unit)
    x, y = 0, unit
    found: list[Place] = []
    for _ in range(360):
        found.append(Place(x >> GUARD, y >> GUARD, 2))
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


def located(point: Point, bits: int) -> Place:
    """A point's place in units of 2^-bits, found anew from the degrees on."""
    known: dict[Point, Place] = {}

    def find(each: Point) -> Place:
        if each not in known:
            known[each] = degrees(bits)[each.origin] if isinstance(each.origin, int) else crossed(each.origin)
        return known[each]

    def crossed(origin: tuple[Point, Point, Point, Point]) -> Place:
        return _crossing(*(find(each) for each in origin), unit=1 << bits)

    return find(point)


def _crossing(a: Place, b: Place, c: Place, d: Place, unit: int) -> Place:
    """Where two lines a-b and c-d cross that do so between their ends; the centre, a radius wrong, where it is unknown.

    The crossing is a + t·(b - a) with t = n / m, n = (c - a) × (d - c) and m = (b - a) × (d - c), 0 < t < 1. If each
    coordinate is e units wrong at most, n and m are wrong by 24·e·unit at most, t by twice that over |m|, and so the
    crossing by 3·e and 4·unit times the error of t.
    """
    error = max(a.error, b.error, c.error, d.error)
    (ux, uy), (vx, vy), (wx, wy) = (_minus(b, a), _minus(d, c), _minus(c, a))
    n, m = wx * vy - wy * vx, ux * vy - uy * vx
    wrong = 3 * error + 2 + 192 * error * unit**2 // abs(m) if m else unit
    if wrong >= unit:
        return Place(0, 0, unit)
    return Place(a.x + n * ux // m, a.y + n * uy // m, wrong)


def _minus(a: Place, b: Place) -> Pair:
    return a.x - b.x, a.y - b.y


# Points.


def _point(residues: Pair, place: Place, origin: int | tuple[Point, Point, Point, Point]) -> Point:
    unit = 1 << BITS
    return Point(residues, place, (place.x / unit, place.y / unit), origin)


_ON_CIRCLE: dict[int, Point] = {}


def on_circle(degree: int) -> Point:
    """The point at a whole degree, clockwise from the top: always the same one, since points are known by identity.

    Boards are drawn and moves are decided on several threads; of two that make it at once, both go on with the first.
    """
    return _ON_CIRCLE.get(degree) or _ON_CIRCLE.setdefault(degree, _made(degree))


def _made(degree: int) -> Point:
    turned = pow(ROOT, degree - 90, PRIME), pow(ROOT, degree, PRIME)
    x, y = ((root + pow(root, -1, PRIME)) * HALF % PRIME for root in turned)
    return _point((x, y), degrees(BITS)[degree], degree)


def crossing(a: Point, b: Point, c: Point, d: Point) -> Point:
    """The point at which the segments a-b and c-d cross; they must do so, between their ends."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (point.residues for point in (a, b, c, d))
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    t = ((cx - ax) * vy - (cy - ay) * vx) * pow(ux * vy - uy * vx, -1, PRIME)
    residues = (ax + t * ux) % PRIME, (ay + t * uy) % PRIME
    place, bits = _crossing(a.place, b.place, c.place, d.place, 1 << BITS), BITS
    point = _point(residues, place, (a, b, c, d))
    while place.error >> BITS - RIGHT:
        bits *= 2
        place = located(point, bits).coarser(bits - BITS)
    return _point(residues, place, (a, b, c, d))


# Questions.


def sign(form: Form, *points: Point) -> int:
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
        places = [located(point, bits) for point in points]


def turn(a: Pair, b: Pair, c: Pair) -> int:
    """A form: positive when c is left of the line from a to b, 0 when it is on the line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def advance(a: Pair, b: Pair, c: Pair) -> int:
    """A form: positive when c lies ahead of a, in the direction of b."""
    return (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1])


def farther(a: Pair, b: Pair) -> int:
    """A form: positive when a is farther from the centre than b."""
    return a[0] * a[0] + a[1] * a[1] - b[0] * b[0] - b[1] * b[1]


def clockwise(a: Point, b: Point) -> int:
    """Negative when a comes before b: the centre, then clockwise from the top, then by distance from the centre."""
    halves = _half(a), _half(b)
    if halves[0] != halves[1]:
        return halves[0] - halves[1]
    return sign(turn, centre(), a, b) or sign(farther, a, b)


def _half(point: Point) -> int:
    # 0 for the centre, 1 from the top clockwise to just above the bottom, 2 for the other half.
    side = sign(turn, on_circle(180), on_circle(0), point) or -sign(turn, on_circle(270), on_circle(90), point)
    return {0: 0, -1: 1, 1: 2}[side]


@lru_cache(maxsize=1)
def centre() -> Point:
    """The centre of the circle."""
    return crossing(on_circle(0), on_circle(180), on_circle(90), on_circle(270))
