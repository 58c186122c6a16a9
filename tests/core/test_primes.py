"""Primes and divisors are told without sympy where numbers are not large, and are those that sympy tells."""

from __future__ import annotations

import subprocess
import sys
from random import Random

from bot.games.primes import EXACT, LARGE, divisors, is_prime

CARMICHAEL = (561, 1105, 41_041, 825_265, 321_197_185, 3_215_031_751, 3_825_123_056_546_413_051)
"""Numbers that fool weaker tests."""


def test_primes_are_those_of_sympy() -> None:
    from sympy.ntheory import isprime  # here, since to load it takes half a second

    rng = Random(1)
    some = [rng.randrange(10 ** rng.randrange(2, 27)) for _ in range(2_000)]
    for number in (*range(10_000), *CARMICHAEL, EXACT - 1, EXACT, *some):
        assert is_prime(number) == isprime(number), number


def test_divisors_are_those_of_sympy() -> None:
    from sympy.ntheory import divisors as all_divisors

    rng = Random(1)
    for number in (*range(1, 2_000), *(rng.randrange(1, 2 * LARGE) for _ in range(200))):
        assert list(divisors(number)) == all_divisors(number), number


def test_usual_numbers_need_no_sympy() -> None:
    """It takes 40 MiB and a third of a second."""
    program = (
        "import sys; from bot.games.primes import divisors, is_prime;"
        " assert is_prime(10**18 + 9) and divisors(131072); assert 'sympy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
