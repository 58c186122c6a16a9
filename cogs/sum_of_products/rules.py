"""Sum Of Products, Number Of Numbers Game (Leroy Quet, 2011)

**Example** This is the inventor's example. Row 1 has three 1s and two 2s, so it scores 3 × 2 = 6. It has no 3, so its 5
counts for nothing. Row 2 has two 1s, one 2 and two 3s: 2 × 1 × 2 = 4. Blue's rows make 6 + 4 + 4 + 9 + 8 + 2 = 33,
Orange's columns 6 + 6 + 6 + 6 + 4 + 3 = 31: Blue wins.

**Goal** Write numbers so that your lines score more: the first player, Blue, has the rows, the second, Orange, the
columns.

**A turn** Write any number from 1 to 6 in an empty square of the 6×6 grid, until the grid is full.

**Scoring** Count the 1s of a line, its 2s, its 3s and so on, up to the first number that is missing. Multiply these
counts. Even a line without a 1 scores 1. Add up your lines: the higher sum wins.

**Size** The side n of the grid is 3 to 9, usually 6, and the numbers are 1 to n.

**Rulings** An empty line counts as a line without a 1.

>>> board = SumOfProducts.start(SumOfProductsOptions(size=6), 2)
>>> rows = ("112125", "132135", "511131", "121212", "211211", "235341")
>>> for ply, digit in enumerate("".join(rows)):
...     board = board.play(1 + ply % 2, f"{'abcdef'[ply % 6]}{1 + ply // 6} {digit}")
>>> print(board)
  a b c d e f
1 1 1 2 1 2 5  6
2 1 3 2 1 3 5  4
3 5 1 1 1 3 1  4
4 1 2 1 2 1 2  9
5 2 1 1 2 1 1  8
6 2 3 5 3 4 1  2
  6 6 6 6 4 3
>>> board.scores(), board.ranks()
((33, 31), (1, 2))
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from bot.games.grids import SQUARES_LEFT, LineScoring, list_square_names, split_lines
from bot.games.notation import Square, parse_square_and_number, parse_whole, tidy
from bot.games.options import Options, number_option
from bot.games.position import Illegal, Position, Seat, Suggestion, Unreadable, expect_turn
from bot.games.wording import Plural

Line = tuple[int, ...]
"""The numbers of a row from the left or of a column from the top, 0 for an empty square."""


PRODUCT = "1s to {last}s: {counts} = {product}"
"""What other lines score, by the counts that are multiplied."""
NO_ONE = "without a 1"
ONES = Plural("1 one", "{number} ones")
"""What a line without a 2 scores."""


@dataclass(frozen=True, slots=True)
class SumOfProductsOptions(Options):
    size: int = number_option(6, 3, 9, "Side of the grid: 3 to 9")


@lru_cache(maxsize=4096)
def count_factors(line: Line) -> tuple[int, ...]:
    """How many 1s, 2s, 3s … a line has, up to the first number that is missing.

    >>> count_factors((1, 2, 5, 1, 2, 2))
    (2, 3)
    """
    counts = [line.count(value) for value in range(1, len(line) + 1)]
    return tuple(counts[: [*counts, 0].index(0)])


def score_line(line: Line) -> int:
    """What a line scores; the empty product of a line without a 1 is 1."""
    return math.prod(count_factors(line))


@dataclass(frozen=True, slots=True)
class SumOfProducts(LineScoring, Position):
    """A grid of `size` × `size` numbers, `cells`, row by row, 0 for an empty square; `last` was written last."""

    size: int
    cells: tuple[int, ...]
    last: int | None = None

    @classmethod
    def start(cls, options: SumOfProductsOptions, seats: int) -> Self:
        return cls(options.size, (0,) * options.size**2)

    @property
    def plies(self) -> int:
        """How many numbers have been written."""
        return self.size**2 - self.cells.count(0)

    @property
    def progress(self) -> str:
        return SQUARES_LEFT.fill_in(self.cells.count(0)) if self.turn else ""

    @property
    def turn(self) -> tuple[Seat, ...]:
        return () if self.withdrawn or 0 not in self.cells else (1 + self.plies % 2,)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            empty = (name for name, value in zip(list_square_names(self.size), self.cells, strict=True) if not value)
            yield from (f"{square} {value}" for square in empty for value in range(1, self.size + 1))

    def suggest(self, seat: Seat, typed: str) -> Iterator[Suggestion]:
        """Squares while the square is typed; once it is there, numbers with what its row and its column would score."""
        head, _, tail = typed.rpartition(" ")
        try:
            square = str(Square.parse(head, self.size, self.size))
        except Unreadable:
            square, head = typed.lower().replace(" ", "").replace("-", ""), ""
        for move in self.moves(seat):
            if not head and move.startswith(square):
                yield Suggestion(move)
            elif head and move.startswith(f"{square} {tail}"):
                yield Suggestion(move, self._describe_outcome(seat, move))

    def _describe_outcome(self, seat: Seat, move: str) -> str:
        # What the lines of a square score after a move: "row 4 scores 6, column c 2".
        square, _ = parse_square_and_number(move, self.size, self.size)
        after = self.play(seat, move)
        row, column = after.line_scores(1)[square.row], after.line_scores(2)[square.column]
        return f"{self.line_name(1, square.row)} scores {row}, {self.line_name(2, square.column)} {column}"

    def read(self, seat: Seat, text: str) -> str:
        square, value = parse_square_and_number(tidy(text), self.size, self.size)
        return f"{square} {parse_whole(value)}"

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        square, text = parse_square_and_number(move, self.size, self.size)
        index, value = square.ordinal(self.size), parse_whole(text)
        if held := self.cells[index]:
            raise Illegal(f"{square} already holds {held}. Choose an empty square.")
        if not 1 <= value <= self.size:
            raise Illegal(f"You can't write {value}. On this grid the numbers are 1 to {self.size}.")
        return replace(self, cells=(*self.cells[:index], value, *self.cells[index + 1 :]), last=index)

    def list_lines(self, seat: Seat) -> tuple[Line, ...]:
        """The lines that a seat counts: rows for player 1, columns for player 2."""
        return split_lines(self.cells, self.size, self.find_axis(seat))

    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        return tuple(map(score_line, self.list_lines(seat)))

    def counting_squares(self, seat: Seat) -> frozenset[int]:
        """The squares whose number counts in the line of a seat that they lie on."""
        reach = [len(count_factors(line)) for line in self.list_lines(seat)]
        where = (divmod(index, self.size)[seat - 1] for index in range(self.size**2))
        return frozenset(
            index for index, (line, value) in enumerate(zip(where, self.cells, strict=True)) if 0 < value <= reach[line]
        )

    def explain(self, seat: Seat, index: int) -> str:
        """How one line comes to its score: "row 3: 2·3·1 = 6"."""
        name, counts = self.line_name(seat, index), count_factors(self.list_lines(seat)[index])
        return f"{name}: {'·'.join(map(str, counts))} = {math.prod(counts)}" if counts else f"{name}: no 1, scores 1"

    def derive(self, seat: Seat, line: Line) -> str:
        counts = count_factors(line)
        if not counts:
            return NO_ONE
        missing = f"no {len(counts) + 1}" if len(counts) < self.size else ""
        product = {"counts": "·".join(map(str, counts)), "product": math.prod(counts), "last": len(counts)}
        made = PRODUCT.format(**product) if len(counts) > 1 else ONES.fill_in(sum(counts))
        return ", ".join(filter(None, (made, missing)))
