"""Draws a copy of a curve at any place and size of a page: its squares, its borders and its numbers.

The curve is a corridor in its seat's pale colour between border lines, so that it stays clear where it runs beside
itself; what it encloses is white. Numbers that would be too small to read are left out, but never the largest one
inside."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from bot.games.notation import Square
from bot.games.position import Seat, name_seats
from bot.games.wording import Plural, join_words
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import STEPS, Copy, Curve, CurveSheet
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import BOLD, HAIR
from rendering.pages import (
    UNIT,
    WIDE,
    LegendEntry,
    draw_seat_label,
    join_facts,
    make_page,
    make_page_layout,
    seat_colour,
)
from rendering.shapes import (
    LEAST,
    SEAT_INKS,
    SEAT_PENS,
    TINT_INKS,
    TOTAL,
    Box,
    Disc,
    Ink,
    Line,
    Path,
    Picture,
    Ring,
    Shape,
    Spot,
    Text,
    text_width,
)

GREY: Ink = "rule"
"""The ground of curves without tints."""
SNUG, ROOMY = 0.92, 0.84
"""The part of a square that a number takes where space is short, and where it is not."""
INNER, OUTER = 0.52, 0.44
"""Sizes of numbers inside and on the curve, at most, in squares."""
OPENING = 0.3
"""The radius of the ring around a square that the next number may be written into."""


class SquareEdge(NamedTuple):
    """A side of a square: along the top of the square in this column and row, or down its left side."""

    level: bool
    across: int
    along: int


@dataclass(frozen=True, slots=True)
class GridPlace:
    """Where squares lie on a page: the first of them, from where on, how large, and a point, in the page's unit."""

    point: float
    cell: float = 1.0
    left: float = 0.0
    top: float = 0.0
    column: int = 0
    row: int = 0

    def corner(self, column: float, row: float) -> Spot:
        """The top left corner of a square."""
        return self.left + (column - self.column) * self.cell, self.top + (row - self.row) * self.cell

    def centre(self, square: Square) -> Spot:
        return self.corner(square.column + 0.5, square.row + 0.5)

    @property
    def hair_weight(self) -> float:
        return min(HAIR * self.point, 0.05 * self.cell)

    @property
    def border_weight(self) -> float:
        return min(BOLD * self.point, 0.13 * self.cell)

    def fits(self, text: str) -> bool:
        """Whether a text is legible in a square."""
        return text_width(text, LEAST * self.point) <= SNUG * self.cell

    def type_size(self, text: str, most: float) -> float:
        most *= self.cell
        return max(LEAST * self.point, min(most, most * ROOMY * self.cell / text_width(text, most)))


def curve_bounds(curve: Curve) -> Bounds:
    """The first column and row that a curve passes through, and how many of each it spans."""
    columns, rows = zip(*(Square.from_ordinal(square, curve.size) for square in curve.path), strict=True)
    return min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


# The curve.


def draw_grid(place: GridPlace, size: int) -> Iterator[Line]:
    """The lines of an empty grid, behind everything else."""
    for step in range(size + 1):
        yield Line(*place.corner(step, 0), *place.corner(step, size), "faded", place.hair_weight)
        yield Line(*place.corner(0, step), *place.corner(size, step), "faded", place.hair_weight)


def draw_underlay(curve: Curve, place: GridPlace) -> Iterator[Box]:
    """Lines around the squares of a curve and those inside, where there is no grid."""
    for square in (*curve.path, *curve.interior):
        yield Box(*place.corner(*Square.from_ordinal(square, curve.size)), place.cell, place.cell, "faded")


@lru_cache(maxsize=256)
def draw_corridor(curve: Curve, seat: Seat, place: GridPlace, tint: Ink | None = None) -> tuple[Shape, ...]:
    """The squares of a curve, in its seat's tint unless another is given, those that it encloses, and its borders."""
    white = (draw_ground(place, Square.from_ordinal(square, curve.size), "white") for square in curve.interior)
    tinted = (
        draw_ground(place, Square.from_ordinal(square, curve.size), tint or TINT_INKS[seat - 1])
        for square in curve.path
    )
    return (*white, *tinted, *_draw_walls(curve, seat, place))


