"""Draws Binary Scramble: the present list, large, and below it the earlier lists.

Under the list stand its runs; positions whose flip would bring back an earlier list are struck out. An earlier list
that scored has the chip of the seat that scored, and names the list that it resembles. When the match is over and not
all points fit on the board, further pictures show them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import NamedTuple

from bot.games.position import name_seats
from bot.games.wording import Plural
from cogs.binary_scramble.rules import BinaryScramble, flip_position, run_lengths
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import HAIR, Layout
from rendering.frames import mark_as_worked
from rendering.pages import (
    LegendEntry,
    abridge_lines,
    describe_leavers,
    describe_scores,
    join_facts,
    make_page,
    seat_colour,
)
from rendering.shapes import EDGE, LEAST, POINTS, Box, Chip, Ink, Line, Picture, Shape, Text, text_width

# Draws the lists of Binary Scramble: each with its run lengths, longest first, and the seat that scored.


ListLimits = tuple[int, int]
PAGE = POINTS - 2 * EDGE
PLAIN = 10
"""Run lengths of lists up to this long are written one by one, of longer ones as 6x1 for six runs of 1."""
BOARD, PAD = (18, 8), (10, 4)
"""The most lists that are all shown, and how many are shown where there are more and their runs stand below: on a
board, and on a pad, which also has keys."""

# In points.
HEADING, ROW, CHIP = 50, 43, 34
NUMBER, LIST_STRIP = 56, 72
"""From the left edge, where a list's number ends and where its digits begin."""
WIDEST_STRIP, WIDEST_DIGIT = 340, 38
OTHERS_HEADING, OTHERS_ROW, OTHERS_COLUMNS, OTHERS_ROWS = 54, 38, 2, 9


def list_label(at: int) -> str:
    """The number of a list: of the flip that made it."""
    return str(at) if at else "start"


def format_runs(digits: str) -> str:
    """Run lengths, longest first: "3 1 1 1", or "3 3x1" for a long list."""
    lengths = run_lengths(digits)
    if len(digits) <= PLAIN:
        return " ".join(map(str, lengths))
    return " ".join(f"{count}x{length}" if count > 1 else str(length) for length, count in Counter(lengths).items())


def draw_strip(layout: Layout, x: float, y: float, digits: str, points: int, on: Ink = "paper") -> Iterator[Shape]:
    """A list as a row of small boxes, dark for 1; each is `points` wide, with the gap after it."""
    unit = layout.squares_per_point
    wide, high = (points - 3) * unit, max(20, min(34, points - 3)) * unit
    for at, digit in enumerate(digits):
        fill: Ink = "ink" if digit == "1" else on
        yield Box(x + at * points * unit, y - high / 2, wide, high, fill, "ink", HAIR * unit, on=on)


# The lists that are shown.


def lists_to_show(position: BinaryScramble, limits: ListLimits = BOARD) -> tuple[int, ...]:
    """The lists of the table, in the order in which they came; where they are many, only the last."""
    most, few = limits
    return position.recent_lists(most if len(position.lists) <= most else few)


OTHERS, OTHERS_LATEST = "runs of other lists", "runs of other lists, the latest {shown} of {made}"


def table_height(position: BinaryScramble, limits: ListLimits = BOARD) -> float:
    """The height of `draw_table` in points."""
    return HEADING + ROW * len(lists_to_show(position, limits))


def draw_table(position: BinaryScramble, layout: Layout, top: float, limits: ListLimits = BOARD) -> Iterator[Shape]:
    """A line for each list that is shown, the latest first, from `top` points below the board."""
    unit, (left, right) = layout.squares_per_point, layout.edges
    size, y = LEAST * unit, layout.rows + (top + HEADING / 2) * unit
    words = "runs, longest first" if position.length <= PLAIN else "runs, 2x3 is 3 3"
    yield Text(left, y, "lists so far", size, "faded", "left")
    yield from mark_as_worked([Text(left + _runs_column(position) * unit, y, words, size, "faded", "left")])
    yield from mark_as_worked([Text(right, y, "point, like", size, "faded", "right")])
    above = None
    for line, at in enumerate(reversed(lists_to_show(position, limits))):
        y = layout.rows + (top + HEADING + ROW * (line + 0.5)) * unit
        if above is not None and above > at + 1:
            edge = y - ROW / 2 * unit
            yield Line(left, edge, right, edge, "faded", unit, 6 * unit)
        yield from _draw_row(position, layout, at, y)
        above = at


