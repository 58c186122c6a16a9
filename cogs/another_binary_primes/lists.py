"""Lists the primes of a finished match of Another Binary Primes, each with its run of squares.

Each line of a list shows the column on its side, in its seat's order of reading, and one prime's run in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from bot.core.values.seats import BOTH
from cogs.another_binary_primes.rules import ENDS, AnotherBinaryPrimes, Run, counted
from rendering import pages as paged
from rendering.boards import HAIR
from rendering.legend import Entry
from rendering.margins import ACROSS
from rendering.pages import Row, heading
from rendering.shapes import EDGE, LEAST, POINTS, Box, Line, Picture, Shape, Text, grouped, width

FIRST = ("top", "bottom")

# In points.
ROW, GAP = 40, 22
"""The height of a line, and between its parts."""
WIDEST_SQUARE, LEGIBLE, HIGH = 28, 24, 28
"""The largest square of the column, from which width on a square has its digit, and the height of all."""


def pages(position: AnotherBinaryPrimes, name: str, entries: Sequence[Entry]) -> Iterator[Picture]:
    """Pictures of all primes of both seats, ascending."""
    for seat in BOTH:
        runs, end, entry = position.runs(seat), ENDS[seat - 1], entries[seat - 1]
        longest = max((width(grouped(run.prime), LEAST) for run in runs), default=0)
        rows = [Row(ROW, partial(_line, position, seat, run, EDGE + longest)) for run in runs]
        alt = f"Every prime read {end}, in its place: {counted(len(runs))}."
        head = heading(f"primes where they are first read, the {FIRST[seat - 1]} is left")
        shown = entry._replace(total=counted(len(runs)))
        yield from paged.lists(f"{name}-{end.replace(' ', '-')}", alt, rows, (shown,), head)


def _line(position: AnotherBinaryPrimes, seat: int, run: Run, before: float, y: float) -> Iterator[Shape]:
    """A prime, its run in its place, and the squares of that; `before` is where primes end."""
    tag = position.explain(seat, run)
    spans = width(f"{position.squares} to {position.squares}", LEAST)
    wide = min(WIDEST_SQUARE, int((EDGE + ACROSS - before - spans - 2 * GAP) / position.squares))
    yield Text(before, y, grouped(run.prime), LEAST, "ink", "right", tag=tag)
    yield from _strip(position, seat, run, y, before + GAP, wide)
    yield Text(POINTS - EDGE, y, position.span(seat, run), LEAST, "faded", "right", tag=tag)


def _strip(position: AnotherBinaryPrimes, seat: int, run: Run, y: float, left: float, wide: int) -> Iterator[Shape]:
    """The column as a line, and a run of it as a box in its place, dark where marks are."""
    line, top = position.line(seat), y - HIGH / 2
    yield Line(left, y, left + wide * position.squares, y, "faded", HAIR)
    yield Box(left + wide * run.first, top, wide * (run.last + 1 - run.first), HIGH, "paper", "ink", HAIR)
    for ones in re.finditer("1+", line[run.first : run.last + 1]):
        yield Box(left + wide * (run.first + ones.start()), top, wide * (ones.end() - ones.start()), HIGH, "ink")
    if wide >= LEGIBLE:
        for place in range(run.first, run.last + 1):
            ink, on = ("paper", "ink") if line[place] == "1" else ("ink", "paper")
            yield Text(left + wide * (place + 0.5), y, line[place], LEAST, ink, on=on)
