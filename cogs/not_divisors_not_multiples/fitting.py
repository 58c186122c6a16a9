"""Finds the numbers that fit a square, exactly, and never by trying numbers one by one.

A number x fits a square when it divides or is a multiple of every number *beside* it (over a side), neither divides
nor is a multiple of any number *across* from it (over a corner), and has not been *used*. The smallest is found so:

**Gaps.** Let the numbers beside be n1 < n2 < … < nk. Since all of them are used, x lies in one of the gaps before,
between and after them, and so is a multiple of every smaller one and a divisor of every greater one: a multiple of
`low`, the lcm of those below the gap, and a divisor of `high`, the gcd of those above. The lowest gap in which a number
fits has the smallest.

**Below nk.** Start from x = `low` and always take the smallest x not yet looked at, while it divides `high`:

- a number across divides x: then it divides every multiple of x, and x leads nowhere;
- else x divides a number d across: what fits must have some prime p more often than d has, so x leads, for each p, to
  x·p·p·… as soon as that no longer divides d;
- else x is 1 or used: x leads to x·p for each p;
- else x fits.

If a number that fits is a multiple of x, then it is x or a multiple of a number that x leads to. So none that fits is
missed, and since numbers come in ascending order, the first that fits is the smallest.

**Above nk.** Here x = m·`low`. If a number across divides `low`, nothing fits. Otherwise some m below 1000 does. Of the
168 primes there, those that make x a multiple of a number d across are at most 4, since m must be d / gcd(d, `low`);
those that make x a divisor of one are at most 60, since a number up to 10^18 has at most 15 different primes; those
that make x a used number are at most 99. That is less than 168 together.

**All of them.** What fits, in order, is in each gap among the divisors of `high` / `low`, times `low`, and above nk
among the multiples of `low`. Up to 9999 all of these are allowed; where the smallest is larger, all up to 9999 times
the smallest.

**Factors.** Every prime factor of a number on the board is below 10 000 000: a number in a gap divides a number on the
board, and one above is m times the lcm of some, with m below 1000 for the smallest and so below 9999 · 1000 for all. So
factoring is quick, though the numbers are large.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from bot.core.values.plural import Plural
from bot.core.values.primes import LARGE, divisors, is_prime

FREE = 9999
"""Up to here any number that fits may be written; where none up to here does, any up to so many times the smallest."""
GREATEST = 10**18
"""No number is greater."""
KEPT = 16384
"""For so many sets of numbers around a square it is kept what fits where no others are used: on small boards a search
meets the same few again and again, and what else is used seldom matters."""
FACTORS_ABOVE = 1000
"""Some multiple of the lcm by a factor below this fits above the numbers beside a square, if any does."""
BLOCKED = Plural(
    "{square} is dead: {blocker} at {place} divides every multiple of {beside}, and no smaller number fits",
    "{square} is dead: {blocker} at {place} divides every common multiple of {beside}, and no smaller number fits",
)
TOO_LARGE = Plural(
    "{square} is dead: every multiple of {beside} that fits is more than 10^18, and no smaller number fits",
    "{square} is dead: every common multiple of {beside} that fits is more than 10^18, and no smaller number fits",
)
"""Why no number fits a square, by how many numbers are beside it."""
SIDES = ((0, -1), (-1, 0), (1, 0), (0, 1))
CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
"""Where the squares over a side and over a corner lie: columns to the right, rows down."""


class Around(NamedTuple):
    """The squares over the sides of a square, and those over its corners."""

    beside: tuple[int, ...]
    across: tuple[int, ...]


@cache
def around(size: int) -> tuple[Around, ...]:
    """For each square of a grid the squares around it."""

    def reached(index: int, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        row, column = divmod(index, size)
        places = ((column + right, row + down) for right, down in steps)
        return tuple(y * size + x for x, y in places if 0 <= x < size and 0 <= y < size)

    return tuple(Around(reached(index, SIDES), reached(index, CORNERS)) for index in range(size**2))


def related(one: int, other: int) -> bool:
    """Whether one of two numbers divides the other.

    >>> related(3, 6), related(6, 3), related(4, 6)
    (True, True, False)
    """
    return one % other == 0 or other % one == 0


def fits(number: int, beside: Collection[int], across: Collection[int], used: Collection[int]) -> bool:
    """Whether a number fits a square, however large it is."""
    return (
        number > 1
        and all(related(number, other) for other in beside)
        and not any(related(number, other) for other in across)
        and number not in used
    )


def least(beside: Collection[int], across: Collection[int], used: Collection[int]) -> int | None:
    """The smallest number up to 10^18 that fits a square, by the numbers beside it and across from it.

    >>> least((4, 6), (), {4, 6}), least((4, 6), (2,), {4, 6, 2}), least((16, 8), (12,), {16, 8, 12})
    (2, None, 32)
    """
    found = _kept(frozenset(beside), frozenset(across))
    return _least(beside, across, used) if found in used else found


@lru_cache(maxsize=KEPT)
def _kept(beside: frozenset[int], across: frozenset[int]) -> int | None:
    return _least(beside, across, beside)


def _least(beside: Collection[int], across: Collection[int], used: Collection[int]) -> int | None:
    ordered = sorted(beside)
    for gap in range(len(ordered)):
        low, high = math.lcm(*ordered[:gap]), math.gcd(*ordered[gap:])
        found = _between(low, high, across, used) if high % low == 0 else None
        if found:
            return found
    return _above(math.lcm(*ordered), across, used)


def most(smallest: int) -> int:
    """The greatest number that may be written into a square, by the smallest that fits it.

    >>> most(2), most(29919), most(10**17)
    (9999, 299160081, 1000000000000000000)
    """
    return FREE if smallest <= FREE else min(FREE * smallest, GREATEST)


def ascending(
    beside: Collection[int], across: Collection[int], used: Collection[int], greatest: int, digits: str = ""
) -> Iterator[int]:
    """The numbers up to `greatest` that fit a square and begin with some digits; without digits in ascending order.

    >>> list(ascending((4, 48), (), {4, 48, 8}, 150)), list(ascending((4, 48), (), {4, 48, 8}, 15000, "19"))
    ([2, 12, 16, 24, 96, 144], [192, 1920, 1968])
    """
    ordered = sorted(beside)
    for gap in range(len(ordered)):
        low, high = math.lcm(*ordered[:gap]), math.gcd(*ordered[gap:])
        among = divisors_up_to(high // low, greatest // low) if high % low == 0 and low <= greatest else ()
        yield from (low * x for x in among if fits(low * x, beside, across, used) and str(low * x).startswith(digits))
    low = math.lcm(*ordered)
    if not any(low % other == 0 for other in across):
        for first, last in _beginning(digits, greatest):
            multiples = range(max(low, -(-first // low) * low), last + 1, low)
            yield from (number for number in multiples if fits(number, beside, across, used))


def _beginning(digits: str, greatest: int) -> Iterator[tuple[int, int]]:
    """The ranges of the numbers up to some other that begin with some digits: 19, 190 to 199, 1900 to 1999, …"""
    if not digits:
        yield 1, greatest
    elif re.fullmatch("[1-9][0-9]{0,18}", digits):
        first, count = int(digits), 1
        while first <= greatest:
            yield first, min(first + count - 1, greatest)
            first, count = 10 * first, 10 * count


def divisors_up_to(number: int, greatest: int) -> list[int]:
    """The divisors of a number on the board, or that divides one, up to some other, ascending.

    >>> divisors_up_to(360, 12)
    [1, 2, 3, 4, 5, 6, 8, 9, 10, 12]
    """
    found = [1]
    for prime, power in factors(number):
        found += [
            x * y for y in (prime**exponent for exponent in range(1, power + 1)) for x in found if x * y <= greatest
        ]
    return sorted(found)


def _between(low: int, high: int, across: Collection[int], used: Collection[int]) -> int | None:
    """The smallest multiple of `low` that divides `high`, is unused, and is related to no number across."""
    queue, seen = [low], {low}
    while queue:
        number = heappop(queue)
        if any(number % other == 0 for other in across):
            continue
        over = next((other for other in across if other % number == 0), None)
        if over is None and number > 1 and number not in used:
            return number
        for larger in _leads(number, high, over):
            if larger not in seen:
                seen.add(larger)
                heappush(queue, larger)
    return None


def _leads(number: int, high: int, over: int | None) -> list[int]:
    """To what divisors of `high` a number leads that is used, or that divides the number `over` across a corner."""
    led: list[int] = []
    for prime in primes(high):
        larger = number * prime
        while over and over % larger == 0:
            larger *= prime
        if high % larger == 0:
            led.append(larger)
    return led


def _above(low: int, across: Collection[int], used: Collection[int]) -> int | None:
    """The smallest multiple of `low` up to 10^18 that is unused and related to no number across."""
    if any(low % other == 0 for other in across):
        return None
    multiples = range(low, min(FACTORS_ABOVE * low, GREATEST + 1), low)
    return next((number for number in multiples if fits(number, (), across, used)), None)


@lru_cache(maxsize=4096)
def primes(number: int) -> tuple[int, ...]:
    """The prime factors of a number that divides one on the board, ascending.

    >>> primes(360)
    (2, 3, 5)
    """
    if number <= LARGE:
        return tuple(one for one in divisors(number) if is_prime(one))
    # Importing sympy takes a moment, which a program that plays other games need not wait for.
    from sympy.ntheory import primefactors

    return tuple(primefactors(number))


def factors(number: int) -> tuple[tuple[int, int], ...]:
    """A number that divides one on the board as its primes with their powers.

    >>> factors(360)
    ((2, 3), (3, 2), (5, 1))
    """
    return tuple((prime, _power(number, prime)) for prime in primes(number))


def _power(number: int, prime: int) -> int:
    return next(power for power in range(1, 61) if number % prime ** (power + 1))
