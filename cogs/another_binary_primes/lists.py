"""The primes of a finished match of Another Binary Primes, listed: each with its run of squares.

A line shows a prime in its place in the column, which lies on its side there, in the order in which its seat reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil

from bot.core.seats import BOTH
from cogs.another_binary_primes.rules import ENDS, AnotherBinaryPrimes, Run, counted
from rendering.boards import HAIR, Layout, grouped, width
from rendering.legend import Entry
from rendering.legend import old as legend
from rendering.legend import old_height as legend_height
from rendering.shapes import EDGE, LEAST, POINTS, Box, Line, Picture, Shape, Text

FIRST = ("top", "bottom")
ROWS = 31
"""The most lines of a page."""
ALT = 1000

# In points.
PAGE = POINTS - 2 * EDGE
TOP, ROW, GAP = 12, 37, 22
"""Above the first line, the height of a line, and between its parts."""
WIDEST_SQUARE, LEGIBLE, DIGIT = 28, 26, 23
"""The largest square of the column, from which width on a square has its digit, and its type."""


def pages(position: AnotherBinaryPrimes, title: str, name: str) -> Iterator[Picture]:
    """Pictures of all primes of both seats, ascending."""
    for seat in BOTH:
        runs, end = position.runs(seat), ENDS[seat - 1]
        count = max(1, ceil(len(runs) / ROWS))
        rows = ceil(len(runs) / count)
        for page in range(count):
            of, number = (f", {page + 1} of {count}", f"-{page + 1}") if count > 1 else ("", "")
            shown = runs[page * rows : (page + 1) * rows]
            yield _page(position, seat, shown, f"{title}: {end}{of}", f"{name}-{end.replace(' ', '-')}{number}")


def _page(position: AnotherBinaryPrimes, seat: int, shown: Sequence[Run], title: str, name: str) -> Picture:
    layout = Layout(20, 0, EDGE, EDGE, EDGE, TOP + ROW * len(shown) + 20 + legend_height(1, 1))
    return Picture(
        name=name,
        extent=layout.extent,
        base=(),
        shapes=tuple(_on_page(position, seat, shown, layout)),
        alt=_alt([position.explain(seat, run) for run in shown]),
    )


def _alt(found: Sequence[str]) -> str:
    said = "; ".join(found)
    short = said if len(said) <= ALT else f"{said[:ALT].rpartition(';')[0]}; and more"
    return f"{short[:1].upper()}{short[1:]}." if short else "There are no primes."


def _on_page(position: AnotherBinaryPrimes, seat: int, shown: Sequence[Run], layout: Layout) -> Iterator[Shape]:
    unit, (left, right) = layout.point, layout.edges
    longest = max((width(grouped(run.prime), LEAST) for run in shown), default=0)
    spans = width(f"{position.squares} to {position.squares}", LEAST)
    wide = min(WIDEST_SQUARE, int((PAGE - longest - spans - 2 * GAP) / position.squares))
    for place, run in enumerate(shown):
        y, tag = TOP + ROW * (place + 0.5), position.explain(seat, run)
        yield Text(left + longest * unit, y * unit, grouped(run.prime), LEAST * unit, "ink", "right", tag=tag)
        yield from _strip(position, seat, run, y, EDGE + longest + GAP, wide, layout)
        yield Text(right, y * unit, position.span(seat, run), LEAST * unit, "faded", "right", tag=tag)
    end = TOP + ROW * len(shown) + 10
    yield Line(left, end * unit, right, end * unit, "ink", HAIR * unit)
    score, ranks = position.scores()[seat - 1], position.ranks()
    won, tag = ranks is not None and ranks[seat - 1] == 1, position.working_of(seat)[-1]
    yield from legend(layout, [Entry(seat, ENDS[seat - 1], counted(score), won, tag)], end + 10, 1)


def _strip(
    position: AnotherBinaryPrimes, seat: int, run: Run, y: float, start: float, wide: int, layout: Layout
) -> Iterator[Shape]:
    """The column as a line, and a run of it as a box in its place, dark where marks are."""
    unit, line, high = layout.point, position.line(seat), max(wide - 2, 22) * layout.point
    left, top = layout.extent[0] + start * unit, y * unit - high / 2
    yield Line(left, y * unit, left + wide * position.squares * unit, y * unit, "faded", HAIR * unit)
    long = wide * (run.last + 1 - run.first) * unit
    yield Box(left + wide * run.first * unit, top, long, high, "paper", "ink", HAIR * unit)
    for ones in re.finditer("1+", line[run.first : run.last + 1]):
        x, many = left + wide * (run.first + ones.start()) * unit, ones.end() - ones.start()
        yield Box(x, top, wide * many * unit, high, "ink")
    if wide >= LEGIBLE:
        for place in range(run.first, run.last + 1):
            ink, on = ("paper", "ink") if line[place] == "1" else ("ink", "paper")
            yield Text(left + wide * (place + 0.5) * unit, y * unit, line[place], DIGIT * unit, ink, on=on)
