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
1 . . O . . .  0
2 O O # # . .  1
3 O # O # . .  1
4 O # # O # O  1
5 . O # . . .  0
6 . # . . . .  1
  0 1 1 0 0 0
>>> board.scores(), board.ranks()
((4, 2), (1, 2))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from typing import NamedTuple

from bot.core.game.grids import Filled
from bot.core.game.notation import listed
from bot.core.game.options import Options, number
from bot.core.game.position import Illegal
from bot.core.values.seats import Seat

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
class MultiplesDivisorsBlob(Filled):
    """A grid in which the filled squares grow as one blob; seat 1 counts rows and seat 2 columns."""

    @property
    def open(self) -> int:
        """The squares that may be filled, as a bit board: all at first, later the empty ones next to the blob."""
        size, board = self.size, self.board
        whole = (1 << size**2) - 1
        first_column = whole // ((1 << size) - 1)
        last_column = first_column << size - 1
        near = board << size | board >> size | (board & ~last_column) << 1 | (board & ~first_column) >> 1
        return near & whole & ~board if board else whole

    def check(self, index: int, name: str) -> None:
        if owner := self.owner(index):
            raise Illegal(f"{name} is already filled, by seat {owner}: choose an empty square next to a filled one.")
        if not self.open >> index & 1:
            raise Illegal(f"{name} has no filled square left, right, above or below: {self._hint()}")

    def _hint(self) -> str:
        # Where one may play, when that is short.
        able = list(self.moves(self.turn[0]))
        return (
            f"choose one of {', '.join(able)}." if len(able) <= MOST_NAMED else f"choose one that has, like {able[0]}."
        )

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple(int(clash(run_lengths(line)) is None) for line in self.lines(seat))

    def explain(self, seat: Seat, index: int) -> str:
        """Why one line scores or not: "row 3: runs 1 2 3, of 2 and 3 neither divides the other, scores 0"."""
        runs, name = run_lengths(self.lines(seat)[index]), self.line_name(seat, index)
        if len(runs) == 1:
            return f"{name}: one single run of {runs[0]}, scores 1"
        if pair := clash(runs):
            less, more = sorted((runs[pair.one], runs[pair.other]))
            return f"{name}: runs {listed(runs)}, of {less} and {more} neither divides the other, scores 0"
        return f"{name}: runs {listed(runs)}, of every two one divides the other, scores 1"
