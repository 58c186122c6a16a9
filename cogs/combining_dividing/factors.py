"""Primes, and the ways to write an integer as a product in order.

There can be very many: 131072 alone has 65535. So they come one at a time, and nothing here makes them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.core.values.primes import divisors as all_divisors

MOST_NAMED = 4
"""A refusal names divisors, and products of two, when they are no more than this."""


@lru_cache(maxsize=4096)
def divisors(number: int) -> tuple[int, ...]:
    """The divisors greater than 1 and smaller than an integer, ascending.

    >>> divisors(12), divisors(7), divisors(1)
    ((2, 3, 4, 6), (), ())
    """
    return all_divisors(number)[1:-1]


@lru_cache(maxsize=4096)
def primes(number: int) -> tuple[int, ...]:
    """The prime factors of an integer, ascending, each as often as it divides.

    >>> primes(12), primes(1)
    ((2, 2, 3), ())
    """
    least = next(iter(divisors(number)), number)
    return () if number == 1 else (least, *primes(number // least))


def splits(number: int) -> Iterator[tuple[int, ...]]:
    """All lists of two or more divisors whose product an integer is, in any order, one at a time.

    >>> list(splits(12))
    [(2, 6), (2, 2, 3), (2, 3, 2), (3, 4), (3, 2, 2), (4, 3), (6, 2)]
    """
    for first in divisors(number):
        yield first, number // first
        yield from ((first, *rest) for rest in splits(number // first))


def ways(integer: int) -> str:
    """A hint for a refusal: an integer as a product of two, where there are few: "12 = 2 × 6 = 3 × 4."."""
    pairs = [f"{divisor} × {integer // divisor}" for divisor in divisors(integer) if divisor**2 <= integer]
    return f"{' = '.join([str(integer), *pairs])}." if len(pairs) <= MOST_NAMED else ""
