"""Draws Binary Scramble: the present list, large, the last lists with their runs marked, and all runs there have been.

Under the list stand its runs; positions whose flip would bring back an earlier list are struck out. A list that scored
has the chip of the seat that scored, and the runs that it has again. When the match is over all lists stand below
each other, and where not all points fit on the board, further pictures show them.
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
from rendering.pages import (
    LegendEntry,
    abridge_lines,
    describe_leavers,
    describe_scores,
    join_facts,
    make_page,
    seat_colour,
)
from rendering.shapes import EDGE, LABEL, LEAST, POINTS, Box, Chip, Ink, Line, Picture, Shape, Text, text_width

# Draws the lists of Binary Scramble.


PAGE = POINTS - 2 * EDGE
PLAIN = 10
"""When a match is over, all lists up to this long stand below each other with their runs beside them."""
MOST = 18
"""The most lists that stand so; where there are more, the latest with those that they resemble."""
LATEST, LATEST_LONG = 3, 6
"""How many lists are shown with their runs marked while the match goes on, and of longer lists when it is over."""

# In points.
HEADING, ROW, CHIP = 50, 43, 34
NUMBER, LIST_STRIP = 76, 92
"""From the left edge, where a list's number ends and where its digits begin."""
WIDEST_STRIP, WIDEST_DIGIT = 340, 38
LARGE, POINT_AT, LARGE_DIGIT, HIGH = 98, 620, 60, 40
"""The height of a list whose runs are marked, from the left edge to its point, and its digits' width at most and
height."""
RUNS_ROW, RUNS_GAP, RUNS_ROWS = 44, 50, 14
"""The height of a row of runs, the gap between two, and the most rows."""
REACH = 2
"""By how many runs a flip changes a list at most."""

LISTS, EVERY_LIST = "lists", "all lists"
ALIKE, ALIKE_OF_MANY = "earlier runs, sorted", "earlier runs, sorted, {shown} of {made}"
IN_SHORT = "{runs} (5×2: five runs of 2)"
POINT, LIKE = "1 point for", "like {list}"


def list_label(at: int) -> str:
    """The number of a list: of the flip that made it."""
    return str(at) if at else "start"


def join_runs(digits: str) -> str:
    """Run lengths, longest first: "3 1 1 1"."""
    return " ".join(map(str, run_lengths(digits)))


def abridge_runs(digits: str) -> str:
    """The same in a short form for long lists, "3 3×1" for one run of 3 and three of 1."""
    counts = Counter(run_lengths(digits)).items()
    return " ".join(f"{count}×{length}" if count > 1 else str(length) for length, count in counts)


def draw_strip(
    layout: Layout, x: float, y: float, digits: str, points: float, high: float = 0, on: Ink = "paper"
) -> Iterator[Shape]:
    """A list as a row of small boxes, dark for 1; each is `points` wide, with the gap after it."""
    unit = layout.squares_per_point
    wide, tall = (points - 3) * unit, (high or max(20, min(34, points - 3))) * unit
    for at, digit in enumerate(digits):
        fill: Ink = "ink" if digit == "1" else "paper"
        yield Box(x + at * points * unit, y - tall / 2, wide, tall, fill, "ink", HAIR * unit, on=on)


# The lists below the present one.


def lists_to_show(position: BinaryScramble) -> tuple[int, ...]:
    """The lists below the present one, in the order in which they came; none at the start, when there is no other."""
    made = len(position.lists)
    if made < 2 and position.turn:
        return ()
    if _is_table(position):
        return position.recent_lists(MOST)
    return tuple(range(max(0, made - (LATEST if position.turn else LATEST_LONG)), made))


def _is_table(position: BinaryScramble) -> bool:
    """Whether the lists stand in rows without marks, all at once."""
    return not position.turn and position.length <= PLAIN


def table_height(position: BinaryScramble) -> float:
    """The height of `draw_table` in points."""
    shown = len(lists_to_show(position))
    return HEADING + (ROW if _is_table(position) else LARGE) * shown if shown else 0


def draw_table(position: BinaryScramble, layout: Layout, top: float) -> Iterator[Shape]:
    """The lists that are shown, from `top` points below the board."""
    shown, made = lists_to_show(position), len(position.lists)
    if not shown:
        return
    unit, (left, _), row = layout.squares_per_point, layout.edges, ROW if _is_table(position) else LARGE
    size, y = LEAST * unit, layout.rows + (top + HEADING / 2) * unit
    words = EVERY_LIST if len(shown) == made else LISTS
    yield Text(left, y, words, size, "faded", "left")
    for line, at in enumerate(shown):
        y = layout.rows + (top + HEADING + row * (line + 0.5)) * unit
        on: Ink = "gold" if at and at == made - 1 else "paper"
        yield from _draw_ground(layout, y, row, on)
        draw = _draw_row if _is_table(position) else _draw_large_row
        yield from draw(position, layout, at, y, on)


