"""Draws the lists of Binary Scramble: each with its run lengths, longest first, and the seat that scored.

Lists that count as alike have the same text of runs. Where there are too many lists, the board shows the latest ones
and those that they resemble, and the runs of all others in order, so that nobody has to remember them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import ceil

from cogs.binary_scramble.rules import BinaryScramble, runs
from rendering.boards import HAIR, Layout
from rendering.paper import worked
from rendering.shapes import EDGE, LEAST, POINTS, Box, Chip, Ink, Line, Shape, Text, width

Room = tuple[int, int]
PAGE = POINTS - 2 * EDGE
PLAIN = 10
"""Run lengths of lists up to this long are written one by one, of longer ones as 6x1 for six runs of 1."""
BOARD, PAD = (18, 8), (10, 4)
"""The most lists that are all shown, and how many are shown where there are more and their runs stand below: on a
board, and on a pad, whose keys need the room."""

# In points.
HEADING, ROW, CHIP = 50, 43, 34
NUMBER, STRIP = 56, 72
"""From the left edge, where a list's number ends and where its digits begin."""
WIDEST_STRIP, WIDEST_DIGIT = 340, 38
OTHERS_HEADING, OTHERS_ROW, OTHERS_COLUMNS, OTHERS_ROWS = 54, 38, 2, 9


def label(at: int) -> str:
    """The number of a list: of the flip that made it."""
    return str(at) if at else "start"


def runs_text(digits: str) -> str:
    """Run lengths, longest first: "3 1 1 1", or "3 3x1" for a long list."""
    lengths = runs(digits)
    if len(digits) <= PLAIN:
        return " ".join(map(str, lengths))
    return " ".join(f"{count}x{length}" if count > 1 else str(length) for length, count in Counter(lengths).items())


def strip(layout: Layout, x: float, y: float, digits: str, points: int, on: Ink = "paper") -> Iterator[Shape]:
    """A list as a row of small boxes, dark for 1; each is `points` wide, with the gap after it."""
    unit = layout.point
    wide, high = (points - 3) * unit, max(20, min(34, points - 3)) * unit
    for at, digit in enumerate(digits):
        fill: Ink = "ink" if digit == "1" else on
        yield Box(x + at * points * unit, y - high / 2, wide, high, fill, "ink", HAIR * unit, on=on)


# The lists that are shown.


def shown(position: BinaryScramble, room: Room = BOARD) -> tuple[int, ...]:
    """The lists of the table, in the order in which they came; where they are many, only the last."""
    most, few = room
    return position.recent(most if len(position.lists) <= most else few)


OTHERS, OTHERS_LATEST = "runs of other lists", "runs of other lists, the latest {shown} of {made}"


def table_height(position: BinaryScramble, room: Room = BOARD) -> float:
    """Points that `table` needs."""
    return HEADING + ROW * len(shown(position, room))


def table(position: BinaryScramble, layout: Layout, top: float, room: Room = BOARD) -> Iterator[Shape]:
    """A line for each list that is shown, the latest first, from `top` points below the board."""
    unit, (left, right) = layout.point, layout.edges
    size, y = LEAST * unit, layout.rows + (top + HEADING / 2) * unit
    words = "runs, longest first" if position.length <= PLAIN else "runs, 2x3 is 3 3"
    yield Text(left, y, "lists so far", size, "faded", "left")
    yield from worked([Text(left + _runs_at(position) * unit, y, words, size, "faded", "left")])
    yield from worked([Text(right, y, "point, like", size, "faded", "right")])
    above = None
    for line, at in enumerate(reversed(shown(position, room))):
        y = layout.rows + (top + HEADING + ROW * (line + 0.5)) * unit
        if above is not None and above > at + 1:
            edge = y - ROW / 2 * unit
            yield Line(left, edge, right, edge, "faded", unit, 6 * unit)
        yield from _row(position, layout, at, y)
        above = at


