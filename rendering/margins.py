"""Draws what stands around a board: the numbers of its lines, a key to its signs, and paragraphs.

Numbers beside a board are those of rows, numbers below it those of columns. A key says in a few words what each sign
means, each on a line of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from rendering.boards import GAP, Layout
from rendering.shapes import EDGE, LABEL, NOTE, POINTS, Ink, Shape, Text, wrapped

ACROSS = POINTS - 2 * EDGE
"""The width of a page between its edges, in points."""
KEY_ROW, SPACE = 48, 14
"""A line of a key, and what is between a sign and its words, in points."""


def right_of_rows(
    layout: Layout, numbers: Iterable[str], ink: Ink = "ink", tags: Sequence[str] = (), gap: float = GAP
) -> Iterator[Text]:
    """A number at the right of each row."""
    x, room = layout.columns + gap * layout.point, (layout.right - gap - EDGE / 2) * layout.point
    for row, number in enumerate(numbers):
        tag = tags[row] if tags else ""
        yield Text(x, row + 0.5, number, layout.fit(number, room), ink, "left", tag=tag)


def below_columns(
    layout: Layout,
    numbers: Iterable[str],
    ink: Ink = "ink",
    tags: Sequence[str] = (),
    gap: float = GAP,
    levels: int = 1,
) -> Iterator[Text]:
    """A number below each column; on two `levels` neighbours stand at different heights and may be twice as wide."""
    size = LABEL * layout.point
    for column, number in enumerate(numbers):
        y = layout.rows + gap * layout.point + size * (0.4 + 1.15 * (column % levels))
        tag = tags[column] if tags else ""
        yield Text(column + 0.5, y, number, layout.fit(number, 0.9 * levels), ink, tag=tag)


class Sign(NamedTuple):
    """A sign of a key: its words, its width in points, and what draws it from the middle of its left side."""

    words: str
    wide: float
    draw: Callable[[float, float], Iterable[Shape]]


def key_height(signs: Sequence[Sign]) -> float:
    """Points that a key needs."""
    return KEY_ROW * len(signs)


def key(layout: Layout, signs: Sequence[Sign], top: float) -> Iterator[Shape]:
    """Signs with their words, from `top` points below the board."""
    unit, (left, right) = layout.point, layout.edges
    for place, sign in enumerate(signs):
        y = layout.rows + (top + KEY_ROW * (place + 0.5)) * unit
        yield from sign.draw(left, y)
        start = left + (sign.wide + SPACE if sign.wide else 0) * unit
        yield Text(start, y, sign.words, layout.fit(sign.words, right - start, NOTE), "faded", "left")


def remark(words: str) -> Sign:
    """Words of a key without a sign."""
    return Sign(words, 0, _nothing)


def _nothing(x: float, y: float) -> Iterable[Shape]:
    return ()


LINE = 1.4 * NOTE
"""A line of a paragraph, in points."""


def paragraph_height(lines: Iterable[str]) -> float:
    """Points that a paragraph needs."""
    return LINE * sum(len(wrapped(line, NOTE, ACROSS)) for line in lines)


def paragraph(
    layout: Layout, lines: Iterable[str], top: float, ink: Ink = "faded", tags: Sequence[str] = ()
) -> Iterator[Text]:
    """Lines across the page from `top` points below the board, wrapped where they are long."""
    unit, (left, _) = layout.point, layout.edges
    for place, line in enumerate(lines):
        for part in wrapped(line, NOTE, ACROSS):
            y = layout.rows + (top + LINE / 2) * unit
            yield Text(left, y, part, NOTE * unit, ink, "left", tag=tags[place] if tags else "")
            top += LINE
