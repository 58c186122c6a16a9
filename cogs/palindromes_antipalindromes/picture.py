"""Draws Palindromes/Antipalindromes: the row, with a bar for the longest stretch about every middle.

Seat 1's palindromes lie above the row, seat 2's antipalindromes below it. A bar spans the longest stretch about its
middle and carries the sum of all lengths there; while the match goes on it has an outline if an empty square may still
make it longer. A long row is folded, and a bar that goes on on the other line is pointed towards it. When the match is
over, further pictures list what was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import ceil
from typing import NamedTuple

from bot.games.notation import format_sum
from bot.games.position import BOTH
from cogs.palindromes_antipalindromes.rules import KINDS, Middle, Palindromes
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import HAIR, PLAIN, Layout, Sign
from rendering.pages import (
    LegendEntry,
    ListRow,
    abridge_lines,
    describe_board,
    describe_progress,
    make_list_pages,
    make_page,
)
from rendering.shapes import (
    EDGE,
    LEAST,
    POINTS,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Ink,
    Line,
    Path,
    Picture,
    Shape,
    Spot,
    Text,
    text_width,
)

# Lists what was counted in a finished match of Palindromes/Antipalindromes: a row for every middle.


SHORT = 3
"""Sums of more lengths are written with dots."""

# In points.
ROW, STRIP, GAP = 44, 130, 20
"""The height of a row of the list, where the row of squares begins in it, and what is free behind that at least."""
WIDEST_SQUARE, LEGIBLE, HIGH = 32, 26, 28
"""The largest square, from which width on a square has its digit, and the height of all."""
TICK = 7
"""The length of the marks above and below a middle."""
INSET = 0.1
"""How far within its square the frame of a chosen one lies."""


def make_pages(position: Palindromes, entry: LegendEntry, name: str) -> Iterator[Picture]:
    """Pictures of everything that a seat counts."""
    counted, kind = position.middles_of(entry.seat), f"{KINDS[entry.seat - 1]}s"
    longest = max((text_width(_format_sum(middle), LEAST) for middle in counted), default=0)
    wide = min(WIDEST_SQUARE, int((POINTS - 2 * EDGE - STRIP - GAP - longest) / position.length))
    rows = [ListRow(ROW, partial(_draw_list_row, position, middle, wide)) for middle in counted]
    alt = abridge_lines(map(position.explain, counted)) or "There are none"
    yield from make_list_pages(f"{name}-{kind}", f"{alt}.", rows, (entry,))


def _format_sum(middle: Middle) -> str:
    """How the lengths about a middle add up."""
    lengths = middle.lengths
    return f"2 + ... + {lengths[-1]} = {sum(lengths)}" if len(lengths) > SHORT else format_sum(lengths)


def _draw_list_row(position: Palindromes, middle: Middle, wide: int, y: float) -> Iterator[Shape]:
    yield Text(EDGE, y, str(middle), LEAST, "faded", "left")
    yield from _draw_strip(position, middle, wide, y)
    yield Text(POINTS - EDGE, y, _format_sum(middle), LEAST, "ink", "right", tag=position.explain(middle))


def _draw_strip(position: Palindromes, middle: Middle, wide: int, y: float) -> Iterator[Shape]:
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


TITLE, NAME = "Palindromes/Antipalindromes", "palindromes-antipalindromes"
FOLD, LINES, SQUARE = 10, 2, 104
"""From how many squares on a row is folded, on how many lines, and the largest square in points."""

# In points.
PITCH, SPARE, NUMBERED = 40, 4, 30
"""From one bar to the next at most, the gap between two, and from which pitch on bars carry numbers."""
BARS_HEIGHT = (300, 220)
"""The height of the bars above a line, and of those below it: where the row is on one line, and where it is on two."""
NUMBERS, AWAY, BETWEEN = 38, 9, 8
"""The height of the positions' numbers, from the row to the bars, and between two lines of a folded row."""
OUTLINE = 3
POINT = 26
"""How long the point of a bar is that goes on on the other line."""
SAMPLE, TYPE = 62, 38
"""The length of a bar in the key, and the type of its number at most."""

SIDES = ("above", "below")
SUMMED, BROKEN, GROWS = "= 2 + 4 + 6, nested", "goes on in the other row", "can still grow"
"""What the number on a bar adds up; and what a bar with a point, and one with an outline, is."""

