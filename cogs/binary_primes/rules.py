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
1 # O . 3
2 O . . 3
3 # . . 3
  7 3 7
>>> board.scores(), board.ranks()
((147, 27), (1, 2))
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, Self

from bot.core.game import Illegal, Position, expect_turn
from bot.core.notation import Square
from bot.core.options import Options, number
from bot.core.seats import Seat, ranking

SEATS = (1, 2)
MARKS = ".#O"
"""How the text board shows an empty square and those of seats 1 and 2."""
AXES = ("column", "row")
"""What seat 1 and seat 2 count."""

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
def _is_prime(value: int) -> bool:
    # Importing sympy takes longer than drawing fifty boards, so it waits until a line is scored.
    from sympy.ntheory import isprime

    return isprime(value)


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
    return max((reading for reading in readings if _is_prime(reading.prime)), key=lambda it: it.prime, default=None)


def line_prime(line: str) -> int:
    """The prime of a line of any length, or 1."""
    reading = best_reading(line)
    return reading.prime if reading else 1


@dataclass(frozen=True, slots=True)
class BinaryPrimes(Position):
    """A grid of `size` × `size` squares; `filled` has a bit board for each seat, bit row·size + column."""

    size: int
    filled: tuple[int, int] = (0, 0)
    last: int | None = None
    withdrawn: tuple[Seat, ...] = ()

    @classmethod
    def start(cls, options: BinaryPrimesOptions, seats: int) -> Self:
        """The empty grid."""
        return cls(options.size)

    @property
    def board(self) -> int:
        """All filled squares as one bit board."""
        return self.filled[0] | self.filled[1]

    @property
    def plies(self) -> int:
        """How many squares have been filled."""
        return self.board.bit_count()

    @property
    def length(self) -> int:
        """How many squares are filled when the match is over."""
        return 2 * (self.size**2 // 4)

    @property
    def turn(self) -> tuple[Seat, ...]:
        if self.withdrawn or self.plies == self.length:
            return ()
        return (SEATS[self.plies % 2],)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            empty = (index for index in range(self.size**2) if not self.board >> index & 1)
            yield from (str(Square.of(index, self.size)) for index in empty)

    def read(self, seat: Seat, text: str) -> str:
        return str(Square.parse(text, self.size, self.size))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        index = Square.parse(move, self.size, self.size).ordinal(self.size)
        if owner := self.owner(index):
            raise Illegal(f"{move} is already filled, by seat {owner}: choose an empty square.")
        columns, rows = self.filled
        filled = (columns | 1 << index, rows) if seat == 1 else (columns, rows | 1 << index)
        return replace(self, filled=filled, last=index)

    def withdraw(self, seat: Seat) -> Self:
        return replace(self, withdrawn=(*self.withdrawn, seat))

    def owner(self, index: int) -> Seat:
        """The seat that filled a square; 0 for an empty one."""
        return next((seat for seat in SEATS if self.filled[seat - 1] >> index & 1), 0)

    def lines(self, seat: Seat) -> tuple[str, ...]:
        """The lines that a seat counts, each as "1" for filled and "0" for empty squares, from the top or the left."""
        cells = f"{self.board:0{self.size**2}b}"[::-1]
        if seat == 1:
            return tuple(cells[column :: self.size] for column in range(self.size))
        return tuple(cells[row * self.size : (row + 1) * self.size] for row in range(self.size))

    def primes(self, seat: Seat) -> tuple[int, ...]:
        """The primes of the lines that a seat counts."""
        return tuple(line_prime(line) for line in self.lines(seat))

    def scores(self) -> tuple[int, ...]:
        return tuple(math.prod(self.primes(seat)) for seat in SEATS)

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else ranking(self.scores(), self.withdrawn)

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in SEATS for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """One line for each line of the board that a seat counts, then one for their product."""
        explained = [explain(AXES[seat - 1], *named) for named in enumerate(self.lines(seat))]
        primes = [prime for prime in self.primes(seat) if prime > 1]
        product = " × ".join(map(str, primes)) or "1"
        return (*explained, f"{AXES[seat - 1]}s: {product} = {math.prod(primes)}")

    def __str__(self) -> str:
        header = " " * 2 + " ".join(chr(97 + column) for column in range(self.size))
        rows = [
            f"{row + 1:<2}" + " ".join(MARKS[self.owner(row * self.size + column)] for column in range(self.size))
            for row in range(self.size)
        ]
        margin = [f"{row} {prime}" for row, prime in zip(rows, self.primes(2), strict=True)]
        return "\n".join([header, *margin, "  " + " ".join(map(str, self.primes(1)))])


def explain(axis: str, index: int, line: str) -> str:
    """How one line comes to its prime: "row 3: read from the right, filled squares as ones, 1101 = 13"."""
    name = f"{axis} {chr(97 + index) if axis == 'column' else index + 1}"
    reading = best_reading(line)
    if not reading:
        return f"{name}: no prime, counts 1"
    ends = ("top", "bottom") if axis == "column" else ("left", "right")
    digits = reading.digits.lstrip("0")
    return f"{name}: from the {ends[reading.backwards]}, {reading.ones} squares as ones, {digits} = {reading.prime}"
