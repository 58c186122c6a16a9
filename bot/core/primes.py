"""Primality, for the games that need it.

Importing sympy takes longer than drawing fifty boards, so it waits until the first number is asked about.
"""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def is_prime(value: int) -> bool:
    """Whether a number is prime."""
    from sympy.ntheory import isprime

    return isprime(value)
