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

from bot.games.notation import Square, join_items
from bot.games.notation import parse_squares as parsed_squares
from bot.games.position import Illegal, Seat
from cogs.within_the_curve import drawing, pad
from cogs.within_the_curve.drawing import NAME, TITLE, GridPlace
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import TURNS, Curve, CurveSheet
from rendering import boards, frames
from rendering.boards import Layout
from rendering.pages import ROW as LEGEND_ROW
from rendering.pages import join_facts, make_page, seat_colour
from rendering.shapes import LEAST, LEGEND, SEAT_INKS, SEAT_PENS, TOTAL, Box, Chip, Picture, Shape, Text, text_width

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
"""The most pictures in a message (Discord's limit)."""
TASK = (
    "Name its corners in order, like",
    "b2 e2 e3 d3 d5 b5 at the right;",
    "the last one joins the first.",
    "It has 8 squares at least, none of",
    "them twice, and encloses some.",
)
MAY_TURN = "it may turn here"
OFFERED = {"number": pad.suggest_unnumbered, "fill": pad.suggest_fillable, "undo": pad.suggest_undoable}
"""Which curves a pad offers; one that ends the match shows all."""
ASIDE = 120
"""The margin right of the grid on a pad, so that the grid is low enough for the keys below it."""
THIN = 0.4
"""On a pad, the weight of the side that would close a curve, in parts of the others'."""
CORNERS = tuple(Square(*corner) for corner in ((1, 1), (4, 1), (4, 2), (3, 2), (3, 4), (1, 4)))
"""The curve that this describes."""


def pictures(position: WithinTheCurve) -> tuple[Picture, ...]:
    """What the viewer may see: their own copies, who is how far, or all copies when the match is over."""
    viewer = position.viewer
    if viewer and position.turn:
        return _make_own_pages(position, viewer)
    if not position.can_work_begin or not any(position.can_see(seat) for seat in range(1, position.seats + 1)):
        return (drawing.make_status(position),)
    revealed, own = drawing.make_reveal_pages(position), _make_own_pages(position, viewer) if viewer else ()
    return (*revealed, *own) if len(revealed) + len(own) <= MOST_PICTURES else revealed


def _make_own_pages(position: WithinTheCurve, seat: Seat) -> tuple[Picture, ...]:
    if position.is_drawing:
        curve = position.curves[seat - 1]
        return (_make_drawn_page(position, seat, curve) if curve else _make_empty_page(position, seat),)
    copies = list(position.copies_of(seat))
    if len(copies) > 1 and seat in position.turn:
        return (drawing.make_work_page(position, seat),)
    return tuple(make_copy_page(position, seat, *copy, last=copy == copies[-1]) for copy in copies)


# A page with one grid.


@lru_cache(maxsize=64)
def _make_layout(size: int, below: float) -> Layout:
    return Layout(columns=size, rows=size, below=BELOW + below)


@lru_cache(maxsize=64)
def _draw_base(layout: Layout) -> tuple[Shape, ...]:
    return (
        *drawing.draw_grid(GridPlace(layout.squares_per_point), round(layout.columns)),
        *boards.draw_coordinates(layout),
    )


def _make_page(
    position: WithinTheCurve,
    layout: Layout,
    said: str,
    shapes: Iterable[Shape],
    name: str = "",
    more: Sequence[str] = (),
    listed: bool = True,
) -> Picture:
    alt = join_facts(TITLE, f"{position.size} by {position.size}", said, *more)
    return make_page(
        layout,
        f"{NAME}{name}",
        alt,
        _draw_base(layout),
        shapes,
        drawing.make_legend_entries(position) if listed else (),
    )


def _row_middle(layout: Layout, top: float, height: float = ROW) -> float:
    """The middle of a row that begins `top` points below the board's lower margin."""
    return layout.rows + (BELOW + top + height / 2) * layout.squares_per_point


def _draw_row(layout: Layout, top: float, sign: Iterable[Shape], words: str, result: str = "") -> Iterator[Shape]:
    """A sign and what it means, and perhaps a result at the right."""
    (left, right), y, point = layout.edges, _row_middle(layout, top), layout.squares_per_point
    yield from sign
    left += (SIGN + AFTER) * point
    yield Text(left, y, words, layout.fit(words, right - left, LEGEND), "ink", "left")
    if result:
        yield Text(right, y, result, layout.fit(result, (right - left) / 2, TOTAL), "ink", "right")


def _draw_texts(layout: Layout, top: float, words: Sequence[str]) -> Iterator[Text]:
    for place, line in enumerate(words):
        y = _row_middle(layout, top + place * LINE, LINE)
        yield Text(layout.edges[0], y, line, LEAST * layout.squares_per_point, "ink", "left")