Levels = tuple[tuple[Middle, ...], ...]
"""Bars that do not touch, level by level, from the row outwards."""


def pictures(position: Palindromes) -> tuple[Picture, ...]:
    """The board; when the match is over also lists of what either seat counts."""
    if position.turn:
        return (_make_board(position),)
    entries = _make_legend_entries(position)
    return (_make_board(position), *(one for entry in entries for one in make_pages(position, entry, NAME)))


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
def _make_plan(position: Palindromes) -> _Plan:
    count = LINES if position.length > FOLD else 1
    across = ceil(position.length / count)
    lines = [(first, min(first + across - 1, position.length)) for first in range(1, position.length + 1, across)]
    stacks = [tuple(_stack_bars(position.middles_of(seat), *line) for seat in BOTH) for line in lines]
    pitch = min(PITCH, BARS_HEIGHT[count - 1] / max(1, *(len(levels) for stack in stacks for levels in stack)))
    square, top = min(SQUARE, (POINTS - 2 * EDGE) / across), 0.0
    folds: list[_Fold] = []
    for (first, last), (above, below) in zip(lines, stacks, strict=True):
        top += AWAY + NUMBERS + pitch * len(above)
        folds.append(_Fold(first, last, top, (above, below)))
        top += AWAY + square + pitch * len(below) + BETWEEN
    layout = Layout(across, 0, EDGE, POINTS - EDGE - square * across, EDGE / 2, top)
    return _Plan(layout, tuple(folds), pitch)


def _stack_bars(middles: Sequence[Middle], first: int, last: int) -> Levels:
    """The bars on a line of the row in as few levels as may be, short ones next to the row if possible."""
    bars = [middle for middle in middles if middle.start <= last and middle.end >= first]
    by_length, by_start = sorted(bars, key=lambda bar: bar.reach), sorted(bars, key=lambda bar: bar.start)
    return min(_fit_bars(by_length), _fit_bars(by_start), key=len)


def _fit_bars(bars: Sequence[Middle]) -> Levels:
    levels: list[tuple[Middle, ...]] = []
    for bar in bars:
        free = (at for at, level in enumerate(levels) if all(bar.end < it.start or it.end < bar.start for it in level))
        at = next(free, len(levels))
        levels[at:] = [(*(levels[at] if at < len(levels) else ()), bar), *levels[at + 1 :]]
    return tuple(levels)


# The board.


def _make_board(position: Palindromes) -> Picture:
    plan = _make_plan(position)
    signs = tuple(_make_key_signs(position, plan))
    return make_page(
        plan.layout,
        NAME,
        _write_alt_text(position),
        (),
        _draw_on_board(position, plan),
        _make_legend_entries(position),
        signs,
    )


def _draw_on_board(position: Palindromes, plan: _Plan) -> Iterator[Shape]:
    for fold in plan.folds:
        for at in range(fold.first, fold.last + 1):
            yield from _draw_square(position, plan.layout, fold, at)
        for levels in fold.bars:
            for level, bars in enumerate(levels):
                for middle in bars:
                    yield from _draw_bar(position, plan, fold, middle, level)


def _draw_square(position: Palindromes, layout: Layout, fold: _Fold, at: int) -> Iterator[Shape]:
    """A square with its number above it; dark ones hold a 1, and what was written last stands on gold."""
    unit, digit, x = layout.squares_per_point, position.row[at - 1], at - fold.first
    y = fold.top * unit
    yield Text(x + 0.5, y - NUMBERS / 2 * unit, str(at), layout.fit("00", 0.8), "faded")
    yield from boards.draw_bit(layout, x, y, digit, at == position.last, max(0.6, LEAST * unit))


