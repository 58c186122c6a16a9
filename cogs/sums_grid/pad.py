"""What may be chosen next for a grid, number by number: any that is not in it yet, as far as good grids ever go.

Larger numbers may be typed; on a pad they would cost every small one a tap more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.core.game.moves import Part
from bot.core.values.seats import Seat
from cogs.sums_grid.rules import SumsGrid

LARGEST = 99
"""More than the best known score of any size."""


def _numbers(position: SumsGrid, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    if seat in position.turn:
        taken = set(chosen["grid"].split())
        values = map(str, range(1, LARGEST + 1))
        yield from (value for value in values if value.startswith(typed) and value not in taken)


def _bounds(position: SumsGrid) -> tuple[int, int]:
    return 1, LARGEST


def _squares(position: SumsGrid) -> tuple[int, int]:
    return position.size**2, position.size**2


ROW_BY_ROW = Part("grid", "whole", "Its numbers, row by row", _bounds, items=_squares, following=_numbers)
"""The numbers of a grid, one after another: what is typed as a text is tapped as a list."""
