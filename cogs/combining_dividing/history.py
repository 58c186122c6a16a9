"""Draws how the list changed: a row for each change, and pages of all changes of a finished match.

A row has the change, and the list that it made with the new integers framed in the ink of their seat; below it is the
row of the change before. Measures are in points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from cogs.combining_dividing.boxes import DOTS, SMALL_STYLE, Place, box, dots_width, window
from cogs.combining_dividing.rules import Change, CombiningDividing
from rendering.boards import Layout
from rendering.pages import Row, lists
from rendering.shapes import EDGE, LEAST, POINTS, SEAT_INKS, Box, Chip, Ink, Picture, Shape, Text, grouped, width

HEADING, ROW, BELOW = 50, 58, 12
"""The heights of the heading and of a row, and the gap below them."""
NUMBER, CHIP, CHANGE, LIST = 48, 58, 98, 300
"""Where the number of a change ends, where the middle of its chip is, where the change and where its list begin."""
SIZE = 30
"""The side of a chip."""
FRAME, WEIGHT = 4, 4
"""By how much a frame is larger than the boxes in it, and its weight."""
RIGHT = POINTS - 2 * EDGE

PAGE_ROW, PAGE_ABREAST = 44, 2
"""The height of a row of a page, and how many changes it has."""


def fitting(changes: int, room: float) -> int:
    """How many rows fit into `room` points: there is one for each change and one for the list at the start."""
    return max(0, min(changes + 1, int((room - HEADING - BELOW) / ROW))) if changes else 0


def height(rows: int) -> float:
    """The height of a table of rows."""
    return HEADING + ROW * rows + BELOW if rows else 0


def table(position: CombiningDividing, layout: Layout, rows: int, top: float) -> Iterator[Shape]:
    """The latest changes, each with the list that it made, from `top` points below the head of the page."""
    if not rows:
        return
    unit, changes = layout.point, position.changes
    heading = "changes, the latest first" if rows > len(changes) else f"the latest {rows} of {len(changes)} changes"
    yield Text(0, (top + HEADING / 2) * unit, heading, LEAST * unit, "faded", "left")
    for row, integers in enumerate(islice(position.lists(), rows)):
        y, at = top + HEADING + ROW * (row + 0.5), len(changes) - row
        yield from _row(layout, y, at, changes[at - 1], integers, row == 0) if at else _start(layout, y, integers)


def _row(layout: Layout, y: float, at: int, change: Change, integers: Sequence[int], latest: bool) -> Iterator[Shape]:
    unit, size = layout.point, LEAST * layout.point
    on: Ink = "gold" if latest else "paper"
    if latest:
        yield Box(-12 * unit, (y - ROW / 2) * unit, (RIGHT + 24) * unit, ROW * unit, on, radius=8 * unit)
    yield Text(NUMBER * unit, y * unit, str(at), size, "faded", "right", on)
    yield Chip(CHIP * unit + SIZE / 2 * unit, y * unit, SIZE * unit, change.seat, on=on)
    words = shortened(moved(change), LIST - CHANGE - 14)
    yield Text(CHANGE * unit, y * unit, words, size, "ink", "left", on)
    yield from _line(layout, y, integers, change, on)


def _start(layout: Layout, y: float, integers: Sequence[int]) -> Iterator[Shape]:
    unit = layout.point
    yield Text(CHANGE * unit, y * unit, "start", LEAST * unit, "faded", "left")
    yield from _line(layout, y, integers, None, "paper")


def _line(layout: Layout, y: float, integers: Sequence[int], change: Change | None, on: Ink) -> Iterator[Shape]:
    """A list, or as much of it as fits about a change, with the new integers in a frame."""
    unit, style = layout.point, SMALL_STYLE
    start, end = (change.place, change.place + len(change.after)) if change else (0, 0)
    first, last = window(integers, start, end, RIGHT - LIST)
    x, places = LIST + dots_width() * (first > 0), list[Place]()
    for integer in integers[first:last]:
        places.append(Place(x, 0, style.wide(integer)))
        x += places[-1].wide + style.gap
    new = places[start - first : min(end, last) - first]
    if new and change:
        left, wide = new[0].x - FRAME, new[-1].x + new[-1].wide - new[0].x + 2 * FRAME
        top, high = y - style.high / 2 - FRAME, style.high + 2 * FRAME
        frame = (left * unit, top * unit, wide * unit, high * unit)
        yield Box(*frame, None, SEAT_INKS[change.seat - 1], WEIGHT * unit, 8 * unit, on)
    for place, integer in zip(places, integers[first:last], strict=True):
        yield from box(layout, place, y, integer, style, on)
    for left in ([LIST] if first else []) + ([x] if last < len(integers) else []):
        yield Text(left * unit, y * unit, DOTS, style.type * unit, "faded", "left", on)


# Pages.


def pages(changes: Sequence[Change], title: str, name: str) -> Iterator[Picture]:
    """All changes of a match, in order."""
    pairs = [range(at, min(at + PAGE_ABREAST, len(changes))) for at in range(0, len(changes), PAGE_ABREAST)]
    rows = [Row(PAGE_ROW, partial(_listed, changes, pair)) for pair in pairs]
    return lists(f"{name}-history", f"{title}, all {len(changes)} changes, each with its position.", rows)


def _listed(changes: Sequence[Change], pair: range, y: float) -> Iterator[Shape]:
    room = RIGHT / PAGE_ABREAST
    for column, at in enumerate(pair):
        left, change = EDGE + column * room, changes[at]
        yield Text(left + NUMBER, y, str(at + 1), LEAST, "faded", "right")
        yield Chip(left + CHIP + SIZE / 2, y, SIZE, change.seat)
        yield Text(left + CHANGE, y, told(change, room - CHANGE - 10), LEAST, "ink", "left")


def moved(change: Change) -> str:
    """What a change was made of: "split 10", "4 + 1"."""
    before = " + ".join(map(grouped, change.before))
    return before if len(change.before) > 1 else f"split {before}"


def told(change: Change, room: float) -> str:
    """What a change did, and at which position: "3: 10 = 2*5", "5: 4 + 1 = 5"."""
    before, after = " + ".join(map(grouped, change.before)), "*".join(map(grouped, change.after))
    return shortened(f"{change.place + 1}: {before} = {after}", room)


def shortened(words: str, room: float) -> str:
    """Words cut short where they do not fit."""
    while width(words, LEAST) > room:
        words = words.removesuffix(DOTS)[:-1] + DOTS
    return words
