"""Draws Palindromes/Antipalindromes: the row, with a bar for the longest stretch about every middle.

Seat 1's palindromes lie above the row, seat 2's antipalindromes below it. A bar spans the longest stretch about its
middle and carries the sum of all lengths there; while the match goes on it has an outline if an empty square may still
make it longer. A long row is folded, and bars go on from line to line. When the match is over, further pictures list
what was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from bot.core.values.seats import BOTH
from cogs.palindromes_antipalindromes import lists
from cogs.palindromes_antipalindromes.rules import KINDS, Middle, Palindromes
from rendering import boards, frames, legend
from rendering.boards import PLAIN, Layout
from rendering.legend import Entry
from rendering.margins import Sign
from rendering.pages import described, page, progress
from rendering.paper import worked
from rendering.shapes import EDGE, LEAST, POINTS, SEAT_INKS, TINT_INKS, Box, Ink, Picture, Shape, Text

TITLE, NAME = "Palindromes/Antipalindromes", "palindromes-antipalindromes"
FOLD, SQUARE = 20, 84
"""The most squares on a line, and the largest square in points."""

# In points.
PITCH, SPARE, NUMBERED = 34, 4, 30
"""From one bar to the next at most, the gap between two, and from which pitch on bars carry numbers."""
ROOM = (300, 200)
"""For the bars above a line, and for those below it: where the row is on one line, and where it is on two."""
NUMBERS, AWAY, BETWEEN = 38, 9, 24
"""The height of the positions' numbers, from the row to the bars, and between two lines of a folded row."""
OUTLINE = 3
SAMPLE = 62
"""The length of a bar in the key."""

SIDES = ("above", "below")

Levels = tuple[tuple[Middle, ...], ...]
"""Bars that do not touch, level by level, from the row outwards."""


def pictures(position: Palindromes) -> tuple[Picture, ...]:
    """The board; when the match is over also lists of what either seat counts."""
    if position.turn:
        return (_board(position),)
    entries = _entries(position)
    return (_board(position), *(one for entry in entries for one in lists.pages(position, entry, NAME)))


# Where everything is.


class _Fold(NamedTuple):
    """A line of a folded row: its first and last position, the top of its squares in points, and either seat's bars."""

    first: int
    last: int
    top: float
    bars: tuple[Levels, Levels]


class _Plan(NamedTuple):
    """A board: its lines, and the pitch of their bars."""

    layout: Layout
    folds: tuple[_Fold, ...]
    pitch: float


@lru_cache(maxsize=256)
def _plan(position: Palindromes) -> _Plan:
    count = ceil(position.length / FOLD)
    across = ceil(position.length / count)
    lines = [(first, min(first + across - 1, position.length)) for first in range(1, position.length + 1, across)]
    stacks = [tuple(_stacked(position.counted(seat), *line) for seat in BOTH) for line in lines]
    pitch = min(PITCH, ROOM[count - 1] / max(1, *(len(levels) for stack in stacks for levels in stack)))
    square, top = min(SQUARE, (POINTS - 2 * EDGE) / across), 0.0
    folds: list[_Fold] = []
    for (first, last), (above, below) in zip(lines, stacks, strict=True):
        top += AWAY + NUMBERS + pitch * len(above)
        folds.append(_Fold(first, last, top, (above, below)))
        top += AWAY + square + pitch * len(below) + BETWEEN
    layout = Layout(across, 0, EDGE, POINTS - EDGE - square * across, EDGE / 2, top)
    return _Plan(layout, tuple(folds), pitch)


def _stacked(middles: Sequence[Middle], first: int, last: int) -> Levels:
    """The bars on a line of the row in as few levels as may be, short ones next to the row if possible."""
    bars = [middle for middle in middles if middle.start <= last and middle.end >= first]
    by_length, by_start = sorted(bars, key=lambda bar: bar.reach), sorted(bars, key=lambda bar: bar.start)
    return min(_fitted(by_length), _fitted(by_start), key=len)


def _fitted(bars: Sequence[Middle]) -> Levels:
    levels: list[tuple[Middle, ...]] = []
    for bar in bars:
        free = (at for at, level in enumerate(levels) if all(bar.end < it.start or it.end < bar.start for it in level))
        at = next(free, len(levels))
        levels[at:] = [(*(levels[at] if at < len(levels) else ()), bar), *levels[at + 1 :]]
    return tuple(levels)


# The board.


def _board(position: Palindromes) -> Picture:
    plan = _plan(position)
    signs = tuple(_signs(position, plan.layout.point))
    return page(plan.layout, NAME, _alt(position), (), _on_board(position, plan), _entries(position), signs)


