"""Square grids: squares, lines, base classes of positions, and boards as text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar, Literal, Protocol, Self, TypeVar

from bot.games.notation import Square, format_sum
from bot.games.position import (
    BOTH,
    Illegal,
    NameSeat,
    Position,
    ScorePart,
    Seat,
    expect_turn,
)
from bot.games.wording import Plural

# Names and numbers of the squares and the lines of a square grid.


Axis = Literal["row", "column"]
Cells = TypeVar("Cells", str, tuple[int, ...], list[int])


@cache
def list_square_names(size: int) -> tuple[str, ...]:
    """The squares of a grid as notation writes them, row by row: a1, b1, …"""
    return tuple(str(Square.from_ordinal(index, size)) for index in range(size**2))


@cache
def _index_squares(size: int) -> dict[str, int]:
    return {name: index for index, name in enumerate(list_square_names(size))}


def parse_square(text: str, size: int) -> int:
    """The index of a square, from 0 along the rows, from its name in any form; raises `Unreadable`."""
    known = _index_squares(size).get(text)
    return Square.parse(text, size, size).ordinal(size) if known is None else known


class Sized(Protocol):
    """A position on a square board, or the options of one."""

    @property
    def size(self) -> int: ...


def square_sides(position: Sized) -> tuple[int, int]:
    """The columns and rows of a square board, as the bounds of a "square" part of a move."""
    return position.size, position.size


class Squared:
    """A mixin for positions whose moves each name one square of a grid."""

    __slots__ = ()

    size: int

    def read(self, seat: Seat, text: str) -> str:
        """The name of a square typed in any form; raises `Unreadable`."""
        return list_square_names(self.size)[parse_square(text, self.size)]


def split_lines(cells: Cells, size: int, axis: Axis) -> tuple[Cells, ...]:
    """The rows of a grid from the left, or its columns from the top.

    >>> split_lines("abcd", 2, "row"), split_lines("abcd", 2, "column")
    (('ab', 'cd'), ('ac', 'bd'))
    """
    if axis == "row":
        return tuple([cells[start : start + size] for start in range(0, size**2, size)])
    return tuple([cells[column::size] for column in range(size)])


def format_column(column: int) -> str:
    """A column's letter, from its number from 0."""
    return chr(97 + column)


def line_name(axis: Axis, index: int) -> str:
    """A line by its name: "row 3", "column c"."""
    return f"{axis} {index + 1 if axis == 'row' else format_column(index)}"


