"""Palindromic Rows/Columns (Leroy Quet, 2011)

**Goal** Have lines that read the same from both ends: seat 1 counts the rows, seat 2 the columns.

**A turn** Fill an empty square of the n×n grid; n is 4 to 12, usually 7. Each seat fills n²/4 squares, rounded down: on
the usual 7×7 grid 12 each.

**Scoring** A line is a palindrome when its first square is like its last, its second like its last but one, and so on,
both filled or both empty; who filled them does not matter. Every two such squares that differ cost one flip, from
filled to empty or back. Seat 1 has the fewest flips that make all rows palindromes, seat 2 the fewest that make all
columns palindromes. The smaller number wins.

**Even or odd** With an even n seat 2 can copy every move of seat 1 upside down. All columns are palindromes then, so
seat 2 cannot lose; where n/2 is odd, seat 2 even wins.

**Example** A row # . . . # . costs two flips: its first and last square differ, and so do its second and fifth. On the
4×4 grid below the rows 1 and 4 are palindromes, the others cost a flip each: seat 1 has 2. The column a costs one flip,
b two, c one and d none: seat 2 has 4, and seat 1 wins.

>>> board = PalindromicRowsColumns.start(PalindromicRowsColumnsOptions(size=4), 2)
>>> for ply, move in enumerate("b2 a1 b1 d4 c1 d1 a3 a4".split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
   a b c d
1  O # # O  0
2  . # . .  1
3  # . . .  1
4  O . . O  0
   1 2 1 0
>>> board.scores(), board.ranks()
((2, 4), (1, 2))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, Self

from bot.core.game import Illegal, Position, expect_turn
from bot.core.notation import Square
from bot.core.options import Options, number
from bot.core.seats import Seat, ranking

SEATS = (1, 2)
MARKS = ".#O"
"""How the text board shows an empty square and those of seats 1 and 2."""
AXES = ("row", "column")
"""What seat 1 and seat 2 count."""


@dataclass(frozen=True, slots=True)
class PalindromicRowsColumnsOptions(Options):
    """The grid's side."""

    size: int = number(7, 4, 12, "Side of the grid: 4 to 12")


class Pair(NamedTuple):
    """Two squares of a line that mirror each other, as places from 0."""

    near: int
    far: int


@lru_cache(maxsize=16384)
def differing(line: str) -> tuple[Pair, ...]:
    """The mirrored pairs of a line ("1" filled, "0" empty) that differ, from the outermost inwards; each costs a flip.

    >>> differing("100010")
    (Pair(near=0, far=5), Pair(near=1, far=4))
    """
    pairs = (Pair(place, len(line) - 1 - place) for place in range(len(line) // 2))
    return tuple(pair for pair in pairs if line[pair.near] != line[pair.far])


@dataclass(frozen=True, slots=True)
class PalindromicRowsColumns(Position):
    """A grid of `size` × `size` squares; `filled` has a bit board for each seat, bit row·size + column."""

    size: int
    filled: tuple[int, int] = (0, 0)
    last: int | None = None

    @classmethod
    def start(cls, options: PalindromicRowsColumnsOptions, seats: int) -> Self:
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
        first, second = self.filled
        filled = (first | 1 << index, second) if seat == 1 else (first, second | 1 << index)
        return replace(self, filled=filled, last=index)

    def withdraw(self, seat: Seat) -> Self:
        return replace(self, withdrawn=(*self.withdrawn, seat))

    def owner(self, index: int) -> Seat:
        """The seat that filled a square; 0 for an empty one."""
        return next((seat for seat in SEATS if self.filled[seat - 1] >> index & 1), 0)

    def lines(self, seat: Seat) -> tuple[str, ...]:
        """The lines that a seat counts, each as "1" for filled and "0" for empty squares, from the left or the top."""
        cells = f"{self.board:0{self.size**2}b}"[::-1]
        if seat == 1:
            return tuple(cells[row * self.size : (row + 1) * self.size] for row in range(self.size))
        return tuple(cells[column :: self.size] for column in range(self.size))

    def flips(self, seat: Seat) -> tuple[int, ...]:
        """The fewest flips that make each line which a seat counts a palindrome."""
        return tuple(len(differing(line)) for line in self.lines(seat))

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(self.flips(seat)) for seat in SEATS)

    def ranks(self) -> tuple[int, ...] | None:
        # The smaller number wins.
        return None if self.turn else ranking([-score for score in self.scores()], self.withdrawn)

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in SEATS for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """One line for each line of the board that a seat counts, then one for their sum."""
        explained = [explain(seat, *named) for named in enumerate(self.lines(seat))]
        flips = self.flips(seat)
        return (*explained, f"{AXES[seat - 1]}s: {' + '.join(map(str, flips))} = {sum(flips)}")

    def __str__(self) -> str:
        header = " " * 3 + " ".join(chr(97 + column) for column in range(self.size))
        rows = [
            f"{row + 1:<3}" + " ".join(MARKS[self.owner(row * self.size + column)] for column in range(self.size))
            for row in range(self.size)
        ]
        margin = [f"{row}  {flips}" for row, flips in zip(rows, self.flips(1), strict=True)]
        return "\n".join([header, *margin, " " * 3 + " ".join(map(str, self.flips(2)))])


def explain(seat: Seat, index: int, line: str) -> str:
    """How many flips one line costs: "row 3: b and e, c and d differ, 2 flips"."""
    along, across = ("abcdefghijkl", range(1, 13)) if seat == 1 else (range(1, 13), "abcdefghijkl")
    name = f"{AXES[seat - 1]} {across[index]}"
    pairs = differing(line)
    if not pairs:
        return f"{name}: a palindrome, 0 flips"
    named = ", ".join(f"{along[near]} and {along[far]}" for near, far in pairs)
    return f"{name}: {named} differ, {len(pairs)} flip{'s' if len(pairs) > 1 else ''}"