def draw_ground(place: GridPlace, square: Square, ink: Ink) -> Box:
    """A square's ground, between the lines of the grid."""
    inset = place.hair_weight / 2
    left, top = place.corner(square.column, square.row)
    return Box(left + inset, top + inset, place.cell - 2 * inset, place.cell - 2 * inset, ink)


def _draw_walls(curve: Curve, seat: Seat, place: GridPlace) -> Iterator[Line]:
    for edge, length in _merge_edges(find_edges(curve)):
        start, end = (edge.along, edge.across), (edge.along + length, edge.across)
        start, end = (start, end) if edge.level else (start[::-1], end[::-1])
        yield Line(*place.corner(*start), *place.corner(*end), SEAT_INKS[seat - 1], place.border_weight)


def find_edges(curve: Curve) -> set[SquareEdge]:
    """The sides of a curve's squares that it does not cross."""
    path, found = [Square.from_ordinal(square, curve.size) for square in curve.path], set[SquareEdge]()
    for before, square, after in zip((path[-1], *path), path, (*path[1:], path[0]), strict=False):
        for right, down in STEPS:
            if (square.column + right, square.row + down) not in (before, after):
                side = (
                    (square.row + max(down, 0), square.column) if down else (square.column + max(right, 0), square.row)
                )
                found.add(SquareEdge(bool(down), *side))
    return found


def _merge_edges(found: Iterable[SquareEdge]) -> Iterator[tuple[SquareEdge, int]]:
    """Edges as long lines: the first of each, and how many follow one another."""
    left = set(found)
    for edge in sorted(left):
        length = 0
        while edge._replace(along=edge.along + length) in left:
            left.discard(edge._replace(along=edge.along + length))
            length += 1
        if length:
            yield edge, length


def draw_track(curve: Curve, seat: Seat, place: GridPlace, tint: Ink | None = None) -> Path:
    """A line through the middles of a curve's squares."""
    spots = tuple(place.centre(Square.from_ordinal(square, curve.size)) for square in curve.path)
    return Path(spots, SEAT_INKS[seat - 1], place.border_weight, closed=True, on=tint or TINT_INKS[seat - 1])


def draw_bare_curve(curve: Curve, seat: Seat, place: GridPlace, tint: Ink | None = None) -> Iterator[Shape]:
    """A curve without numbers."""
    yield from draw_corridor(curve, seat, place, tint)
    yield draw_track(curve, seat, place, tint)


def draw_turns(curve: Curve, seat: Seat, place: GridPlace) -> Iterator[Disc]:
    """A dot at each corner, the first one larger."""
    for order, square in enumerate(curve.corners):
        radius = 0.14 if order else 0.24
        yield Disc(*place.centre(square), radius * place.cell, SEAT_INKS[seat - 1], TINT_INKS[seat - 1])


# What is written.


def draw_outer_numbers(
    curve: Curve, sheet: CurveSheet, seat: Seat, place: GridPlace, tint: Ink | None = None
) -> Iterator[Shape]:
    """The numbers on a curve: 1 on dark, 2 with it, and all others that are legible."""
    if sheet.start is None:
        yield draw_track(curve, seat, place, tint)
        return
    for number, ordinal in enumerate(curve.squares_in_order(sheet.start, sheet.clockwise), 1):
        square, text = Square.from_ordinal(ordinal, curve.size), str(number)
        if number == 1:
            yield draw_ground(place, square, SEAT_INKS[seat - 1])
        if number == 1 or place.fits(text):
            on = SEAT_INKS[seat - 1] if number == 1 else tint or TINT_INKS[seat - 1]
            ink: Ink = SEAT_PENS[seat - 1] if number == 1 else "ink"
            yield Text(*place.centre(square), text, place.type_size(text, OUTER), ink, on=on)


