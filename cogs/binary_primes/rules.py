"""Binary Primes Game (Leroy Quet, 2011)

**Example** A line is read as a *binary number*. Row 6, with 1s for filled squares:
- `digits  0  1  0  0  1  1`
- `worth  32 16  8  4  2  1`
- 16 + 2 + 1 = 19, a *prime*: only 1 and itself divide it.

You may also read from the other end, or empty squares as 1s. Row 5 from the right is 011101 = 29. The rows make
29 × 19 = 551, the columns 61 × 29 × 53 × 3 = 281 271: Blue would win.

**Goal** Make large primes in your lines: the first player, Blue, in the columns, the second, Orange, in the rows.

**A turn** Fill an empty square. On the usual 7×7 grid each of you fills 12.

**Scoring** Each line counts the largest prime among its readings. No prime? That line is 1. Multiply your lines: the
higher product wins.

**Size** The side is odd, 3 to 11, and each player fills a quarter of the squares, rounded down. The side can't be even:
on nearly every such grid the second player can force a win, as Ilmari Karonen found and the inventor notes. His own
example is 6×6 all the same.

**Rulings** Zeros in front don't count. It does not matter who filled a square.

>>> board = inventors_grid()
>>> print(board)
   a  b  c  d  e  f
1  .  #  O  .  .  #   1
2  O  #  .  .  .  O   1
3  .  #  O  #  .  .   1
4  .  O  #  .  .  .   1
5  O  .  #  O  #  .  29
6  .  O  .  .  #  O  19
   1 61 29 53  3  1
>>> board.scores()
(281271, 551)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from bot.games.grids import FilledGrid
from bot.games.notation import format_factors, format_product, group_digits
from bot.games.options import Options, number_option
from bot.games.position import Seat
from bot.games.primes import is_prime
from bot.games.reasons import is_readable, shorten_product

RESULT = "The columns multiply to {columns}, the rows to {rows}."
INVENTORS = "b1 c1 f1 a2 b2 f2 b3 c3 d3 b4 c4 a5 c5 d5 e5 b6 e6 f6"
"""The filled squares of his example."""
ABOUT = "{factors} ≈ {product}"
WHY_ODD = "On nearly every even grid the second player can force a win, as Ilmari Karonen found."


@dataclass(frozen=True, slots=True)
class BinaryPrimesOptions(Options):
    size: int = number_option(7, 3, 11, "Side of the grid: odd, 3 to 11", step=2, why=WHY_ODD)


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
class BinaryPrimes(FilledGrid):
    """A grid in which player 1 counts columns and player 2 rows."""

    AXES = ("column", "row")

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple(line_prime(line) for line in self.list_lines(seat))

    def scores(self) -> tuple[int, ...]:
        return math.prod(self.line_scores(1)), math.prod(self.line_scores(2))

    def explain(self, seat: Seat, index: int) -> str:
        """How one line comes to its prime: "row 3: from the right, filled squares as 1s, 1101 = 13"."""
        name, line = self.line_name(seat, index), self.list_lines(seat)[index]
        reading = best_reading(line)
        if not reading:
            return f"{name}: no prime, counts 1"
        ends = ("top", "bottom") if self.find_axis(seat) == "column" else ("left", "right")
        read = f"{reading.digits.lstrip('0')} = {group_digits(reading.prime)}"
        return f"{name}: from the {ends[reading.backwards]}, {reading.ones} squares as 1s, {read}"

    def derive(self, seat: Seat, line: str) -> str:
        """The digits of a prime; a board shows from where they are read."""
        reading = best_reading(line)
        return f"read {reading.digits.lstrip('0')}" if reading else "no prime"

    def describe_total(self, scores: Sequence[int]) -> str:
        return format_product(scores)

    def describe_final_total(self, scores: Sequence[int]) -> str:
        """The product as people compare it: "97 × 53 × 241 × 89 ≈ 110 million"."""
        if is_readable((math.prod(scores),)):
            return format_product(scores)
        return ABOUT.format(factors=format_factors(scores), product=shorten_product(math.prod(scores)))


def inventors_grid() -> BinaryPrimes:
    """The inventor's 6×6 example, its squares filled by turns; no match comes to it, since an even side is refused."""
    board = BinaryPrimes(6)
    for ply, square in enumerate(INVENTORS.split()):
        board = board.play(1 + ply % 2, square)
    return board
