"""What helps the computer with Another Binary Primes: who makes a mark is all the same, and so is in which order."""

from __future__ import annotations

import math

from bot.core.mind import Lots, Mind
from bot.core.playouts import filling
from bot.core.primes import is_prime
from cogs.another_binary_primes.rules import AnotherBinaryPrimes

SMALL = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
PRODUCT = math.prod(SMALL)
"""Most odd numbers have a factor in common with it, and need no test."""


def _prime(odd: int) -> bool:
    if odd <= SMALL[-1]:
        return odd in SMALL
    return math.gcd(odd, PRODUCT) == 1 and pow(2, odd - 1, odd) == 1 and is_prime(odd)  # dear only where it is likely


def _primes(digits: int) -> int:
    """How many primes there are in the runs of a binary number."""
    marks = [place for place in range(digits.bit_length()) if digits >> place & 1]
    found = {(digits & (2 << first) - 1) >> last for at, first in enumerate(marks) for last in marks[:at]}
    ten = digits >> 1 & ~digits
    return sum(map(_prime, found)) + bool(ten)


def _rollout(position: AnotherBinaryPrimes, lots: Lots) -> tuple[int, int]:
    """How many primes there are when the marks that are yet to be made are in any of the empty squares."""
    squares, board = position.squares, position.board
    board |= filling((1 << squares) - 1 & ~board, position.length - position.plies, lots)
    from_the_bottom = f"{board:0{squares}b}"
    return _primes(int(from_the_bottom[::-1], 2)), _primes(board)


def _key(position: AnotherBinaryPrimes) -> int:
    return position.board


MIND: Mind[AnotherBinaryPrimes] = Mind(rollout=_rollout, key=_key)
