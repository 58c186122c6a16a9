"""Multiples/Divisors Blob Game (Leroy Quet, 2011)

**Example** This is the inventor's example. Blue has the rows, Orange the columns. Row 1 has runs of 2 empty, 1 filled
and 9 empty squares. 2 does not divide 9: grey, no point. Row 2 has runs of 2, 2, 2, 2 and 4. Of any two, one divides
the other: a point for Blue. Orange wins 5 : 3.

**Goal** A *run* is a stretch of filled or of empty squares. Have many lines in which, of any two runs, one length
divides the other: the first player, Blue, in the rows, the second, Orange, in the columns.

**A turn** Fill an empty square beside a filled one: left, right, above or below. The first can be anywhere. On the
usual 8×8 grid the match is over when each of you has filled 16.

**Scoring** At first every line is a point. It stays one if, of any two lengths, one divides the other, whoever filled
the squares. More points win.

**Size** The side of the grid is 6 to 16, and each player fills a quarter of the squares, rounded down.

**Rulings** A line with just one run scores.

>>> board = MultiplesDivisorsBlob.start(MultiplesDivisorsBlobOptions(size=12), 2)
>>> squares = (
...     "a9 a10 a11 b9 b8 b7 b11 c7 d7 d6 d5 e5 e4 e3 d3 d2 c2 c1 e7 e8 e9 e10 e11 d11 f4 f5 f7 f8 f9 f11 f12 g4 "
...     "g3 g2 g5 g6 g7 g9 g12 h2 h3 h4 h7 h8 h9 h10 i4 i8 i10 j4 j3 j5 j6 i6 k3 k5 k6 k7 k8 k9 k10 k11 j11 j12 "
...     "i12 k12 l3 l4 l5 l8 l9 l11"
... )
>>> for ply, move in enumerate(squares.split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
   a b c d e f g h i j k l
1  . . O . . . . . . . . .  0
2  . . # O . . O O . . . .  1
3  . . . # O . # # . # # #  0
4  . . . . # # O O # O . O  0
5  . . . # O O # . . O O #  0
6  . . . O . . O . O # # .  0
7  . O O # # # # # . . O .  0
8  . # . . O O . O O . # O  1
9  # O . . # # O # . . O #  1
10 O . . . O . . O # . # .  0
11 # # . O # O . . . # O O  0
12 . . . . . # # . # O O .  0
   0 1 0 0 0 0 1 0 1 1 1 0
>>> board.scores(), board.ranks()
((3, 5), (2, 1))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from typing import NamedTuple

from bot.games.grids import FilledGrid
from bot.games.options import Options, number_option
from bot.games.position import BOTH, Illegal, NameSeat, Seat, find_uncatchable_seat
from bot.games.wording import Plural, join_sentences, join_words

ROWS, COLUMNS = Plural("row {names}", "rows {names}"), Plural("column {names}", "columns {names}")
RESULT, ALL_SCORE = "No point comes from {lines}.", "All rows and columns are points."
MOST_NAMED = 6
"""A refusal names the squares that may be filled when they are no more than this."""


@dataclass(frozen=True, slots=True)
class MultiplesDivisorsBlobOptions(Options):
    size: int = number_option(8, 6, 16, "Side of the grid: 6 to 16")


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
def find_clash(runs: tuple[int, ...]) -> Clash | None:
    """Of all pairs of runs of which neither divides the other one that lies closest together; None where all divide.

    >>> find_clash((2, 1, 3, 3, 2)), find_clash((2, 4, 1, 1))
    (Clash(one=3, other=4), None)
    """
    pairs = (Clash(*places) for places in combinations(range(len(runs)), 2))
    failing = (pair for pair in pairs if max(runs[pair.one], runs[pair.other]) % min(runs[pair.one], runs[pair.other]))
    return min(failing, key=lambda pair: pair.other - pair.one, default=None)


@dataclass(frozen=True, slots=True)
class MultiplesDivisorsBlob(FilledGrid):
    """A grid in which the filled squares grow as one blob; player 1 counts rows and player 2 columns."""

    @property
    def open_squares(self) -> int:
        """The squares that may be filled, as a bit board: all at first, later the empty ones next to the blob."""
        size, board = self.size, self.board
        whole = (1 << size**2) - 1
        first_column = whole // ((1 << size) - 1)
        last_column = first_column << size - 1
        near = board << size | board >> size | (board & ~last_column) << 1 | (board & ~first_column) >> 1
        return near & whole & ~board if board else whole

    def expect_fillable(self, index: int, name: str) -> None:
        if owner := self.owner(index):
            raise Illegal(f"Player {owner} has already filled {name}. Choose an empty square next to a filled one.")
        if not self.open_squares >> index & 1:
            raise Illegal(
                join_sentences(
                    f"{name} has no filled square on its left or right, above or below.", self._describe_legal_moves()
                )
            )

    def _describe_legal_moves(self) -> str:
        # Where one may play, when that is short.
        able = list(self.moves(self.turn[0]))
        named = join_words(able, " or ")
        return f"Choose {named}." if len(able) <= MOST_NAMED else f"Choose one that has, like {able[0]}."

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple(int(find_clash(run_lengths(line)) is None) for line in self.list_lines(seat))

    @property
    def certain_winner(self) -> Seat:
        # A square changes whether one row and one column score.
        return find_uncatchable_seat(self.scores(), 2 * (self.length - self.plies)) if self.turn else 0

    def explain_result(self, name: NameSeat) -> str:
        """The lines without a point."""
        failed = list[str]()
        for seat, lines in zip(BOTH, (ROWS, COLUMNS), strict=True):
            each = enumerate(self.line_scores(seat))
            names = [self.line_name(seat, index).split()[1] for index, score in each if not score]
            failed += [lines.fill_in(len(names), names=join_words(names))] if names else []
        return RESULT.format(lines=join_words(failed)) if failed else ALL_SCORE

    def explain(self, seat: Seat, index: int) -> str:
        """Why one line scores or not: "row 3: runs 1, 2, 3, and 2 does not divide 3, 0 points"."""
        told = f"{self.line_name(seat, index)}: {self.derive(seat, self.list_lines(seat)[index])}"
        return f"{told}, 1 point" if self.line_scores(seat)[index] else f"{told}, 0 points"

    def derive(self, seat: Seat, line: str) -> str:
        runs = run_lengths(line)
        if len(runs) == 1:
            return f"one run of {runs[0]}"
        told = f"runs {', '.join(map(str, runs))}"
        if pair := find_clash(runs):
            less, more = sorted((runs[pair.one], runs[pair.other]))
            return f"{told}, and {less} does not divide {more}"
        return told
