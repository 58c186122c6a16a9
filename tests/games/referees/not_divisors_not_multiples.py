"""A second referee of (Not)Divisors Or (Not)Multiples, as naive as possible, sharing no code: they must agree.

All numbers up to 9999 are tried. Above them a number that goes with all beside it either divides the greatest of them
or is a multiple of it, and then of all.
"""

from __future__ import annotations

from functools import lru_cache
from math import lcm
from random import Random

from tests.games.refereed import InTurn

SMALL = range(2, 10_000)
MOST = 10**18


def goes(a: int, b: int) -> bool:
    return max(a, b) % min(a, b) == 0


@lru_cache(maxsize=2000)
def kin(number: int) -> frozenset[int]:
    """The numbers up to 9999 that go with a number."""
    return frozenset(other for other in SMALL if goes(number, other))


def divisors(number: int) -> list[int]:
    """All divisors of a number, by trial; its primes above a million are at most one."""
    found, prime = [1], 2
    while number > 1:
        if prime * prime > number or prime > 1_000_000:
            prime = number
        powers = [1]
        while number % prime == 0:
            number //= prime
            powers.append(powers[-1] * prime)
        found = [divisor * power for divisor in found for power in powers]
        prime += 1
    return sorted(found)


class Referee(InTurn):
    """One match, withdrawals and all: `least` is the smallest number that may be written, by square, or 0."""

    def __init__(self, size: int, seats: int) -> None:
        super().__init__(seats)
        self.size = size
        self.grid: dict[str, int] = {}
        self.last = 1
        self.least = dict.fromkeys(self.names(), 2)

    def names(self) -> list[str]:
        return [f"{chr(97 + column)}{row + 1}" for row in range(self.size) for column in range(self.size)]

    def near(self, name: str, distance: int) -> list[int]:
        """The numbers at a distance of 1 (over sides) or 2 (over corners)."""
        column, row = ord(name[0]), int(name[1:])
        found: list[int] = []
        for other, number in self.grid.items():
            right, down = abs(ord(other[0]) - column), abs(int(other[1:]) - row)
            if max(right, down) == 1 and right + down == distance:
                found.append(number)
        return found

    def small(self, name: str) -> set[int]:
        """All numbers up to 9999 that fit a square."""
        if not self.grid:
            return set(SMALL)
        beside = self.near(name, 1)
        if name in self.grid or not beside:
            return set()
        fitting = kin(beside[0]).intersection(*map(kin, beside))
        return set(fitting.difference(self.grid.values(), *map(kin, self.near(name, 2))))

    def large(self, name: str, most: int) -> list[int]:
        """Numbers above 9999 and up to some other, among which are all that fit a square."""
        beside = self.near(name, 1)
        if name in self.grid or not beside:
            return []
        step = lcm(*beside)
        several = {*divisors(max(beside)), *range(step, min(most, MOST) + 1, step)}
        return sorted(number for number in several if 9999 < number <= most)

    def fits(self, name: str, number: int) -> bool:
        beside, across = self.near(name, 1), self.near(name, 2)
        return (
            number > 1
            and number not in self.grid.values()
            and all(goes(number, other) for other in beside)
            and not any(goes(number, other) for other in across)
        )

    def smallest(self, name: str) -> int:
        small = self.small(name)
        if small or name in self.grid or not self.near(name, 1):
            return min(small, default=0)
        reach = max(*self.near(name, 1), 2000 * lcm(*self.near(name, 1)))
        return next((number for number in self.large(name, min(reach, MOST)) if self.fits(name, number)), 0)

    def most(self, name: str) -> int:
        return 9999 if self.least[name] <= 9999 else min(9999 * self.least[name], MOST)

    def allows(self, name: str, number: int) -> bool:
        """Whether a number may be written into a square."""
        if not self.least[name] or name in self.grid or (self.grid and not self.near(name, 1)):
            return False
        return self.fits(name, number) and number <= self.most(name)

    def some(self, name: str, rng: Random) -> list[int]:
        """Numbers that may be written into a square: all small ones, or some large ones."""
        if small := self.small(name):
            return sorted(small)[:: rng.choice((1, 1, 40))]
        step, most = lcm(*self.near(name, 1)), self.most(name)
        drawn = [step * rng.randint(1, max(1, most // step)) for _ in range(20)]
        found = [number for number in (*divisors(max(self.near(name, 1))), *drawn) if number > 9999]
        return [self.least[name], *(number for number in found if self.allows(name, number))]

    @property
    def to_move(self) -> list[int]:
        return [self.next] if len(self.gone) + 1 < self.seats and any(self.least.values()) else []

    @property
    def ranks(self) -> list[int] | None:
        if self.to_move:
            return None
        staying = [seat for seat in range(1, self.seats + 1) if seat not in self.gone]
        if len(staying) == 1:
            self.last = staying[0]
        ranks: list[int] = []
        for seat in range(1, self.seats + 1):
            if seat in self.gone:
                ranks.append(self.seats - self.gone.index(seat))
            else:
                ranks.append(1 if seat == self.last else 2)
        return ranks

    def move(self, name: str, number: int) -> None:
        assert self.allows(name, number)
        self.grid[name] = number
        self.last = self.next
        self.least = {name: self.smallest(name) for name in self.names()}
        self.pass_on()