# While curves are drawn.


def _make_empty_page(position: WithinTheCurve, seat: Seat) -> Picture:
    """An empty grid, and how a curve is given."""
    layout = _make_layout(position.size, SAMPLE)
    said = "draw your curve" if seat in position.turn else "you have left"
    shapes = (*_draw_texts(layout, 0, TASK), *_draw_sample(layout, seat))
    return _make_page(position, layout, said, shapes)


def _draw_sample(layout: Layout, seat: Seat) -> Iterator[Shape]:
    """At the right below the board a small curve with its corners."""
    point, right, side = layout.squares_per_point, layout.edges[1], 6
    cell, size = CELL * point, LEAST * point
    place = GridPlace(point, cell, right - side * cell, _row_middle(layout, size / point + 4, 0))
    curve = Curve.from_corners(CORNERS, side)
    yield from drawing.draw_grid(place, side)
    yield from drawing.draw_bare_curve(curve, seat, place)
    yield from drawing.draw_turns(curve, seat, place)
    for step in range(side):
        x, y = place.centre(Square(step, step))
        yield Text(x, place.top - 0.6 * size, boards.column_name(step), size, "faded")
        yield Text(place.left - 0.4 * size, y, boards.row_name(step), size, "faded", "right")


def _make_drawn_page(position: WithinTheCurve, seat: Seat, curve: Curve) -> Picture:
    """The player's own curve, and who is still drawing."""
    layout = _make_layout(position.size, ROW)
    place, left = GridPlace(layout.squares_per_point), seat in position.withdrawn
    sign = Chip(
        layout.edges[0] + SIGN / 2 * layout.squares_per_point,
        _row_middle(layout, 0),
        SIGN * layout.squares_per_point,
        seat,
    )
    words = f"your curve has {len(curve.path)} squares and {len(curve.interior)} inside"
    shapes = (
        *drawing.draw_bare_curve(curve, seat, place),
        *drawing.draw_turns(curve, seat, place),
        *_draw_row(layout, 0, [sign], words),
    )
    said = "you have left" if left else "your curve is drawn, others are drawing"
    return _make_page(position, layout, said, shapes, more=[f"it has its corners at {curve}"])


# A copy of a curve.


def make_copy_page(
    position: WithinTheCurve, seat: Seat, which: int, curve: Curve, sheet: CurveSheet, last: bool
) -> Picture:
    """A player's copy of a curve, what is next in it, and under the last one who is how far."""
    active = seat in position.turn
    squares = [Square.from_ordinal(square, curve.size) for square in sheet.open_squares(curve)] if active else []
    layout = _make_layout(position.size, ROW)
    place, said = GridPlace(layout.squares_per_point), _describe_copy(sheet, len(squares), active)
    x = layout.edges[0] + SIGN / 2 * layout.squares_per_point
    shapes = (
        *drawing.draw_corridor(curve, which, place),
        *drawing.draw_outer_numbers(curve, sheet, which, place),
        *drawing.draw_inner_numbers(curve, sheet, place),
        *drawing.draw_openings(squares, seat, place),
        *_draw_row(
            layout,
            0,
            _draw_sign(sheet, which, seat, squares, x, _row_middle(layout, 0), layout.squares_per_point),
            said,
        ),
    )
    whose = f"curve {which}, yours" if which == seat else f"curve {which}, {seat_colour(which)}'s"
    free = f"free: {join_items(squares)}" if 0 < len(squares) <= NAMED else ""
    return _make_page(position, layout, whose, shapes, f"-{which}", (said, free), last)


def _describe_copy(sheet: CurveSheet, openings: int, active: bool) -> str:
    """What the player does next in a copy, or how it ended."""
    number, largest = sheet.next_number, len(sheet.filled)
    if sheet.start is None:
        return "choose where 1 goes on the curve" if active else "not numbered"
    if openings:
        return f"{number} is next, in one of {openings} squares" if openings > 1 else f"{number} is next, in one square"
    if active:
        return f"{drawing.ENDED.fill_in(largest)}, since {number} fits nowhere"
    return drawing.ENDED.fill_in(largest)


def _draw_sign(
    sheet: CurveSheet, which: int, seat: Seat, squares: Sequence[Square], x: float, y: float, point: float
) -> Iterator[Shape]:
    """The sign that stands in the squares that the words speak of."""
    side = SIGN * point
    if sheet.start is None:
        yield Box(x - side / 2, y - side / 2, side, side, SEAT_INKS[which - 1])
        yield Text(x, y, "1", LEAST * point, SEAT_PENS[which - 1], on=SEAT_INKS[which - 1])
    elif squares:
        yield drawing.make_opening_sign(x, y, seat, side / 2, point, "paper")
    else:
        text, width = str(len(sheet.filled)), 0.86 * side
        yield Box(x - side / 2, y - side / 2, side, side, "gold")
        yield Text(x, y, text, max(LEAST * point, min(0.6 * side, width * side / text_width(text, side))), on="gold")


