"""Draws Within The Curve: a player's own copies, how far everybody is, and in the end all copies.

While players are at work the others see only how far they are. A player sees all copies on a page, and on a pad the one
that is worked on: which number is next, and a ring on each square where it may go. At the end each curve has a page
with everybody's copy of it, the largest number inside on gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from bot.core.game.notation import Square, listed
from bot.core.game.notation import squares as parsed_squares
from bot.core.game.position import Illegal
from bot.core.values.seats import Seat
from cogs.within_the_curve import drawing, panels
from cogs.within_the_curve.curve import Curve
from cogs.within_the_curve.drawing import Place
from cogs.within_the_curve.panels import NAME, TITLE
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import TURNS, Sheet
from rendering import boards, frames
from rendering.boards import Layout
from rendering.legend import ROW as LEGEND_ROW
from rendering.legend import colour
from rendering.pages import facts, page
from rendering.shapes import LEAST, LEGEND, SEAT_INKS, TOTAL, Box, Chip, Picture, Shape, Text, width

# In points.
BELOW, ROW, LINE = 24, LEGEND_ROW, 38
"""From the board to what stands below it; the height of a row with a sign, and of a line of text."""
SIGN, AFTER = 44, 16
"""The side of a sign, and the gap after it."""
SAMPLE, CELL = 226, 30
"""The height of the small curve that shows how one is given, and a square of it."""

NAMED = 24
"""How many squares an alternative text names at most."""
MOST_PICTURES = 10
"""How many pictures a message has room for (Discord's limit)."""
TASK = (
    "Name its corners in order, like",
    "b2 e2 e3 d3 d5 b5 at the right;",
    "the last one joins the first.",
    "It has 8 squares at least, none of",
    "them twice, and encloses some.",
)
ASIDE = 90
"""Right of the grid on a pad, whose keys need the room below it."""
THIN = 0.4
"""On a pad, the weight of the side that would close a curve, in parts of the others'."""
CORNERS = tuple(Square(*corner) for corner in ((1, 1), (4, 1), (4, 2), (3, 2), (3, 4), (1, 4)))
"""The curve that this describes."""


def pictures(position: WithinTheCurve) -> tuple[Picture, ...]:
    """What the viewer may see: their own copies, who is how far, or all copies when the match is over."""
    viewer = position.viewer
    if viewer and position.turn:
        return _own(position, viewer)
    if not position.opened or not any(position.shows(seat) for seat in range(1, position.seats + 1)):
        return (panels.status(position),)
    revealed, own = panels.reveal(position), _own(position, viewer) if viewer else ()
    return (*revealed, *own) if len(revealed) + len(own) <= MOST_PICTURES else revealed


def _own(position: WithinTheCurve, seat: Seat) -> tuple[Picture, ...]:
    if position.drawing:
        curve = position.curves[seat - 1]
        return (_drawn(position, seat, curve) if curve else _undrawn(position, seat),)
    copies = list(position.copies(seat))
    if len(copies) > 1 and seat in position.turn:
        return panels.work(position, seat)
    return tuple(copy_of(position, seat, *copy, last=copy == copies[-1]) for copy in copies)


# A page with one grid.


@lru_cache(maxsize=64)
def _layout(size: int, below: float) -> Layout:
    return Layout(columns=size, rows=size, below=BELOW + below)


@lru_cache(maxsize=64)
def _base(layout: Layout) -> tuple[Shape, ...]:
    return (*drawing.grid(Place(layout.point), round(layout.columns)), *boards.coordinates(layout))


def _page(
    position: WithinTheCurve,
    layout: Layout,
    said: str,
    shapes: Iterable[Shape],
    name: str = "",
    more: Sequence[str] = (),
    listed: bool = True,
) -> Picture:
    alt = facts(TITLE, f"{position.size} by {position.size}", said, *more)
    return page(layout, f"{NAME}{name}", alt, _base(layout), shapes, panels.entries(position) if listed else ())


def _middle(layout: Layout, top: float, height: float = ROW) -> float:
    """The middle of a row that begins `top` points below the board's lower margin."""
    return layout.rows + (BELOW + top + height / 2) * layout.point


def _row(layout: Layout, top: float, sign: Iterable[Shape], words: str, result: str = "") -> Iterator[Shape]:
    """A sign and what it means, and perhaps a result at the right."""
    (left, right), y, point = layout.edges, _middle(layout, top), layout.point
    yield from sign
    left += (SIGN + AFTER) * point
    yield Text(left, y, words, layout.fit(words, right - left, LEGEND), "ink", "left")
    if result:
        yield Text(right, y, result, layout.fit(result, (right - left) / 2, TOTAL), "ink", "right")


def _texts(layout: Layout, top: float, words: Sequence[str]) -> Iterator[Text]:
    for place, line in enumerate(words):
        y = _middle(layout, top + place * LINE, LINE)
        yield Text(layout.edges[0], y, line, LEAST * layout.point, "ink", "left")


# While curves are drawn.


def _undrawn(position: WithinTheCurve, seat: Seat) -> Picture:
    """An empty grid, and how a curve is given."""
    layout = _layout(position.size, SAMPLE)
    said = "draw your curve" if seat in position.turn else "you have left"
    shapes = (*_texts(layout, 0, TASK), *_sample(layout, seat))
    return _page(position, layout, said, shapes)


def _sample(layout: Layout, seat: Seat) -> Iterator[Shape]:
    """At the right below the board a small curve with its corners."""
    point, right, side = layout.point, layout.edges[1], 6
    cell, size = CELL * point, LEAST * point
    place = Place(point, cell, right - side * cell, _middle(layout, size / point + 4, 0))
    curve = Curve.drawn(CORNERS, side)
    yield from drawing.grid(place, side)
    yield from drawing.bare(curve, seat, place)
    yield from drawing.turns(curve, seat, place)
    for step in range(side):
        x, y = place.centre(Square(step, step))
        yield Text(x, place.top - 0.6 * size, boards.letter(step), size, "faded")
        yield Text(place.left - 0.4 * size, y, boards.ordinal(step), size, "faded", "right")


def _drawn(position: WithinTheCurve, seat: Seat, curve: Curve) -> Picture:
    """The player's own curve, and who is still drawing."""
    layout = _layout(position.size, ROW)
    place, left = Place(layout.point), seat in position.withdrawn
    sign = Chip(layout.edges[0] + SIGN / 2 * layout.point, _middle(layout, 0), SIGN * layout.point, seat)
    words = f"your curve has {len(curve.path)} squares and {len(curve.interior)} inside"
    shapes = (
        *drawing.bare(curve, seat, place),
        *drawing.turns(curve, seat, place),
        *_row(layout, 0, [sign], words),
    )
    said = "you have left" if left else "your curve is drawn, others are drawing"
    return _page(position, layout, said, shapes, more=[f"it has its corners at {curve}"])


# A copy of a curve.


def copy_of(position: WithinTheCurve, seat: Seat, which: int, curve: Curve, sheet: Sheet, last: bool) -> Picture:
    """A player's copy of a curve, what is next in it, and under the last one who is how far."""
    active = seat in position.turn
    squares = [Square.of(square, curve.size) for square in sheet.openings(curve)] if active else []
    layout = _layout(position.size, ROW)
    place, said = Place(layout.point), _said(sheet, len(squares), active)
    x = layout.edges[0] + SIGN / 2 * layout.point
    shapes = (
        *drawing.corridor(curve, which, place),
        *drawing.outer(curve, sheet, which, place),
        *drawing.inner(curve, sheet, place),
        *drawing.openings(squares, seat, place),
        *_row(layout, 0, _sign(sheet, which, seat, squares, x, _middle(layout, 0), layout.point), said),
    )
    whose = f"curve {which}, yours" if which == seat else f"curve {which}, {colour(which)}'s"
    free = f"free: {listed(squares)}" if 0 < len(squares) <= NAMED else ""
    return _page(position, layout, whose, shapes, f"-{which}", (said, free), last)


def _said(sheet: Sheet, openings: int, active: bool) -> str:
    """What the player does next in a copy, or how it ended."""
    number, largest = sheet.following, len(sheet.filled)
    if sheet.start is None:
        return "choose where 1 goes on the curve" if active else "not numbered"
    if openings:
        return f"{number} is next, in one of {openings} squares" if openings > 1 else f"{number} is next, in one square"
    if active:
        return f"{number} fits nowhere, so {largest} counts"
    return f"{largest} counts" if largest else "nothing inside"


def _sign(
    sheet: Sheet, which: int, seat: Seat, squares: Sequence[Square], x: float, y: float, point: float
) -> Iterator[Shape]:
    """The sign that stands in the squares that the words speak of."""
    side = SIGN * point
    if sheet.start is None:
        yield Box(x - side / 2, y - side / 2, side, side, SEAT_INKS[which - 1])
        yield Text(x, y, "1", LEAST * point, "white", on=SEAT_INKS[which - 1])
    elif squares:
        yield drawing.opening(x, y, seat, side / 2, point, "paper")
    else:
        text, room = str(len(sheet.filled)), 0.86 * side
        yield Box(x - side / 2, y - side / 2, side, side, "gold")
        yield Text(x, y, text, max(LEAST * point, min(0.6 * side, room * side / width(text, side))), on="gold")


# On a pad.


def sketch(position: WithinTheCurve, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The grid or the one copy that the player works on, with what is chosen of a move marked on it; before a copy is
    chosen all of them, small; of more than fit a phone beside keys no numbers."""
    if kind == "curve":
        grid = _page(position, replace(_layout(position.size, 0), right=ASIDE), "draw your curve", ())
        corners = parsed_squares(chosen["corners"], position.size, position.size) if chosen else ()
        return (frames.over(grid, _sides(corners, position.size, grid.point)),)
    which = int(chosen.get("curve", 0))
    copies = [(curve, sheet) for at, curve, sheet in position.copies(seat) if at == which]
    worked = tuple(_worked(position, seat, which, *copy, kind, chosen) for copy in copies)
    small = panels.work(position, seat) if position.seats <= panels.MOST_TINTS else (panels.status(position),)
    return worked or tuple(page.bare for page in small)


def _sides(corners: tuple[Square, ...], size: int, unit: float) -> Iterator[Shape]:
    """Frames about the corners and a line from each to the next; a thin one where the curve would be closed."""
    for corner in corners:
        yield from frames.square(*corner, str(corner), unit)
    for start, end in pairwise(corners):
        yield from frames.between(boards.centre(*start), boards.centre(*end), 0.5, f"{start}-{end}", unit)
    if _is_curve(corners, size):
        yield from frames.between(boards.centre(*corners[-1]), boards.centre(*corners[0]), 0.5, "closed", unit, THIN)


def _is_curve(corners: tuple[Square, ...], size: int) -> bool:
    try:
        Curve.drawn(corners, size)
    except Illegal:
        return False
    return True


def _worked(
    position: WithinTheCurve, seat: Seat, which: int, curve: Curve, sheet: Sheet, kind: str, chosen: Mapping[str, str]
) -> Picture:
    """A copy with the chosen squares framed; the numbers that the move would write stand in them."""
    marked, shown, first = _marked(curve, sheet, kind, chosen)
    board = copy_of(position, seat, which, curve, shown, last=True)
    marks = [shape for square in marked for shape in frames.square(*square, str(square), board.point)]
    return frames.over(board, [*(_first(marked[0], board.point) if first else ()), *marks])


def _marked(curve: Curve, sheet: Sheet, kind: str, chosen: Mapping[str, str]) -> tuple[list[Square], Sheet, bool]:
    """The squares to frame, the sheet to show, and whether the first of the squares shows a 1."""
    size = curve.size
    if kind == "undo":
        taken = sheet.filled[-int(chosen.get("count", 1)) :] or ([] if sheet.start is None else [sheet.start])
        return [Square.of(square, size) for square in taken], sheet, False
    text = chosen.get("square") or chosen.get("squares")
    if not text:
        return [], sheet, False
    named = parsed_squares(text, size, size)
    places = [square.ordinal(size) for square in named]
    if kind == "fill":
        return list(named), sheet.fill(curve, places), False
    if "direction" not in chosen:
        return list(named), sheet, True
    return list(named), sheet.number(curve, places[0], chosen["direction"] == TURNS[True]), False


def _first(square: Square, unit: float) -> Iterator[Shape]:
    return frames.written(*square, "1", unit)
