"""Multiples/Divisors Blob as pictures: the blob, and when the match is over the runs of every line.

In the margin a line that scores has a 1 on its seat's tint; any other line has two of its runs side by side of which
neither divides the other. While the match goes on, dots show where the blob can grow. On a finished board two more
pictures list the lines run by run, with a bar under the two runs that fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.core.seats import BOTH
from cogs.multiples_divisors_blob.rules import MultiplesDivisorsBlob, clash, run_lengths
from rendering import boards
from rendering import legend as legends
from rendering.boards import GAP, Layout, width
from rendering.legend import Entry
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    POINTS,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Disc,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
)

TITLE, NAME = "Multiples/Divisors Blob", "multiples-divisors-blob"

# In points.
LEFT = EDGE + width("00", LABEL) + GAP
TILE, HALF = 36, 37
"""The side of the ground under a point, which is the breadth of a tile with two runs; and half of the tile's length."""
MARGIN = GAP + 2 * HALF + 16
"""What the points beside and below the board take."""
KEY = 50
"""The height of a line of the key."""
DIGIT = 23
"""The type of a run on a tile."""

SCORES = "of every two runs one divides the other: a point"
FAILS = "two runs: neither divides the other"
GROWS = "can be filled"

GROWTH = 0.09
"""The radius of a dot where the blob can grow, in squares."""

# The lists of a finished match.
STRIP, CELL = 566, 80
"""What a line's runs take at most, and its squares, in points."""
PITCH, HIGH = 62, 44
"""From one line of a list to the next, and the height of a run, in points."""
UNDER, WEIGHT = 28, 5
"""How far below the middle of a run the bar lies that says it fails, and its weight, in points."""


def pictures(position: MultiplesDivisorsBlob) -> tuple[Picture, ...]:
    """The board; when the match is over also the runs of the rows and of the columns."""
    if position.turn:
        return (_board(position),)
    return (_board(position), *(_list(position, seat) for seat in BOTH))


# The board.


@lru_cache(maxsize=16)
def _layout(size: int) -> Layout:
    below = MARGIN + 2 * KEY + 8 + legends.old_height(2)
    return Layout(columns=size, rows=size, left=LEFT, right=MARGIN + EDGE / 2, below=below)


def _board(position: MultiplesDivisorsBlob) -> Picture:
    layout = _layout(position.size)
    return Picture(
        name=NAME,
        extent=layout.extent,
        base=_base(layout),
        shapes=tuple(_on_board(position, layout)),
        alt=_alt(position),
    )


@lru_cache(maxsize=16)
def _base(layout: Layout) -> tuple[Shape, ...]:
    return (*boards.grid(layout), *_key(layout, MARGIN))


def _on_board(position: MultiplesDivisorsBlob, layout: Layout) -> Iterator[Shape]:
    yield from _squares(position, layout)
    for seat in BOTH:
        *tags, _ = position.working_of(seat)
        for place, (line, tag) in enumerate(zip(position.lines(seat), tags, strict=True)):
            yield from _verdict(layout, seat, place, run_lengths(line), tag)
    if position.turn and position.plies:
        yield from _growth(position, layout)
    yield from legends.old(layout, _entries(position), MARGIN + 2 * KEY + 8)


def _squares(position: MultiplesDivisorsBlob, layout: Layout) -> Iterator[Shape]:
    for index in range(position.size**2):
        row, column = divmod(index, position.size)
        if seat := position.owner(index):
            if index == position.last:
                yield boards.shaded(layout, column, row)
            yield boards.chip(column, row, seat, "gold" if index == position.last else "paper")


def _growth(position: MultiplesDivisorsBlob, layout: Layout) -> Iterator[Shape]:
    """A dot on every square that can be filled, and one that says so in the key."""
    open_squares = position.open
    for index in range(position.size**2):
        if open_squares >> index & 1:
            row, column = divmod(index, position.size)
            yield Disc(column + 0.5, row + 0.5, GROWTH, "faded")
    unit, (_, right) = layout.point, layout.edges
    y = layout.rows + (MARGIN + 1.5 * KEY) * unit
    yield Text(right, y, GROWS, LEAST * unit, "faded", "right")
    yield Disc(right - width(GROWS, LEAST * unit) - 16 * unit, y, 7 * unit, "faded")


def _verdict(layout: Layout, seat: int, place: int, runs: tuple[int, ...], tag: str) -> Iterator[Shape]:
    """A line's point in the margin, or two of its runs that cost it the point."""
    away = layout.columns + (GAP / 2 + HALF) * layout.point
    x, y = (away, place + 0.5) if seat == 1 else (place + 0.5, away)
    if pair := clash(runs):
        less, more = sorted((runs[pair.one], runs[pair.other]))
        yield from _tile(layout, x, y, seat, (str(less), str(more)), tag)
    else:
        yield from _point(layout, x, y, seat, tag)


def _point(layout: Layout, x: float, y: float, seat: int, tag: str = "") -> Iterator[Shape]:
    unit, tint = layout.point, TINT_INKS[seat - 1]
    yield Box(x - TILE / 2 * unit, y - TILE / 2 * unit, TILE * unit, TILE * unit, tint, radius=8 * unit, tag=tag)
    yield Text(x, y, "1", LABEL * unit, on=tint, tag=tag)


