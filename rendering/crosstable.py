"""Draws the crosstable of a league: everybody's result against everybody, points, and what breaks ties.

Rows and columns are in the order of the table, by their numbers; who they are stands in the message below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rendering import margins
from rendering.boards import HAIR, Layout
from rendering.margins import Sign
from rendering.pages import page
from rendering.shapes import EDGE, LABEL, LEAST, TOTAL, Box, Disc, Ink, Line, Picture, Shape, Text

WON, DRAWN, LOST, LIVE, NONE = "1", "=", "0", ".", ""
"""What stands in a square: a result, that the match is being played, or nothing."""
NUMBERS, POINTS_AT, BERGER_AT, RIGHT = 80, 110, 250, 290
"""In points: the margin of the numbers, where points and tie-breaks end right of the squares, and the right margin."""
DOT = 8
KEY = "1 won, = drawn, 0 lost; by points, then by S-B"
PLAYED = "being played"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a crosstable: the squares from the first column on, points, and the number of Sonneborn and Berger;
    `won`: it is over, and they are first."""

    squares: tuple[str, ...]
    points: str
    berger: str
    won: bool = False


def crosstable(name: str, alt: str, rows: Sequence[Row]) -> Picture:
    """The picture of a table."""
    layout = Layout(len(rows), len(rows), NUMBERS, RIGHT, EDGE / 2 + 2 * LABEL, EDGE / 2)
    live = any(LIVE in row.squares for row in rows)
    unit = layout.point

    def dot(x: float, y: float) -> Iterator[Shape]:
        yield Disc(x + DOT * unit, y, DOT * unit, "faded")

    key = [margins.remark(KEY), *([Sign(PLAYED, 2 * DOT, dot)] if live else [])]
    shapes = [shape for place, row in enumerate(rows) for shape in _line(layout, place, row)]
    return page(layout, name, alt, tuple(_ground(layout, len(rows))), shapes, key=key)


def _ground(layout: Layout, size: int) -> Iterator[Shape]:
    unit = layout.point
    for place in range(size):
        yield Box(place, place, 1, 1, "tint8")
        yield Text(place + 0.5, -LABEL * unit, str(place + 1), LABEL * unit, "faded")
    for at in range(size + 1):
        yield Line(at, 0, at, size, "faded", HAIR * unit)
        yield Line(0, at, size, at, "faded", HAIR * unit)
    for words, at in (("points", POINTS_AT), ("S-B", BERGER_AT)):
        yield Text(size + at * unit, -LABEL * unit, words, LEAST * unit, "faded", "right")


def _line(layout: Layout, place: int, row: Row) -> Iterator[Shape]:
    unit, y, size = layout.point, place + 0.5, layout.columns
    yield Text(-20 * unit, y, str(place + 1), LABEL * unit, "ink", "right")
    for column, text in enumerate(row.squares):
        tag = f"{place + 1} {column + 1}"
        if text == LIVE:
            yield Disc(column + 0.5, y, DOT * unit, "faded", tag=tag)
        elif text:
            yield Text(column + 0.5, y, text, layout.fit(text, 0.9), "faded" if text == LOST else "ink", tag=tag)
    on: Ink = "gold" if row.won else "paper"
    if row.won:
        yield Box(size + 20 * unit, y - 24 * unit, (POINTS_AT - 8) * unit, 48 * unit, "gold", radius=8 * unit)
    yield Text(size + POINTS_AT * unit, y, row.points, TOTAL * unit, "ink", "right", on, tag=f"points {place + 1}")
    yield Text(size + BERGER_AT * unit, y, row.berger, LABEL * unit, "faded", "right", tag=f"berger {place + 1}")
