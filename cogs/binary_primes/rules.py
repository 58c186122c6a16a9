"""Binary Primes (Leroy Quet, 2011)

**Goal** Hide large primes in your lines: seat 1 counts the columns, seat 2 the rows.

**A turn** Fill an empty square of the n×n grid. n is odd, 3 to 11, and each seat fills n²/4 squares, rounded down: on
the usual 7×7 grid 12 each.

**Scoring** Every line can be read as a binary number in four ways: filled squares are the ones or empty squares are,
and from either end; zeros in front are dropped. The line's prime is the largest prime among the four, or 1 if there is
none. Seat 1 multiplies the primes of all columns, seat 2 those of all rows. The higher product wins.

**Rulings** An even n is refused: there seat 2 can force a win, bar a few exceptions, as the inventor notes, crediting
Ilmari Karonen.

**Example** On a 3×3 grid seat 1 fills a3 and a1, seat 2 fills a2 and b1. Column a is 111 = 7. Column b, read from the
top with empty squares as ones, is 011 = 3. Column c, all empty, is 111 = 7. Seat 1 has 7 × 3 × 7 = 147.

>>> board = BinaryPrimes.start(BinaryPrimesOptions(size=3), 2)
>>> for seat, move in (1, "a3"), (2, "a2"), (1, "a1"), (2, "b1"):
...     board = board.play(seat, move)
>>> print(board)
  a b c
1 # O .  3
2 O . .  3
3 # . .  3
  7 3 7
>>> board.scores(), board.ranks()
((147, 27), (1, 2))
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from bot.core.game.grids import Filled
from bot.core.game.options import Options, number
from bot.core.values.primes import is_prime
from bot.core.values.seats import Seat

WHY_ODD = "On an even grid seat 2 can force a win, as Ilmari Karonen found, bar a few exceptions."


@dataclass(frozen=True, slots=True)
class BinaryPrimesOptions(Options):
    """The grid's side."""

    size: int = number(7, 3, 11, "Side of the grid: odd, 3 to 11", step=2, why=WHY_ODD)


class Reading(NamedTuple):
    """The best prime of a line: the digits it is read from, as read; from which end; and which squares are ones."""

    prime: int
    digits: str
    backwards: bool
    ones: str


@cache
def best_reading(line: str) -> Reading | None:
    """The reading of a line ("1" filled, "0" empty, from its first square) with the largest prime; None without any.

    >>> best_reading("1011")
    Reading(prime=13, digits='1101', backwards=True, ones='filled')
    """
    inverse = line.translate(str.maketrans("01", "10"))
    readings = [
        Reading(int(digits, 2), digits, backwards, ones)
        for ones, forwards in (("filled", line), ("empty", inverse))
        for backwards, digits in ((False, forwards), (True, forwards[::-1]))
    ]
    return max((reading for reading in readings if is_prime(reading.prime)), key=lambda it: it.prime, default=None)


def line_prime(line: str) -> int:
    """The prime of a line of any length, or 1."""
    reading = best_reading(line)
    return reading.prime if reading else 1


@dataclass(frozen=True, slots=True)
class BinaryPrimes(Filled):
    """A grid in which seat 1 counts columns and seat 2 rows."""

    AXES = ("column", "row")

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple(line_prime(line) for line in self.lines(seat))

    def scores(self) -> tuple[int, ...]:
        return math.prod(self.line_scores(1)), math.prod(self.line_scores(2))

    def explain(self, seat: Seat, index: int) -> str:
        """How one line comes to its prime: "row 3: from the right, filled squares as ones, 1101 = 13"."""
        name, reading = self.line_name(seat, index), best_reading(self.lines(seat)[index])
        if not reading:
            return f"{name}: no prime, counts 1"
        ends = ("top", "bottom") if self.axis(seat) == "column" else ("left", "right")
        digits = reading.digits.lstrip("0")
        return f"{name}: from the {ends[reading.backwards]}, {reading.ones} squares as ones, {digits} = {reading.prime}"

    def total(self, scores: Sequence[int]) -> str:
        primes = [prime for prime in scores if prime > 1]
        return f"{' × '.join(map(str, primes)) or '1'} = {math.prod(primes)}"
