"""Sum Kind Of Game (Leroy Quet, 2011)

**Goal** Make numbers that are the sum of two others: seat 1 counts them in the rows, seat 2 in the columns.

**A turn** Put your next number into an empty square of the n×n grid; n is even, 4 to 10, usually 6. Seat 1 places 1, 2,
3 and so on up to n²/2, seat 2 the same numbers downwards, from n²/2 to 1. The match ends when the grid is full.

**Scoring** A square scores a point for seat 1 if its number is the sum of the numbers in two different squares of its
row, and a point for seat 2 if it is the sum of the numbers in two different squares of its column. More points win.

**Rulings** The two squares may hold equal numbers: 8 is 4 + 4 where 4 stands twice. A square counts once, however many
pairs make it.

**Example** On the 4×4 grid below row 1 is 2 8 5 3: two points for seat 1, since 8 = 3 + 5 and 5 = 2 + 3. Seat 2 has a
point for column a, 8 = 1 + 7, one for column c, 6 = 1 + 5, and one for column d, 7 = 3 + 4. Seat 2 wins by 3 to 2.

>>> board = SumKindOfGame.start(SumKindOfGameOptions(size=4), 2)
>>> for ply, move in enumerate("a2 b1 a1 a4 d1 c3 d2 c1 b3 b2 d3 c4 d4 b4 a3 c2".split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
   a  b  c  d
1  2  8  5  3   2
2  1  4  1  4   0
3  8  5  6  6   0
4  7  2  3  7   0
   1  0  1  1
>>> board.scores(), board.ranks()
((2, 3), (2, 1))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, Self

from bot.core.game import Illegal, Position, expect_turn
from bot.core.notation import Square
from bot.core.options import Options, number
from bot.core.seats import Seat, ranking

SEATS = (1, 2)
AXES = ("row", "column")
"""What seat 1 and seat 2 count."""

WHY_EVEN = "An even side has an even number of squares, so that both seats place the same numbers."

Line = tuple[int, ...]
"""The numbers of a row from the left or of a column from the top, 0 for an empty square."""


@dataclass(frozen=True, slots=True)
class SumKindOfGameOptions(Options):
    """The grid's side."""

    size: int = number(6, 4, 10, "Side of the grid: even, 4 to 10", step=2, why=WHY_EVEN)


class Sum(NamedTuple):
    """A square that scores: its place in the line from 0, its number, and the two numbers that make it."""

    place: int
    total: int
    less: int
    more: int

    def __str__(self) -> str:
        return f"{self.total} = {self.less} + {self.more}"


@lru_cache(maxsize=4096)
def sums(line: Line) -> tuple[Sum, ...]:
    """The squares of a line that are sums of two others, each with the pair that has the smallest number.

    >>> [str(found) for found in sums((2, 8, 5, 3))]
    ['8 = 3 + 5', '5 = 2 + 3']
    """
    pairs = {less + more: (less, more) for less, more in sorted(combinations(sorted(filter(None, line)), 2))[::-1]}
    # No number is in a pair of its own: its partner would be 0.
    return tuple(Sum(place, total, *pairs[total]) for place, total in enumerate(line) if total in pairs)


@dataclass(frozen=True, slots=True)
class SumKindOfGame(Position):
    """A grid of `size` × `size` squares; `placed` are the squares in the order in which they got their numbers."""

    size: int
    placed: tuple[int, ...] = ()

    @classmethod
    def start(cls, options: SumKindOfGameOptions, seats: int) -> Self:
        """The empty grid."""
        return cls(options.size)

    @property
    def most(self) -> int:
        """The largest number that a seat places."""
        return self.size**2 // 2

    @property
    def cells(self) -> tuple[int, ...]:
        """The numbers, row by row, 0 for an empty square."""
        cells = [0] * self.size**2
        for ply, index in enumerate(self.placed):
            cells[index] = self.number_at(ply)
        return tuple(cells)

    def number_at(self, ply: int) -> int:
        """The number that is placed at a ply: seat 1 counts up, seat 2 down."""
        return self.most - ply // 2 if ply % 2 else ply // 2 + 1

    def following(self, seat: Seat) -> int | None:
        """The number that a seat places next; None when it has placed all."""
        ply = next(ply for ply in (len(self.placed), len(self.placed) + 1) if SEATS[ply % 2] == seat)
        return self.number_at(ply) if ply < self.size**2 else None

    @property
    def turn(self) -> tuple[Seat, ...]:
        if self.withdrawn or len(self.placed) == self.size**2:
            return ()
        return (SEATS[len(self.placed) % 2],)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            taken = frozenset(self.placed)
            yield from (str(Square.of(index, self.size)) for index in range(self.size**2) if index not in taken)

    def read(self, seat: Seat, text: str) -> str:
        return str(Square.parse(text, self.size, self.size))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        index = Square.parse(move, self.size, self.size).ordinal(self.size)
        if index in self.placed:
            ply = self.placed.index(index)
            raise Illegal(
                f"{move} already holds {self.number_at(ply)}, placed by seat {SEATS[ply % 2]}: "
                f"put {self.following(seat)} into an empty square."
            )
        return replace(self, placed=(*self.placed, index))

    def withdraw(self, seat: Seat) -> Self:
        return replace(self, withdrawn=(*self.withdrawn, seat))

    def lines(self, seat: Seat) -> tuple[Line, ...]:
        """The lines that a seat counts: rows for seat 1, columns for seat 2."""
        cells = self.cells
        if seat == 1:
            return tuple(cells[row * self.size : (row + 1) * self.size] for row in range(self.size))
        return tuple(cells[column :: self.size] for column in range(self.size))

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        """How many squares of each line that a seat counts are sums."""
        return tuple(len(sums(line)) for line in self.lines(seat))

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(self.line_scores(seat)) for seat in SEATS)

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else ranking(self.scores(), self.withdrawn)

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in SEATS for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """One line for each line of the board that a seat counts, then one for their sum."""
        explained = [explain(seat, *named) for named in enumerate(self.lines(seat))]
        scores = self.line_scores(seat)
        return (*explained, f"{AXES[seat - 1]}s: {' + '.join(map(str, scores))} = {sum(scores)}")

    def __str__(self) -> str:
        header = "  " + "".join(f"{chr(97 + column):>2} " for column in range(self.size)).rstrip()
        rows = [
            f"{row:<2}" + "".join(f"{value or '.':>2} " for value in line) + f" {score:>2}"
            for row, (line, score) in enumerate(zip(self.lines(1), self.line_scores(1), strict=True), 1)
        ]
        return "\n".join([header, *rows, ("  " + "".join(f"{score:>2} " for score in self.line_scores(2))).rstrip()])


def explain(seat: Seat, index: int, line: Line) -> str:
    """How one line comes to its score: "row 3: 8 = 3 + 5, 5 = 2 + 3, scores 2"."""
    name = f"{AXES[seat - 1]} {index + 1 if seat == 1 else chr(97 + index)}"
    found = sums(line)
    return f"{name}: {', '.join(map(str, found)) or 'no sums'}, scores {len(found)}"
