"""Draws Binary Scramble: the present list, large, and below it the earlier lists.

Under the list stand its runs; positions whose flip would bring back an earlier list are struck out. An earlier list
that scored has the chip of the seat that scored, and names the list that it resembles. When the match is over and the
board has no room for all points, further pictures show them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby

from bot.core.values.plural import Plural
from cogs.binary_scramble import lists, points
from cogs.binary_scramble.rules import BinaryScramble, flipped
from rendering import boards, frames, legend, margins
from rendering.boards import Layout
from rendering.legend import Entry, colour
from rendering.pages import facts, leavers, page, standing
from rendering.paper import worked
from rendering.shapes import EDGE, LEAST, POINTS, Line, Picture, Shape, Text

TITLE, NAME = "Binary Scramble", "binary-scramble"
TARGET = Plural("1 point wins", "{number} points win")
FIRST_TO = Plural("first to 1 point", "first to {number} points")
LIST, NO_LIST = "the list is {digits}", "the list is empty"
REACHED = Plural("{winner} reached 1 point with flip {flip}", "{winner} reached {number} points with flip {flip}")
ENDED = Plural("ended after 1 flip", "ended after {flips} flips")
SO_FAR = Plural("1 flip so far", "{flips} flips so far")
STRUCK = "struck out: that flip would bring back an earlier list"

SQUARE = 84
"""The largest square of the present list, in points."""
STAGGERED, LEVEL = 17, 30
"""The length from which the numbers of neighbouring positions stand at different heights, and how many points apart."""
BRACES, REMARK, GAP = 66, 38, 16
"""Points for the runs below the list, for the remark, and above the legend."""


def pictures(position: BinaryScramble) -> tuple[Picture, ...]:
    """The board; when the match is over and a point is not on it, also all points."""
    scored = {at for at, flip in enumerate(position.flips, 1) if flip.like is not None}
    if position.turn or scored <= set(lists.shown(position)):
        return (_board(position),)
    return (_board(position), *points.pages(position, NAME))


def _board(position: BinaryScramble, room: lists.Room = lists.BOARD) -> Picture:
    square, table = min(SQUARE, lists.PAGE / position.length), BRACES + (REMARK if position.flips else 0)
    others = table + (lists.table_height(position, room) if position.lists else 0)
    below = others + lists.others_height(position, room) + GAP
    above = boards.ABOVE + LEVEL * (_levels(position) - 1)
    layout = Layout(position.length, 1, EDGE, POINTS - EDGE - square * position.length, above, below)
    shapes = [*_positions(position, layout), *_digits(position, layout), *worked(_braces(position.digits, layout))]
    if position.flips:
        shapes += margins.paragraph(layout, [STRUCK], BRACES)
    if position.lists:
        others_shown = worked(lists.others(position, layout, others, room))
        shapes += [*lists.table(position, layout, table, room), *others_shown]
    target = margins.remark(TARGET.of(position.target))
    return page(layout, NAME, _alt(position), _outlines(layout, position.length), shapes, _entries(position), [target])


@lru_cache(maxsize=64)
def _outlines(layout: Layout, length: int) -> tuple[Shape, ...]:
    return tuple(shape for at in range(length) for shape in boards.bit(layout, at, 0, ""))


def _positions(position: BinaryScramble, layout: Layout) -> Iterator[Shape]:
    """The numbers of positions; struck out where a flip would bring back an earlier list."""
    levels = _levels(position)
    size = layout.fit(str(position.length), 0.8 * levels)
    free = set(range(1, position.length + 1)) if position.building else set(position.free())
    for at in range(1, position.length + 1):
        y = -(boards.GAP + LEVEL * ((at - 1) % levels)) * layout.point - size / 2
        yield from boards.place_number(layout, at, y, size, at not in free)


def _levels(position: BinaryScramble) -> int:
    return 2 if position.length >= STAGGERED else 1


def _digits(position: BinaryScramble, layout: Layout) -> Iterator[Shape]:
    """The present list, ones dark; the digit that was written or flipped last stands on gold."""
    last = position.flips[-1].position if position.flips else len(position.digits) if position.building else 0
    size = max(0.62, LEAST * layout.point)
    for at, digit in enumerate(position.digits, 1):
        yield from boards.bit(layout, at - 1, 0, digit, at == last, size)


def _braces(digits: str, layout: Layout) -> Iterator[Shape]:
    """A line and its length below each run of the present list."""
    start, unit = 0, layout.point
    for _, run in groupby(digits):
        length = len(list(run))
        y = 1 + 10 * unit
        yield Line(start + 0.1, y, start + length - 0.1, y, "ink", boards.BOLD * unit)
        yield Text(start + length / 2, y + 28 * unit, str(length), layout.fit(str(length), 0.9 * length), "ink")
        start += length


# On a pad.


def sketch(position: BinaryScramble, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the digit to come in its frame, or with the one to flip as it would be."""
    board = _board(position, lists.PAD)
    marks: list[Shape] = []
    if digit := chosen.get("digit"):
        at = len(position.digits)
        marks = [*frames.square(at, 0, digit, board.point), *frames.written(at, 0, digit, board.point)]
    elif at := chosen.get("position"):
        digit = flipped(position.digits, int(at))[int(at) - 1]
        ground, ink = ("ink", "paper") if digit == "1" else ("paper", "ink")
        marks = [
            *frames.square(int(at) - 1, 0, at, board.point),
            frames.filled(int(at) - 1, 0, ground, at),
            Text(int(at) - 0.5, 0.5, digit, max(0.62, LEAST * board.point), ink, on=ground, tag=frames.tagged(at)),
        ]
    return (frames.over(board, marks),)


# What all say.


def _entries(position: BinaryScramble) -> tuple[Entry, ...]:
    return legend.entries(position)


def _goal(position: BinaryScramble) -> str:
    over = position.reached or position.deserted or position.stuck and not position.building
    return "" if over else FIRST_TO.of(position.target)


def _state(position: BinaryScramble) -> str:
    flips = len(position.flips)
    if position.reached:
        return REACHED.of(position.target, winner=colour(position.flips[-1].seat), flip=flips)
    if position.deserted:
        return ENDED.of(flips, flips=flips or "no")
    if position.building:
        return f"{len(position.digits)} written"
    return f"no flip is left after {flips}" if position.stuck else SO_FAR.of(flips, flips=flips or "no")


def _alt(position: BinaryScramble) -> str:
    board, listed = f"{position.length} digits", (LIST if position.digits else NO_LIST).format(digits=position.digits)
    scores = standing(position.scores())
    return facts(TITLE, board, _state(position), _goal(position), leavers(position), listed, scores)
