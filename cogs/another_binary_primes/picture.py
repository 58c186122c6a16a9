"""Draws Another Binary Primes: the column, beside each mark how many primes begin there, and below it all primes.

Seat 1 reads down and has its counts at the left, seat 2 reads up and has them at the right; a line with an arrow says
so. The column is folded into several. When the match is over, further pictures list every prime with its run of
squares.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from math import ceil
from typing import NamedTuple

from bot.games.position import BOTH
from cogs.another_binary_primes.rules import ENDS, AnotherBinaryPrimes, Run, find_primes, format_count
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import ACROSS, CHIP, HAIR, Direction, Layout, Sign
from rendering.pages import LegendEntry, ListRow, describe_board, describe_progress, make_heading_row, make_page
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    NOTE,
    POINTS,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Chip,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    group_digits,
    text_width,
)

# Lists the primes of a finished match of Another Binary Primes, each with its run of squares.


FIRST = ("top", "bottom")

# In points.
ROW, ROW_GAP = 40, 22
"""The height of a line, and between its parts."""
WIDEST_SQUARE, LEGIBLE, HIGH = 28, 24, 28
"""The largest square of the column, from which width on a square has its digit, and the height of all."""


def make_pages(position: AnotherBinaryPrimes, name: str, entries: Sequence[LegendEntry]) -> Iterator[Picture]:
    """Pictures of all primes of both seats, ascending."""
    for seat in BOTH:
        runs, end, entry = position.prime_runs(seat), ENDS[seat - 1], entries[seat - 1]
        longest = max((text_width(group_digits(run.prime), LEAST) for run in runs), default=0)
        rows = [ListRow(ROW, partial(_draw_prime_row, position, seat, run, EDGE + longest)) for run in runs]
        alt = f"Every prime read {end}, in its place: {format_count(len(runs))}."
        head = make_heading_row(f"primes where they are first read, the {FIRST[seat - 1]} is left")
        shown = entry._replace(total=format_count(len(runs)))
        yield from rendering_pages.make_list_pages(f"{name}-{end.replace(' ', '-')}", alt, rows, (shown,), head)


def _draw_prime_row(position: AnotherBinaryPrimes, seat: int, run: Run, before: float, y: float) -> Iterator[Shape]:
    """A prime, its run in its place, and the squares of that; `before` is where primes end."""
    tag = position.explain(seat, run)
    spans = text_width(f"{position.squares} to {position.squares}", LEAST)
    wide = min(WIDEST_SQUARE, int((EDGE + ACROSS - before - spans - 2 * ROW_GAP) / position.squares))
    yield Text(before, y, group_digits(run.prime), LEAST, "ink", "right", tag=tag)
    yield from _draw_strip(position, seat, run, y, before + ROW_GAP, wide)
    yield Text(POINTS - EDGE, y, position.format_span(seat, run), LEAST, "faded", "right", tag=tag)


def _draw_strip(
    position: AnotherBinaryPrimes, seat: int, run: Run, y: float, left: float, wide: int
) -> Iterator[Shape]:
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


TITLE, NAME = "Another Binary Primes", "another-binary-primes"
FOLD, COLUMNS, TALL, SQUARE = 17, 2, 840, 84
"""The most squares in a column, and the fewest columns; in points, the height of one that is full and the largest
square."""
ON_PAD = 3
"""The fewest columns on a pad, where keys stand below the board."""

# In points.
NUMBER, ARROW, GAP, PILL, PILL_HEIGHT = 48, 26, 6, 48, 38
"""Widths of a square's number, of the line beside it, of the gap before a count, and of the count."""
HEAD_SIZE, WEIGHT = 22, 5
"""An arrow's head and the weight of its line."""
BEFORE, AFTER = NUMBER + ARROW + GAP + PILL, ARROW + GAP + PILL
"""What stands at the left and at the right of a square."""
APART = 22
"""From one prime to the next."""
LISTED = EDGE + text_width("from the bottom:", NOTE) + 20
"""Where the primes of a seat begin below the columns."""
LISTED_LINE, MOST_LINES, DOTTED = 50, 3, 60
"""The height of a line of primes, the most lines of a seat, and what is free at the end of the last for dots."""
RIM = 5
TOP, BELOW = 30, 20
WAYS: tuple[Direction, Direction] = ("down", "up")
DOTS = "..."
BEGIN, FRESH = "2 primes begin here; each counts once", "found with the latest mark"


def pictures(position: AnotherBinaryPrimes) -> tuple[Picture, ...]:
    """The board; when the match is over also lists of both seats' primes."""
    if position.turn:
        return (_make_board(position),)
    return (_make_board(position), *make_pages(position, NAME, _make_legend_entries(position)))


# Where everything is. A board's unit is a square of the column, and the first one begins at 0, 0.


class _Plan(NamedTuple):
    """A board: how many squares are in a column, and how far apart columns are, in squares."""

    layout: Layout
    rows: int
    pitch: float

    def spot(self, square: int) -> tuple[float, int]:
        """The top left corner of a square, which is counted from 1."""
        column, row = divmod(square - 1, self.rows)
        return column * self.pitch, row