def _draw_bar(position: Palindromes, plan: _Plan, fold: _Fold, middle: Middle, level: int) -> Iterator[Shape]:
    """What lies on a line of the bar about a middle; where it goes on on another line, both parts have its number."""
    unit, seat, tint = plan.layout.squares_per_point, middle.seat, TINT_INKS[middle.seat - 1]
    high = max(plan.pitch - SPARE, 0.6 * plan.pitch)
    away = AWAY + level * plan.pitch
    y = fold.top - NUMBERS - away - high if seat == 1 else fold.top + 1 / unit + away
    left = max(middle.start - 1 + PLAIN, fold.first - 1) - fold.first + 1
    right = min(middle.end - PLAIN, fold.last) - fold.first + 1
    line, weight = (SEAT_INKS[seat - 1], OUTLINE * unit) if position.turn and middle.growing else (None, 0)
    tag = position.explain(middle)
    before, after = middle.start < fold.first, middle.end > fold.last
    if before or after:
        spots = _trace_pointed(left, right, y * unit, high * unit, POINT * unit, before, after)
        yield Path(spots, line, weight, closed=True, fill=tint, tag=tag)
    else:
        yield Box(left, y * unit, right - left, high * unit, tint, line, weight, min(8, high / 2) * unit, tag=tag)
    if plan.pitch >= NUMBERED:
        x, points, size = (left + right) / 2, str(sum(middle.lengths)), min(TYPE, max(LEAST, high))
        yield Text(x, (y + high / 2) * unit, points, size * unit, on=tint, tag=tag)


def _trace_pointed(
    left: float, right: float, top: float, high: float, point: float, before: bool, after: bool
) -> tuple[Spot, ...]:
    """A bar with a point at the end at which it goes on elsewhere."""
    middle, bottom = top + high / 2, top + high
    end = [(right - point, top), (right, middle), (right - point, bottom)] if after else [(right, top), (right, bottom)]
    start = [(left + point, bottom), (left, middle), (left + point, top)] if before else [(left, bottom), (left, top)]
    return (*end, *start)


# On a pad.


def sketch(position: Palindromes, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the chosen square framed, and the digit in it."""
    board, marks = _make_board(position), list[Shape]()
    if at := chosen.get("position"):
        fold = next(fold for fold in _make_plan(position).folds if fold.first <= int(at) <= fold.last)
        x, y = int(at) - fold.first, fold.top * board.squares_per_point
        # Within the square, since its number stands right above it.
        marks = [*frames.frame_box(x + INSET, y + INSET, 1 - 2 * INSET, 1 - 2 * INSET, at, board.squares_per_point)]
        if digit := chosen.get("digit"):
            marks += frames.write_in_square(x, y, digit, board.squares_per_point)
    return (frames.draw_over(board, marks),)


# Below the row.


def _make_key_signs(position: Palindromes, plan: _Plan) -> Iterator[Sign]:
    """What the numbers on bars add up, and what a point and an outline mean."""
    unit = plan.layout.squares_per_point
    high = (PITCH - SPARE) * unit

    def bar(line: Ink | None, points: str = "") -> Callable[[float, float], Iterator[Shape]]:
        def draw(x: float, y: float) -> Iterator[Shape]:
            weight = OUTLINE * unit if line else 0
            yield Box(x, y - high / 2, SAMPLE * unit, high, "rule", line, weight, 8 * unit)
            if points:
                yield Text(x + SAMPLE / 2 * unit, y, points, TYPE * unit, on="rule")

        return draw

    def draw_broken(x: float, y: float) -> Iterator[Shape]:
        wide = SAMPLE * unit
        for left, before in ((x, False), (x + 1.1 * wide, True)):
            spots = _trace_pointed(left, left + wide, y - high / 2, high, POINT * unit, before, not before)
            yield Path(spots, None, 0, closed=True, fill="rule")
            yield Text(left + wide / 2, y, "12", TYPE * unit, on="rule")

    middles = [middle for seat in BOTH for middle in position.middles_of(seat)]
    signs = [Sign(SUMMED, SAMPLE, bar(None, "12"))]
    is_broken = any(middle.start <= fold.last < middle.end for middle in middles for fold in plan.folds)
    grows = position.turn and any(middle.growing for middle in middles)
    if grows:
        signs.append(Sign(GROWS, SAMPLE, bar("ink")))
    yield boards.join_signs(plan.layout, signs)
    if is_broken:
        yield Sign(BROKEN, 2.1 * SAMPLE, draw_broken)


def _make_legend_entries(position: Palindromes) -> tuple[LegendEntry, ...]:
    labels = [f"{kind}s, {side}" for kind, side in zip(KINDS, SIDES, strict=True)]
    return rendering_pages.make_legend_with_working(position, labels)


def _write_alt_text(position: Palindromes) -> str:
    board, said = f"{position.length} squares", describe_progress(position, position.plies, position.length)
    return describe_board(
        TITLE, board, said, rendering_pages.make_legend_entries(position, [f"{kind}s" for kind in KINDS])
    )
