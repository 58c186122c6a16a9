"""The board on a pad: the curve as far as it is drawn, or the one copy that is worked on with what is chosen in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from bot.core.game.notation import Square, squares
from bot.core.game.position import Illegal
from bot.core.values.seats import Seat
from cogs.within_the_curve.curve import Curve
from cogs.within_the_curve.picture import copy_of, pictures
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import TURNS, Sheet
from rendering import frames
from rendering.boards import centre
from rendering.shapes import Picture, Shape

THIN = 0.4
"""The weight of the side that would close a curve, in parts of the others'."""


def sketch(position: WithinTheCurve, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The player's grid or copy with what is chosen of a move marked on it."""
    if kind == "curve":
        (grid,) = pictures(position)
        corners = squares(chosen["corners"], position.size, position.size) if chosen else ()
        return (frames.over(grid, _sides(corners, position.size, grid.point)),)
    which = int(chosen.get("curve", 0))
    copies = [(curve, sheet) for at, curve, sheet in position.copies(seat) if at == which]
    return tuple(_worked(position, seat, which, *copy, kind, chosen) for copy in copies) or pictures(position)


def _sides(corners: tuple[Square, ...], size: int, unit: float) -> Iterator[Shape]:
    """Frames about the corners and a line from each to the next; a thin one where the curve would be closed."""
    for corner in corners:
        yield from frames.square(*corner, str(corner), unit)
    for start, end in pairwise(corners):
        yield from frames.between(centre(*start), centre(*end), 0.5, f"{start}-{end}", unit)
    if _is_curve(corners, size):
        yield from frames.between(centre(*corners[-1]), centre(*corners[0]), 0.5, "closed", unit, THIN)


def _is_curve(corners: tuple[Square, ...], size: int) -> bool:
    try:
        Curve.drawn(corners, size)
    except Illegal:
        return False
    return True


def _worked(
    position: WithinTheCurve, seat: Seat, which: int, curve: Curve, sheet: Sheet, kind: str, chosen: Mapping[str, str]
) -> Picture:
    """A copy with the squares framed that are spoken of; numbers that are to be written stand in it already."""
    marked, shown, first = _marked(curve, sheet, kind, chosen)
    board = copy_of(position, seat, which, curve, shown, last=True)
    marks = [shape for square in marked for shape in frames.square(*square, str(square), board.point)]
    return frames.over(board, [*(_first(marked[0], board.point) if first else ()), *marks])


def _marked(curve: Curve, sheet: Sheet, kind: str, chosen: Mapping[str, str]) -> tuple[list[Square], Sheet, bool]:
    """The squares to frame, the sheet to show, and whether a 1 is to be shown in the first of the squares."""
    size = curve.size
    if kind == "undo":
        taken = sheet.filled[-int(chosen.get("count", 1)) :] or ([] if sheet.start is None else [sheet.start])
        return [Square.of(square, size) for square in taken], sheet, False
    text = chosen.get("square") or chosen.get("squares")
    if not text:
        return [], sheet, False
    named = squares(text, size, size)
    places = [square.ordinal(size) for square in named]
    if kind == "fill":
        return list(named), sheet.fill(curve, places), False
    if "direction" not in chosen:
        return list(named), sheet, True
    return list(named), sheet.number(curve, places[0], chosen["direction"] == TURNS[True]), False


def _first(square: Square, unit: float) -> Iterator[Shape]:
    return frames.written(*square, "1", unit)