def _draw_ground(layout: Layout, y: float, row: float, on: Ink) -> Iterator[Shape]:
    unit, (left, right) = layout.squares_per_point, layout.edges
    if on == "gold":
        yield Box(left - 12 * unit, y - row / 2 * unit, right - left + 24 * unit, row * unit, on, radius=8 * unit)


def _draw_row(position: BinaryScramble, layout: Layout, at: int, y: float, on: Ink) -> Iterator[Shape]:
    """A list with its runs, longest first, and its point."""
    unit, (left, right) = layout.squares_per_point, layout.edges
    size, digits = LEAST * unit, position.lists[at]
    digit = min(WIDEST_DIGIT, WIDEST_STRIP // position.length)
    yield Text(left + NUMBER * unit, y, list_label(at), size, "faded", "right", on)
    yield from draw_strip(layout, left + LIST_STRIP * unit, y, digits, digit, on=on)
    runs_at = left + (LIST_STRIP + position.length * digit + 24) * unit
    yield Text(runs_at, y, join_runs(digits), size, "ink", "left", on)
    if at and (like := position.flips[at - 1].like) is not None:
        tag = position.explain(at)
        words = LIKE.format(list=list_label(like))
        shapes = (
            Text(right - (CHIP + 12) * unit, y, words, size, "ink", "right", on, tag),
            Chip(right - CHIP / 2 * unit, y, CHIP * unit, position.flips[at - 1].seat, on=on, tag=tag),
        )
        yield from shapes


def _draw_large_row(position: BinaryScramble, layout: Layout, at: int, y: float, on: Ink) -> Iterator[Shape]:
    """A list with its runs marked below it, and its point."""
    unit, (left, _), digits = layout.squares_per_point, layout.edges, position.lists[at]
    size, x = LEAST * unit, left + LIST_STRIP * unit
    digit = min(LARGE_DIGIT, (POINT_AT - LIST_STRIP - 20) / position.length)
    above = y - (LARGE / 2 - 10 - HIGH / 2) * unit
    yield Text(left + NUMBER * unit, above, list_label(at), size, "faded", "right", on)
    yield from draw_strip(layout, x, above, digits, digit, HIGH, on)
    yield from _mark_runs(layout, x, above + HIGH / 2 * unit, digits, digit, on)
    if _has_scored(position, at):
        tag, x = position.explain(at), left + POINT_AT * unit
        shapes = (
            Chip(x + CHIP / 2 * unit, above, CHIP * unit, position.flips[at - 1].seat, on=on, tag=tag),
            Text(x + (CHIP + 12) * unit, above, POINT, size, "ink", "left", on, tag),
            Text(x, above + 40 * unit, _describe_likeness(digits), size, "ink", "left", on, tag),
        )
        yield from shapes


def _describe_likeness(digits: str) -> str:
    """The runs that a list has again, as they stand below among the earlier ones, or shorter where they do not fit."""
    runs = join_runs(digits)
    return runs if text_width(runs, LEAST) <= PAGE - POINT_AT else abridge_runs(digits)


def _mark_runs(layout: Layout, x: float, y: float, digits: str, digit: float, on: Ink) -> Iterator[Shape]:
    """A line and its length below each run of a list whose digits are `digit` points wide."""
    unit = layout.squares_per_point
    for _, run in groupby(digits):
        wide = len([*run])
        long, under = (wide * digit - 3) * unit, y + 7 * unit
        yield Line(x + 3 * unit, under, x + long - 3 * unit, under, "ink", 3 * unit, on=on)
        yield Text(x + long / 2, y + 25 * unit, str(wide), LEAST * unit, "ink", on=on)
        x += wide * digit * unit


# The runs that there have been, of which a list that repeats some scores.


def _list_kinds(position: BinaryScramble) -> list[str]:
    """The runs that there have been, as far as their number is in reach of one flip; none when the match is over."""
    if not position.turn or position.is_building:
        return []
    now, kinds = len(run_lengths(position.digits)), {run_lengths(digits): digits for digits in position.lists}
    near = [kinds[runs] for runs in sorted(kinds, reverse=True) if abs(len(runs) - now) <= REACH]
    whole = [join_runs(digits) for digits in near]
    two_abreast = all(text_width(runs, LABEL) <= (PAGE - RUNS_GAP) / 2 for runs in whole)
    return whole if two_abreast else [abridge_runs(digits) for digits in near]


def _lay_out_kinds(position: BinaryScramble) -> tuple[list[str], int, float]:
    """The kinds of runs that are shown, how many stand in a row, and how wide each is in points."""
    kinds = _list_kinds(position)
    widest = max((text_width(kind, LABEL) for kind in kinds), default=0)
    abreast = max(1, int((PAGE + RUNS_GAP) / (widest + RUNS_GAP)))
    return kinds[: abreast * RUNS_ROWS], abreast, (PAGE + RUNS_GAP) / abreast


def kinds_height(position: BinaryScramble) -> float:
    """The height of `draw_kinds` in points."""
    kinds, abreast, _ = _lay_out_kinds(position)
    return HEADING + RUNS_ROW * ceil(len(kinds) / abreast) if kinds else 0


def draw_kinds(position: BinaryScramble, layout: Layout, top: float) -> Iterator[Shape]:
    """The runs that the next list may have again, from `top` points below the board."""
    kinds, abreast, wide = _lay_out_kinds(position)
    if not kinds:
        return
    unit, (left, _) = layout.squares_per_point, layout.edges
    made = len(_list_kinds(position))
    words = ALIKE if len(kinds) == made else ALIKE_OF_MANY.format(shown=len(kinds), made=made)
    words = IN_SHORT.format(runs=words) if any("×" in kind for kind in kinds) else words
    yield Text(left, layout.rows + (top + HEADING / 2) * unit, words, LEAST * unit, "faded", "left")
    for place, kind in enumerate(kinds):
        row, column = divmod(place, abreast)
        x, y = left + column * wide * unit, layout.rows + (top + HEADING + RUNS_ROW * (row + 0.5)) * unit
        yield Text(x, y, kind, LABEL * unit, "ink", "left")


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
    whole, edge = join_runs(position.lists[at]), y - 0.5 + 6 * unit
    text = whole if text_width(whole, LEAST * unit) <= width else abridge_runs(position.lists[at])
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
FIRST_TO = Plural("first to 1 point", "first to {number} points")
LIST, NO_LIST = "the list is {digits}", "the list is empty"
REACHED = Plural("{winner} reached 1 point with list {flip}", "{winner} reached {number} points with list {flip}")
ENDED = Plural("ended after 1 flip", "ended after {flips} flips")
SO_FAR = Plural("1 flip so far", "{flips} flips so far")
STRUCK = "struck out: that flip would bring back an earlier list"
SCORES = "make earlier runs again: 1 point"

SQUARE = 118
"""The largest square of the present list, in points."""
STAGGERED, LEVEL = 17, 30
"""The length from which the numbers of neighbouring positions stand at different heights, and how many points apart."""
BRACES, GAP = 66, 16
"""Points for the runs below the list, and above the legend."""


def pictures(position: BinaryScramble) -> tuple[Picture, ...]:
    """The board; when the match is over and a point is not on it, also all points."""
    scored = {at for at, flip in enumerate(position.flips, 1) if flip.like is not None}
    if position.turn or scored <= set(lists_to_show(position)):
        return (_make_board(position),)
    return (_make_board(position), *make_pages(position, NAME))


def _make_board(position: BinaryScramble, on_pad: bool = False, supposed: str = "") -> Picture:
    """The board; on a pad, which also has keys, without the lists before, and with the runs of the `supposed` list,
    where there is one."""
    square, table = min(SQUARE, PAGE / position.length), BRACES
    kinds = table + (0 if on_pad else table_height(position))
    above = boards.ABOVE + LEVEL * (_count_levels(position) - 1)
    below = kinds + kinds_height(position) + GAP
    layout = Layout(position.length, 1, EDGE, POINTS - EDGE - square * position.length, above, below)
    shapes = [
        *_draw_positions(position, layout),
        *_draw_digits(position, layout),
        *_draw_braces(supposed or position.digits, layout),
    ]
    shapes += () if on_pad else draw_table(position, layout, table)
    shapes += draw_kinds(position, layout, kinds)
    struck = position.flips and position.turn and len(list(position.free_positions())) < position.length
    said = [SCORES] * bool(_list_kinds(position)) + [STRUCK] * bool(struck)
    return make_page(
        layout,
        NAME,
        _write_alt_text(position),
        _draw_outlines(layout, position.length),
        shapes,
        _make_legend_entries(position),
        tuple(map(boards.make_remark_sign, said)),
    )


@lru_cache(maxsize=64)
def _draw_outlines(layout: Layout, length: int) -> tuple[Shape, ...]:
    return tuple(shape for at in range(length) for shape in boards.draw_bit(layout, at, 0, ""))


def _draw_positions(position: BinaryScramble, layout: Layout) -> Iterator[Shape]:
    """The numbers of positions; struck out where the next flip would bring back an earlier list."""
    levels = _count_levels(position)
    size = layout.fit(str(position.length), 0.8 * levels)
    flips = position.turn and not position.is_building
    free = set(position.free_positions()) if flips else set(range(1, position.length + 1))
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
    """The board with the digit to come in its frame, or with the one to flip, and the runs, as they would be."""
    at = chosen.get("position")
    board = _make_board(position, True, flip_position(position.digits, int(at)) if at else "")
    marks: list[Shape] = []
    if digit := chosen.get("digit"):
        at = len(position.digits)
        marks = [
            *frames.frame_square(at, 0, digit, board.squares_per_point),
            *frames.write_in_square(at, 0, digit, board.squares_per_point),
        ]
    elif at:
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