def draw_inner_numbers(curve: Curve, sheet: CurveSheet, place: GridPlace, tag: str = "") -> Iterator[Shape]:
    """The numbers inside a curve, the largest on gold and with the tag; a dot for one that is not legible."""
    for number, ordinal in enumerate(sheet.filled, 1):
        square, text = Square.from_ordinal(ordinal, curve.size), str(number)
        if number < len(sheet.filled) and place.fits(text):
            yield Text(*place.centre(square), text, place.type_size(text, INNER), on="white")
        elif number < len(sheet.filled):
            yield Disc(*place.centre(square), 0.14 * place.cell, "ink", "white")
    if sheet.filled:
        yield from _draw_largest(Square.from_ordinal(sheet.filled[-1], curve.size), str(len(sheet.filled)), place, tag)


def _draw_largest(square: Square, text: str, place: GridPlace, tag: str) -> Iterator[Shape]:
    """The largest number; where the square is too small for it, its gold is wider than the square."""
    x, y = place.centre(square)
    size = place.type_size(text, INNER)
    side = place.cell - place.hair_weight
    wide = max(side, text_width(text, size) + 6 * place.point)
    high = max(side, size)
    yield Box(x - wide / 2, y - high / 2, wide, high, "gold", tag=tag)
    yield Text(x, y, text, size, on="gold", tag=tag)


def draw_openings(squares: Iterable[Square], seat: Seat, place: GridPlace) -> Iterator[Ring]:
    """A ring on each square that the next number may be written into."""
    for square in squares:
        yield make_opening_sign(*place.centre(square), seat, OPENING * place.cell, place.point)


def make_opening_sign(x: float, y: float, seat: Seat, radius: float, point: float, on: Ink = "white") -> Ring:
    """The sign of a square that the next number may be written into."""
    return Ring(x, y, radius, SEAT_INKS[seat - 1], BOLD * point, on)


# Draws several grids of Within The Curve on a page: how far everybody is, what one works on, in the end all copies.


TITLE, NAME = "Within The Curve", "within-the-curve"
POINT = 1 / UNIT
HEADER, GAP = 1.8, 0.7
"""The height of the line above a grid with its seat, and the gap between two grids."""
HALF = (WIDE - GAP) / 2
"""The width of a grid with another at its side, at most."""
MOST_TINTS = 4
"""With more seats their curves have no tints where all are on one page: a picture has sixteen colours."""
HIGH, HIGHER, LOWER = 36.5, 44.0, 28.0
"""The height of a page at most, of one with more than two rows of grids, and of one with everybody's grids of two."""
MOST, MOST_OF_MANY = 3.6, 1.34
"""The side of a square at most, and with more than two rows of grids."""
EMPTY, NEXT = "not numbered", "{number} is next"
"""What is next in a copy."""
RADIUS = 0.45
"""Of the ring before what is next, which stands in the squares where it fits."""
ENDED = Plural("ended: 1 point", "ended: {number} points")
"""What a copy scores in which no number fits any more."""
LETTERS, LETTER = 1.2, 1.06
"""Beside a grid, for the names of its columns and rows; and their type."""

Bounds = tuple[int, int, int, int]
"""The first column and row of some squares, and how many columns and rows there are."""


class Panel(NamedTuple):
    """A grid on a page of several: where its squares lie, and whether its columns and rows are named."""

    place: GridPlace
    left: float
    top: float
    """Where the line above the grid begins."""
    width: float
    lettered: bool


def _arrange_panels(spans: Sequence[Bounds], paired: bool = False) -> tuple[tuple[Panel, ...], float]:
    """Grids of these bounds one above the other or two abreast, as is larger, or `paired` and lower, and the height of
    all."""
    abreast = (2,) if paired else (2, 1) if len(spans) > 1 else (1,)
    ways = [_measure_cells(spans, one, LOWER if paired else 0) for one in abreast]
    abreast, cells = max(ways, key=lambda way: min(way[1]))
    top, panels = 0.0, list[Panel]()
    for first in range(0, len(spans), abreast):
        row = [*zip(spans, cells, strict=True)][first : first + abreast]
        placed, high = _place_row(row, HALF if abreast == 2 else WIDE, top)
        panels += placed
        top += high + GAP
    return tuple(panels), top - GAP


