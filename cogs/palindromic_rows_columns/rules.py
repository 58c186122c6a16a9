"""Palindromic Rows/Columns (Leroy Quet, 2011)

**Example** A *palindrome* reads the same from both ends. Blue's rows 1 and 4 are palindromes. In row 2, b2 is filled
and its mirror square c2 is empty; in row 3, a3 is filled and d3 is empty. Each such mismatch would need a
*flip*: 2 for Blue. Orange's columns need 1 + 2 + 1 + 0 = 4. So Blue wins.

**Goal** Have lines that read the same from both ends: the first player, Blue, in the rows, the second, Orange, in the
columns.

**A turn** Fill an empty square. On the usual 7×7 grid each of you fills 12. Then the match is over.

**Scoring** Compare each square of a line with its mirror square: the first with the last, the second with the last but
one. If one is filled and the other empty, a flip would be needed. The middle square of an odd line never differs. Fewer
flips win.

**Size** The side of the grid is 4 to 12, and each player fills a quarter of the squares, rounded down. It does not
matter who filled a square. With an even side the second player can copy every move upside down. Then all columns are
palindromes, and the second player cannot lose; if half the side is odd, the second player even wins.

>>> board = PalindromicRowsColumns.start(PalindromicRowsColumnsOptions(size=4), 2)
>>> for ply, move in enumerate("b2 a1 b1 d4 c1 d1 a3 a4".split()):
...     board = board.play(1 + ply % 2, move)
>>> print(board)
  a b c d
1 O # # O  0
2 . # . .  1
3 # . . .  1
4 O . . O  0
  1 2 1 0
>>> board.scores(), board.ranks()
((2, 4), (1, 2))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from bot.games.grids import Axis, FilledGrid, format_column
from bot.games.options import Options, number_option
from bot.games.position import NameSeat, Seat, find_uncatchable_seat, rank_seats
from bot.games.wording import Plural

RESULT = "Fewer flips win: the rows need {rows}, the columns {columns}."
PAIR = "\N{EN DASH}"
"""Between the two squares of a pair."""
FLIPS = Plural("1 flip", "{number} flips")


@dataclass(frozen=True, slots=True)
class PalindromicRowsColumnsOptions(Options):
    size: int = number_option(7, 4, 12, "Side of the grid: 4 to 12")


class Pair(NamedTuple):
    """Two squares of a line that mirror each other, as places from 0."""

    near: int
    far: int


@lru_cache(maxsize=16384)
def find_differing_pairs(line: str) -> tuple[Pair, ...]:
    """The mirrored pairs of a line ("1" filled, "0" empty) that differ, from the outermost inwards; each costs a flip.

    >>> find_differing_pairs("100010")
    (Pair(near=0, far=5), Pair(near=1, far=4))
    """
    pairs = (Pair(place, len(line) - 1 - place) for place in range(len(line) // 2))
    return tuple(pair for pair in pairs if line[pair.near] != line[pair.far])


@dataclass(frozen=True, slots=True)
class PalindromicRowsColumns(FilledGrid):
    """A grid in which player 1 counts rows and player 2 columns."""

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        """The fewest flips that make each line which a seat counts a palindrome."""
        return tuple(len(find_differing_pairs(line)) for line in self.list_lines(seat))

    def ranks(self) -> tuple[int, ...] | None:
        # The smaller number wins.
        return None if self.turn else rank_seats([-score for score in self.scores()], self.withdrawn)

    @property
    def certain_winner(self) -> Seat:
        # A square changes the flips of one row and of one column by one. Fewer flips win.
        most = 2 * (self.length - self.plies)
        return find_uncatchable_seat([-score for score in self.scores()], most) if self.turn else 0

    def explain_result(self, name: NameSeat) -> str:
        rows, columns = self.scores()
        return RESULT.format(rows=rows, columns=columns)

    def explain(self, seat: Seat, index: int) -> str:
        """How many flips one line costs: "row 3: b–e, c–d differ, 2 flips"."""
        name, line = self.line_name(seat, index), self.list_lines(seat)[index]
        pairs = find_differing_pairs(line)
        if not pairs:
            return f"{name}: a palindrome, 0 flips"
        return f"{name}: {self.derive(seat, line)}, {FLIPS.fill_in(len(pairs))}"

    def derive(self, seat: Seat, line: str) -> str:
        pairs = find_differing_pairs(line)
        said = ", ".join(PAIR.join(_name_square(self.find_axis(seat), at) for at in pair) for pair in pairs)
        return f"{said} differ" if pairs else "a palindrome"


def _name_square(axis: Axis, at: int) -> str:
    # A square of a line by its column in a row, by its row in a column.
    return format_column(at) if axis == "row" else str(at + 1)
