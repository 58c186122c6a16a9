"""Draws the parts of Sums Grid's pictures, measured in squares of 30 points.

A grid with the run that makes its last number, the strip of numbers with those that are sums, the bar that compares how
far everybody got, and the list that shows how each number is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from math import ceil

from cogs.sums_grid.sums import Grid, Run, expression, reach, runs, sums
from rendering import pages as rendered
from rendering.boards import BOLD, HAIR, Direction, arrow
from rendering.legend import Entry
from rendering.pages import UNIT, WIDE
from rendering.shapes import (
    LABEL,
    LEAST,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    grouped,
    width,
)

TITLE, NAME = "Sums Grid", "sums-grid"
HAIRLINE, THICK = HAIR / UNIT, BOLD / UNIT
MIDDLE, LITTLE = LABEL / UNIT, LEAST / UNIT
"""Sizes of type."""

STRIP = {2: (6, 2.8), 3: (7, 2.8), 4: (13, 1.9), 5: (14, 1.7)}
"""How many numbers of the strip stand on a line, and how high a line is; without diagonals the last is full."""
SPELLED = (2, 3)
"""The sizes where a number of the strip has room for the sum that makes it."""
INSET = 0.1
"""How far a frame stays inside its squares."""
PITCH, GUTTER = 1.3, 0.8
"""From line to line and between the columns of a list."""
COLUMNS = (4, 3, 2)
"""How many columns a list has: the first of these where its lines fit."""
BAR, ABOVE_BAR, BELOW_BAR = 0.9, 1.6, 1.6
"""The height of the bar, and of what stands above and below it."""


def page(
    name: str, height: float, shapes: Iterable[Shape], alt: str, base: Iterable[Shape], entries: Sequence[Entry] = ()
) -> Picture:
    """A page with content of this height and the legend below it; its origin is the content's top left corner."""
    return rendered.page(rendered.paper(height), f"{NAME}{name}", alt, base, shapes, entries)


def fitted(text: str, size: float, room: float) -> float:
    """The type size, at most `size`, at which a text fits into `room`, but legible."""
    return max(LITTLE, min(size, size * room / width(text, size)))


# A grid.


@cache
def frame(left: float, top: float, wide: float, size: int) -> tuple[Shape, ...]:
    """The lines of an empty grid."""
    ends = [step * wide / size for step in range(size + 1)]
    upright = (Line(left + end, top, left + end, top + wide, "ink", HAIRLINE) for end in ends)
    level = (Line(left, top + end, left + wide, top + end, "ink", HAIRLINE) for end in ends)
    return (*upright, *level)