def squares_of(board: int) -> Iterator[int]:
    """The squares of a bit board, ascending."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


# Boards as text: for alternative texts, and wherever no picture is shown.


SQUARES_LEFT = Plural("1 square left", "{number} squares left")
LINES_COUNT = "The {axis}s count {total}, the {others}s {other_total}."
MOVES_LEFT = Plural("1 move left", "{number} moves left")
MARKS = ".#O"
"""The marks of an empty square and of seats 1 and 2 on a text board."""


def format_board(
    rows: Sequence[Sequence[object]], right: Sequence[object] = (), below: Sequence[object] = (), even: bool = True
) -> str:
    """Rows with coordinates, letters above and numbers at the left, and with numbers in the margins.

    A cell with 0 is empty. Columns are equally wide, or, if not `even`, each as wide as it must be.

    >>> print(format_board(["#.", ".O"], (3, 10), (2, 11)))
       a  b
    1  #  .   3
    2  .  O  10
       2 11
    """
    size, heads = len(rows), [format_column(column) for column in range(len(rows[0]))]
    table = [heads, *([str(cell or ".") for cell in row] for row in rows), [*map(str, below)] or [""] * len(heads)]
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    wide = [max(wide)] * len(wide) if even else wide
    label, edge = len(str(size)), max([len(str(item)) for item in right], default=0)
    sides = ["", *map(str, range(1, size + 1)), ""]
    ends = ["", *(f"  {item:>{edge}}" for item in right), *[""] * (size - len(right)), ""]
    lines = [
        f"{side.ljust(label)} {' '.join(map(str.rjust, row, wide))}{end}".rstrip()
        for side, row, end in zip(sides, table, ends, strict=True)
    ]
    return "\n".join(lines if below else lines[:-1])


def format_row(cells: Sequence[object], first: int = 1) -> tuple[str, str]:
    """A row of squares, numbered from `first`, as two lines: their numbers, and their contents.

    >>> print(*format_row("10."), sep="\\n")
     1 2 3
     1 0 .
    """
    wide = 1 + len(str(first + len(cells) - 1))
    return "".join(f"{first + at:>{wide}}" for at in range(len(cells))), "".join(f"{cell:>{wide}}" for cell in cells)


class LineScoring(ABC):
    """A mixin for positions in which one of two seats scores the rows of a square grid, the other its columns."""

    __slots__ = ()

    AXES: ClassVar[tuple[Axis, Axis]] = ("row", "column")
    """What seat 1 and seat 2 score."""

    @abstractmethod
    def list_lines(self, seat: Seat) -> Sequence[Sequence[object]]:
        """The lines that a seat scores, each from the left or from the top."""

    @abstractmethod
    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        """The score of each line of a seat."""

    @abstractmethod
    def explain(self, seat: Seat, index: int) -> str:
        """The line of working of a line of a seat: its name, and how its score is computed."""

    @abstractmethod
    def derive(self, seat: Seat, line: Any) -> str:
        """How the score of a line of a seat is computed, where its name and its score stand beside it."""

    def list_notes(self, line: Any) -> tuple[str, ...]:
        """What is told of a line when it comes and when it goes."""
        return ()

    def find_axis(self, seat: Seat) -> Axis:
        """What a seat scores."""
        return self.AXES[seat - 1]

    def line_name(self, seat: Seat, index: int) -> str:
        """The name of a line of a seat: "row 3", "column c"."""
        return line_name(self.find_axis(seat), index)

    def scores(self) -> tuple[int, ...]:
        """For each seat the sum of its lines' scores."""
        return sum(self.line_scores(1)), sum(self.line_scores(2))

    def list_score_parts(self) -> tuple[ScorePart, ...]:
        return tuple(
            ScorePart(
                seat,
                self.line_name(seat, index),
                value,
                self.derive(seat, line),
                content=tuple(line),
                notes=self.list_notes(line),
            )
            for seat in BOTH
            for index, (value, line) in enumerate(zip(self.line_scores(seat), self.list_lines(seat), strict=True))
        )

    def working(self) -> tuple[str, ...]:
        return tuple(line for seat in BOTH for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """A line of working for each line of a seat, then one for the total."""
        scores = self.line_scores(seat)
        explained = [self.explain(seat, index) for index in range(len(scores))]
        return (*explained, f"{self.find_axis(seat)}s: {self.describe_total(scores)}")

    def explain_result(self, name: NameSeat) -> str:
        """The lines of the winner, of a draw those of seat 1, then those of the other."""
        assert isinstance(self, Position)
        seat = self.winners[0]
        total, other = (self.describe_final_total(self.line_scores(one)) for one in (seat, 3 - seat))
        axis, others = self.find_axis(seat), self.find_axis(3 - seat)
        return LINES_COUNT.format(axis=axis, total=total, others=others, other_total=other)

    def describe_total(self, scores: Sequence[int]) -> str:
        """The total of a seat's lines: "2 + 0 + 1 = 3"."""
        return format_sum(scores)

    def describe_final_total(self, scores: Sequence[int]) -> str:
        """The same for the sentence about a result."""
        return self.describe_total(scores)

    def text_rows(self) -> Sequence[Sequence[object]]:
        """The rows of the text board."""
        return self.list_lines(self._counts_rows)

    @property
    def _counts_rows(self) -> Seat:
        return 1 + self.AXES.index("row")

    def __str__(self) -> str:
        rows = self._counts_rows
        return format_board(self.text_rows(), self.line_scores(rows), self.line_scores(3 - rows))


@dataclass(frozen=True, slots=True)
class FilledGrid(Squared, LineScoring, Position):
    """A position in which two seats take turns to fill squares of a grid, each a quarter of them, rounded down."""

    size: int
    filled: tuple[int, int] = (0, 0)
    """A bit board for each seat, bit row·size + column."""
    last: int | None = None
    """The square that was filled last."""

    @classmethod
    def start(cls, options: Sized, seats: int) -> Self:
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
        """The number of moves of a whole match."""
        return 2 * (self.size**2 // 4)

    @property
    def turn(self) -> tuple[Seat, ...]:
        plies = self.plies
        return () if self.withdrawn or plies == self.length else (1 + plies % 2,)

    @property
    def progress(self) -> str:
        return MOVES_LEFT.fill_in(self.length - self.plies) if self.turn else ""

    @property
    def open_squares(self) -> int:
        """The squares that may be filled, as a bit board: the empty ones, unless a game has a rule for them."""
        return ~self.board & (1 << self.size**2) - 1

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            named = list_square_names(self.size)
            yield from (named[index] for index in squares_of(self.open_squares))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        index = parse_square(move, self.size)
        self.expect_fillable(index, move)
        return replace(self, filled=self.fill_square(seat, index), last=index)

    def expect_fillable(self, index: int, name: str) -> None:
        """Raise `Illegal` unless a square may be filled."""
        if owner := self.owner(index):
            raise Illegal(f"Player {owner} has already filled {name}. Choose an empty square.")

    def owner(self, index: int) -> Seat:
        """The seat that filled a square; 0 for an empty one."""
        first, second = self.filled
        return 1 if first >> index & 1 else 2 if second >> index & 1 else 0

    def fill_square(self, seat: Seat, index: int) -> tuple[int, int]:
        """Both bit boards after a seat fills one more square."""
        first, second = self.filled
        return (first | 1 << index, second) if seat == 1 else (first, second | 1 << index)

    def list_lines(self, seat: Seat) -> tuple[str, ...]:
        """The lines of a seat, from the left or the top, with "1" for filled and "0" for empty squares."""
        return split_lines(f"{self.board:0{self.size**2}b}"[::-1], self.size, self.find_axis(seat))

    def text_rows(self) -> tuple[str, ...]:
        return split_lines("".join(MARKS[self.owner(index)] for index in range(self.size**2)), self.size, "row")


@dataclass(frozen=True, slots=True)
class NumberedGrid(Squared, Position):
    """A position in which two seats take turns to place numbers, determined by the ply, on a grid."""

    size: int
    placed: tuple[int, ...] = field(default=(), kw_only=True)
    """The squares, in the order in which numbers were placed on them."""

    @property
    def turn(self) -> tuple[Seat, ...]:
        plies = len(self.placed)
        return () if self.withdrawn or plies == self.size**2 else (1 + plies % 2,)

    @property
    def progress(self) -> str:
        return SQUARES_LEFT.fill_in(self.size**2 - len(self.placed)) if self.turn else ""

    def numbers(self) -> Sequence[int]:
        """The numbers in the order of placing: 1, 2, 3, … unless a game overrides it."""
        return range(1, self.size**2 + 1)

    @property
    def is_full(self) -> bool:
        return len(self.placed) == self.size**2

    @property
    def cells(self) -> tuple[int, ...]:
        """The numbers, row by row, 0 for an empty square."""
        cells = [0] * self.size**2
        for index, value in zip(self.placed, self.numbers(), strict=False):
            cells[index] = value
        return tuple(cells)

    def find_next_number(self, seat: Seat) -> int | None:
        """The next number of a seat; None when it has placed all."""
        ply = len(self.placed)
        ply += ply % 2 != seat - 1
        return self.numbers()[ply] if ply < self.size**2 else None

    def number_at(self, index: int) -> int:
        """The number in a square; 0 in an empty one."""
        return self.numbers()[self.placed.index(index)] if index in self.placed else 0

    def list_empty_squares(self) -> Iterator[str]:
        taken = frozenset(self.placed)
        return (name for index, name in enumerate(list_square_names(self.size)) if index not in taken)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from self.list_empty_squares()

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        return self.place_next(seat, move)

    def place_next(self, seat: Seat, move: str) -> Self:
        """The position with the seat's next number on a square; raises `Illegal` if that is not empty."""
        index = parse_square(move, self.size)
        if index in self.placed:
            held, number = self.describe_held(index), self.find_next_number(seat)
            raise Illegal(f"{move} already holds {held}. Put {number} into an empty square.")
        return replace(self, placed=(*self.placed, index))

    def describe_held(self, index: int) -> str:
        """The content of a square, for a refusal."""
        return str(self.number_at(index))