def _digit_width(position: BinaryScramble) -> int:
    return min(WIDEST_DIGIT, WIDEST_STRIP // position.length)


def _runs_column(position: BinaryScramble) -> float:
    return LIST_STRIP + position.length * _digit_width(position) + 24


def _draw_row(position: BinaryScramble, layout: Layout, at: int, y: float) -> Iterator[Shape]:
    unit, (left, right) = layout.squares_per_point, layout.edges
    size, digits = LEAST * unit, position.lists[at]
    on: Ink = "gold" if at and at == len(position.flips) else "paper"
    if on == "gold":
        yield Box(left - 12 * unit, y - ROW / 2 * unit, right - left + 24 * unit, ROW * unit, on, radius=8 * unit)
    yield Text(left + NUMBER * unit, y, list_label(at), size, "faded", "right", on)
    yield from draw_strip(layout, left + LIST_STRIP * unit, y, digits, _digit_width(position), on)
    words, runs_at = format_runs(digits), left + _runs_column(position) * unit
    width = right - runs_at - (CHIP + 20) * unit - text_width("start", size)
    yield from mark_as_worked([Text(runs_at, y, words, layout.fit(words, width, LEAST), "ink", "left", on)])
    yield from mark_as_worked(_draw_point(position, layout, at, y, on))


def _draw_point(position: BinaryScramble, layout: Layout, at: int, y: float, on: Ink) -> Iterator[Shape]:
    flip = position.flips[at - 1] if at else None
    if flip is None or flip.like is None:
        return
    unit, (_, right), tag = layout.squares_per_point, layout.edges, position.explain(at)
    yield Text(right - (CHIP + 12) * unit, y, list_label(flip.like), LEAST * unit, "ink", "right", on, tag)
    yield Chip(right - CHIP / 2 * unit, y, CHIP * unit, flip.seat, on=on, tag=tag)


# The runs of lists that are not shown.


def _other_lists(position: BinaryScramble, limits: ListLimits) -> list[int]:
    """The first list with each kind of runs that no list of the table has, in order of their runs."""
    if len(position.lists) <= limits[0]:
        return []
    known = {run_lengths(position.lists[at]) for at in lists_to_show(position, limits)}
    firsts: dict[tuple[int, ...], int] = {}
    for at, digits in enumerate(position.lists):
        if run_lengths(digits) not in known:
            firsts.setdefault(run_lengths(digits), at)
    return [firsts[lengths] for lengths in sorted(firsts, reverse=True)]


def others_height(position: BinaryScramble, limits: ListLimits = BOARD) -> float:
    """The height of `draw_others` in points."""
    count = min(len(_other_lists(position, limits)), OTHERS_COLUMNS * OTHERS_ROWS)
    return OTHERS_HEADING + OTHERS_ROW * ceil(count / OTHERS_COLUMNS) if count else 0


def draw_others(position: BinaryScramble, layout: Layout, top: float, limits: ListLimits = BOARD) -> Iterator[Shape]:
    """The runs of lists that are not shown, each with the number of the first list that had them."""
    firsts, most = _other_lists(position, limits), OTHERS_COLUMNS * OTHERS_ROWS
    if not firsts:
        return
    unit, size = layout.squares_per_point, LEAST * layout.squares_per_point
    latest = set(sorted(firsts)[-most:])
    words = OTHERS_LATEST.format(shown=most, made=len(firsts)) if len(firsts) > most else OTHERS
    yield Text(0, layout.rows + (top + OTHERS_HEADING / 2 + 4) * unit, words, size, "faded", "left")
    kept = [at for at in firsts if at in latest]
    wide = PAGE / OTHERS_COLUMNS
    for place, at in enumerate(kept):
        column, line = divmod(place, ceil(len(kept) / OTHERS_COLUMNS))
        x, y = column * wide, layout.rows + (top + OTHERS_HEADING + OTHERS_ROW * (line + 0.5)) * unit
        yield Text((x + NUMBER) * unit, y, list_label(at), size, "faded", "right")
        text = format_runs(position.lists[at])
        yield Text((x + LIST_STRIP) * unit, y, text, layout.fit(text, (wide - LIST_STRIP) * unit, LEAST), "ink", "left")


# Lists the points of a finished match of Binary Scramble: lists with the same runs stand together.


LINES, COLUMNS, COLUMN_GAP = 32, 2, 20
"""The most lines of a page, its columns, and the points between them."""
WIDE = (PAGE + COLUMN_GAP) / COLUMNS
STRIP, POINT_DIGIT = 288, 24
"""In points."""


class _Line(NamedTuple):
    """A line of a page: a list, or the runs of those that follow."""

    at: int
    heading: bool = False


def make_pages(position: BinaryScramble, name: str) -> Iterator[Picture]:
    """Pictures of all lists that scored, and of the lists that they resemble."""
    families = _group_families(position)
    lines = sum(map(len, families)) + len(families)
    columns = _split_into_columns(families, min(LINES, max(8, ceil(lines / COLUMNS) + 2)))
    count = ceil(len(columns) / COLUMNS)
    for number in range(1, count + 1):
        page = columns[(number - 1) * COLUMNS : number * COLUMNS]
        yield _make_page(position, page, f"{name}-points-{number}")


def _has_scored(position: BinaryScramble, at: int) -> bool:
    return at > 0 and position.flips[at - 1].like is not None


def _group_families(position: BinaryScramble) -> list[list[int]]:
    """The lists with the same runs as some other, together, in the order in which the first of each came."""
    families: dict[int, list[int]] = {}
    for at, flip in enumerate(position.flips, 1):
        if flip.like is not None:
            families.setdefault(flip.like, [flip.like]).append(at)
    return [families[first] for first in sorted(families)]


def _split_into_columns(families: Iterable[list[int]], most: int) -> list[list[_Line]]:
    """Families as columns of lines; where one is broken its heading stands above both parts."""
    columns: list[list[_Line]] = [[]]
    for family in families:
        if len(columns[-1]) + 3 > most:
            columns.append([])
        columns[-1].append(_Line(family[0], True))
        for at in family:
            if len(columns[-1]) == most:
                columns.append([_Line(family[0], True)])
            columns[-1].append(_Line(at))
    return columns


def _make_page(position: BinaryScramble, columns: list[list[_Line]], name: str) -> Picture:
    rows = max(map(len, columns))
    layout = Layout(PAGE / ROW, rows, EDGE, EDGE, EDGE + 16, EDGE)
    scored = [line.at for lines in columns for line in lines if not line.heading and _has_scored(position, line.at)]
    return Picture(
        name=name,
        extent=layout.page_extent,
        base=(),
        shapes=tuple(_draw_on_page(position, layout, columns)),
        alt=f"Points: {abridge_lines(name_seats(position.explain(one), seat_colour) for one in scored)}.",
    )


def _draw_on_page(position: BinaryScramble, layout: Layout, columns: list[list[_Line]]) -> Iterator[Shape]:
    for column, lines in enumerate(columns):
        x = column * WIDE * layout.squares_per_point
        for row, line in enumerate(lines):
            drawn = _draw_heading if line.heading else _draw_member
            yield from drawn(position, layout, line.at, x, row + 0.5)


def _draw_heading(position: BinaryScramble, layout: Layout, at: int, x: float, y: float) -> Iterator[Shape]:
    unit, width = layout.squares_per_point, (WIDE - COLUMN_GAP) * layout.squares_per_point
    text, edge = format_runs(position.lists[at]), y - 0.5 + 6 * unit
    yield Line(x, edge, x + width, edge, "faded", HAIR * unit)
    yield Text(x, y + 6 * unit, text, layout.fit(text, width, LEAST), "ink", "left")


def _draw_member(position: BinaryScramble, layout: Layout, at: int, x: float, y: float) -> Iterator[Shape]:
    unit = layout.squares_per_point
    yield Text(x + NUMBER * unit, y, list_label(at), LEAST * unit, "faded", "right")
    if _has_scored(position, at):
        seat = position.flips[at - 1].seat
        yield Chip(x + (NUMBER + 24) * unit, y, CHIP * unit, seat, tag=position.explain(at))
    digit = min(POINT_DIGIT, STRIP // position.length)
    yield from draw_strip(layout, x + (NUMBER + 50) * unit, y, position.lists[at], digit)


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
    if position.turn or scored <= set(lists_to_show(position)):
        return (_make_board(position),)
    return (_make_board(position), *make_pages(position, NAME))


def _make_board(position: BinaryScramble, limits: ListLimits = BOARD) -> Picture:
    square, table = min(SQUARE, PAGE / position.length), BRACES + (REMARK if position.flips else 0)
    others = table + (table_height(position, limits) if position.lists else 0)
    below = others + others_height(position, limits) + GAP
    above = boards.ABOVE + LEVEL * (_count_levels(position) - 1)
    layout = Layout(position.length, 1, EDGE, POINTS - EDGE - square * position.length, above, below)
    shapes = [
        *_draw_positions(position, layout),
        *_draw_digits(position, layout),
        *mark_as_worked(_draw_braces(position.digits, layout)),
    ]
    if position.flips:
        shapes += boards.draw_paragraph(layout, [STRUCK], BRACES)
    if position.lists:
        others_shown = mark_as_worked(draw_others(position, layout, others, limits))
        shapes += [*draw_table(position, layout, table, limits), *others_shown]
    target = boards.make_remark_sign(TARGET.fill_in(position.target))
    return make_page(
        layout,
        NAME,
        _write_alt_text(position),
        _draw_outlines(layout, position.length),
        shapes,
        _make_legend_entries(position),
        [target],
    )


@lru_cache(maxsize=64)
def _draw_outlines(layout: Layout, length: int) -> tuple[Shape, ...]:
    return tuple(shape for at in range(length) for shape in boards.draw_bit(layout, at, 0, ""))


def _draw_positions(position: BinaryScramble, layout: Layout) -> Iterator[Shape]:
    """The numbers of positions; struck out where a flip would bring back an earlier list."""
    levels = _count_levels(position)
    size = layout.fit(str(position.length), 0.8 * levels)
    free = set(range(1, position.length + 1)) if position.is_building else set(position.free_positions())
    for at in range(1, position.length + 1):
        y = -(boards.GAP + LEVEL * ((at - 1) % levels)) * layout.squares_per_point - size / 2
        yield from boards.draw_place_number(layout, at, y, size, at not in free)


def _count_levels(position: BinaryScramble) -> int:
    return 2 if position.length >= STAGGERED else 1


def _draw_digits(position: BinaryScramble, layout: Layout) -> Iterator[Shape]:
    """The present list, ones dark; the digit that was written or flipped last stands on gold."""
    last = position.flips[-1].position if position.flips else len(position.digits) if position.is_building else 0
    size = max(0.62, LEAST * layout.squares_per_point)
    for at, digit in enumerate(position.digits, 1):
        yield from boards.draw_bit(layout, at - 1, 0, digit, at == last, size)


def _draw_braces(digits: str, layout: Layout) -> Iterator[Shape]:
    """A line and its length below each run of the present list."""
    start, unit = 0, layout.squares_per_point
    for _, run in groupby(digits):
        length = len(list(run))
        y = 1 + 10 * unit
        yield Line(start + 0.1, y, start + length - 0.1, y, "ink", boards.BOLD * unit)
        yield Text(start + length / 2, y + 28 * unit, str(length), layout.fit(str(length), 0.9 * length), "ink")
        start += length


# On a pad.


def sketch(position: BinaryScramble, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the digit to come in its frame, or with the one to flip as it would be."""
    board = _make_board(position, PAD)
    marks: list[Shape] = []
    if digit := chosen.get("digit"):
        at = len(position.digits)
        marks = [
            *frames.frame_square(at, 0, digit, board.squares_per_point),
            *frames.write_in_square(at, 0, digit, board.squares_per_point),
        ]
    elif at := chosen.get("position"):
        digit = flip_position(position.digits, int(at))[int(at) - 1]
        ground, ink = ("ink", "paper") if digit == "1" else ("paper", "ink")
        marks = [
            *frames.frame_square(int(at) - 1, 0, at, board.squares_per_point),
            frames.fill_square(int(at) - 1, 0, ground, at),
            Text(
                int(at) - 0.5,
                0.5,
                digit,
                max(0.62, LEAST * board.squares_per_point),
                ink,
                on=ground,
                tag=frames.tag_of_mark(at),
            ),
        ]
    return (frames.draw_over(board, marks),)


# What all say.


def _make_legend_entries(position: BinaryScramble) -> tuple[LegendEntry, ...]:
    return rendering_pages.make_legend_entries(position)


def _describe_goal(position: BinaryScramble) -> str:
    over = position.is_target_reached or position.is_deserted or position.is_stuck and not position.is_building
    return "" if over else FIRST_TO.fill_in(position.target)


def _describe_state(position: BinaryScramble) -> str:
    flips = len(position.flips)
    if position.is_target_reached:
        return REACHED.fill_in(position.target, winner=seat_colour(position.flips[-1].seat), flip=flips)
    if position.is_deserted:
        return ENDED.fill_in(flips, flips=flips or "no")
    if position.is_building:
        return f"{len(position.digits)} written"
    return f"no flip is left after {flips}" if position.is_stuck else SO_FAR.fill_in(flips, flips=flips or "no")


def _write_alt_text(position: BinaryScramble) -> str:
    board, listed = f"{position.length} digits", (LIST if position.digits else NO_LIST).format(digits=position.digits)
    scores = describe_scores(position.scores())
    return join_facts(
        TITLE, board, _describe_state(position), _describe_goal(position), describe_leavers(position), listed, scores
    )