def filling(left: float, top: float, wide: float, grid: Grid, seat: int, tag: str = "") -> Iterator[Shape]:
    """The numbers of a grid; those that make the last number without a gap are framed, with the tag."""
    size, run = grid.size, last_run(grid)
    cell = wide / size
    # A diagonal has a frame around each of its squares.
    straight = len({square // size for square in run}) == 1 or len({square % size for square in run}) == 1
    pieces = [run] if straight else [(square,) for square in run]
    yield from (_around(left, top, cell, piece, size, seat, tag) for piece in pieces)
    for square, value in enumerate(grid.numbers):
        row, column = divmod(square, size)
        at = left + (column + 0.5) * cell, top + (row + 0.5) * cell
        on = TINT_INKS[seat - 1] if square in run else "paper"
        yield Text(*at, grouped(value), fitted(grouped(value), 0.42 * cell, 0.78 * cell), on=on)


def last_run(grid: Grid) -> Run:
    """The run that makes the last number without a gap; empty where not even 1 is made."""
    return sums(grid).get(reach(grid), ())


def _around(left: float, top: float, cell: float, run: Run, size: int, seat: int, tag: str) -> Box:
    (row, column), (last_row, last_column) = divmod(run[0], size), divmod(run[-1], size)
    wide, high = (last_column - column + 1) * cell, (last_row - row + 1) * cell
    return framed(left + column * cell, top + row * cell, wide, high, seat, inset=0, tag=tag)


def framed(x: float, y: float, wide: float, high: float, seat: int, inset: float = INSET, tag: str = "") -> Box:
    """The sign for the last number without a gap and for what makes it."""
    tint, ink = TINT_INKS[seat - 1], SEAT_INKS[seat - 1]
    return Box(x + inset, y + inset, wide - 2 * inset, high - 2 * inset, tint, ink, THICK, 0.3, tag=tag)


def dark(x: float, y: float, wide: float, high: float) -> Box:
    """The sign for the first number that is missing."""
    return Box(x + INSET, y + INSET, wide - 2 * INSET, high - 2 * INSET, "ink", radius=0.3)


@cache
def veiled(left: float, top: float, wide: float, size: int) -> tuple[Shape, ...]:
    """A grid whose numbers are secret."""
    cell = wide / size
    middles = [(step + 0.5) * cell for step in range(size)]
    signs = (Text(left + x, top + y, "?", 0.42 * cell, "faded") for y in middles for x in middles)
    return (*frame(left, top, wide, size), *signs)


# The strip of numbers.


def beyond(size: int, diagonals: bool) -> int:
    """The first number that no grid can reach: one more than there are runs."""
    return len(runs(size, diagonals)) + 1


def strip_height(size: int, diagonals: bool) -> float:
    """How high the strip for a size is."""
    across, high = STRIP[size]
    return high * ceil(beyond(size, diagonals) / across)


def strip(top: float, size: int, diagonals: bool, grid: Grid, seat: int) -> Iterator[Shape]:
    """The numbers 1, 2, 3, …: those reached on the seat's pale colour, the first missing one dark."""
    across, high = STRIP[size]
    wide, made, reached = WIDE / across, sums(grid), reach(grid)
    for place in range(beyond(size, diagonals)):
        line, column = divmod(place, across)
        x, y, number = column * wide, top + line * high, place + 1
        sign = _sign(x, y, wide, high, number, reached, number in made, seat)
        yield sign
        ink: Ink = "paper" if number == reached + 1 else "ink" if number in made else "faded"
        if size in SPELLED:
            words = "missing" if number == reached + 1 else explained(grid, number)
            yield from _numeral(sign, str(number), words, ink, MIDDLE)
        else:
            yield from _numeral(sign, str(number), "", ink, LITTLE)


def explained(grid: Grid, number: int) -> str:
    """The sum that makes a number; empty where a single square holds it, or nothing makes it."""
    run = sums(grid).get(number, ())
    return expression(grid, run, "+") if len(run) > 1 else ""


def _sign(x: float, y: float, wide: float, high: float, number: int, reached: int, made: bool, seat: int) -> Box:
    if number == reached:
        return framed(x, y, wide, high, seat)
    if number == reached + 1:
        return dark(x, y, wide, high)
    fill = TINT_INKS[seat - 1] if number < reached else None
    line: Ink | None = None if fill else SEAT_INKS[seat - 1] if made else "faded"
    return Box(x + INSET, y + INSET, wide - 2 * INSET, high - 2 * INSET, fill, line, HAIRLINE, 0.3)


def _numeral(sign: Box, number: str, words: str, ink: Ink, size: float) -> Iterator[Text]:
    """A number in its box, with what makes it below."""
    x, on, room = sign.left + sign.width / 2, sign.fill or "paper", sign.width - 0.2
    middle = 0.33 if words else 0.5
    yield Text(x, sign.top + middle * sign.height, number, fitted(number, size, room), ink, on=on)
    if words:
        yield Text(x, sign.top + 0.73 * sign.height, words, fitted(words, LITTLE, room), ink, on=on)


# The bar.


def bar(
    left: float, top: float, wide: float, grid: Grid, seat: int, par: int | None, most: int, tag: str
) -> Iterator[Shape]:
    """The numbers up to `most` side by side: those reached, in pale colour other sums; par above, the gap below."""
    made, reached = sums(grid), reach(grid)
    step, y = wide / most, top + ABOVE_BAR
    for is_made, group in groupby(range(1, most + 1), lambda number: number in made):
        numbers = list(group)
        ink = SEAT_INKS[seat - 1] if numbers[0] <= reached else TINT_INKS[seat - 1]
        if is_made:
            yield Box(left + (numbers[0] - 1) * step, y, len(numbers) * step, BAR, ink)
    yield Box(left, y, wide, BAR, None, "ink", HAIRLINE, tag=tag)
    if par:
        yield from _mark(left, wide, (par - 0.5) * step, y - 0.3, "down", f"par {par}", "faded")
    yield from _mark(left, wide, (reached + 0.5) * step, y + BAR + 0.3, "up", f"{reached + 1} is missing", "ink")


def _mark(left: float, wide: float, x: float, y: float, way: Direction, words: str, ink: Ink) -> Iterator[Shape]:
    """A small triangle that points at the bar, and its words beyond it, kept between the ends of the bar."""
    half = width(words, LITTLE) / 2
    yield arrow(left + x, y, way, 0.5, ink)
    middle = left + min(max(x, half), wide - half)
    yield Text(middle, y + (0.75 if way == "up" else -0.75), words, LITTLE, ink)


# The list.


def listing(grid: Grid, top: float) -> tuple[float, tuple[Shape, ...]]:
    """How a grid makes each number up to its reach, and where that ends: squares first, then sums in columns."""
    numbers = range(1, reach(grid) + 1)
    single = [str(number) for number in numbers if not explained(grid, number)]
    added = [f"{number} = {words}" for number in numbers if (words := explained(grid, number))]
    intro = [
        Text(0, top + (line + 0.5) * PITCH, text, LITTLE, "ink", "left") for line, text in enumerate(_rows(single))
    ]
    top += (len(intro) + 0.5) * PITCH
    columns = next(many for many in COLUMNS if many == COLUMNS[-1] or _fit(added, _room(many)))
    room, high = _room(columns), -(-(len(added) + 1) // columns)
    spots = [(place // high * (room + GUTTER), top + place % high * PITCH) for place in range(len(added) + 1)]
    texts = [
        Text(x, y + PITCH / 2, line, fitted(line, LITTLE, room), "ink", "left")
        for (x, y), line in zip(spots, added, strict=False)
    ]
    return top + high * PITCH, (*intro, *texts, *missing(*spots[-1], reach(grid) + 1))


def _room(columns: int) -> float:
    return (WIDE + GUTTER) / columns - GUTTER


def _fit(lines: Sequence[str], room: float) -> bool:
    return all(width(line, LITTLE) <= room for line in lines)


def _rows(numbers: Sequence[str]) -> Iterator[str]:
    """Numbers that are squares of the grid, as many on a line as have room."""
    row = "squares alone:"
    for place, number in enumerate(numbers, 1):
        longer = f"{row} {number}{',' if place < len(numbers) else ''}".strip()
        if width(longer, LITTLE) > WIDE:
            yield row
            longer = longer.removeprefix(row).strip()
        row = longer
    yield row


def missing(x: float, y: float, number: int) -> Iterator[Shape]:
    """The first number that is missing, as a line of the list."""
    sign = dark(x - INSET, y - INSET, width(str(number), LITTLE) + 0.8, PITCH + 2 * INSET)
    yield sign
    yield Text(sign.left + sign.width / 2, y + PITCH / 2, str(number), LITTLE, "paper", on="ink")
    yield Text(sign.left + sign.width + 0.3, y + PITCH / 2, "is missing", LITTLE, "ink", "left")
