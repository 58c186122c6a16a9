"""A second referee of Another Binary Primes, as naive as possible, sharing no code with the first."""

from __future__ import annotations

from functools import cache

from tests.games.refereed import OfTwo

WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Bases that find every composite below 3·10^24."""


@cache
def prime(value: int) -> bool:
    """Whether a number is prime, by the test of Miller and Rabin."""
    if value < 2 or any(value % small == 0 for small in WITNESSES):
        return value in WITNESSES
    odd = value - 1
    while odd % 2 == 0:
        odd //= 2
    for base in WITNESSES:
        exponent, power = odd, pow(base, odd, value)
        while exponent != value - 1 and power not in (1, value - 1):
            power, exponent = power * power % value, exponent * 2
        if power != value - 1 and exponent != odd:
            return False
    return True


def primes_in(digits: str) -> set[int]:
    """Primes whose binary form is a piece of a text of digits: every piece is looked at."""
    pieces = {digits[start:end] for start in range(len(digits)) for end in range(start + 1, len(digits) + 1)}
    return {int(piece, 2) for piece in pieces if piece[0] == "1" and prime(int(piece, 2))}


class Referee(OfTwo):
    """One match: `legal` are the moves of the one `to_move`, sorted as text."""

    def __init__(self, squares: int) -> None:
        self.column = [0] * squares
        self.marks = 0

    @property
    def to_move(self) -> list[int]:
        each = len(self.column) // 4
        return [] if self.left or self.marks == each + each else [self.marks % 2 + 1]

    @property
    def legal(self) -> list[str]:
        return sorted(str(place + 1) for place, mark in enumerate(self.column) if not mark)

    @property
    def scores(self) -> list[int]:
        down = "".join(map(str, self.column))
        up = "".join(map(str, reversed(self.column)))
        return [len(primes_in(down)), len(primes_in(up))]

    def take(self, seat: int, text: str) -> None:
        assert text in self.legal
        self.column[int(text) - 1] = 1
        self.marks += 1
