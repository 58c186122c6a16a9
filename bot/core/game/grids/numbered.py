"""Positions in which two seats place numbers that the ply decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from bot.core.game.grids.squares import Squared, names, place
from bot.core.game.position import Illegal, Position, expect_turn
from bot.core.values.seats import Seat


@dataclass(frozen=True, slots=True)
class Numbered(Squared, Position):
    """A position in which two seats in turn put numbers, which the ply decides, into squares of a grid."""

    size: int
    placed: tuple[int, ...] = field(default=(), kw_only=True)
    """The squares in the order in which they got their numbers."""

    @property
    def turn(self) -> tuple[Seat, ...]:
        """The seat that is to place a number."""
        plies = len(self.placed)
        return () if self.withdrawn or plies == self.size**2 else (1 + plies % 2,)

    def numbers(self) -> Sequence[int]:
        """The numbers in the order in which they are placed: 1, 2, 3, … unless a game says otherwise."""
        return range(1, self.size**2 + 1)

    @property
    def full(self) -> bool:
        """Whether all numbers are placed."""
        return len(self.placed) == self.size**2

    @property
    def cells(self) -> tuple[int, ...]:
        """The numbers, row by row, 0 for an empty square."""
        cells = [0] * self.size**2
        for index, value in zip(self.placed, self.numbers(), strict=False):
            cells[index] = value
        return tuple(cells)

    def following(self, seat: Seat) -> int | None:
        """The number that a seat places next; None when it has placed all."""
        ply = len(self.placed)
        ply += ply % 2 != seat - 1
        return self.numbers()[ply] if ply < self.size**2 else None

    def held(self, index: int) -> int:
        """The number in a square; 0 in an empty one."""
        return self.numbers()[self.placed.index(index)] if index in self.placed else 0

    def empty(self) -> Iterator[str]:
        """The names of the empty squares."""
        taken = frozenset(self.placed)
        return (name for index, name in enumerate(names(self.size)) if index not in taken)

    def moves(self, seat: Seat) -> Iterator[str]:
        if seat in self.turn:
            yield from self.empty()

    def play(self, seat: Seat, move: str) -> Self:
        expect_turn(self, seat)
        return self.with_next(seat, move)

    def with_next(self, seat: Seat, move: str) -> Self:
        """The position with the seat's next number in a square, or `Illegal` where one stands there."""
        index = place(move, self.size)
        if index in self.placed:
            raise Illegal(
                f"{move} already holds {self.held_text(index)}. Put {self.following(seat)} into an empty square."
            )
        return replace(self, placed=(*self.placed, index))

    def held_text(self, index: int) -> str:
        """What a square holds, as a refusal says it."""
        return str(self.held(index))
