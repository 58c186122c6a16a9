"""How the computer plays (Not)Divisors Or (Not)Multiples: it considers three numbers for each square.

A number affects eight squares. A small one kills squares over its corners, since it divides what would fit there. One
with many divisors kills squares over its sides, since what fits there is a multiple of it and so of numbers across. One
with a large prime of its own kills nothing. So the three are the smallest number that fits, a multiple with many
divisors and one with a large prime.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import merge
from itertools import chain, islice, takewhile

from bot.games.mind import Measured, Mind, RandomSource
from bot.games.position import Seat
from cogs.not_divisors_not_multiples import rules
from cogs.not_divisors_not_multiples.rules import (
    NotDivisorsNotMultiples,
    are_related,
    divisors_up_to,
    fits,
    greatest_allowed,
    squares_around,
)

MANY_DIVISORS = 60, 36, 24, 30, 12, 18, 20, 8, 6, 4, 2, 3
LARGE_PRIMES = 89, 97, 83, 79, 73, 71
"""What the numbers beside a square are multiplied by."""
TRIED, ENOUGH = 250, 4
"""How many numbers are tried in a square, and how many kept, that leave the next seat no move."""


def list_values(beside: Collection[int], across: Collection[int], used: Collection[int]) -> tuple[int, ...]:
    """The candidate numbers for a square by those around it and those used, the smallest that fits first; none where
    none fits.

    >>> list_values((), (), ()), list_values((4, 6), (), {4, 6}), list_values((4, 6), (2,), {4, 6, 2})
    ((2, 60, 89), (2, 720, 1068), ())
    """
    found = _cached_values(frozenset(beside), frozenset(across))
    return _find_values(beside, across, used) if any(value in used for value in found) else found


@lru_cache(maxsize=rules.KEPT)
def _cached_values(beside: frozenset[int], across: frozenset[int]) -> tuple[int, ...]:
    return _find_values(beside, across, beside)


def _find_values(beside: Collection[int], across: Collection[int], used: Collection[int]) -> tuple[int, ...]:
    least = rules.least_fitting(beside, across, used)
    return () if least is None else (least, *_iter_multiples(least, beside, across, used))


def _iter_multiples(
    least: int, beside: Collection[int], across: Collection[int], used: Collection[int]
) -> Iterator[int]:
    low, greatest = math.lcm(*beside), greatest_allowed(least)
    if any(low % other == 0 for other in across):
        return
    for factors in (MANY_DIVISORS, LARGE_PRIMES):
        for factor in factors:
            number = low * factor
            if number <= greatest and number != least and fits(number, (), across, used):
                yield number
                break


@dataclass(slots=True)
class PlayoutBoard:
    """A board for random playouts: for each square its number and its candidates."""

    size: int
    cells: list[int]
    worth: list[Sequence[int]]
    used: set[int]

    @classmethod
    def from_position(cls, position: NotDivisorsNotMultiples) -> PlayoutBoard:
        sheet = cls(position.size, list(position.cells), [()] * len(position.cells), {*position.cells} - {0})
        for square in position.open_squares():
            sheet.worth[square] = sheet.list_values(square)
        return sheet

    def list_values(self, square: int) -> Sequence[int]:
        cells, (sides, corners) = self.cells, squares_around(self.size)[square]
        beside = {cells[other] for other in sides} - {0}
        return list_values(beside, [cells[other] for other in corners if cells[other]], self.used)

    def write_number(self, square: int, value: int) -> None:
        """Write a number, and update the candidates around it and where it was a candidate itself."""
        if not self.used:
            self.worth = [()] * len(self.cells)
        self.cells[square] = value
        self.used.add(value)
        self.worth[square] = ()
        sides, corners = squares_around(self.size)[square]
        for other in sides:
            if not self.cells[other]:
                self.worth[other] = self.list_values(other)
        for other in {*corners, *(at for at, worth in enumerate(self.worth) if value in worth)}:
            if self.worth[other]:
                self.worth[other] = self.list_values(other)

    def list_choices(self) -> list[tuple[int, int]]:
        """Each square with each of its candidates."""
        return [(square, value) for square, worth in enumerate(self.worth) for value in worth]


def usual_candidates(position: NotDivisorsNotMultiples, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """The candidates for all squares; on the empty board, for squares that are not mirror images of each other."""
    choices = PlayoutBoard.from_position(position).list_choices()
    if not position.log:
        half = (position.size + 1) // 2
        choices = [(at, value) for at, value in choices if at % position.size <= at // position.size < half]
    return [f"{position.name(square)} {value}" for square, value in choices]


def list_candidates(position: NotDivisorsNotMultiples, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """The usual candidates, and near the end numbers that leave the next seat no move."""
    last = (f"{position.name(square)} {value}" for square, value in sorted(find_finishing_moves(position)))
    return [*dict.fromkeys([*usual_candidates(position, seat, rng), *last])]


def find_finishing_moves(position: NotDivisorsNotMultiples) -> set[tuple[int, int]]:
    """Squares with numbers that leave the next seat no move, the smallest `ENOUGH` of each; none of the last open
    square, where every number does."""
    still = {*position.open_squares()} if position.log else set[int]()
    near = ((square, *squares_around(position.size)[square]) for square in still)
    able = (square for square, beside, across in near if still <= {square, *beside, *across})
    return {(square, value) for square in able for value in islice(_finishing_numbers(position, square, still), ENOUGH)}


def _finishing_numbers(position: NotDivisorsNotMultiples, square: int, still: Collection[int]) -> Iterator[int]:
    """The numbers that, written in a square, leave none that fits around it, ascending."""
    sides, corners = squares_around(position.size)[square]
    opened = [at for at in sides if not position.cells[at]]
    across = [at for at in corners if at in still]
    if not opened and not across:
        return
    near = [Neighbour(position, at, True) for at in opened] + [Neighbour(position, at, False) for at in across]
    for value in islice(_blocking_numbers(position, square, opened, across), TRIED):
        if not any(neighbour.can_be_filled(value) for neighbour in near):
            yield value


class Neighbour:
    """A square over a side or over a corner of one in which numbers are tried, and what is known to fit it."""

    def __init__(self, position: NotDivisorsNotMultiples, at: int, over_side: bool) -> None:
        self.beside, self.across = frozenset(position.numbers_beside(at)), frozenset(position.numbers_across(at))
        self.used, self.over_side = frozenset(position.cells), over_side
        self.known = [position.leasts[at]] if position.leasts[at] else []

    def can_be_filled(self, value: int) -> bool:
        """Whether some number still fits it once a value is written."""
        if any(number != value and are_related(number, value) == self.over_side for number in self.known):
            return True
        near = (self.beside | {value}, self.across) if self.over_side else (self.beside, self.across | {value})
        found = rules.least_fitting(*near, self.used | {value})
        if found:
            self.known.append(found)
        return bool(found)


def _blocking_numbers(
    position: NotDivisorsNotMultiples, square: int, opened: Sequence[int], across: Sequence[int]
) -> Iterator[int]:
    """The numbers that fit a square and may leave nothing around it, ascending.

    Above the numbers beside a square something fits unless one across divides all their common multiples. So over a
    side the number must bring such a multiple about, and over a corner it must divide all of them itself.
    """
    beside, greatest, used = (
        position.numbers_beside(square),
        greatest_allowed(position.leasts[square]),
        {*position.cells},
    )
    steps = {math.lcm(*beside)}
    for at in opened:
        low, others = math.lcm(*position.numbers_beside(at)), position.numbers_across(at)
        if all(low % other for other in others) and low * greatest <= rules.GREATEST:
            steps = {math.lcm(step, other // math.gcd(other, low)) for step in steps for other in others}
    if lows := [math.lcm(*position.numbers_beside(at)) for at in across if not position.blockers(at)]:
        shared = divisors_up_to(math.gcd(*lows), greatest)
        tried = (value for value in shared if value < max(beside) or not all(value % step for step in steps))
    else:
        between = takewhile(lambda value: value < max(beside), position.fitting_numbers(square))
        tried = chain(between, merge(*(range(step, greatest + 1, step) for step in steps)))
    last = 0
    for value in tried:
        if value > last and fits(value, beside, position.numbers_across(square), used):
            last = value
            yield value


def roll_out(position: NotDivisorsNotMultiples, rng: RandomSource) -> Sequence[int]:
    """Who moves last after random candidates."""
    sheet, last, after = PlayoutBoard.from_position(position), position.previous, position.next_seats
    while choices := sheet.list_choices():
        sheet.write_number(*rng.choice(choices))
        last = after[last]
    return [int(seat == last) for seat in range(1, position.seats + 1)]


def position_key(position: NotDivisorsNotMultiples) -> Hashable:
    """The numbers, and who is to move; not who wrote what."""
    return position.cells, position.previous


def estimate_effort(position: NotDivisorsNotMultiples) -> int:
    """A playout weighs the numbers around each square that is left."""
    return position.cells.count(0)


def count_open_squares(position: NotDivisorsNotMultiples) -> int:
    """How many squares a number can be written into."""
    return sum(map(bool, position.leasts))


MIND: Mind[NotDivisorsNotMultiples] = Mind(
    rollout=roll_out,
    key=position_key,
    candidates=list_candidates,
    open_places=count_open_squares,
    effort=estimate_effort,
    measured=Measured(
        playouts=3_000,
        nodes=25_000,
        playout_effort=25,  # squares left
        spare_power=2,
        hastes=(0.31, 0.28, 0.27, 0.17),
    ),
)
