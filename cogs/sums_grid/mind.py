"""How the computer plays Sums Grid: it finds a grid by simulated annealing, with more steps at every level.

Others' moves hardly matter in this game, so no match is searched: the computer submits one grid and is done. It is
never worse than the numbers in order. The highest level knows the best grids that have been found, as a player with a
good memory would.

Source: Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, 1983.
"""

from __future__ import annotations

from functools import cache

from bot.games.mind import Budget, Measured, Mind, RandomSource, accepts_step, list_temperatures
from bot.games.position import Seat
from cogs.sums_grid.rules import FinishMatch, Grid, Submit, SumsGrid, find_reach, list_runs

Values = tuple[int, ...]

KNOWN: dict[tuple[int, bool], Values] = {
    (2, False): (1, 3, 6, 2),
    (3, False): (3, 16, 2, 5, 4, 11, 17, 6, 1),
    (4, False): (14, 16, 20, 5, 9, 2, 1, 31, 6, 22, 26, 8, 4, 13, 25, 7),
    (5, False): (71, 4, 20, 31, 46, 9, 33, 29, 16, 10, 3, 2, 36, 32, 8, 72, 15, 6, 1, 51, 14, 13, 19, 11, 23),
}
"""Grids that reach the most known, by side and by whether diagonals count."""
MEMORY = 4096
"""The number of playouts from which the known grids are used."""
AIM = {
    (2, False): 8,
    (2, True): 10,
    (3, False): 26,
    (3, True): 36,
    (4, False): 57,
    (4, True): 76,
    (5, False): 95,
    (5, True): 130,
}
"""The numbers up to which annealing tries to make all, a little more than can be reached."""
STEPS = {
    2: (4, 16, 128, 512, 2_000, 8_000),
    3: (75, 150, 280, 1_200, 6_000, 50_000),
    4: (280, 650, 1_800, 9_000, 40_000, 160_000),
    5: (600, 3_000, 6_000, 15_000, 100_000, 400_000),
}
"""How many steps of annealing are made for 4, 16, 64 … playouts, by side: as many as bring about even steps from the
numbers in order to the best grid that is known."""
SMALL = 3
"""How many times as much the number 1 is worth as the last one: a gap among the small ones costs the most."""
HOT, COLD = 1.5, 0.3
"""The temperatures at the beginning and at the end, in large numbers that are missing."""


def choose_move(position: SumsGrid, seat: Seat, budget: Budget, rng: RandomSource) -> str:
    """A grid, and done once one has been submitted; with a good memory only where no better one is found."""
    size, diagonals, sheet = position.size, position.diagonals, position.sheets[seat - 1]
    if sheet.best and budget.playouts < MEMORY:
        return str(FinishMatch())
    found = KNOWN.get((size, diagonals)) if budget.playouts >= MEMORY else None
    values = found or least_grid(Annealing(size, diagonals, rng).run(count_steps(size, budget.playouts)), diagonals)
    better = not sheet.best or find_reach(Grid(values, diagonals)) > sheet.score
    return str(Submit(Grid(values).rows) if better else FinishMatch())


def count_steps(size: int, playouts: int) -> int:
    """The number of annealing steps for a number of playouts."""
    of_side = STEPS[size]
    return of_side[min(max((playouts.bit_length() - 3) // 2, 0), len(of_side) - 1)]


def least_grid(values: Values, diagonals: bool) -> Values:
    """A grid, or the numbers in order where it reaches no further than they do."""
    in_order = tuple(range(1, len(values) + 1))
    return values if find_reach(Grid(values, diagonals)) > find_reach(Grid(in_order, diagonals)) else in_order


class Annealing:
    """A grid that is changed a little again and again, and what the numbers are worth that its runs make.

    A change is kept when that is no less than before, and when it is less, the seldomer the longer it goes on.
    """

    def __init__(self, size: int, diagonals: bool, rng: RandomSource) -> None:
        self.rng, self.diagonals = rng, diagonals
        self.aim = AIM[size, diagonals]
        self.through = _runs_by_square(size, diagonals)
        self.values = [1, *rng.sample(range(2, self.aim + 1), size**2 - 1)]
        rng.shuffle(self.values)
        self.used = set(self.values)
        self.totals = [sum(self.values[square] for square in run) for run in list_runs(size, diagonals)]
        self.counts = [0] * (self.aim * size + 1)
        for total in self.totals:
            self.counts[total] += 1
        self.worth = _worth_by_number(self.aim, len(self.counts))
        self.made = sum(worth for worth, count in zip(self.worth, self.counts, strict=True) if count)

    def run(self, steps: int) -> Values:
        """The grid that reaches furthest of all in `steps` steps."""
        best, furthest = tuple(self.values), self._find_reach()
        for heat in list_temperatures(HOT, COLD, self.aim, steps):
            if self._try_step(heat) and (far := self._find_reach()) > furthest:
                best, furthest = tuple(self.values), far
        return best

    def _find_reach(self) -> int:
        return self.counts.index(0, 1) - 1

    def _try_step(self, heat: float) -> bool:
        """Whether another number was written into a square, or two exchanged."""
        rng, values = self.rng, self.values
        square, other, before = rng.randrange(len(values)), -1, self.made
        old = values[square]
        new = rng.randrange(self.aim) + 1 if rng.random() < 0.5 else old + rng.randrange(-5, 6)
        if not 0 < new <= self.aim or new == old:
            return False
        if new in self.used:
            other = values.index(new)
            self._write_number(other, old)
        self._write_number(square, new)
        if accepts_step(before - self.made, heat, rng):
            self.used ^= {old, new} if other < 0 else set()
            return True
        self._write_number(square, old)
        if other >= 0:
            self._write_number(other, new)
        self.made = before
        return False

    def _write_number(self, square: int, value: int) -> None:
        counts, totals, worth, more = self.counts, self.totals, self.worth, value - self.values[square]
        self.values[square] = value
        for run in self.through[square]:
            total = totals[run]
            counts[total] -= 1
            if not counts[total]:
                self.made -= worth[total]
            total += more
            totals[run] = total
            if not counts[total]:
                self.made += worth[total]
            counts[total] += 1


@cache
def _worth_by_number(aim: int, count: int) -> tuple[int, ...]:
    """What it is worth that a number is a sum, for each from 0: nothing beyond the aim."""
    return tuple(aim + (SMALL - 1) * (aim - number) if 0 < number <= aim else 0 for number in range(count))


@cache
def _runs_by_square(size: int, diagonals: bool) -> tuple[tuple[int, ...], ...]:
    """For each square the runs through it, by their places among all."""
    every = list_runs(size, diagonals)
    return tuple(tuple(at for at, run in enumerate(every) if square in run) for square in range(size**2))


def _estimate_effort(position: SumsGrid) -> int:
    """There are so few grids of four numbers that more levels would not differ."""
    return 64 if position.size == 2 else 1


MIND = Mind(
    ponder=choose_move,
    effort=_estimate_effort,
    measured=Measured(
        playouts=4_096,
        nodes=0,
    ),
)
