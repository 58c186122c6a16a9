"""Which numbers fit a square, decided exactly, and never by trying numbers one by one.

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

**Factors.** Every prime factor of a number on the board is below 10 000: a number up to 9999 has no others, and a
greater one is written only where it is the smallest that fits, so that it divides a number on the board, or is m times
the lcm of some. So factoring is quick, though the numbers are large.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import lru_cache
from heapq import heappop, heappush

FREE = 9999
"""Up to here any number that fits may be written; above it only the smallest that fits a square where none up to here
does."""
GREATEST = 10**18
FACTORS_ABOVE = 1000
"""Some multiple of the lcm by a factor below this fits above the numbers beside a square, if any does."""


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


def least(beside: Collection[int], across: Sequence[int], used: Collection[int]) -> int | None:
    """The smallest number up to 10^18 that fits a square, by the numbers beside it and across from it.

    >>> least((4, 6), (), {4, 6}), least((4, 6), (2,), {4, 6, 2}), least((16, 8), (12,), {16, 8, 12})
    (2, None, 32)
    """
    ordered = sorted(beside)
    for gap in range(len(ordered)):
        low, high = math.lcm(*ordered[:gap]), math.gcd(*ordered[gap:])
        found = _between(low, high, across, used) if high % low == 0 else None
        if found:
            return found
    return _above(math.lcm(*ordered), across, used)


def _between(low: int, high: int, across: Sequence[int], used: Collection[int]) -> int | None:
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


def _above(low: int, across: Sequence[int], used: Collection[int]) -> int | None:
    """The smallest multiple of `low` up to 10^18 that is unused and related to no number across."""
    if any(low % other == 0 for other in across):
        return None
    multiples = range(low, min(FACTORS_ABOVE * low, GREATEST + 1), low)
    return next((number for number in multiples if fits(number, (), across, used)), None)


@lru_cache(maxsize=4096)
def primes(number: int) -> tuple[int, ...]:
    """The prime factors of a divisor of a number on the board, ascending.

    >>> primes(360)
    (2, 3, 5)
    """
    # Importing sympy takes a moment, which a program that plays other games need not wait for.
    from sympy.ntheory import primefactors

    return tuple(primefactors(number))


def factors(number: int) -> tuple[tuple[int, int], ...]:
    """A number on the board as its primes with their powers.

    >>> factors(360)
    ((2, 3), (3, 2), (5, 1))
    """
    return tuple((prime, _power(number, prime)) for prime in primes(number))


def _power(number: int, prime: int) -> int:
    return next(power for power in range(1, 61) if number % prime ** (power + 1))