@lru_cache(maxsize=64)
def _make_plan(squares: int, least: int = 1) -> _Plan:
    columns = max(least, COLUMNS, ceil(squares / FOLD))
    rows = ceil(squares / columns)
    side = min(SQUARE, TALL / rows)
    pitch = (POINTS - 2 * EDGE) / columns
    left = EDGE + (pitch - BEFORE - side - AFTER) / 2 + BEFORE
    layout = Layout(1, rows, left, POINTS - left - side, TOP, BELOW)
    return _Plan(layout, rows, pitch / side)


@lru_cache(maxsize=64)
def _draw_base(squares: int, least: int = 1) -> tuple[Shape, ...]:
    """The column with its numbers, and on either side the direction in which a seat reads it."""
    plan = _make_plan(squares, least)
    unit = plan.layout.squares_per_point
    shapes: list[Shape] = []
    for first in range(1, squares + 1, plan.rows):
        last = min(first + plan.rows - 1, squares)
        x, bottom = plan.spot(first)[0], plan.spot(last)[1] + 1
        shapes += (Line(side, 0, side, bottom, "ink", HAIR * unit) for side in (x, x + 1))
        shapes += (Line(x, row, x + 1, row, "ink", HAIR * unit) for row in range(bottom + 1))
        for seat in BOTH:
            shapes += _draw_reading_line(plan, seat, x, bottom)
    for square in range(1, squares + 1):
        x, y = plan.spot(square)
        shapes.append(Text(x - (ARROW + GAP) * unit, y + 0.5, str(square), LABEL * unit, "faded", "right"))
    return tuple(shapes)


def _draw_reading_line(plan: _Plan, seat: int, left: float, bottom: int) -> Iterator[Shape]:
    """The line beside a column, with an arrow's head where a seat's reading ends."""
    unit, ink = plan.layout.squares_per_point, SEAT_INKS[seat - 1]
    x, head = left - ARROW / 2 * unit if seat == 1 else left + 1 + ARROW / 2 * unit, HEAD_SIZE * unit
    end = bottom - head / 2 if seat == 1 else head / 2
    yield Line(x, head / 2, x, bottom - head / 2, ink, WEIGHT * unit)
    yield boards.draw_arrow(x, end, WAYS[seat - 1], head, ink)


# The board.


def _make_board(position: AnotherBinaryPrimes) -> Picture:
    plan = _make_plan(position.squares)
    listed = LISTED_LINE * sum(map(_count_lines, _list_all_primes(position)))
    layout = replace(plan.layout, below=BELOW + listed + BELOW / 2)
    shapes = (*_draw_on_board(position, plan), *_draw_listed_primes(position, layout))
    base, key = _draw_base(position.squares), tuple(_make_key_signs(position, layout))
    return make_page(layout, NAME, _write_alt_text(position), base, shapes, _make_legend_entries(position), key)


def _draw_on_board(position: AnotherBinaryPrimes, plan: _Plan) -> Iterator[Shape]:
    for square in range(1, position.squares + 1):
        if seat := position.owner(square):
            x, y = plan.spot(square)
            on: Ink = "gold" if square == position.last else "paper"
            if on == "gold":
                inset = HAIR * plan.layout.squares_per_point
                yield Box(x + inset, y + inset, 1 - 2 * inset, 1 - 2 * inset, on)
            yield Chip(x + 0.5, y + 0.5, CHIP, seat, on=on)
    for seat in BOTH:
        yield from _draw_counts(position, plan, seat)


def _draw_counts(position: AnotherBinaryPrimes, plan: _Plan, seat: int) -> Iterator[Shape]:
    """Beside each mark how many primes begin there that have not been read before."""
    fresh, begun = _fresh_primes(position, seat), dict[int, list[Run]]()
    for run in position.prime_runs(seat):
        begun.setdefault(position.square_of(seat, run.first), []).append(run)
    for square, runs in begun.items():
        yield from _draw_count(plan, seat, square, len(runs), any(run.prime in fresh for run in runs))


def _fresh_primes(position: AnotherBinaryPrimes, seat: int) -> set[int]:
    """The primes of a seat that came with the latest mark; none when the match is over."""
    if position.last is None or not position.turn:
        return set()
    line, place = position.line(seat), abs(position.square_of(seat, 0) - position.last)
    before = find_primes(f"{line[:place]}0{line[place + 1 :]}")
    return {run.prime for run in find_primes(line)}.difference(run.prime for run in before)


