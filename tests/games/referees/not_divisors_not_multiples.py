"""A second referee of (Not)Divisors Or (Not)Multiples, as naive as possible, sharing no code: they must agree.

All numbers up to 9999 are tried. Above them a number that goes with all beside it either divides the greatest of them
or is a multiple of it, and then of all.
"""

from __future__ import annotations

from functools import lru_cache
from math import lcm

SMALL = range(2, 10_000)
MOST = 10**18


def goes(a: int, b: int) -> bool:
    return max(a, b) % min(a, b) == 0


@lru_cache(maxsize=2000)
def kin(number: int) -> frozenset[int]:
    """The numbers up to 9999 that go with a number."""
    return frozenset(other for other in SMALL if goes(number, other))


def divisors(number: int) -> list[int]:
    """All divisors of a number whose primes are all below 10 000."""
    found, prime = [1], 2
    while number > 1:
        assert prime < 10_000
        powers = [1]
        while number % prime == 0:
            number //= prime
            powers.append(powers[-1] * prime)
        found = [divisor * power for divisor in found for power in powers]
        prime += 1
    return found


class Referee:
    """One match, withdrawals and all: `may` are the numbers that may be written, by square."""

    def __init__(self, size: int, seats: int) -> None:
        self.size, self.seats = size, seats
        self.grid: dict[str, int] = {}
        self.gone: list[int] = []
        self.next = self.last = 1
        self.may = {name: set(SMALL) for name in self.names()}

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

    def allowed(self, name: str) -> set[int]:
        beside, across = self.near(name, 1), self.near(name, 2)
        if name in self.grid or not beside:
            return set()
        small = set(kin(beside[0]).intersection(*map(kin, beside)))
        small = small.difference(self.grid.values(), *map(kin, across))
        return small or self.least_large(beside, across)

    def least_large(self, beside: list[int], across: list[int]) -> set[int]:
        step = lcm(*beside)
        large = [*divisors(max(beside)), *range(step, min(2000 * step, MOST) + 1, step)]
        for number in sorted(large):
            if number < 10_000 or number in self.grid.values():
                continue
            if all(goes(number, other) for other in beside) and not any(goes(number, other) for other in across):
                return {number}
        return set()

    @property
    def to_move(self) -> list[int]:
        return [self.next] if len(self.gone) + 1 < self.seats and any(self.may.values()) else []

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

    def pass_on(self) -> None:
        for _ in range(self.seats):
            self.next = self.next % self.seats + 1
            if self.next not in self.gone:
                return

    def leave(self, seat: int) -> None:
        self.gone.append(seat)
        if seat == self.next:
            self.pass_on()

    def move(self, name: str, number: int) -> None:
        assert number in self.may[name]
        self.grid[name] = number
        self.last = self.next
        self.may = {name: self.allowed(name) for name in self.names()}
        self.pass_on()
