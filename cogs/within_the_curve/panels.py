"""Draws several grids of Within The Curve on a page: how far everybody is, what one works on, in the end all copies.

Pages are measured in squares of the paper, 30 points wide. Copies show no more of the grid than the curve spans, so
that their squares are as large as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.core.game.notation import Square
from bot.core.values.plural import together
from bot.core.values.seats import Seat, peopled
from cogs.within_the_curve import drawing
from cogs.within_the_curve.action import Copy
from cogs.within_the_curve.curve import Curve
from cogs.within_the_curve.drawing import Place
from cogs.within_the_curve.rules import WithinTheCurve
from cogs.within_the_curve.sheet import Sheet
from rendering import boards, legend
from rendering.legend import Entry, colour
from rendering.pages import UNIT, WIDE, WORDS, facts, page, paper, whose
from rendering.shapes import LEAST, TOTAL, Box, Picture, Shape, Text

TITLE, NAME = "Within The Curve", "within-the-curve"
POINT = 1 / UNIT
HEADER, GAP = 2.0, 1.2
"""The height of the line above a grid with its seat, and the gap between two grids."""
HALF = (WIDE - GAP) / 2
"""The side of a grid with another at its side, at most."""
MOST_TINTS = 4
"""With more seats their curves are not tinted where all are on one page."""
HIGH = 36.5
"""The height of a page, at most."""
LARGE, ASIDE = 18.0, 19.2
"""The side of a grid with words at its side, and where these begin."""
LOW = 9.0
"""The height that these words need."""
MOST = 2.4
"""The side of a square, at most."""
LETTERS = 1.2
"""Beside a grid, for the names of its columns and rows."""
HUGE = 3.0
TURNING = {True: "clockwise", False: "counterclockwise"}


def _page(
    position: WithinTheCurve,
    name: str,
    said: str,
    height: float,
    shapes: Iterable[Shape],
    alt: str,
    listed: Sequence[Entry],
) -> Picture:
    words = facts(TITLE, f"{position.size} by {position.size}", said, alt)
    return page(paper(height), f"{NAME}{name}", words, (), shapes, listed)


def _spot(seat: Seat, tall: float) -> tuple[float, float]:
    """The top left corner of a seat's place where two stand abreast."""
    return (seat - 1) % 2 * (HALF + GAP), (seat - 1) // 2 * tall


