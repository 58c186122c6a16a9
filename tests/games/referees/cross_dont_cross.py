"""A second referee of Cross, Don't Cross, as naive as possible and sharing no code with the first.

Points are pairs of decimals with 400 digits. What is below 10^-200 is taken for zero, which is no proof, but is another
way to decide than the first referee's; nothing is remembered but the signs of points' triples.
"""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext

Spot = tuple[Decimal, Decimal]
Line = tuple[int, int]

DIGITS = 400
NOTHING = Decimal(10) ** -200


def sines() -> list[Spot]:
    """(sin d, cos d) for every whole degree, from the square roots in the 24 degrees of a pentagon and a hexagon."""
    with localcontext() as context:
        context.prec = DIGITS + 40
        root = Decimal.sqrt
        # cos 36 = (1 + √5) / 4, cos 60 = 1/2; 24 = 60 - 36; halved three times that is 3, and a third of it is 1.
        cos36, cos60 = (1 + root(Decimal(5))) / 4, Decimal(1) / 2
        sin36, sin60 = root(1 - cos36**2), root(1 - cos60**2)
        cos = cos60 * cos36 + sin60 * sin36
        for _ in range(3):
            cos = root((1 + cos) / 2)
        # cos 3a = 4 cos³a - 3 cos a, solved by Newton's method.
        third = Decimal("0.99984769515639")
        for _ in range(12):
            third -= (4 * third**3 - 3 * third - cos) / (12 * third**2 - 3)
        sin = root(1 - third**2)
        x, y = Decimal(0), Decimal(1)
        found: list[Spot] = []
        for _ in range(360):
            found.append((x, y))
            x, y = x * third + y * sin, y * third - x * sin
        return found


CIRCLE = sines()


class Referee:
    """One match without withdrawals; `legal` is None while chords are drawn."""

    def __init__(self, chords: int, rounds: int) -> None:
        getcontext().prec = DIGITS
        self.size, self.rounds, self.scores, self.number = chords, rounds, [0, 0], 0
        self.over = False
        self.begin()

    def begin(self) -> None:
        self.number += 1
        self.chords: list[tuple[int, int]] = []
        self.spots: list[Spot] = []
        self.lines: list[Line] = []
        self.sides: dict[tuple[int, int, int], int] = {}
        self.legal: list[str] | None = None

    @property
    def to_move(self) -> list[int]:
        if self.over:
            return []
        defence = 1 if self.number % 2 == 1 else 2
        return [defence if self.legal is None else 3 - defence]

    @property
    def ranks(self) -> list[int] | None:
        if not self.over:
            return None
        one, two = self.scores
        return [1 if one <= two else 2, 1 if two <= one else 2]

    def side(self, i: int, j: int, k: int) -> int:
        if (i, j, k) not in self.sides:
            sign = side(self.spots[i], self.spots[j], self.spots[k])
            for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
                self.sides[a, b, c], self.sides[b, a, c] = sign, -sign
        return self.sides[i, j, k]

    def crosses(self, one: Line, two: Line) -> bool:
        """Whether two segments share a point that is interior to both, and are not on one straight."""
        (a, b), (c, d) = one, two
        if {a, b} & {c, d}:
            return False
        return self.side(a, b, c) * self.side(a, b, d) < 0 and self.side(c, d, a) * self.side(c, d, b) < 0

    def overlap(self, one: Line, two: Line) -> bool:
        """Whether two segments share more than one point."""
        (a, b), (c, d) = one, two
        if any(k not in one and self.side(a, b, k) for k in two):
            return False
        (ax, ay), (bx, by) = self.spots[a], self.spots[b]

        def along(k: int) -> Decimal:
            return (self.spots[k][0] - ax) * (bx - ax) + (self.spots[k][1] - ay) * (by - ay)

        low, high = sorted((along(c), along(d)))
        return min(high, along(b)) - max(low, along(a)) > NOTHING

    def found(self) -> list[str]:
        """All legal segments."""
        drawn = len(self.lines) - self.size
        pairs = [(i, j) for j in range(len(self.spots)) for i in range(j)]
        return sorted(
            f"{i + 1}-{j + 1}"
            for i, j in pairs
            if sum(self.crosses((i, j), line) for line in self.lines) == drawn % 2
            and not any(self.overlap((i, j), line) for line in self.lines)
        )

    def move(self, text: str) -> None:
        one, two = map(int, text.split("-"))
        if self.legal is None:
            self.chords.append((one, two))
            self.add((CIRCLE[one], CIRCLE[two]))
        else:
            self.scores[0 if self.number % 2 == 0 else 1] += 1
            self.add((self.spots[one - 1], self.spots[two - 1]))
        if len(self.chords) < self.size:
            return
        self.legal = self.found()
        if not self.legal and self.number < self.rounds:
            self.begin()
        elif not self.legal:
            self.over = True

    def add(self, ends: tuple[Spot, Spot]) -> None:
        """Draw a line: its ends and where it crosses others become intersections, unless they are already."""
        start, end = ends
        new = list(ends)
        for k, other in self.lines:
            a, b = self.spots[k], self.spots[other]
            if any(same(spot, old) for spot in ends for old in (a, b)):
                continue
            if side(start, end, a) * side(start, end, b) < 0 and side(a, b, start) * side(a, b, end) < 0:
                new.append(meeting(start, end, a, b))
        fresh: list[Spot] = []
        for spot in new:
            if not any(same(spot, known) for known in (*self.spots, *fresh)):
                fresh.append(spot)
        self.spots += in_order(fresh)
        self.lines.append((self.place(start), self.place(end)))

    def place(self, spot: Spot) -> int:
        return next(k for k, known in enumerate(self.spots) if same(spot, known))


def same(a: Spot, b: Spot) -> bool:
    return abs(a[0] - b[0]) < NOTHING and abs(a[1] - b[1]) < NOTHING


def side(a: Spot, b: Spot, c: Spot) -> int:
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return 0 if abs(area) < NOTHING else 1 if area > 0 else -1


def meeting(a: Spot, b: Spot, c: Spot, d: Spot) -> Spot:
    """Where two straights meet, by Cramer's rule for their equations px + qy = r."""
    (p, q, r), (s, t, u) = ((y1 - y0, x0 - x1, x0 * y1 - x1 * y0) for (x0, y0), (x1, y1) in ((a, b), (c, d)))
    return (r * t - q * u) / (p * t - q * s), (p * u - r * s) / (p * t - q * s)


def in_order(spots: list[Spot]) -> list[Spot]:
    """The centre, then clockwise from the top about it, then by distance from it: inserted one by one."""
    done: list[Spot] = []
    for spot in spots:
        at = 0
        while at < len(done) and before(done[at], spot):
            at += 1
        done.insert(at, spot)
    return done


def before(a: Spot, b: Spot) -> bool:
    keys = [quarter(spot) for spot in (a, b)]
    if keys[0] != keys[1]:
        return keys[0] < keys[1]
    turn = side((Decimal(0), Decimal(0)), a, b)
    return turn < 0 if turn else abs(a[0]) + abs(a[1]) < abs(b[0]) + abs(b[1])


def quarter(spot: Spot) -> int:
    """0 for the centre, 1 from the top up to the right, 2 up to the bottom, 3 up to the left, 4 up to the top."""
    x, y = (0 if abs(value) < NOTHING else 1 if value > 0 else -1 for value in spot)
    if x == y == 0:
        return 0
    return 1 if x >= 0 and y > 0 else 2 if x > 0 else 3 if y < 0 else 4
