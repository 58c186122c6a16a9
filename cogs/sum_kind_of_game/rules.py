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
  a b c d
1 2 8 5 3  2
2 1 4 1 4  0
3 8 5 6 6  0
4 7 2 3 7  0
  1 0 1 1
>>> board.scores(), board.ranks()
((2, 3), (2, 1))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple, Self

from bot.core.game.grids import Lined, Numbered, lines
from bot.core.game.options import Options, number
from bot.core.values.seats import Seat

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


@cache
def numbers(size: int) -> tuple[int, ...]:
    """The numbers of a grid in the order in which they are placed: seat 1 counts up, seat 2 down."""
    most = size**2 // 2
    return tuple(value for low in range(1, most + 1) for value in (low, most + 1 - low))


@dataclass(frozen=True, slots=True)
class SumKindOfGame(Lined, Numbered):
    """A grid in which seat 1 counts rows and places ascending numbers, seat 2 columns and descending ones."""

    @classmethod
    def start(cls, options: SumKindOfGameOptions, seats: int) -> Self:
        """The empty grid."""
        return cls(options.size)

    def numbers(self) -> Sequence[int]:
        return numbers(self.size)

    def held_text(self, index: int) -> str:
        return f"{self.held(index)}, placed by seat {1 + self.placed.index(index) % 2}"

    def lines(self, seat: Seat) -> tuple[Line, ...]:
        """The lines that a seat counts: rows for seat 1, columns for seat 2."""
        return lines(self.cells, self.size, self.axis(seat))

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple(len(sums(line)) for line in self.lines(seat))

    def explain(self, seat: Seat, index: int) -> str:
        """How one line comes to its score: "row 3: 8 = 3 + 5, 5 = 2 + 3, scores 2"."""
        found = sums(self.lines(seat)[index])
        return f"{self.line_name(seat, index)}: {', '.join(map(str, found)) or 'no sums'}, scores {len(found)}"
