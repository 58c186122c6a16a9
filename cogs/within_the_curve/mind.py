"""How the computer plays Within The Curve: it numbers each curve in the best of a few ways, fills it, and is done.

Others' moves hardly matter in this game, so no match is searched. All numbers that may go inside a curve are spread
over its squares, and two are exchanged again and again (simulated annealing) so that few neighbours share a factor.
Then they are written in order as long as they fit; one that does not fit takes a square meant for a greater one. Every
level exchanges four times as often.

Source: Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, 1983.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd

from bot.games.mind import Budget, Measured, Mind, RandomSource, accepts_step, list_temperatures
from bot.games.notation import Square
from bot.games.position import Seat
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import Curve, CurveSheet, Draw, Fill, FinishMatch, Number, neighbours_by_square

STEPS = 15
"""How many exchanges are tried for a playout."""
TRIALS = 4
"""How many numberings of a curve are tried, for half of the playouts together."""
HOT, COLD = 1.0, 0.1
"""The temperatures at the beginning and at the end, in small numbers that do not fit."""
EARLY = 2
"""How many times as much more than the last number the number 1 weighs when it does not fit."""


def choose_move(position: WithinTheCurve, seat: Seat, budget: Budget, rng: RandomSource) -> str:
    """A curve; then a numbering and a filling for each; then done."""
    if position.is_drawing:
        return str(Draw(_bite_corners(position.size, position.is_alone, rng)))
    for which, curve, sheet in position.copies_of(seat):
        if sheet.start is None:
            return str(_choose_numbering(which, curve, budget, rng))
        if next(sheet.open_squares(curve), None) is not None:
            filled = Filling(curve, sheet, rng).run(budget.playouts * STEPS)
            return str(Fill(which, tuple(Square.from_ordinal(square, curve.size) for square in filled)))
    return str(FinishMatch())


def _bite_corners(size: int, whole: bool, rng: RandomSource) -> tuple[Square, ...]:
    """The corners of the grid's border in a solo match; for several players with pieces bitten off its corners."""
    last, most = size - 1, 1 if whole else size // 4 + 1
    found: list[Square] = []
    for right, down in ((0, 0), (1, 0), (1, 1), (0, 1)):
        across, along = rng.randrange(most), rng.randrange(most)
        far, low = (last - across if right else across), (last - along if down else along)
        side, end = last * right, last * down
        stair = [(side, low), (far, low), (far, end)] if across and along else [(side, end)]
        # Clockwise one comes to the first and the third corner of the grid along its sides, to the others from above.
        found += [Square(*place) for place in (stair if right == down else stair[::-1])]
    return tuple(found)


def _choose_numbering(which: int, curve: Curve, budget: Budget, rng: RandomSource) -> Number:
    """The numbering that a short try fills best."""
    best, most = Number(which, Square.from_ordinal(curve.path[0], curve.size), True), -1
    for _ in range(TRIALS):
        start, clockwise = rng.choice(curve.path), rng.random() < 0.5
        filled = Filling(curve, CurveSheet(start, clockwise), rng).run(budget.playouts * STEPS // (2 * TRIALS))
        if len(filled) > most:
            best, most = Number(which, Square.from_ordinal(start, curve.size), clockwise), len(filled)
    return best


class Filling:
    """A spread of all further numbers over the squares left inside a curve, and how badly they fit."""

    def __init__(self, curve: Curve, sheet: CurveSheet, rng: RandomSource) -> None:
        self.rng, self.first, self.size = rng, sheet.next_number, curve.size
        given = sheet.numbers_by_square(curve)
        inside = set(curve.interior)
        self.free = [square for square in curve.interior if square not in given]
        self.most = len(curve.interior)
        self.given = given
        self.beside = {
            square: [
                other for other in neighbours_by_square(curve.size)[square] if other in inside and other not in given
            ]
            for square in self.free
        }
        self.weights = _neighbour_weights(self.most)
        self.fixed = {square: self._fixed_costs(square) for square in self.free}
        numbers = list(range(self.first, self.most + 1))
        rng.shuffle(numbers)
        self.values = dict(zip(self.free, numbers, strict=True))
        self.places = {value: square for square, value in self.values.items()}

    def _fixed_costs(self, square: int) -> list[int]:
        """What each number costs in a square for the numbers that stand beside it already."""
        beside = [self.given[other] for other in neighbours_by_square(self.size)[square] if other in self.given]
        return [
            sum(self.most * EARLY - (EARLY - 1) * value for other in beside if gcd(other, value) > 1)
            for value in range(self.most + 1)
        ]

    def run(self, steps: int) -> list[int]:
        """The squares of the next numbers, as many as fit after `steps` exchanges."""
        low, high = self.first, self.most + 1
        for heat in list_temperatures(HOT, COLD, self.most, steps):
            self._exchange(low, high, heat)
        return self._fitting_squares()

    def _exchange(self, low: int, high: int, heat: float) -> None:
        """Exchange two numbers, unless that costs too much."""
        rng, values, places = self.rng, self.values, self.places
        one = rng.randrange(low, high)
        other = rng.randrange(low, high)
        here, there = places[one], places[other]
        before = self._cost_of(here, one) + self._cost_of(there, other)
        values[here], values[there] = other, one
        more = self._cost_of(here, other) + self._cost_of(there, one) - before
        if accepts_step(more, heat, rng):
            places[one], places[other] = there, here
        else:
            values[here], values[there] = one, other

    def _cost_of(self, square: int, value: int) -> int:
        row, values = self.weights[value], self.values
        cost = self.fixed[square][value]
        for other in self.beside[square]:
            cost += row[values[other]]
        return cost

    def _fitting_squares(self) -> list[int]:
        """The numbers in order, each where it is meant to be, or where a greater one is, as far as they fit."""
        standing, meant, found = dict(self.given), dict(self.values), list[int]()
        for value in range(self.first, self.most + 1):
            fits = [square for square in meant if self._fits(standing, square, value)]
            if not fits:
                break
            square = max(fits, key=lambda each: (meant[each] == value, meant[each]))
            del meant[square]
            standing[square] = value
            found.append(square)
        return found

    def _fits(self, standing: dict[int, int], square: int, value: int) -> bool:
        return all(gcd(standing.get(other, 1), value) == 1 for other in neighbours_by_square(self.size)[square])


@lru_cache(maxsize=8)
def _neighbour_weights(most: int) -> list[list[int]]:
    """What it costs that two numbers are neighbours: the more, the earlier the greater of them is written."""
    return [
        [0 if gcd(one, other) < 2 else most * EARLY - (EARLY - 1) * max(one, other) for other in range(most + 1)]
        for one in range(most + 1)
    ]


def _estimate_effort(position: WithinTheCurve) -> int:
    """Small curves are soon full: more levels would not differ."""
    return 16 if position.size < 9 else 4 if position.size < 12 else 1


MIND = Mind(
    ponder=choose_move,
    effort=_estimate_effort,
    measured=Measured(
        playouts=4_096,
        nodes=0,
    ),
)