def _digit_width(position: BinaryScramble) -> int:
    return min(WIDEST_DIGIT, WIDEST_STRIP // position.length)


def _runs_at(position: BinaryScramble) -> float:
    return STRIP + position.length * _digit_width(position) + 24


def _row(position: BinaryScramble, layout: Layout, at: int, y: float) -> Iterator[Shape]:
    unit, (left, right) = layout.point, layout.edges
    size, digits = LEAST * unit, position.lists[at]
    on: Ink = "gold" if at and at == len(position.flips) else "paper"
    if on == "gold":
        yield Box(left - 12 * unit, y - ROW / 2 * unit, right - left + 24 * unit, ROW * unit, on, radius=8 * unit)
    yield Text(left + NUMBER * unit, y, label(at), size, "faded", "right", on)
    yield from strip(layout, left + STRIP * unit, y, digits, _digit_width(position), on)
    words, runs_at = runs_text(digits), left + _runs_at(position) * unit
    room = right - runs_at - (CHIP + 20) * unit - width("start", size)
    yield from worked([Text(runs_at, y, words, layout.fit(words, room, LEAST), "ink", "left", on)])
    yield from worked(_point(position, layout, at, y, on))


def _point(position: BinaryScramble, layout: Layout, at: int, y: float, on: Ink) -> Iterator[Shape]:
    flip = position.flips[at - 1] if at else None
    if flip is None or flip.like is None:
        return
    unit, (_, right), tag = layout.point, layout.edges, position.explain(at)
    yield Text(right - (CHIP + 12) * unit, y, label(flip.like), LEAST * unit, "ink", "right", on, tag)
    yield Chip(right - CHIP / 2 * unit, y, CHIP * unit, flip.seat, on=on, tag=tag)


# The runs of lists that are not shown.


def _others(position: BinaryScramble, room: Room) -> list[int]:
    """The first list with each kind of runs that no list of the table has, in order of their runs."""
    if len(position.lists) <= room[0]:
        return []
    known = {runs(position.lists[at]) for at in shown(position, room)}
    firsts: dict[tuple[int, ...], int] = {}
    for at, digits in enumerate(position.lists):
        if runs(digits) not in known:
            firsts.setdefault(runs(digits), at)
    return [firsts[lengths] for lengths in sorted(firsts, reverse=True)]


def others_height(position: BinaryScramble, room: Room = BOARD) -> float:
    """Points that `others` needs."""
    count = min(len(_others(position, room)), OTHERS_COLUMNS * OTHERS_ROWS)
    return OTHERS_HEADING + OTHERS_ROW * ceil(count / OTHERS_COLUMNS) if count else 0


def others(position: BinaryScramble, layout: Layout, top: float, room: Room = BOARD) -> Iterator[Shape]:
    """The runs of lists that are not shown, each with the number of the first list that had them."""
    firsts, most = _others(position, room), OTHERS_COLUMNS * OTHERS_ROWS
    if not firsts:
        return
    unit, size = layout.point, LEAST * layout.point
    latest = set(sorted(firsts)[-most:])
    words = OTHERS_LATEST.format(shown=most, made=len(firsts)) if len(firsts) > most else OTHERS
    yield Text(0, layout.rows + (top + OTHERS_HEADING / 2 + 4) * unit, words, size, "faded", "left")
    kept = [at for at in firsts if at in latest]
    wide = PAGE / OTHERS_COLUMNS
    for place, at in enumerate(kept):
        column, line = divmod(place, ceil(len(kept) / OTHERS_COLUMNS))
        x, y = column * wide, layout.rows + (top + OTHERS_HEADING + OTHERS_ROW * (line + 0.5)) * unit
        yield Text((x + NUMBER) * unit, y, label(at), size, "faded", "right")
        text = runs_text(position.lists[at])
        yield Text((x + STRIP) * unit, y, text, layout.fit(text, (wide - STRIP) * unit, LEAST), "ink", "left")
