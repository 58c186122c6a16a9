"""Binary Primes as pictures: the board, and when the match is over how every line came to its prime.

The prime of each column stands below it, that of each row at its right. On a finished board a triangle stands at the
end of the line from which its prime is read, full where filled squares are the ones and hollow where empty ones are;
two more pictures then list the lines digit by digit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.core.seats import BOTH
from cogs.binary_primes.rules import BinaryPrimes, Reading, best_reading
from rendering import boards, margins
from rendering import legend as legends
from rendering.boards import Direction, Layout, grouped, width
from rendering.legend import Entry
from rendering.shapes import EDGE, LABEL, LEAST, Box, Line, Picture, Shape, Text

TITLE, NAME = "Binary Primes", "binary-primes"
WIDE = 7
"""From this size on a total can need the whole width of the page, so each seat has a line to itself."""
STAGGERED = 11
"""From this size on the primes of neighbouring columns stand at different heights."""
BESIDE = 40
"""Points between the board and the numbers about it: room for the triangles."""
TRIANGLE, HOLLOW = 22, 3
"""Size and weight of line in points."""
KEY_HEIGHT = 56
KEY = ((0, "read from here, filled squares are 1"), (HOLLOW, "empty squares are 1"))
WAYS: tuple[tuple[Direction, Direction], tuple[Direction, Direction]] = (("down", "up"), ("right", "left"))
"""Which way columns and rows are read, forwards and backwards."""
ENDS = (("from the top", "from the bottom"), ("from the left", "from the right"))

CELL, CELL_ELEVEN = 46, 38
"""A digit's square in the lists, in points."""
PITCH = 1.3
"""From one line of a list to the next, in squares."""


def pictures(position: BinaryPrimes) -> tuple[Picture, ...]:
    """The board; when the match is over also the columns and the rows as they were read."""
    if position.turn:
        return (_board(position),)
    return (_board(position), *(_list(position, seat) for seat in BOTH))


# The board.


@lru_cache(maxsize=16)
def _layout(size: int, over: bool) -> Layout:
    widest = "0" * len(str(2**size - 1))
    primes = BESIDE + LABEL * 1.15 * _levels(size) + 12
    key = KEY_HEIGHT if over else 0
    return Layout(
        columns=size,
        rows=size,
        left=EDGE + width("00", LABEL) + BESIDE,
        right=BESIDE + width(widest, LABEL) + EDGE,
        above=boards.ABOVE + BESIDE - boards.GAP,
        below=primes + key + legends.old_height(2, _abreast(size)),
    )


def _board(position: BinaryPrimes) -> Picture:
    over = not position.turn
    layout = _layout(position.size, over)
    return Picture(
        name=NAME,
        extent=layout.extent,
        base=boards.grid(layout, points=BESIDE),
        shapes=tuple(_on_board(position, layout, over)),
        alt=_alt(position),
    )


def _on_board(position: BinaryPrimes, layout: Layout, over: bool) -> Iterator[Shape]:
    yield from _chips(position, layout)
    tags = [position.working_of(seat) if over else () for seat in BOTH]
    columns, rows = (map(str, position.line_scores(seat)) for seat in BOTH)
    yield from margins.below_columns(layout, columns, tags=tags[0], gap=BESIDE, levels=_levels(position.size))
    yield from margins.right_of_rows(layout, rows, tags=tags[1], gap=BESIDE)
    bottom = layout.below - legends.old_height(2, _abreast(position.size))
    if over:
        yield from _triangles(position, layout)
        yield from _key(layout, bottom - KEY_HEIGHT)
    yield from legends.old(layout, _entries(position, BOTH), bottom, _abreast(position.size))


def _chips(position: BinaryPrimes, layout: Layout) -> Iterator[Shape]:
    for index in range(position.size**2):
        if seat := position.owner(index):
            row, column = divmod(index, position.size)
            if index == position.last:
                yield boards.shaded(layout, column, row)
            yield boards.chip(column, row, seat, "gold" if index == position.last else "paper")


def _triangles(position: BinaryPrimes, layout: Layout) -> Iterator[Shape]:
    size, away = TRIANGLE * layout.point, BESIDE / 2 * layout.point
    for seat in BOTH:
        for place, line in enumerate(position.lines(seat)):
            if reading := best_reading(line):
                along = position.size + away if reading.backwards else -away
                x, y = (place + 0.5, along) if seat == 1 else (along, place + 0.5)
                hollow = HOLLOW * layout.point * (reading.ones == "empty")
                yield boards.arrow(x, y, WAYS[seat - 1][reading.backwards], size, hollow=hollow)


