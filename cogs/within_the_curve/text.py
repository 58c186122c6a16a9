"""The board as text: who is how far, and the curves, or the copies that the viewer may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogs.within_the_curve.sheet import Sheet

if TYPE_CHECKING:
    from cogs.within_the_curve.rules import WithinTheCurve


def board(position: WithinTheCurve) -> str:
    """How far every seat is, then each grid under its title."""
    seats = range(1, position.seats + 1)
    lines = [position.status(seat) for seat in seats]
    known = [seat for seat in seats if position.shows(seat)]
    if position.drawing or not known:
        bare = ((which, curve) for which, curve in enumerate(position.curves, 1) if curve)
        boards = [(f"curve {which}", Sheet().lines(curve)) for which, curve in bare]
    else:
        boards = [
            (f"curve {which}, seat {seat}'s copy", sheet.lines(curve))
            for seat in known
            for which, curve, sheet in position.copies(seat)
        ]
    return "\n".join([*lines, *(line for title, grid in boards for line in ("", title, *grid))])
