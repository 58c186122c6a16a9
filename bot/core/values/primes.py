"""Primality, for the games that need it.

Importing sympy takes longer than drawing fifty boards, so it waits until the first number is asked about. Most numbers
have a small factor or fail Fermat's test, which is told sooner than by asking sympy.
"""

from __future__ import annotations

import math
from functools import lru_cache

SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
PRODUCT = math.prod(SMALL)


@lru_cache(maxsize=1 << 16)
def is_prime(value: int) -> bool:
    """Whether a number is prime."""
    if value > SMALL[-1] and (math.gcd(value, PRODUCT) > 1 or pow(2, value - 1, value) != 1):
        return False
    from sympy.ntheory import isprime

    return isprime(value)
