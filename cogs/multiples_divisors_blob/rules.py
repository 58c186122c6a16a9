"""Multiples/Divisors Blob Game (Leroy Quet, 2011)

**Goal** Have many lines in which of every two runs one divides the other: seat 1 counts the rows, seat 2 the columns.

**A turn** Fill an empty square of the n×n grid; n is 6 to 16, usually 8. The first move goes anywhere, every later one
next to a filled square: left or right of it, above or below. Each seat fills n²/4 squares, rounded down: on the usual
8×8 grid 16 each.

**Scoring** A line falls into runs, of filled squares and of empty ones by turns. It scores a point if of every two of
its run lengths one divides the other; filled or empty, and who filled it, does not matter. More points win.

**Rulings** A line that is one single run scores.

**Example** A row # # . . . . # . has the runs 2, 4, 1 and 1: 2 divides 4, and 1 divides everything, so it scores. A row
# # . . . # # # has the runs 2, 3 and 3, and of 2 and 3 neither divides the other: no point. On the 6×6 grid below the
rows 1 and 5 have runs of 2 and 3, the other rows score: 4 2, 4 2, 6 and 1 1 4. Of the columns only b, 1 5, and c, 5 1,
score.

>>> board = MultiplesDivisorsBlob.start(MultiplesDivisorsBlobOptions(size=6), 2)
>>> for ply, move in enumerate("d3 c3 b3 d4 c2 c1 c4 a3 e4 b2 d2 f4 c5 b5 b4 a4 b6 a2".split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
   a b c d e f
1  . . O . . .  0
2  O O # # . .  1
3  O # O # . .  1
4  O # # O # O  1
5  . O # . . .  0
6  . # . . . .  1
   0 1 1 0 0 0
>>> board.scores(), board.ranks()
((4, 2), (1, 2))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, groupby
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
MOST_NAMED = 6
"""A refusal names the squares that may be filled when they are no more than this."""


@dataclass(frozen=True, slots=True)
class MultiplesDivisorsBlobOptions(Options):
    """The grid's side."""

    size: int = number(8, 6, 16, "Side of the grid: 6 to 16")


class Clash(NamedTuple):
    """Two runs of a line of which neither length divides the other: their places among the runs, from 0."""

    one: int
    other: int


@lru_cache(maxsize=16384)
def run_lengths(line: str) -> tuple[int, ...]:
    """The lengths of a line's runs, of filled ("1") and of empty ("0") squares alike.

    >>> run_lengths("11000010")
    (2, 4, 1, 1)
    """
    return tuple(len(list(run)) for _, run in groupby(line))


@lru_cache(maxsize=16384)
def clash(runs: tuple[int, ...]) -> Clash | None:
    """Of all pairs of runs of which neither divides the other one that lies closest together; None where all divide.

    >>> clash((2, 1, 3, 3, 2)), clash((2, 4, 1, 1))
    (Clash(one=3, other=4), None)
    """
    pairs = (Clash(*places) for places in combinations(range(len(runs)), 2))
    failing = (pair for pair in pairs if max(runs[pair.one], runs[pair.other]) % min(runs[pair.one], runs[pair.other]))
    return min(failing, key=lambda pair: pair.other - pair.one, default=None)


@dataclass(frozen=True, slots=True)
class MultiplesDivisorsBlob(Position):
    """A grid of `size` × `size` squares; `filled` has a bit board for each seat, bit row·size + column."""

    size: int
    filled: tuple[int, int] = (0, 0)
    last: int | None = None

    @classmethod
    def start(cls, options: MultiplesDivisorsBlobOptions, seats: int) -> Self:
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

    @property
    def open(self) -> int:
        """The squares that may be filled, as a bit board: all at first, later the empty ones next to the blob."""
        size, board = self.size, self.board
        whole = (1 << size**2) - 1
        first_column = whole // ((1 << size) - 1)
        last_column = first_column << size - 1
        near = board << size | board >> size | (board & ~last_column) << 1 | (board & ~first_column) >> 1
        return near & whole & ~board if board else whole

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            open_squares = self.open
            yield from (str(Square.of(index, self.size)) for index in range(self.size**2) if open_squares >> index & 1)

    def read(self, seat: Seat, text: str) -> str:
        return str(Square.parse(text, self.size, self.size))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        index = Square.parse(move, self.size, self.size).ordinal(self.size)
        if owner := self.owner(index):
            raise Illegal(f"{move} is already filled, by seat {owner}: choose an empty square next to a filled one.")
        if not self.open >> index & 1:
            raise Illegal(f"{move} has no filled square left, right, above or below: {self._hint()}")
        first, second = self.filled
        filled = (first | 1 << index, second) if seat == 1 else (first, second | 1 << index)
        return replace(self, filled=filled, last=index)

    def _hint(self) -> str:
        # Where one may play, when that is short.
        able = list(self.moves(self.turn[0]))
        return (
            f"choose one of {', '.join(able)}." if len(able) <= MOST_NAMED else f"choose one that has, like {able[0]}."
        )

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

    def points(self, seat: Seat) -> tuple[int, ...]:
        """For each line that a seat counts its point, or 0."""
        return tuple(int(clash(run_lengths(line)) is None) for line in self.lines(seat))

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(self.points(seat)) for seat in SEATS)

    def ranks(self) -> tuple[int, ...] | None:
        return None if self.turn else ranking(self.scores(), self.withdrawn)

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in SEATS for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """One line for each line of the board that a seat counts, then one for their sum."""
        explained = [explain(seat, *named) for named in enumerate(self.lines(seat))]
        points = self.points(seat)
        return (*explained, f"{AXES[seat - 1]}s: {' + '.join(map(str, points))} = {sum(points)}")

    def __str__(self) -> str:
        header = " " * 3 + " ".join(chr(97 + column) for column in range(self.size))
        rows = [
            f"{row + 1:<3}" + " ".join(MARKS[self.owner(row * self.size + column)] for column in range(self.size))
            for row in range(self.size)
        ]
        margin = [f"{row}  {point}" for row, point in zip(rows, self.points(1), strict=True)]
        return "\n".join([header, *margin, " " * 3 + " ".join(map(str, self.points(2)))])


def line_name(seat: Seat, index: int) -> str:
    """A line that a seat counts by its name: "row 3", "column c"."""
    return f"{AXES[seat - 1]} {index + 1 if seat == 1 else chr(97 + index)}"


def explain(seat: Seat, index: int, line: str) -> str:
    """Why one line scores or not: "row 3: runs 1 2 3, of 2 and 3 neither divides the other, scores 0"."""
    runs, name = run_lengths(line), line_name(seat, index)
    if len(runs) == 1:
        return f"{name}: one single run of {runs[0]}, scores 1"
    listed = " ".join(map(str, runs))
    if pair := clash(runs):
        less, more = sorted((runs[pair.one], runs[pair.other]))
        return f"{name}: runs {listed}, of {less} and {more} neither divides the other, scores 0"
    return f"{name}: runs {listed}, of every two one divides the other, scores 1"
