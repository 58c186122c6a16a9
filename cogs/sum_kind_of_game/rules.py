"""Sum Kind Of Game (Leroy Quet, 2011)

**Example** This is the inventor's example. Row 1 is a point for Blue three times: 3 = 1 + 2, 4 = 1 + 3 and 5 = 1 + 4.
Column e is a point for Orange three times: 8 = 3 + 5, and each 11 = 3 + 8. Blue's rows have 3 + 2 + 2 + 1 + 2 + 1 = 11,
Orange's columns 2 + 2 + 1 + 1 + 3 + 2 = 11: a draw.

**Goal** Make numbers that are the sum of two others: the first player, Blue, in the rows, the second, Orange, in the
columns.

**A turn** Place your next number in an empty square. On the usual 6×6 grid Blue places 1, 2, 3 … up to 18, and Orange
counts down from 18 to 1. When the grid is full, the match is over.

**Scoring** A number is a point for Blue if it is the sum of two other squares of its row, and for Orange if it is the
sum of two others of its column, whichever is placed last. It counts once, even if several pairs make it. More points
win.

**Size** The side is even, 4 to 10. On n×n squares the numbers go up to n²/2.

**Rulings** The two squares may hold equal numbers: 8 is 4 + 4 if 4 is there twice.

>>> board = SumKindOfGame.start(SumKindOfGameOptions(size=6), 2)
>>> squares = (
...     "a1 b6 b1 d3 c1 a6 d1 d5 e1 b4 f3 d6 c5 f5 a5 e6 a4 a3 f2 e4 e2 e5 a2 c6 c3 c4 b3 c2 d2 d4 b5 e3 b2 f4 f1 f6"
... )
>>> for ply, move in enumerate(squares.split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
   a  b  c  d  e  f
1  1  2  3  4  5 18  3
2 12 17  5 15 11 10  2
3 10 14 13 17  3  6  2
4  9 14  6  4  9  2  1
5  8 16  7 15  8 12  2
6 16 18  7 13 11  1  1
   2  2  1  1  3  2
>>> board.scores(), board.ranks()
((11, 11), (1, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple, Self

from bot.games.grids import LineScoring, NumberedGrid, split_lines
from bot.games.options import Options, number_option
from bot.games.position import BOTH, Position, ScorePart, Seat

WHY_EVEN = "Only with an even side do both of you place the same numbers."

NO_SUM = "no new sum in its row or column"
"""Why a move has changed no score."""

Line = tuple[int, ...]
"""The numbers of a row from the left or of a column from the top, 0 for an empty square."""


@dataclass(frozen=True, slots=True)
class SumKindOfGameOptions(Options):
    size: int = number_option(6, 4, 10, "Side of the grid: even, 4 to 10", step=2, why=WHY_EVEN)


class Sum(NamedTuple):
    """A square that scores: its place in the line from 0, its number, and the two numbers that make it."""

    place: int
    total: int
    less: int
    more: int

    def __str__(self) -> str:
        return f"{self.total} = {self.less} + {self.more}"


@lru_cache(maxsize=4096)
def find_sums(line: Line) -> tuple[Sum, ...]:
    """The squares of a line that are sums of two others, each with the pair that has the smallest number.

    >>> [str(found) for found in find_sums((2, 8, 5, 3))]
    ['8 = 3 + 5', '5 = 2 + 3']
    """
    pairs = {less + more: (less, more) for less, more in sorted(combinations(sorted(filter(None, line)), 2))[::-1]}
    # No number is in a pair of its own: its partner would be 0.
    return tuple(Sum(place, total, *pairs[total]) for place, total in enumerate(line) if total in pairs)


@cache
def list_numbers(size: int) -> tuple[int, ...]:
    """The numbers of a grid in the order in which they are placed: player 1 counts up, player 2 down."""
    most = size**2 // 2
    return tuple(value for low in range(1, most + 1) for value in (low, most + 1 - low))


@dataclass(frozen=True, slots=True)
class SumKindOfGame(LineScoring, NumberedGrid):
    """A grid in which player 1 counts rows and places ascending numbers, player 2 columns and descending ones."""

    @classmethod
    def start(cls, options: SumKindOfGameOptions, seats: int) -> Self:
        return cls(options.size)

    def numbers(self) -> Sequence[int]:
        return list_numbers(self.size)

    def describe_held(self, index: int) -> str:
        return f"{self.number_at(index)}, placed by player {1 + self.placed.index(index) % 2}"

    def list_lines(self, seat: Seat) -> tuple[Line, ...]:
        """The lines that a seat counts: rows for player 1, columns for player 2."""
        return split_lines(self.cells, self.size, self.find_axis(seat))

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple(len(find_sums(line)) for line in self.list_lines(seat))

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        """A part for each sum, so that of a line only the new ones are told."""
        return tuple(
            ScorePart(seat, self.line_name(seat, index), 1, str(found), key=(index, found.place))
            for seat in BOTH
            for index, line in enumerate(self.list_lines(seat))
            for found in find_sums(line)
        )

    def explain_unchanged(self, before: Position) -> tuple[str, ...]:
        return (NO_SUM,)

    def explain(self, seat: Seat, index: int) -> str:
        """How one line comes to its score: "row 3: 8 = 3 + 5, 5 = 2 + 3, scores 2"."""
        name, line = self.line_name(seat, index), self.list_lines(seat)[index]
        return f"{name}: {self.derive(seat, line)}, scores {len(find_sums(line))}"

    def derive(self, seat: Seat, line: Line) -> str:
        return ", ".join(map(str, find_sums(line))) or "no sums"
