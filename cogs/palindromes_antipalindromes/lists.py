"""What was counted in a finished match of Palindromes/Antipalindromes, listed: a line for every middle.

Each line shows the longest stretch about its middle in its place in the row, and how the lengths about it add up.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from bot.core.notation import added
from bot.core.seats import BOTH
from cogs.palindromes_antipalindromes.rules import KINDS, Middle, Palindromes
from rendering.boards import HAIR, Layout
from rendering.legend import Entry
from rendering.legend import old as legend
from rendering.legend import old_height as legend_height
from rendering.shapes import EDGE, LEAST, SEAT_INKS, Box, Ink, Line, Picture, Shape, Text

SUBTITLE = "the longest about every middle, and all lengths there added up"
ROWS = 26
"""The most lines of a page."""
SHORT = 4
"""Sums of more lengths are written with dots."""
ALT = 1000

# In points.
ROW, STRIP, WIDEST_STRIP, WIDEST_SQUARE = 42, 140, 460, 28
"""The height of a line, where the row begins in it, and how wide the row and its squares are at most."""
LEGIBLE, DIGIT = 26, 23
"""From which width on a square has its digit, and its type."""
TICK = 10
"""The length of the marks above and below a middle."""


def pages(position: Palindromes, title: str, name: str) -> Iterator[Picture]:
    """Pictures of everything that either seat counts."""
    for seat in BOTH:
        counted, kind = position.counted(seat), f"{KINDS[seat - 1]}s"
        count = max(1, ceil(len(counted) / ROWS))
        rows = ceil(len(counted) / count)
        for page in range(count):
            of, number = (f", {page + 1} of {count}", f"-{page + 1}") if count > 1 else ("", "")
            shown = counted[page * rows : (page + 1) * rows]
            yield _page(position, seat, shown, f"{title}: {kind}{of}", f"{name}-{kind}{number}")


def _page(position: Palindromes, seat: int, shown: tuple[Middle, ...], title: str, name: str) -> Picture:
    below = 12 + ROW * len(shown) + 20 + legend_height(1, 1)
    layout = Layout(20, 0, EDGE, EDGE, EDGE, below)
    return Picture(
        name=name,
        extent=layout.extent,
        base=(),
        shapes=tuple(_on_page(position, seat, shown, layout)),
        alt=_alt("; ".join(map(position.explain, shown))),
    )


def _alt(found: str) -> str:
    said = found if len(found) <= ALT else f"{found[:ALT].rpartition(';')[0]}; and more"
    return f"{said}." if said else "There are none."


def _on_page(position: Palindromes, seat: int, shown: tuple[Middle, ...], layout: Layout) -> Iterator[Shape]:
    unit, (left, right) = layout.point, layout.edges
    for place, middle in enumerate(shown):
        yield from _listed(position, middle, 12 + ROW * (place + 0.5), layout)
    end = 12 + ROW * len(shown) + 10
    yield Line(left, end * unit, right, end * unit, "ink", HAIR * unit)
    total, ranks = position.scores()[seat - 1], position.ranks()
    won, tag = ranks is not None and ranks[seat - 1] == 1, position.working_of(seat)[-1]
    yield from legend(layout, [Entry(seat, f"{KINDS[seat - 1]}s", str(total), won, tag)], end + 10, 1)


def _listed(position: Palindromes, middle: Middle, y: float, layout: Layout) -> Iterator[Shape]:
    unit, (left, right) = layout.point, layout.edges
    yield Text(left, y * unit, str(middle), LEAST * unit, "faded", "left")
    yield from _strip(position, middle, y, layout)
    lengths = middle.lengths
    said = f"2 + ... + {lengths[-1]} = {sum(lengths)}" if len(lengths) > SHORT else added(lengths)
    yield Text(right, y * unit, said, LEAST * unit, "ink", "right", tag=position.explain(middle))


def _strip(position: Palindromes, middle: Middle, y: float, layout: Layout) -> Iterator[Shape]:
    """The row as a line, the longest about a middle as boxes in their places, and marks at the middle."""
    unit, wide = layout.point, min(WIDEST_SQUARE, WIDEST_STRIP // position.length)
    start, high = layout.edges[0] + STRIP * unit, max(wide - 2, 20)
    yield Line(start, y * unit, start + wide * position.length * unit, y * unit, "faded", HAIR * unit)
    for at in range(middle.start, middle.end + 1):
        x, one = start + wide * (at - 1) * unit, position.row[at - 1] == "1"
        fill: Ink = "ink" if one else "paper"
        yield Box(x + unit, (y - high / 2) * unit, (wide - 2) * unit, high * unit, fill, "ink", HAIR * unit)
        if wide >= LEGIBLE:
            yield Text(
                x + wide / 2 * unit, y * unit, position.row[at - 1], DIGIT * unit, "paper" if one else "ink", on=fill
            )
    x = start + wide * middle.after * unit
    for side in (-1, 1):
        near, far = (y + side * high / 2) * unit, (y + side * (high / 2 + TICK)) * unit
        yield Line(x, near, x, far, SEAT_INKS[middle.seat - 1], 4 * unit)
