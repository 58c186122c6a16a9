"""Primality, for the games that need it.

Importing sympy takes longer than drawing fifty boards, and 40 MB, so it is imported for the first number that needs it.
Below `EXACT` the test of Miller and Rabin with the bases in `BASES` is exact (Sorenson and Webster, 2015).
"""

from __future__ import annotations

import math
from functools import lru_cache

SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
BASES, EXACT = SMALL[:13], 3_317_044_064_679_887_385_961_981
LARGE = 1 << 20
"""Above this, divisors are found by sympy: trial division takes longer."""
PRODUCT = math.prod(SMALL)


@lru_cache(maxsize=1 << 16)
def is_prime(value: int) -> bool:
    if value > SMALL[-1] and (math.gcd(value, PRODUCT) > 1 or pow(2, value - 1, value) != 1):
        return False
    if value <= SMALL[-1]:
        return value in SMALL
    if value < EXACT:
        return all(_passes(value, base) for base in BASES)
    from sympy.ntheory import isprime

    return isprime(value)


def _passes(value: int, base: int) -> bool:
    """Whether an odd number passes the test of Miller and Rabin with a base."""
    twos = ((value - 1) & (1 - value)).bit_length() - 1
    power = pow(base, (value - 1) >> twos, value)
    for _ in range(twos):
        if power in (1, value - 1):
            return True
        power = power * power % value
    return False


def divisors(value: int) -> tuple[int, ...]:
    """All divisors of a positive number, ascending.

    >>> divisors(12), divisors(1), divisors(49)
    ((1, 2, 3, 4, 6, 12), (1,), (1, 7, 49))
    """
    if value > LARGE:
        from sympy.ntheory import divisors as all_divisors

        return tuple(all_divisors(value))
    low = [one for one in range(1, math.isqrt(value) + 1) if value % one == 0]
    high = [value // one for one in reversed(low) if one * one != value]
    return (*low, *high)
