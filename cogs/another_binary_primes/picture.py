"""Draws Another Binary Primes: the column, beside each mark how many primes begin there, and below it all primes.

Seat 1 reads down and has its counts at the left, seat 2 reads up and has them at the right; a line with an arrow says
so. The column is folded into several. When the match is over, further pictures list every prime with its run of
squares.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from math import ceil
from typing import NamedTuple

from bot.games.position import BOTH
from cogs.another_binary_primes.rules import ENDS, AnotherBinaryPrimes, Run, format_count
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import ACROSS, CHIP, HAIR, Direction, Layout, Sign
from rendering.pages import LegendEntry, ListRow, describe_board, describe_progress, make_heading_row, make_page
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
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
LOW, COLUMNS, TALL, SQUARE = 6, 3, 840, 84
"""From how many squares on there is another column, and the most columns; in points, the height of one that is full and
the largest square."""

# In points.
NUMBER, ARROW, GAP, PILL, PILL_HEIGHT = 48, 26, 6, 48, 38
"""Widths of a square's number, of the line beside it, of the gap before a count, and of the count."""
HEAD_SIZE, WEIGHT = 22, 5
"""An arrow's head and the weight of its line."""
BEFORE, AFTER = NUMBER + ARROW + GAP + PILL, ARROW + GAP + PILL
"""What stands at the left and at the right of a square."""
APART = 22
"""From one prime to the next."""
CHIPPED, WAY = 36, 28
"""Sizes of the chip and of the arrow before a seat's primes."""
LISTED = EDGE + CHIPPED + WAY + 32
"""Where the primes of a seat begin below the columns."""
LISTED_LINE, MOST_LINES, DOTTED = 50, 3, 60
"""The height of a line of primes, the most lines of a seat, and what is free at the end of the last for dots."""
PLATE = 40
"""The width of a count's ground."""
TOP, BELOW = 30, 20
WAYS: tuple[Direction, Direction] = ("down", "up")
DOTS = "..."
BEGIN = "so many primes begin here; each counts once"
FRESH, FRESH_AND_GONE = "new with the latest mark", "new with the latest mark; struck out: gone"


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
def _make_plan(squares: int) -> _Plan:
    columns = min(COLUMNS, ceil(squares / LOW))
    rows = ceil(squares / columns)
    side = min(SQUARE, TALL / rows)
    pitch = (POINTS - 2 * EDGE) / columns
    left = EDGE + (pitch - BEFORE - side - AFTER) / 2 + BEFORE
    layout = Layout(1, rows, left, POINTS - left - side, TOP, BELOW)
    return _Plan(layout, rows, pitch / side)


@lru_cache(maxsize=64)
def _draw_base(squares: int) -> tuple[Shape, ...]:
    """The column with its numbers, and on either side the direction in which a seat reads it."""
    plan = _make_plan(squares)
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
    begun = Counter(position.square_of(seat, run.first) for run in position.prime_runs(seat))
    for square, count in begun.items():
        yield from _draw_count(plan, seat, square, count)


def _draw_count(plan: _Plan, seat: int, square: int, count: int) -> Iterator[Shape]:
    unit, (x, y), tint = plan.layout.squares_per_point, plan.spot(square), TINT_INKS[seat - 1]
    middle = x - (BEFORE - PILL / 2) * unit if seat == 1 else x + 1 + (AFTER - PILL / 2) * unit
    wide, high = PLATE * unit, PILL_HEIGHT * unit
    yield Box(middle - wide / 2, y + 0.5 - high / 2, wide, high, tint, radius=8 * unit)
    yield Text(middle, y + 0.5, str(count), LABEL * unit, on=tint)


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
    """The primes of both seats, with those that the latest mark has taken."""
    shown = ((*position.prime_runs(seat), *(position.find_news(seat)[1] if position.turn else ())) for seat in BOTH)
    return tuple(_list_primes(tuple(sorted(runs, key=lambda run: run.prime))) for runs in shown)


def _draw_listed_primes(position: AnotherBinaryPrimes, layout: Layout) -> Iterator[Shape]:
    """Each seat's primes, those of the latest mark on gold, and struck out those that it has taken."""
    unit, (edge, _), top = layout.squares_per_point, layout.edges, BELOW
    for seat, listed in zip(BOTH, _list_all_primes(position), strict=True):
        fresh, gone = position.find_news(seat) if position.turn else ((), ())
        y = layout.rows + (top + LISTED_LINE / 2) * unit
        yield Chip(edge + CHIPPED / 2 * unit, y, CHIPPED * unit, seat)
        yield boards.draw_arrow(
            edge + (CHIPPED + 8 + WAY / 2) * unit, y, WAYS[seat - 1], WAY * unit, SEAT_INKS[seat - 1]
        )
        for one in listed:
            x, at = edge + (one.left - EDGE) * unit, y + one.line * LISTED_LINE * unit
            on: Ink = "gold" if one.run in fresh else "paper"
            wide = text_width(one.words, LABEL) * unit
            if on == "gold":
                yield Box(
                    x - 5 * unit, at - PILL_HEIGHT / 2 * unit, wide + 10 * unit, PILL_HEIGHT * unit, on, radius=8 * unit
                )
            yield Text(x, at, one.words, LABEL * unit, "faded" if one.run in gone else "ink", "left", on)
            if one.run in gone:
                yield Line(x - 3 * unit, at, x + wide + 3 * unit, at, "ink", 3 * unit)
        top += LISTED_LINE * _count_lines(listed)


# On a pad.


def sketch(position: AnotherBinaryPrimes, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board without its lists and its legend, and with the chosen square framed; after a mark of the `seat` with
    its lists, which say what has come and gone."""
    if seat not in position.turn:
        return (_make_board(position).without_legend,)
    plan = _make_plan(position.squares)
    base, shapes = _draw_base(position.squares), _draw_on_board(position, plan)
    board = make_page(plan.layout, NAME, _write_alt_text(position), base, shapes, ())
    marks = [frames.frame_square(*plan.spot(int(at)), at, board.squares_per_point) for at in chosen.values()]
    return (frames.draw_over(board, chain(*marks)),)


# Below the board.


def _make_key_signs(position: AnotherBinaryPrimes, layout: Layout) -> Iterator[Sign]:
    """What the counts, the gold and struck primes mean."""
    yield Sign(BEGIN, PLATE, partial(_draw_sample, layout, "rule", "2"))
    if position.turn and position.last:
        gone = any(position.find_news(seat)[1] for seat in BOTH)
        yield Sign(FRESH_AND_GONE if gone else FRESH, PLATE, partial(_draw_sample, layout, "gold", ""))


def _draw_sample(layout: Layout, ink: Ink, number: str, x: float, y: float) -> Iterable[Shape]:
    unit = layout.squares_per_point
    wide, high = PLATE * unit, PILL_HEIGHT * unit
    yield Box(x, y - high / 2, wide, high, ink, radius=8 * unit)
    if number:
        yield Text(x + wide / 2, y, number, LABEL * unit, on=ink)


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
