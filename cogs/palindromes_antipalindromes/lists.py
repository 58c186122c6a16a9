"""What was counted in a finished match of Palindromes/Antipalindromes, listed: a row for every middle.

Each shows the longest stretch about its middle in its place in the row, and how the lengths about it add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bot.core.notation import added
from cogs.palindromes_antipalindromes.rules import KINDS, Middle, Palindromes
from rendering.boards import HAIR
from rendering.legend import Entry
from rendering.pages import Row, lists
from rendering.shapes import EDGE, LEAST, POINTS, SEAT_INKS, Box, Ink, Line, Picture, Shape, Text

SHORT = 3
"""Sums of more lengths are written with dots."""
ALT = 1000

# In points.
ROW, STRIP, WIDEST_STRIP, WIDEST_SQUARE = 44, 130, 420, 30
"""The height of a row of the list; where the row of squares begins in it, and how wide it and its squares are."""
LEGIBLE = 26
"""From which width on a square has its digit."""
TICK = 8
"""The length of the marks above and below a middle."""


def pages(position: Palindromes, entry: Entry, name: str) -> Iterator[Picture]:
    """Pictures of everything that a seat counts."""
    counted, kind = position.counted(entry.seat), f"{KINDS[entry.seat - 1]}s"
    rows = [Row(ROW, partial(_listed, position, middle)) for middle in counted]
    yield from lists(f"{name}-{kind}", _alt("; ".join(map(position.explain, counted))), rows, (entry,))


def _alt(found: str) -> str:
    said = found if len(found) <= ALT else f"{found[:ALT].rpartition(';')[0]}; and more"
    return f"{said}." if said else "There are none."


def _listed(position: Palindromes, middle: Middle, y: float) -> Iterator[Shape]:
    yield Text(EDGE, y, str(middle), LEAST, "faded", "left")
    yield from _strip(position, middle, y)
    lengths = middle.lengths
    said = f"2 + ... + {lengths[-1]} = {sum(lengths)}" if len(lengths) > SHORT else added(lengths)
    yield Text(POINTS - EDGE, y, said, LEAST, "ink", "right", tag=position.explain(middle))


def _strip(position: Palindromes, middle: Middle, y: float) -> Iterator[Shape]:
    """The row as a line, the longest about a middle as boxes in their places, and marks at the middle."""
    wide, start = min(WIDEST_SQUARE, WIDEST_STRIP // position.length), EDGE + STRIP
    high = max(wide - 2, 20)
    yield Line(start, y, start + wide * position.length, y, "faded", HAIR)
    for at in range(middle.start, middle.end + 1):
        x, one = start + wide * (at - 1), position.row[at - 1] == "1"
        fill: Ink = "ink" if one else "paper"
        yield Box(x + 1, y - high / 2, wide - 2, high, fill, "ink", HAIR)
        if wide >= LEGIBLE:
            yield Text(x + wide / 2, y, position.row[at - 1], LEAST, "paper" if one else "ink", on=fill)
    x = start + wide * middle.after
    for side in (-1, 1):
        near, far = y + side * high / 2, y + side * (high / 2 + TICK)
        yield Line(x, near, x, far, SEAT_INKS[middle.seat - 1], 4)
