"""Lists the points of a finished match of Binary Scramble: lists with the same runs stand together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from bot.core.values.seats import peopled
from cogs.binary_scramble.lists import CHIP, NUMBER, PAGE, ROW, label, runs_text, strip
from cogs.binary_scramble.rules import BinaryScramble
from rendering.boards import HAIR, Layout
from rendering.legend import colour
from rendering.pages import abridged
from rendering.shapes import EDGE, LEAST, Chip, Line, Picture, Shape, Text

LINES, COLUMNS, GAP = 32, 2, 20
"""The most lines of a page, its columns, and the points between them."""
WIDE = (PAGE + GAP) / COLUMNS
STRIP, WIDEST_DIGIT = 288, 24
"""In points."""


class _Line(NamedTuple):
    """A line of a page: a list, or the runs of those that follow."""

    at: int
    heading: bool = False


def pages(position: BinaryScramble, name: str) -> Iterator[Picture]:
    """Pictures of all lists that scored, and of the lists that they resemble."""
    families = _families(position)
    lines = sum(map(len, families)) + len(families)
    columns = _columns(families, min(LINES, max(8, ceil(lines / COLUMNS) + 2)))
    count = ceil(len(columns) / COLUMNS)
    for number in range(1, count + 1):
        page = columns[(number - 1) * COLUMNS : number * COLUMNS]
        yield _page(position, page, f"{name}-points-{number}")


def _scored(position: BinaryScramble, at: int) -> bool:
    return at > 0 and position.flips[at - 1].like is not None


def _families(position: BinaryScramble) -> list[list[int]]:
    """The lists with the same runs as some other, together, in the order in which the first of each came."""
    families: dict[int, list[int]] = {}
    for at, flip in enumerate(position.flips, 1):
        if flip.like is not None:
            families.setdefault(flip.like, [flip.like]).append(at)
    return [families[first] for first in sorted(families)]


def _columns(families: Iterable[list[int]], most: int) -> list[list[_Line]]:
    """Families as columns of lines; where one is broken its heading stands above both parts."""
    columns: list[list[_Line]] = [[]]
    for family in families:
        if len(columns[-1]) + 3 > most:
            columns.append([])
        columns[-1].append(_Line(family[0], True))
        for at in family:
            if len(columns[-1]) == most:
                columns.append([_Line(family[0], True)])
            columns[-1].append(_Line(at))
    return columns


def _page(position: BinaryScramble, columns: list[list[_Line]], name: str) -> Picture:
    rows = max(map(len, columns))
    layout = Layout(PAGE / ROW, rows, EDGE, EDGE, EDGE + 16, EDGE)
    scored = [line.at for lines in columns for line in lines if not line.heading and _scored(position, line.at)]
    return Picture(
        name=name,
        extent=layout.extent,
        base=(),
        shapes=tuple(_on_page(position, layout, columns)),
        alt=f"Points: {abridged(peopled(position.explain(one), colour) for one in scored)}.",
    )


def _on_page(position: BinaryScramble, layout: Layout, columns: list[list[_Line]]) -> Iterator[Shape]:
    for column, lines in enumerate(columns):
        x = column * WIDE * layout.point
        for row, line in enumerate(lines):
            drawn = _heading if line.heading else _member
            yield from drawn(position, layout, line.at, x, row + 0.5)


def _heading(position: BinaryScramble, layout: Layout, at: int, x: float, y: float) -> Iterator[Shape]:
    unit, room = layout.point, (WIDE - GAP) * layout.point
    text, edge = runs_text(position.lists[at]), y - 0.5 + 6 * unit
    yield Line(x, edge, x + room, edge, "faded", HAIR * unit)
    yield Text(x, y + 6 * unit, text, layout.fit(text, room, LEAST), "ink", "left")


def _member(position: BinaryScramble, layout: Layout, at: int, x: float, y: float) -> Iterator[Shape]:
    unit = layout.point
    yield Text(x + NUMBER * unit, y, label(at), LEAST * unit, "faded", "right")
    if _scored(position, at):
        seat = position.flips[at - 1].seat
        yield Chip(x + (NUMBER + 24) * unit, y, CHIP * unit, seat, tag=position.explain(at))
    digit = min(WIDEST_DIGIT, STRIP // position.length)
    yield from strip(layout, x + (NUMBER + 50) * unit, y, position.lists[at], digit)
