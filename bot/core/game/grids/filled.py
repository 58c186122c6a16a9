"""Positions in which two seats fill squares of a grid and count its lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from bot.core.game.grids.lined import Lined
from bot.core.game.grids.squares import Sized, Squared, lines, names, place, squares_of
from bot.core.game.grids.text_boards import MARKS
from bot.core.game.position import Illegal, Position, expect_turn
from bot.core.values.seats import Seat


@dataclass(frozen=True, slots=True)
class Filled(Squared, Lined, Position):
    """A position in which two seats in turn fill squares of a grid, a quarter of them each, rounded down."""

    size: int
    filled: tuple[int, int] = (0, 0)
    """A bit board for each seat, bit row·size + column."""
    last: int | None = None
    """The square that was filled last."""

    @classmethod
    def start(cls, options: Sized, seats: int) -> Self:
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
        """The seat that is to fill a square."""
        plies = self.plies
        return () if self.withdrawn or plies == self.length else (1 + plies % 2,)

    @property
    def open(self) -> int:
        """The squares that may be filled, as a bit board: the empty ones, unless a game has a rule for them."""
        return ~self.board & (1 << self.size**2) - 1

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            named = names(self.size)
            yield from (named[index] for index in squares_of(self.open))

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        index = place(move, self.size)
        self.check(index, move)
        return replace(self, filled=self.filled_with(seat, index), last=index)

    def check(self, index: int, name: str) -> None:
        """Raise `Illegal` unless a square may be filled."""
        if owner := self.owner(index):
            raise Illegal(f"Player {owner} has already filled {name}. Choose an empty square.")

    def owner(self, index: int) -> Seat:
        """The seat that filled a square; 0 for an empty one."""
        first, second = self.filled
        return 1 if first >> index & 1 else 2 if second >> index & 1 else 0

    def filled_with(self, seat: Seat, index: int) -> tuple[int, int]:
        """Both bit boards when a seat has filled one square more."""
        first, second = self.filled
        return (first | 1 << index, second) if seat == 1 else (first, second | 1 << index)

    def lines(self, seat: Seat) -> tuple[str, ...]:
        """The lines that a seat counts, each as "1" for filled and "0" for empty squares, from the left or the top."""
        return lines(f"{self.board:0{self.size**2}b}"[::-1], self.size, self.axis(seat))

    def text_rows(self) -> tuple[str, ...]:
        return lines("".join(MARKS[self.owner(index)] for index in range(self.size**2)), self.size, "row")