def _side(seats: int) -> float:
    """The side of grids that stand two abreast."""
    return min(HALF, HIGH / -(-seats // 2) - HEADER - GAP)


# Who is how far.


def status(position: WithinTheCurve) -> Picture:
    """A grid for each seat: its curve where the viewer may know it, and how far the seat is."""
    seats = range(1, position.seats + 1)
    tall = HEADER + _side(position.seats) + GAP
    spots = [_spot(seat, tall) for seat in seats]
    shapes = [shape for seat, spot in zip(seats, spots, strict=True) for shape in _progress(position, seat, *spot)]
    alt = peopled(together([position.status(seat) for seat in seats]), colour)
    return _page(position, "", _stage(position), spots[-1][1] + tall - GAP, shapes, alt, entries(position))


def _stage(position: WithinTheCurve) -> str:
    if not position.turn:
        return "finished" if position.drawn and position.alone else "finished before all curves were drawn"
    if position.alone:
        return "a puzzle for one, in secret"
    return "everybody draws a curve in secret" if position.drawing else "everybody fills all curves in secret"


def _progress(position: WithinTheCurve, seat: Seat, left: float, top: float) -> Iterator[Shape]:
    tag = "" if position.turn else position.working_of(seat)[0]
    place = Place(POINT, _whole(_side(position.seats) / position.size), left, top + HEADER)
    yield from whose(seat, colour(seat), left, top + HEADER / 2, tag=tag)
    yield from drawing.grid(place, position.size)
    curve = position.curves[seat - 1]
    if curve:
        # A picture has sixteen colours, which are too few for six seats' tints beside their colours.
        yield from drawing.bare(curve, seat, place, None if position.seats <= MOST_TINTS else "white")
        return
    word = "drawn" if seat in position.drawn else "none" if seat in position.withdrawn else "?"
    word = str(position.reached) if position.reached else word
    side, (x, y) = position.size * place.cell / 2, place.corner(position.size / 2, position.size / 2)
    yield Box(x - side / 2, y - 1.3, side, 2.6, "paper")
    yield Text(x, y, word, TOTAL * POINT if len(word) > 1 else 2.4, "faded")


# What a player works on.


def work(position: WithinTheCurve, seat: Seat) -> tuple[Picture, ...]:
    """A player's copies on a page or two, since a picture has too few colours for all tints."""
    copies = list(position.copies(seat))
    return tuple(_work(position, seat, copies[at : at + MOST_TINTS]) for at in range(0, len(copies), MOST_TINTS))


def _work(position: WithinTheCurve, seat: Seat, copies: Sequence[Copy]) -> Picture:
    """Some copies two abreast, as much of each as its curve spans, with what is next in it."""
    side, last = _side(len(copies)), copies[-1][0] == list(position.copies(seat))[-1][0]
    spots = [_spot(place, HEADER + side + GAP) for place in range(1, len(copies) + 1)]
    high, shapes = 0.0, list[Shape]()
    for (left, top), (which, curve, sheet) in zip(spots, copies, strict=True):
        column, row, columns, rows = drawing.bounds(curve)
        room = (side - LETTERS) / max(columns, rows)
        lettered = room >= LEAST * POINT
        cell, before = _whole(min(room if lettered else side / max(columns, rows), MOST)), LETTERS * lettered
        place = Place(POINT, cell, left + before, top + HEADER + before, column, row)
        high = max(high, place.top + rows * cell)
        shapes += [*_copy(position, which, seat, curve, place)]
        shapes += _coordinates(place, columns, rows) if lettered else ()
        shapes += drawing.openings(_openings(position, seat, curve, sheet), seat, place)
        shapes += whose(which, f"curve {which}", left, top + HEADER / 2)
        shapes.append(Text(left + HALF, top + HEADER / 2, following(sheet, curve), LEAST * POINT, "ink", "right"))
    alt = together([told(which, sheet, curve) for which, curve, sheet in copies])
    said, listed = f"{colour(seat)}'s copies", entries(position) if last else ()
    return _page(position, f"-{copies[0][0]}", said, high, shapes, alt, listed)


def _openings(position: WithinTheCurve, seat: Seat, curve: Curve, sheet: Sheet) -> list[Square]:
    return [Square.of(one, curve.size) for one in sheet.openings(curve)] if seat in position.turn else []


def following(sheet: Sheet, curve: Curve) -> str:
    """What is next in a copy, in a few words."""
    if sheet.start is None:
        return "not numbered"
    return f"{sheet.following} is next" if any(True for _ in sheet.openings(curve)) else f"{len(sheet.filled)} counts"


def told(which: int, sheet: Sheet, curve: Curve) -> str:
    """What is next in a copy, in a sentence."""
    if sheet.start is None:
        return f"curve {which} is not numbered"
    if any(True for _ in sheet.openings(curve)):
        return f"{sheet.following} is next in curve {which}"
    return f"{len(sheet.filled)} counts in curve {which}"


def _coordinates(place: Place, columns: int, rows: int) -> Iterator[Text]:
    size = LEAST * POINT
    for step in range(columns):
        x, _ = place.corner(place.column + step + 0.5, place.row)
        yield Text(x, place.top - 0.65 * LETTERS, boards.letter(place.column + step), size, "faded")
    for step in range(rows):
        _, y = place.corner(place.column, place.row + step + 0.5)
        yield Text(place.left - 0.2, y, boards.ordinal(place.row + step), size, "faded", "right")


def _whole(side: float) -> float:
    """A length that is a whole number of points, so that all squares are alike."""
    return int(side * UNIT) / UNIT


# Everybody's copies.


def reveal(position: WithinTheCurve) -> tuple[Picture, ...]:
    """A page for each curve with all copies of it, each with its largest number, and the result below."""
    found = ((which, curve) for which, curve in enumerate(position.curves, 1) if curve)
    return tuple(_compared(position, which, curve) for which, curve in found)


def _compared(position: WithinTheCurve, which: Seat, curve: Curve) -> Picture:
    """Everybody's copy of a curve: those of two seats one above the other with words beside, more of them abreast."""
    few, seats = position.seats <= 2, range(1, position.seats + 1)
    column, row, columns, rows = drawing.bounds(curve)
    side = LARGE if few else _side(len(seats))
    cell = _whole(min(side / columns, side / rows, MOST))
    tall = (max(rows * cell, LOW) if few else HEADER + rows * cell) + GAP
    spots = [
        (0.0, place * tall) if few else (place % 2 * (HALF + GAP), place // 2 * tall) for place in range(len(seats))
    ]
    shapes: list[Shape] = []
    for seat, (left, top) in zip(seats, spots, strict=True):
        place = Place(POINT, cell, left, top + (0.4 if few else HEADER), column, row)
        shapes += _copy(position, which, seat, curve, place)
        shapes += (_beside if few else _above)(position, which, seat, left, top)
    height, listed = spots[-1][1] + tall - (0 if few else GAP), entries(position)
    alt = together([f"{colour(seat)} wrote {_reached(position.sheets[seat - 1][which - 1])}" for seat in seats])
    return _page(position, f"-all-{which}", f"curve {which}, drawn by {colour(which)}", height, shapes, alt, listed)


def _copy(position: WithinTheCurve, which: Seat, seat: Seat, curve: Curve, place: Place) -> Iterator[Shape]:
    sheet = position.sheets[seat - 1][which - 1]
    yield from (*drawing.underlay(curve, place), *drawing.corridor(curve, which, place))
    yield from drawing.outer(curve, sheet, which, place)
    yield from drawing.inner(curve, sheet, place, position.line_of(seat, which))


def _above(position: WithinTheCurve, which: Seat, seat: Seat, left: float, top: float) -> Iterator[Shape]:
    """Over a copy: whose it is, and how far it got."""
    yield from whose(seat, _named(position, seat), left, top + HEADER / 2)
    reached, tag = str(len(position.sheets[seat - 1][which - 1].filled) or "none"), position.line_of(seat, which)
    yield Text(left + HALF, top + HEADER / 2, reached, TOTAL * POINT, "ink", "right", tag=tag)


def _beside(position: WithinTheCurve, which: Seat, seat: Seat, left: float, top: float) -> Iterator[Shape]:
    """At the right of a copy: whose it is, how far it got, and how it was numbered."""
    x, sheet, tag = left + ASIDE, position.sheets[seat - 1][which - 1], position.line_of(seat, which)
    yield from whose(seat, _named(position, seat), x, top + HEADER / 2)
    reached = len(sheet.filled)
    yield Text(x, top + 3.7, str(reached or "none"), HUGE if reached else WORDS, "ink", "left", tag=tag)
    told = ["is the largest inside"] if reached else []
    if sheet.start is not None:
        told += ["", f"1 at {Square.of(sheet.start, position.size)}", TURNING[sheet.clockwise]]
    for line, words in enumerate(told):
        if words:
            yield Text(x, top + 5.8 + 1.3 * line, words, LEAST * POINT, "faded", "left")


def _named(position: WithinTheCurve, seat: Seat) -> str:
    return f"{colour(seat)}, left" if seat in position.withdrawn else colour(seat)


def _reached(sheet: Sheet) -> str:
    return f"up to {len(sheet.filled)}" if sheet.filled else "nothing"


def entries(position: WithinTheCurve) -> tuple[Entry, ...]:
    """The legend: how far everybody is, and when the match is over their sums."""
    seats = range(1, position.seats + 1)
    said = [_total(position, seat) for seat in seats]
    tags = [] if position.turn else [position.line_of(seat) for seat in seats]
    return legend.entries(position, [_named(position, seat) for seat in seats], said, tags)


def _total(position: WithinTheCurve, seat: Seat) -> str:
    known = position.viewer == seat if position.turn else position.shows(seat)
    return position.sum_of(seat) if known and not position.drawing else position.progress(seat)