def _draw_count(plan: _Plan, seat: int, square: int, count: int, fresh: bool) -> Iterator[Shape]:
    """How many primes begin at a mark; with a gold rim where one of them is among the latest."""
    unit, (x, y) = plan.layout.squares_per_point, plan.spot(square)
    middle = x - (BEFORE - PILL / 2) * unit if seat == 1 else x + 1 + (AFTER - PILL / 2) * unit
    tint, rim, on = TINT_INKS[seat - 1], RIM * unit, "gold" if fresh else "paper"
    wide, high = (PILL - 2 * RIM) * unit, PILL_HEIGHT * unit
    if fresh:
        yield Box(
            middle - wide / 2 - rim, y + 0.5 - high / 2 - rim, wide + 2 * rim, high + 2 * rim, on, radius=13 * unit
        )
    yield Box(middle - wide / 2, y + 0.5 - high / 2, wide, high, tint, radius=8 * unit, on=on)
    yield Text(middle, y + 0.5, str(count), LEAST * unit, on=tint)


# Below the columns.


class _ListedPrime(NamedTuple):
    """A prime in the list of a seat: its run, its line from 0, and where it begins in points; the dots have no run."""

    run: Run | None
    line: int
    left: float

    @property
    def words(self) -> str:
        return group_digits(self.run.prime) if self.run else DOTS


@lru_cache(maxsize=256)
def _list_primes(runs: tuple[Run, ...]) -> tuple[_ListedPrime, ...]:
    """The primes of a seat on a few lines, ascending; dots stand for those that do not fit."""
    found: list[_ListedPrime] = []
    line, left = 0, LISTED
    for run in runs:
        one = _ListedPrime(run, line, left)
        if left + text_width(one.words, LABEL) > POINTS - EDGE - (line == MOST_LINES - 1) * DOTTED:
            if line == MOST_LINES - 1:
                return (*found, _ListedPrime(None, line, left))
            line, left = line + 1, LISTED
            one = _ListedPrime(run, line, left)
        found.append(one)
        left += text_width(one.words, LABEL) + APART
    return tuple(found)


def _count_lines(listed: Sequence[_ListedPrime]) -> int:
    return max((one.line for one in listed), default=0) + 1


def _list_all_primes(position: AnotherBinaryPrimes) -> tuple[tuple[_ListedPrime, ...], ...]:
    return tuple(_list_primes(tuple(sorted(position.prime_runs(seat), key=lambda run: run.prime))) for seat in BOTH)


def _draw_listed_primes(position: AnotherBinaryPrimes, layout: Layout) -> Iterator[Shape]:
    """Each seat's primes, those of the latest mark on gold."""
    unit, (edge, _), top = layout.squares_per_point, layout.edges, BELOW
    for seat, listed in zip(BOTH, _list_all_primes(position), strict=True):
        fresh = _fresh_primes(position, seat)
        y = layout.rows + (top + LISTED_LINE / 2) * unit
        yield Text(edge, y, f"{ENDS[seat - 1]}:", NOTE * unit, "faded", "left")
        for one in listed:
            x, at = edge + (one.left - EDGE) * unit, y + one.line * LISTED_LINE * unit
            on: Ink = "gold" if one.run and one.run.prime in fresh else "paper"
            if on == "gold":
                wide, high = (text_width(one.words, LABEL) + 10) * unit, PILL_HEIGHT * unit
                yield Box(x - 5 * unit, at - high / 2, wide, high, on, radius=8 * unit)
            yield Text(x, at, one.words, LABEL * unit, "ink", "left", on)
        top += LISTED_LINE * _count_lines(listed)


# On a pad.


def sketch(position: AnotherBinaryPrimes, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board without its legend and with the chosen square framed, in columns low enough for the keys below it."""
    plan = _make_plan(position.squares, ON_PAD)
    base, shapes = _draw_base(position.squares, ON_PAD), _draw_on_board(position, plan)
    board = make_page(plan.layout, NAME, _write_alt_text(position), base, shapes, ())
    marks = [frames.frame_square(*plan.spot(int(at)), at, board.squares_per_point) for at in chosen.values()]
    return (frames.draw_over(board, chain(*marks)),)


# Below the board.


def _make_key_signs(position: AnotherBinaryPrimes, layout: Layout) -> Iterator[Sign]:
    """What the counts and the gold mean."""
    yield Sign(BEGIN, PILL - 2 * RIM, partial(_draw_sample, layout, "rule", "2"))
    if position.turn:
        yield Sign(FRESH, PILL - 2 * RIM, partial(_draw_sample, layout, "gold", ""))


def _draw_sample(layout: Layout, ink: Ink, number: str, x: float, y: float) -> Iterable[Shape]:
    unit = layout.squares_per_point
    wide, high = (PILL - 2 * RIM) * unit, PILL_HEIGHT * unit
    yield Box(x, y - high / 2, wide, high, ink, radius=8 * unit)
    if number:
        yield Text(x + wide / 2, y, number, LEAST * unit, on=ink)


def _make_legend_entries(position: AnotherBinaryPrimes) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_with_working(position, ENDS)


def _write_alt_text(position: AnotherBinaryPrimes) -> str:
    made, whole = position.plies, position.length
    board, said = (
        f"{position.squares} squares",
        describe_progress(position, made, whole, f"{made} of {whole} marks made"),
    )
    totals = [entry._replace(total=entry.tag.rpartition(": ")[2]) for entry in _make_legend_entries(position)]
    return describe_board(TITLE, board, said, totals)