# On a pad.


def sketch(position: WithinTheCurve, seat: Seat, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The grid or the one copy that the player works on, with what is chosen of a move marked on it; before a copy is
    chosen those that can be."""
    if kind == "curve":
        corners = parsed_squares(chosen["corners"], position.size, position.size) if chosen else ()
        grid = _make_curve_page(position, seat, corners)
        return (frames.draw_over(grid, _draw_sides(corners, position.size, grid.squares_per_point)),)
    which = int(chosen.get("curve", 0))
    copies = [(curve, sheet) for at, curve, sheet in position.copies_of(seat) if at == which]
    worked = tuple(_sketch_copy(position, seat, which, *copy, kind, chosen) for copy in copies)
    offered = {int(one) for one in OFFERED[kind](position, seat, {}, "")} if kind in OFFERED else None
    return worked or (drawing.make_work_page(position, seat, offered).without_legend,)


def _make_curve_page(position: WithinTheCurve, seat: Seat, corners: tuple[Square, ...]) -> Picture:
    """The grid in which a curve is drawn, with rings where it may turn next."""
    turns = pad.closable_corners(corners, position.size) if corners else ()
    layout = replace(_make_layout(position.size, ROW if turns else 0), right=ASIDE)
    point, x = layout.squares_per_point, layout.edges[0] + SIGN / 2 * layout.squares_per_point
    sign = drawing.make_opening_sign(x, _row_middle(layout, 0), seat, SIGN / 2 * point, point, "paper")
    legend = _draw_row(layout, 0, [sign], MAY_TURN) if turns else ()
    rings = (
        drawing.make_opening_sign(*boards.square_centre(*one), seat, drawing.OPENING, point, "paper") for one in turns
    )
    return _make_page(position, layout, "draw your curve", (*rings, *legend))


def _draw_sides(corners: tuple[Square, ...], size: int, unit: float) -> Iterator[Shape]:
    """Frames about the corners and a line from each to the next; a thin one where the curve would be closed."""
    for corner in corners:
        yield from frames.frame_square(*corner, str(corner), unit)
    for start, end in pairwise(corners):
        yield from frames.draw_line_between(
            boards.square_centre(*start), boards.square_centre(*end), 0.5, f"{start}-{end}", unit
        )
    if _is_curve(corners, size):
        yield from frames.draw_line_between(
            boards.square_centre(*corners[-1]), boards.square_centre(*corners[0]), 0.5, "closed", unit, THIN
        )


def _is_curve(corners: tuple[Square, ...], size: int) -> bool:
    try:
        Curve.from_corners(corners, size)
    except Illegal:
        return False
    return True


def _sketch_copy(
    position: WithinTheCurve,
    seat: Seat,
    which: int,
    curve: Curve,
    sheet: CurveSheet,
    kind: str,
    chosen: Mapping[str, str],
) -> Picture:
    """A copy with the chosen squares framed; the numbers that the move would write stand in them."""
    marked, shown, first = _marked_squares(curve, sheet, kind, chosen)
    board = make_copy_page(position, seat, which, curve, shown, last=True)
    marks = [shape for square in marked for shape in frames.frame_square(*square, str(square), board.squares_per_point)]
    one = frames.write_in_square(*marked[0], "1", board.squares_per_point) if first else ()
    return frames.draw_over(board, [*one, *marks])


def _marked_squares(
    curve: Curve, sheet: CurveSheet, kind: str, chosen: Mapping[str, str]
) -> tuple[list[Square], CurveSheet, bool]:
    """The squares to frame, the sheet to show, and whether the first of the squares shows a 1."""
    size = curve.size
    if kind == "undo":
        taken = sheet.filled[-int(chosen.get("count", 1)) :] or ([] if sheet.start is None else [sheet.start])
        return [Square.from_ordinal(square, size) for square in taken], sheet, False
    text = chosen.get("square") or chosen.get("squares")
    if not text:
        return [], sheet, False
    named = parsed_squares(text, size, size)
    places = [square.ordinal(size) for square in named]
    if kind == "fill":
        return list(named), sheet.with_numbers(curve, places), False
    if "direction" not in chosen:
        return list(named), sheet, True
    return list(named), sheet.with_numbering(curve, places[0], chosen["direction"] == TURNS[True]), False