def _key(layout: Layout, top: float) -> Iterator[Shape]:
    unit, (x, _) = layout.point, layout.edges
    y = layout.rows + (top + KEY_HEIGHT / 2) * unit
    for hollow, words in KEY:
        yield boards.arrow(x + 11 * unit, y, "right", TRIANGLE * unit, hollow=hollow * unit)
        yield Text(x + 32 * unit, y, words, LEAST * unit, "faded", "left")
        x += width(words, LEAST * unit) + 62 * unit


# The lists of a finished match.


@lru_cache(maxsize=16)
def _list_layout(size: int) -> Layout:
    cell = CELL_ELEVEN if size >= STAGGERED else CELL
    left = EDGE + width("00", LABEL) + 44
    return Layout(
        columns=size,
        rows=PITCH * size,
        left=left,
        right=900 - left - cell * size,
        above=EDGE + 16,
        below=24 + legends.old_height(1, 1),
    )


def _list(position: BinaryPrimes, seat: int) -> Picture:
    layout = _list_layout(position.size)
    axis = position.axis(seat)
    return Picture(
        name=f"{NAME}-{axis}s",
        extent=layout.extent,
        base=(),
        shapes=tuple(_on_list(position, seat, layout)),
        alt=f"How each {axis} came to its prime. {'; '.join(position.working_of(seat))}.",
    )


def _on_list(position: BinaryPrimes, seat: int, layout: Layout) -> Iterator[Shape]:
    *tags, product = position.working_of(seat)
    for place, (line, tag) in enumerate(zip(position.lines(seat), tags, strict=True)):
        yield from _listed(layout, seat, place, line, tag)
    left, right = layout.edges
    y = layout.rows + 12 * layout.point
    yield Line(left, y, right, y, "ink", boards.HAIR * layout.point)
    entry = _entries(position, (seat,))[0]
    yield from legends.old(layout, [entry._replace(tag=product)], 24, 1)


def _listed(layout: Layout, seat: int, place: int, line: str, tag: str) -> Iterator[Shape]:
    reading = best_reading(line)
    size, y = LABEL * layout.point, PITCH * (place + 0.5)
    left, right = layout.edges
    name = boards.ordinal(place) if seat == 2 else boards.letter(place)
    yield Text(left, y, name, size, "faded", "left")
    yield from _digits(layout, y, line, reading)
    words = ENDS[seat - 1][reading.backwards] if reading else "no prime"
    yield Text(layout.columns + 18 * layout.point, y, words, LEAST * layout.point, "faded", "left")
    yield Text(right, y, str(reading.prime) if reading else "1", size, "ink", "right", tag=tag)


def _digits(layout: Layout, y: float, line: str, reading: Reading | None) -> Iterator[Shape]:
    """The squares of a line in the order of reading, with their digits from the first 1 on."""
    squares = line[::-1] if reading and reading.backwards else line
    digits = reading.digits if reading else " " * len(line)
    if reading:
        hollow = HOLLOW * layout.point * (reading.ones == "empty")
        yield boards.arrow(-20 * layout.point, y, "right", TRIANGLE * layout.point, hollow=hollow)
    first, hair = digits.find("1"), boards.HAIR * layout.point
    for place, (square, digit) in enumerate(zip(squares, digits, strict=True)):
        filled = square == "1"
        yield Box(place + 0.05, y - 0.45, 0.9, 0.9, "ink" if filled else None, "ink", hair, 0.12)
        if reading and place >= first:
            ink, on = ("paper", "ink") if filled else ("ink", "paper")
            yield Text(place + 0.5, y, digit, 0.72, ink, on=on)


# What both say.


def _levels(size: int) -> int:
    return 2 if size >= STAGGERED else 1


def _abreast(size: int) -> int:
    return 1 if size >= WIDE else 2


def _entries(position: BinaryPrimes, seats: tuple[int, ...]) -> list[Entry]:
    scores, ranks = position.scores(), position.ranks()
    return [
        Entry(seat, f"{position.axis(seat)}s", grouped(scores[seat - 1]), ranks is not None and ranks[seat - 1] == 1)
        for seat in seats
    ]


def _progress(position: BinaryPrimes) -> str:
    board = f"{position.size} by {position.size}"
    if position.turn:
        return f"{board}, move {position.plies} of {position.length}"
    if position.withdrawn:
        return f"{board}, seat {position.withdrawn[0]} withdrew after {position.plies} of {position.length} moves"
    return f"{board}, finished after {position.length} moves"


def _alt(position: BinaryPrimes) -> str:
    totals = ", ".join(f"{entry.label} {entry.total}" for entry in _entries(position, BOTH))
    return f"{TITLE}, {_progress(position)}: {totals}."
