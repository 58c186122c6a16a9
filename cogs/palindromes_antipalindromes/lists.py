"""Lists what was counted in a finished match of Palindromes/Antipalindromes: a row for every middle.

Each shows the longest stretch about its middle in its place in the row, and how the lengths about it add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.core.game.notation import added
from cogs.palindromes_antipalindromes.rules import KINDS, Middle, Palindromes
from rendering.boards import HAIR
from rendering.legend import Entry
from rendering.pages import Row, abridged, lists
from rendering.shapes import EDGE, LEAST, POINTS, SEAT_INKS, Box, Ink, Line, Picture, Shape, Text, width

SHORT = 3
"""Sums of more lengths are written with dots."""

# In points.
ROW, STRIP, GAP = 44, 130, 20
"""The height of a row of the list, where the row of squares begins in it, and what is free behind that at least."""
WIDEST_SQUARE, LEGIBLE, HIGH = 32, 26, 28
"""The largest square, from which width on a square has its digit, and the height of all."""
TICK = 7
"""The length of the marks above and below a middle."""


def pages(position: Palindromes, entry: Entry, name: str) -> Iterator[Picture]:
    """Pictures of everything that a seat counts."""
    counted, kind = position.counted(entry.seat), f"{KINDS[entry.seat - 1]}s"
    longest = max((width(_sum(middle), LEAST) for middle in counted), default=0)
    wide = min(WIDEST_SQUARE, int((POINTS - 2 * EDGE - STRIP - GAP - longest) / position.length))
    rows = [Row(ROW, partial(_listed, position, middle, wide)) for middle in counted]
    alt = abridged(map(position.explain, counted)) or "There are none"
    yield from lists(f"{name}-{kind}", f"{alt}.", rows, (entry,))


def _sum(middle: Middle) -> str:
    """How the lengths about a middle add up."""
    lengths = middle.lengths
    return f"2 + ... + {lengths[-1]} = {sum(lengths)}" if len(lengths) > SHORT else added(lengths)


def _listed(position: Palindromes, middle: Middle, wide: int, y: float) -> Iterator[Shape]:
    yield Text(EDGE, y, str(middle), LEAST, "faded", "left")
    yield from _strip(position, middle, wide, y)
    yield Text(POINTS - EDGE, y, _sum(middle), LEAST, "ink", "right", tag=position.explain(middle))


def _strip(position: Palindromes, middle: Middle, wide: int, y: float) -> Iterator[Shape]:
    """The row as a line, the longest about a middle as a box in its place, dark where ones are, with marks at it."""
    start, top = EDGE + STRIP, y - HIGH / 2
    yield Line(start, y, start + wide * position.length, y, "faded", HAIR)
    length = middle.end + 1 - middle.start
    yield Box(start + wide * (middle.start - 1), top, wide * length, HIGH, "paper", "ink", HAIR)
    for at in range(middle.start, middle.end + 1):
        x, one = start + wide * (at - 1), position.row[at - 1] == "1"
        fill: Ink = "ink" if one else "paper"
        if one:
            yield Box(x, top, wide, HIGH, fill)
        if wide >= LEGIBLE:
            yield Text(x + wide / 2, y, position.row[at - 1], LEAST, "paper" if one else "ink", on=fill)
    x = start + wide * middle.after
    for side in (-1, 1):
        near, far = y + side * HIGH / 2, y + side * (HIGH / 2 + TICK)
        yield Line(x, near, x, far, SEAT_INKS[middle.seat - 1], 4)