def _place_row(row: Sequence[tuple[Bounds, float]], width: float, top: float) -> tuple[list[Panel], float]:
    """Grids side by side, each with the side of its squares, and their height."""
    panels, high = list[Panel](), 0.0
    for place, ((column, line, _, lines), side) in enumerate(row):
        cell, left = _round_down(side), place * (width + GAP)
        before = LETTERS if cell >= LEAST * POINT else 0.0
        grid = GridPlace(POINT, cell, left + before, top + HEADER + before, column, line)
        panels.append(Panel(grid, left, top, width, before > 0))
        high = max(high, HEADER + before + lines * cell)
    return panels, high


def _measure_cells(spans: Sequence[Bounds], abreast: int, high: float = 0) -> tuple[int, list[float]]:
    """The sides of squares with so many grids abreast; a grid with names of columns and rows has smaller ones."""
    rows = -(-len(spans) // abreast)
    width, height = (HALF if abreast == 2 else WIDE), (high or (HIGH if rows <= 2 else HIGHER)) / rows - HEADER - GAP
    most = MOST if rows <= 2 else MOST_OF_MANY
    return abreast, [_fit_cell(span, width, height, most) for span in spans]


def _fit_cell(span: Bounds, width: float, height: float, most: float) -> float:
    """The side of a grid's squares in a space; with names of columns and rows they are smaller."""
    _, _, columns, rows = span
    lettered, bare = (min((width - beside) / columns, (height - beside) / rows, most) for beside in (LETTERS, 0.0))
    return lettered if lettered >= LEAST * POINT else min(bare, LEAST * POINT - 1 / UNIT)


def _make_page(
    position: WithinTheCurve,
    name: str,
    said: str,
    height: float,
    shapes: Iterable[Shape],
    alt: str,
    listed: Sequence[LegendEntry],
) -> Picture:
    words = join_facts(TITLE, f"{position.size} by {position.size}", said, alt)
    return make_page(make_page_layout(height), f"{NAME}{name}", words, (), shapes, listed)


# Who is how far.


def make_status(position: WithinTheCurve) -> Picture:
    """A grid for each seat: its curve where the viewer may know it, and how far the seat is."""
    seats = range(1, position.seats + 1)
    whole = (0, 0, position.size, position.size)
    panels, height = _arrange_panels([curve_bounds(curve) if curve else whole for curve in position.curves])
    shapes = [
        shape for seat, panel in zip(seats, panels, strict=True) for shape in _draw_progress(position, seat, panel)
    ]
    alt = name_seats(join_words([position.describe_status(seat) for seat in seats]), seat_colour)
    return _make_page(position, "", _describe_stage(position), height, shapes, alt, make_legend_entries(position))


def _describe_stage(position: WithinTheCurve) -> str:
    if not position.turn:
        return "finished" if position.drawn and position.is_alone else "finished before all curves were drawn"
    if position.is_alone:
        return "a puzzle for one, in secret"
    return "everybody draws a curve in secret" if position.is_drawing else "everybody fills all curves in secret"


def _draw_progress(position: WithinTheCurve, seat: Seat, panel: Panel) -> Iterator[Shape]:
    tag, place = "" if position.turn else position.working_of(seat)[0], panel.place
    words = position.describe_progress(seat)
    yield from draw_seat_label(seat, words, panel.left, panel.top + HEADER / 2, tag=tag)
    if curve := position.curves[seat - 1]:
        yield from draw_underlay(curve, place)
        yield from draw_bare_curve(curve, seat, place, None if position.seats <= MOST_TINTS else "white")
        yield from _draw_coordinates(panel, curve)
        return
    yield from draw_grid(place, position.size)
    word = "drawn" if seat in position.drawn else "none" if seat in position.withdrawn else "?"
    word = str(position.reached) if position.reached else word
    side, (x, y) = position.size * place.cell / 2, place.corner(position.size / 2, position.size / 2)
    yield Box(x - side / 2, y - 1.3, side, 2.6, "paper")
    yield Text(x, y, word, TOTAL * POINT if len(word) > 1 else 2.4, "faded")


# What a player works on.


def make_work_page(position: WithinTheCurve, seat: Seat, offered: Container[int] | None = None) -> Picture:
    """A player's copies, as much of each as its curve spans, with what is next in it; on a pad those `offered`."""
    copies: list[Copy] = [copy for copy in position.copies_of(seat) if offered is None or copy[0] in offered]
    spans = [curve_bounds(curve) for _, curve, _ in copies]
    panels, high = _arrange_panels(spans)
    each = zip(panels, copies, strict=True)
    shapes = [shape for panel, copy in each for shape in _draw_work(position, seat, panel, copy)]
    alt = join_words([describe_next(which, sheet, curve) for which, curve, sheet in copies])
    said, listed = f"{seat_colour(seat)}'s copies", make_legend_entries(position)
    return _make_page(position, f"-{copies[0][0]}", said, high, shapes, alt, listed)


def _draw_work(position: WithinTheCurve, seat: Seat, panel: Panel, copy: Copy) -> Iterator[Shape]:
    """A copy with its numbers, what is next in it, and rings where that fits."""
    which, curve, sheet = copy
    openings, middle = _open_squares(position, seat, curve, sheet), panel.top + HEADER / 2
    yield from _draw_copy(position, which, seat, curve, panel.place)
    yield from _draw_coordinates(panel, curve)
    yield from draw_openings(openings, seat, panel.place)
    yield from draw_seat_label(which, f"curve {which}", panel.left, middle)
    said, right = summarise_next(sheet, curve), panel.left + panel.width
    yield Text(right, middle, said, LEAST * POINT, "ink", "right")
    if openings:
        left = right - text_width(said, LEAST * POINT) - 2 * RADIUS
        yield make_opening_sign(left, middle, seat, RADIUS, POINT, "paper")


def _open_squares(position: WithinTheCurve, seat: Seat, curve: Curve, sheet: CurveSheet) -> list[Square]:
    return [Square.from_ordinal(one, curve.size) for one in sheet.open_squares(curve)] if seat in position.turn else []


def summarise_next(sheet: CurveSheet, curve: Curve) -> str:
    """What is next in a copy, in a few words; what one scores that has ended."""
    if sheet.start is None:
        return EMPTY
    if any(True for _ in sheet.open_squares(curve)):
        return NEXT.format(number=sheet.next_number)
    return ENDED.fill_in(len(sheet.filled))


def describe_next(which: int, sheet: CurveSheet, curve: Curve) -> str:
    """What is next in a copy, in a sentence."""
    if sheet.start is None:
        return f"curve {which} is not numbered"
    if any(True for _ in sheet.open_squares(curve)):
        return f"{sheet.next_number} is next in curve {which}"
    return f"{ENDED.fill_in(len(sheet.filled))} in curve {which}"


def _draw_coordinates(panel: Panel, curve: Curve) -> Iterator[Text]:
    """The names of the columns and rows that a curve spans, where there is room for them."""
    size, place, (_, _, columns, rows) = LETTER, panel.place, curve_bounds(curve)
    for step in range(columns if panel.lettered else 0):
        x, _ = place.corner(place.column + step + 0.5, place.row)
        yield Text(x, place.top - 0.65 * LETTERS, boards.column_name(place.column + step), size, "faded")
    for step in range(rows if panel.lettered else 0):
        _, y = place.corner(place.column, place.row + step + 0.5)
        yield Text(place.left - 0.2, y, boards.row_name(place.row + step), size, "faded", "right")


def _round_down(side: float) -> float:
    """A length that is a whole number of points, so that all squares are alike."""
    return int(side * UNIT) / UNIT


# Everybody's copies.


def make_reveal_pages(position: WithinTheCurve) -> tuple[Picture, ...]:
    """Everybody's copies with their largest numbers, and the result below: on a page where they are legible there, each
    of two players' below one another; else on a page for each curve."""
    found = [(which, curve) for which, curve in enumerate(position.curves, 1) if curve]
    spans = [curve_bounds(curve) for _, curve in found for _ in range(position.seats)]
    if position.seats == 2 and _fit_pairs(spans):
        return (_compare_copies(position, found),)
    return tuple(_compare_copies(position, [one]) for one in found)


def _fit_pairs(spans: Sequence[Bounds]) -> bool:
    """Whether numbers of two digits are legible on grids that share a page in pairs."""
    return text_width("00", LEAST * POINT) <= SNUG * min(_measure_cells(spans, 2, LOWER)[1])


def _compare_copies(position: WithinTheCurve, curves: Sequence[tuple[Seat, Curve]]) -> Picture:
    """Everybody's copies of some curves."""
    seats = range(1, position.seats + 1)
    copies = [(which, curve, seat) for which, curve in curves for seat in seats]
    panels, height = _arrange_panels([curve_bounds(curve) for _, curve, _ in copies], paired=len(curves) > 1)
    shapes: list[Shape] = []
    for (which, curve, seat), panel in zip(copies, panels, strict=True):
        shapes += [*_draw_copy(position, which, seat, curve, panel.place), *_draw_coordinates(panel, curve)]
        said, tag = f"curve {which}: {_describe_reach(position, which, seat)}", position.line_of(seat, which)
        shapes += draw_seat_label(seat, said, panel.left, panel.top + HEADER / 2, "ink", tag)
    told = [
        join_words([f"{seat_colour(seat)} wrote {_describe_reach(position, which, seat)}" for seat in seats])
        for which, _ in curves
    ]
    drawn = [f"curve {which}, drawn by {seat_colour(which)}" for which, _ in curves]
    alt = join_facts(*(one for pair in zip(drawn, told, strict=True) for one in pair))
    name = f"-all-{curves[0][0]}"
    return _make_page(position, name, "finished", height, shapes, alt.removesuffix("."), make_legend_entries(position))


def _draw_copy(position: WithinTheCurve, which: Seat, seat: Seat, curve: Curve, place: GridPlace) -> Iterator[Shape]:
    sheet, tint = position.sheets[seat - 1][which - 1], None if position.seats <= MOST_TINTS else GREY
    yield from (*draw_underlay(curve, place), *draw_corridor(curve, which, place, tint))
    yield from draw_outer_numbers(curve, sheet, which, place, tint)
    yield from draw_inner_numbers(curve, sheet, place, position.line_of(seat, which))


def _name_seat(position: WithinTheCurve, seat: Seat) -> str:
    return f"{seat_colour(seat)}, left" if seat in position.withdrawn else seat_colour(seat)


def _describe_reach(position: WithinTheCurve, which: Seat, seat: Seat) -> str:
    sheet = position.sheets[seat - 1][which - 1]
    return f"up to {len(sheet.filled)}" if sheet.filled else "nothing"


def make_legend_entries(position: WithinTheCurve) -> tuple[LegendEntry, ...]:
    """The legend: how far everybody is, and when the match is over their sums."""
    seats = range(1, position.seats + 1)
    said = [_describe_total(position, seat) for seat in seats]
    tags = [] if position.turn else [position.line_of(seat) for seat in seats]
    return rendering_pages.make_legend_entries(position, [_name_seat(position, seat) for seat in seats], said, tags)


def _describe_total(position: WithinTheCurve, seat: Seat) -> str:
    known = position.viewer == seat if position.turn else position.can_see(seat)
    return position.sum_of(seat) if known and not position.is_drawing else position.describe_progress(seat)