def _on_board(position: Palindromes, plan: _Plan) -> Iterator[Shape]:
    for fold in plan.folds:
        for at in range(fold.first, fold.last + 1):
            yield from _square(position, plan.layout, fold, at)
        for levels in fold.bars:
            for level, bars in enumerate(levels):
                for middle in bars:
                    yield from worked(_bar(position, plan, fold, middle, level))


def _square(position: Palindromes, layout: Layout, fold: _Fold, at: int) -> Iterator[Shape]:
    """A square with its number above it; dark ones hold a 1, and what was written last stands on gold."""
    unit, digit, x = layout.point, position.row[at - 1], at - fold.first
    y = fold.top * unit
    yield Text(x + 0.5, y - NUMBERS / 2 * unit, str(at), layout.fit("00", 0.8), "faded")
    yield from boards.bit(layout, x, y, digit, at == position.last, max(0.6, LEAST * unit))


def _bar(position: Palindromes, plan: _Plan, fold: _Fold, middle: Middle, level: int) -> Iterator[Shape]:
    """What lies on a line of the bar about a middle; its number is on the line on which more of it lies."""
    unit, seat, tint = plan.layout.point, middle.seat, TINT_INKS[middle.seat - 1]
    high = max(plan.pitch - SPARE, 0.6 * plan.pitch)
    away = AWAY + level * plan.pitch
    y = fold.top - NUMBERS - away - high if seat == 1 else fold.top + 1 / unit + away
    # A bar that goes on elsewhere reaches to the edge of the squares.
    left = max(middle.start - 1 + PLAIN, fold.first - 1) - fold.first + 1
    right = min(middle.end - PLAIN, fold.last) - fold.first + 1
    line, weight = (SEAT_INKS[seat - 1], OUTLINE * unit) if position.turn and middle.growing else (None, 0)
    tag = position.explain(middle)
    yield Box(left, y * unit, right - left, high * unit, tint, line, weight, min(8, high / 2) * unit, tag=tag)
    if plan.pitch >= NUMBERED and _at_home(middle, fold):
        x, points = (left + right) / 2, str(sum(middle.lengths))
        yield Text(x, (y + high / 2) * unit, points, LEAST * unit, on=tint, tag=tag)


def _at_home(middle: Middle, fold: _Fold) -> bool:
    # Whether most of a bar lies on a line; of two equal halves the first.
    inside = min(middle.end, fold.last) - max(middle.start, fold.first) + 1
    return inside > middle.reach or (inside == middle.reach and middle.start >= fold.first)


# On a pad.


def sketch(position: Palindromes, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the chosen square framed, and the digit in it."""
    board, marks = _board(position), list[Shape]()
    if at := chosen.get("position"):
        fold = next(fold for fold in _plan(position).folds if fold.first <= int(at) <= fold.last)
        x, y = int(at) - fold.first, fold.top * board.point
        marks = [*frames.square(x, y, at, board.point)]
        if digit := chosen.get("digit"):
            marks += frames.written(x, y, digit, board.point)
    return (frames.over(board, marks),)


# Below the row.


def _signs(position: Palindromes, unit: float) -> Iterator[Sign]:
    """What the numbers on bars add up, and what an outline means."""
    high = (PITCH - SPARE) * unit

    def bar(line: Ink | None, points: str = "") -> Callable[[float, float], Iterator[Shape]]:
        def draw(x: float, y: float) -> Iterator[Shape]:
            weight = OUTLINE * unit if line else 0
            yield Box(x, y - high / 2, SAMPLE * unit, high, "rule", line, weight, 8 * unit)
            if points:
                yield Text(x + SAMPLE / 2 * unit, y, points, LEAST * unit, on="rule")

        return draw

    yield Sign("= 2 + 4 + 6: all that are around this middle", SAMPLE, bar(None, "12"))
    if position.turn and any(middle.growing for seat in BOTH for middle in position.counted(seat)):
        yield Sign("an empty square may still make it longer", SAMPLE, bar("ink"))


def _entries(position: Palindromes) -> tuple[Entry, ...]:
    labels = [f"{kind}s, {side}" for kind, side in zip(KINDS, SIDES, strict=True)]
    return legend.summed(position, labels)


def _alt(position: Palindromes) -> str:
    board, said = f"{position.length} squares", progress(position, position.plies, position.length)
    return described(TITLE, board, said, legend.entries(position, [f"{kind}s" for kind in KINDS]))
