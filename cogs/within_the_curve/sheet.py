"""A seat's copy of a curve: how the seat numbered it and which numbers it wrote inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import Self

from bot.core.game.notation import Square
from bot.core.game.position import Illegal
from cogs.within_the_curve.curve import Curve, neighbours

TURNS = {True: "cw", False: "ccw"}
"""How notation writes a direction: whether it is clockwise."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where on the curve 1 stands (None: not numbered yet), which way it goes on, and the squares of 1, 2, … inside."""

    start: int | None = None
    clockwise: bool = True
    filled: tuple[int, ...] = ()

    @property
    def following(self) -> int:
        """The number that is written next."""
        return len(self.filled) + 1

    def numbers(self, curve: Curve) -> dict[int, int]:
        """The number of every square that has one, the curve's own included."""
        if self.start is None:
            return {}
        outer = curve.numbered(self.start, self.clockwise)
        return {square: number for line in (outer, self.filled) for number, square in enumerate(line, 1)}

    def openings(self, curve: Curve) -> Iterator[int]:
        """The squares that the next number may be written into, ascending."""
        if self.start is None:
            return
        numbers = self.numbers(curve)
        for square in curve.interior:
            if square not in numbers and clash(curve, numbers, square, self.following) is None:
                yield square

    def lines(self, curve: Curve) -> list[str]:
        """The copy as text: "." outside, "_" inside, "#" on the curve, numbers on it bare and inside in brackets."""
        numbers = self.numbers(curve)
        cells = ["."] * curve.size**2
        for square in curve.path:
            cells[square] = str(numbers.get(square, "#"))
        for square in curve.interior:
            cells[square] = f"({numbers[square]})" if square in numbers else "_"
        width = max(len(cell) for cell in cells)
        columns = [chr(97 + column) for column in range(curve.size)]
        rows = (cells[first : first + curve.size] for first in range(0, len(cells), curve.size))
        named = [("", columns), *((str(row), cells) for row, cells in enumerate(rows, 1))]
        return [f"{name:<2}" + "".join(f" {cell:>{width}}" for cell in cells) for name, cells in named]

    def number(self, curve: Curve, start: int, clockwise: bool) -> Self:
        """The sheet with its curve numbered, or `Illegal`."""
        if self.start is not None:
            given = f"from {Square.of(self.start, curve.size)} {TURNS[self.clockwise]}"
            raise Illegal(f"This curve is already numbered, {given}. Undo that first to number it again.")
        if start not in curve.path:
            raise Illegal(f"{Square.of(start, curve.size)} isn't on the curve. Start on one of its squares.")
        return replace(self, start=start, clockwise=clockwise)

    def fill(self, curve: Curve, squares: Sequence[int]) -> Self:
        """The sheet with the next numbers in these squares, one after another, or `Illegal`."""
        if self.start is None:
            raise Illegal("This curve isn't numbered yet. Number it before you fill it.")
        numbers = self.numbers(curve)
        inside = set(curve.interior)
        for value, square in enumerate(squares, self.following):
            check_square(curve, numbers, inside, square, value)
            numbers[square] = value
        return replace(self, filled=(*self.filled, *squares))

    def undo(self, count: int) -> Self:
        """The sheet without its last numbers inside, or, where it has none, without its numbering; or `Illegal`."""
        if self.start is None:
            raise Illegal("This curve isn't numbered yet, so there is nothing to undo.")
        if not count:
            raise Illegal("You can't take back 0 numbers. Undo at least 1.")
        if not self.filled and count == 1:
            return replace(self, start=None, clockwise=True)
        if not self.filled:
            raise Illegal(f"There are no numbers inside, so you can't take back {count}. Undo the numbering alone.")
        if count > len(self.filled):
            raise Illegal(f"You can't take back {count} numbers. The last one inside is {len(self.filled)}.")
        return replace(self, filled=self.filled[:-count])


def clash(curve: Curve, numbers: Mapping[int, int], square: int, value: int) -> int | None:
    """The first square next to this one whose number shares a factor with the value; None where it may be written."""
    beside = neighbours(curve.size)[square]
    return next((other for other in beside if gcd(numbers.get(other, 1), value) > 1), None)


def check_square(curve: Curve, numbers: Mapping[int, int], inside: set[int], square: int, value: int) -> None:
    """Raise `Illegal` unless the value may be written into the square."""
    name = Square.of(square, curve.size)
    if square not in inside:
        if square in curve.path:
            raise Illegal(f"{name} is on the curve. {value} goes into an empty square inside it.")
        raise Illegal(f"{name} isn't inside the curve. {value} goes into an empty square inside it.")
    if square in numbers:
        raise Illegal(f"{name} already holds {numbers[square]}. {value} goes into an empty square inside the curve.")
    other = clash(curve, numbers, square, value)
    if other is not None:
        factor, place = gcd(value, numbers[other]), Square.of(other, curve.size)
        raise Illegal(
            f"{value} doesn't fit {name}. {numbers[other]} is next to it at {place}, and {factor} divides both."
        )