def _tile(layout: Layout, x: float, y: float, seat: int, runs: tuple[str, str], tag: str = "") -> Iterator[Shape]:
    """Two runs side by side, level beside a row, upright below a column."""
    unit = layout.point
    half, across, hair = HALF * unit, TILE / 2 * unit, boards.HAIR * unit
    dx, dy = (half, across) if seat == 1 else (across, half)
    yield Box(x - dx, y - dy, 2 * dx, 2 * dy, None, "faded", hair, 6 * unit, tag=tag)
    if seat == 1:
        yield Line(x, y - dy, x, y + dy, "faded", hair)
    else:
        yield Line(x - dx, y, x + dx, y, "faded", hair)
    for run, side in zip(runs, (-1, 1), strict=True):
        at = (x + side * half / 2, y) if seat == 1 else (x, y + side * half / 2)
        yield Text(*at, run, DIGIT * unit, "faded", tag=tag)


def _key(layout: Layout, top: float) -> Iterator[Shape]:
    """What stands in the margins."""
    unit, (left, _) = layout.point, layout.edges
    y, x = layout.rows + (top + KEY / 2) * unit, left + (2 * HALF + 16) * unit
    for seat in BOTH:
        yield from _point(layout, left + (seat - 0.5) * (TILE + 4) * unit - 2 * unit, y, seat)
    yield Text(x, y, SCORES, LEAST * unit, "faded", "left")
    y += KEY * unit
    yield from _tile(layout, left + HALF * unit, y, 1, ("2", "3"))
    yield Text(x, y, FAILS, LEAST * unit, "faded", "left")


# The lists of a finished match.


@lru_cache(maxsize=16)
def _list_layout(size: int) -> Layout:
    left = EDGE + width("00", LABEL) + 2 * GAP
    cell = min(CELL, STRIP / size)
    return Layout(
        columns=size,
        rows=size * PITCH / cell,
        left=left,
        right=POINTS - left - cell * size,
        above=EDGE + 16,
        below=20 + legends.old_height(1, 1),
    )


def _list(position: MultiplesDivisorsBlob, seat: int) -> Picture:
    layout, axis = _list_layout(position.size), position.axis(seat)
    return Picture(
        name=f"{NAME}-{axis}s",
        extent=layout.extent,
        base=(),
        shapes=tuple(_on_list(position, seat, layout)),
        alt=f"The runs of every {axis}: {sum(position.line_scores(seat))} of {position.size} score.",
    )


def _on_list(position: MultiplesDivisorsBlob, seat: int, layout: Layout) -> Iterator[Shape]:
    *tags, _ = position.working_of(seat)
    for place, (line, tag) in enumerate(zip(position.lines(seat), tags, strict=True)):
        yield from _listed(layout, seat, place, line, tag)
    left, right = layout.edges
    y = layout.rows + 10 * layout.point
    yield Line(left, y, right, y, "ink", boards.HAIR * layout.point)
    yield from legends.old(layout, [_entries(position)[seat - 1]], 20, 1)


def _listed(layout: Layout, seat: int, place: int, line: str, tag: str) -> Iterator[Shape]:
    """One line: its name, its runs, and its point or what fails."""
    runs, unit = run_lengths(line), layout.point
    y = PITCH * (place + 0.5) * unit
    left, right = layout.edges
    name = boards.ordinal(place) if seat == 1 else boards.letter(place)
    yield Text(left, y, name, LABEL * unit, "faded", "left")
    pair = clash(runs)
    yield from _runs(layout, y, runs, line[0] == "1", seat, pair or (), tag)
    if pair:
        less, more = sorted((runs[pair.one], runs[pair.other]))
        yield Text(right - (TILE + 14) * unit, y, f"{less} and {more}", LEAST * unit, "faded", "right", tag=tag)
        yield Text(right - TILE / 2 * unit, y, "0", LABEL * unit, tag=tag)
    else:
        yield from _point(layout, right - TILE / 2 * unit, y, seat, tag)


def _runs(
    layout: Layout, y: float, runs: tuple[int, ...], filled: bool, seat: int, failing: tuple[int, ...], tag: str
) -> Iterator[Shape]:
    """Runs as boxes with their lengths, by turns filled and empty, and a bar under those that fail."""
    unit, start = layout.point, 0
    gap, high, under = 3 * unit, HIGH * unit, y + UNDER * unit
    for place, run in enumerate(runs):
        ink: Ink = "paper" if filled else "ink"
        fill, hair, radius = ("ink" if filled else None), boards.HAIR * unit, 6 * unit
        yield Box(start + gap, y - high / 2, run - 2 * gap, high, fill, "ink", hair, radius)
        size = layout.fit(str(run), run - 4 * gap)
        yield Text(start + run / 2, y, str(run), size, ink, on="ink" if filled else "paper")
        if place in failing:
            # A line reaches half its weight beyond its ends.
            yield Line(
                start + 2 * gap, under, start + run - 2 * gap, under, SEAT_INKS[seat - 1], WEIGHT * unit, tag=tag
            )
        start, filled = start + run, not filled


# What all say.


def _entries(position: MultiplesDivisorsBlob) -> list[Entry]:
    scores, ranks = position.scores(), position.ranks()
    return [
        Entry(
            seat,
            f"{position.axis(seat)}s",
            str(scores[seat - 1]),
            ranks is not None and ranks[seat - 1] == 1,
            position.working_of(seat)[-1],
        )
        for seat in BOTH
    ]


def _progress(position: MultiplesDivisorsBlob) -> str:
    board = f"{position.size} by {position.size}"
    if position.withdrawn:
        return f"{board}, seat {position.withdrawn[0]} withdrew after {position.plies} of {position.length} moves"
    if position.turn:
        return f"{board}, move {position.plies} of {position.length}"
    return f"{board}, finished after {position.length} moves"


def _alt(position: MultiplesDivisorsBlob) -> str:
    totals = ", ".join(f"{entry.label} {entry.total}" for entry in _entries(position))
    return f"{TITLE}, {_progress(position)}: {totals}."
