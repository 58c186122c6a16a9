"""The part of positions in which one of two seats counts the rows of a grid, and the other its columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from bot.core.game.grids.squares import Axis, line_name
from bot.core.game.grids.text_boards import text_board
from bot.core.game.notation import added
from bot.core.values.seats import BOTH, Seat


class Lined(ABC):
    """A part of positions in which one of two seats counts the rows of a square grid, and the other its columns."""

    __slots__ = ()

    AXES: ClassVar[tuple[Axis, Axis]] = ("row", "column")
    """What seat 1 and seat 2 count."""

    @abstractmethod
    def lines(self, seat: Seat) -> Sequence[Sequence[object]]:
        """The lines that a seat counts, from the left or from the top."""

    @abstractmethod
    def line_scores(self, seat: Seat) -> tuple[int, ...]:
        """What each line that a seat counts scores."""

    @abstractmethod
    def explain(self, seat: Seat, index: int) -> str:
        """The score of a line that a seat counts, with the line's name and how it comes about."""

    def axis(self, seat: Seat) -> Axis:
        """What a seat counts."""
        return self.AXES[seat - 1]

    def line_name(self, seat: Seat, index: int) -> str:
        """A line that a seat counts by its name: "row 3", "column c"."""
        return line_name(self.axis(seat), index)

    def scores(self) -> tuple[int, ...]:
        """What each seat's lines score together."""
        return sum(self.line_scores(1)), sum(self.line_scores(2))

    def working(self) -> tuple[str, ...]:
        """Both scores, line by line."""
        return tuple(line for seat in BOTH for line in self.working_of(seat))

    def working_of(self, seat: Seat) -> tuple[str, ...]:
        """One line for each line of the board that a seat counts, then one for all of them."""
        scores = self.line_scores(seat)
        explained = [self.explain(seat, index) for index in range(len(scores))]
        return (*explained, f"{self.axis(seat)}s: {self.total(scores)}")

    def total(self, scores: Sequence[int]) -> str:
        """How lines' scores make a seat's: "2 + 0 + 1 = 3"."""
        return added(scores)

    def text_rows(self) -> Sequence[Sequence[object]]:
        """The rows as the text board shows them."""
        return self.lines(self._counts_rows)

    @property
    def _counts_rows(self) -> Seat:
        return 1 + self.AXES.index("row")

    def __str__(self) -> str:
        rows = self._counts_rows
        return text_board(self.text_rows(), self.line_scores(rows), self.line_scores(3 - rows))
