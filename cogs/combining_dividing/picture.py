"""Draws Combining And Dividing Integers: the present list, large, and below it the lists before it.

A prime's box is dark, another's light: when all are dark the match is won. What the last change made stands on gold.
Below are the last changes, in the order in which they came, each with the list that it made, in which the new integers
are framed by the seat that made them. When the match is over and not all changes are on the board, further pictures
list them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

from bot.games.primes import is_prime
from bot.games.wording import Plural, join_words
from cogs.combining_dividing.rules import Change, CombiningDividing
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import HAIR, KEY_ROW, Layout, Sign
from rendering.pages import LegendEntry, ListRow, join_facts, make_list_pages, make_page, seat_colour
from rendering.shapes import (
    EDGE,
    LEAST,
    POINTS,
    SEAT_INKS,
    Box,
    Chip,
    Ink,
    Line,
    Picture,
    Shape,
    Text,
    fit_type_size,
    group_digits,
    text_width,
)

# Draws integers in boxes: a prime's is dark, another's light, so a list of dark boxes is done.


class BoxStyle(NamedTuple):
    """Measures of boxes: the type, the height, the padding at both sides of a number, and the gap between boxes."""

    type: float
    high: float
    pad: float
    gap: float
    numbered: bool = True
    """Whether each box has the number of its position above it; else only the first of a line, at its left."""

    def box_width(self, integer: int) -> float:
        return max(self.high, text_width(group_digits(integer), self.type) + 2 * self.pad)

    @property
    def pitch(self) -> float:
        """From one line of a list to the next."""
        return self.high + (BOX_NUMBER + LEADING if self.numbered else LEADING / 2)


STYLES = (
    BoxStyle(60, 96, 18, 24),
    BoxStyle(50, 80, 15, 20),
    BoxStyle(42, 68, 13, 17),
    BoxStyle(34, 56, 11, 14),
    BoxStyle(30, 46, 8, 9),
)
"""For the present list, the most wanted first."""
DENSE = BoxStyle(30, 40, 5, 5, numbered=False)
"""For a list that is too long for all of these."""
BOX_NUMBER, NUMBER_TYPE = 40, 30
"""The height of the numbers of positions above a line of boxes, and their type."""
INDENT = 72
"""The width of the number of a position at the left of a line."""
LEADING = 10
"""Between two lines of boxes."""
HIGHEST_LIST = 620
"""The greatest height of a list that is not dense."""
ROUND = 0.16
"""The radius of a box's corners, in parts of its height."""
DOTS = "..."
"""The sign that a list goes on."""
JOIN, HEAD = 34, 20
"""The room at the end of a line of boxes for the arrow to the next, and the size of its head."""
# The present list.


class BoxPlace(NamedTuple):
    """Where a box of a list stands: its left edge, the line from 0, and its width."""

    x: float
    line: int
    wide: float


def place_boxes(integers: Sequence[int], style: BoxStyle, width: float) -> list[BoxPlace]:
    """The places of the boxes of a list, in lines of at most `width` points."""
    indent = 0 if style.numbered else INDENT
    places: list[BoxPlace] = []
    x, line = float(indent), 0
    for position, integer in enumerate(integers, 1):
        wide = max(style.box_width(integer), text_width(str(position), NUMBER_TYPE) if style.numbered else 0)
        if x + wide > width:
            x, line = float(indent), line + 1
        places.append(BoxPlace(x, line, wide))
        x += wide + style.gap
    return places


def list_height(places: Sequence[BoxPlace], style: BoxStyle) -> float:
    return style.pitch * (places[-1].line + 1)


def choose_style(integers: Sequence[int], width: float) -> tuple[BoxStyle, list[BoxPlace]]:
    """The largest style in which a list is one line, else in which it is not too high, with the places of its boxes."""
    lines = ((style, place_boxes(integers, style, width)) for style in STYLES)
    if single := next(((style, places) for style, places in lines if not places[-1].line), None):
        return single
    laid = ((style, place_boxes(integers, style, width - JOIN)) for style in STYLES)
    fitting = (each for each in laid if list_height(each[1], each[0]) <= HIGHEST_LIST)
    return next(fitting, None) or (DENSE, place_boxes(integers, DENSE, width - JOIN))


def draw_box(
    layout: Layout, place: BoxPlace, y: float, integer: int, style: BoxStyle, on: Ink = "paper", tag: str = ""
) -> Iterator[Shape]:
    """An integer in its box, about the middle `y`."""
    unit, prime = layout.squares_per_point, is_prime(integer)
    fill: Ink = "ink" if prime else "paper"
    left, top, radius = place.x * unit, (y - style.high / 2) * unit, ROUND * style.high * unit
    yield Box(left, top, place.wide * unit, style.high * unit, fill, "ink", HAIR * unit, radius, on)
    middle, ink = (place.x + place.wide / 2) * unit, "paper" if prime else "ink"
    yield Text(middle, y * unit, group_digits(integer), style.type * unit, ink, on=fill, tag=tag)


# An earlier list.


class RowStyle(NamedTuple):
    """A row of the history, in points: its boxes, its height, its type, and where its list begins."""

    box: BoxStyle
    high: float
    type: float
    list: float

    @property
    def dots_width(self) -> float:
        return text_width(DOTS, self.box.type) + self.box.gap


READ, WHOLE = RowStyle(BoxStyle(42, 56, 7, 7), 67, 36, 330), RowStyle(BoxStyle(36, 48, 6, 6), 58, LEAST, 300)
"""While the match goes on, and when it is over."""
TIGHT = RowStyle(BoxStyle(32, 50, 4, 4), 60, LEAST, 270)
"""While it goes on and lists do not fit else."""


def visible_range(
    integers: Sequence[int], start: int, end: int, width: float, style: RowStyle = READ
) -> tuple[int, int]:
    """The places of a list that a line shows (first, and one past the last): `start` to `end`, and others that fit.

    Where even `start` to `end` does not fit, its end is left out.
    """
    wide = [style.box.box_width(integer) + style.box.gap for integer in integers]
    if sum(wide) <= width:
        return 0, len(wide)
    rest = width - 2 * style.dots_width
    first, last = start, start
    while last < end and wide[last] <= rest:
        rest -= wide[last]
        last += 1
    while last >= end:
        left, right = first > 0 and wide[first - 1] <= rest, last < len(wide) and wide[last] <= rest
        if right and (not left or last - end < start - first):
            rest -= wide[last]
            last += 1
        elif left:
            first -= 1
            rest -= wide[first]
        else:
            break
    return first, last


# Draws how the list changed: a row for each change, and pages of all changes of a finished match.


HEADING, BELOW_ROWS = 50, 12
"""The height of the heading, and the gap below the rows."""
LATEST = 3
"""How many changes are shown while the match goes on."""
NUMBER, CHIP, CHANGE = 48, 58, 98
"""Where the number of a change ends, where the middle of its chip is, and where the change begins."""
SIZE = 30
"""The side of a chip."""
FRAME, WEIGHT = 4, 4
"""By how much a frame is larger than the boxes in it, and its weight."""
RIGHT = POINTS - 2 * EDGE

PAGE_ROW, PAGE_ABREAST = 44, 2
"""The height of a row of a page, and how many changes it has."""
HISTORY, HISTORY_LATEST = "all changes", "changes"


def choose_row_style(position: CombiningDividing, rows: int) -> RowStyle:
    """The measures of the history: the largest with which its lists are whole."""
    if not position.turn:
        return WHOLE
    shown = [*islice(position.lists(), rows)]
    return next((style for style in (READ, WHOLE, TIGHT) if all(_fits(integers, style) for integers in shown)), TIGHT)


def _fits(integers: Sequence[int], style: RowStyle) -> bool:
    return visible_range(integers, 0, 0, RIGHT - style.list, style) == (0, len(integers))


def count_fitting_rows(changes: int, height: float) -> int:
    """How many rows fit into `height` points: there is one for each change and one for the list at the start."""
    return max(0, min(changes + 1, int((height - HEADING - BELOW_ROWS) / WHOLE.high))) if changes else 0


def table_height(rows: int, style: RowStyle) -> float:
    return HEADING + style.high * rows + BELOW_ROWS if rows else 0


def draw_table(position: CombiningDividing, layout: Layout, rows: int, top: float, style: RowStyle) -> Iterator[Shape]:
    """The last changes, each with the list that it made, from `top` points below the head of the page."""
    if not rows:
        return
    unit, changes = layout.squares_per_point, position.changes
    heading = HISTORY if rows > len(changes) else HISTORY_LATEST
    yield Text(0, (top + HEADING / 2) * unit, heading, LEAST * unit, "faded", "left")
    lists = [*islice(position.lists(), rows)]
    for row, integers in enumerate(reversed(lists)):
        y, at = top + HEADING + style.high * (row + 0.5), len(changes) + 1 - rows + row
        if at:
            yield from _draw_row(layout, y, at, changes[at - 1], integers, row == rows - 1, style)
        else:
            yield from _draw_start(layout, y, integers, style)


def _draw_row(
    layout: Layout, y: float, at: int, change: Change, integers: Sequence[int], latest: bool, style: RowStyle
) -> Iterator[Shape]:
    unit, size = layout.squares_per_point, style.type * layout.squares_per_point
    on: Ink = "gold" if latest else "paper"
    if latest:
        frame = (-12 * unit, (y - style.high / 2) * unit, (RIGHT + 24) * unit, style.high * unit)
        yield Box(*frame, on, radius=8 * unit)
    yield Text(NUMBER * unit, y * unit, str(at), size, "faded", "right", on)
    yield Chip(CHIP * unit + SIZE / 2 * unit, y * unit, SIZE * unit, change.seat, on=on)
    words = cut_short(describe_before(change), style.list - CHANGE - 14, style.type)
    yield Text(CHANGE * unit, y * unit, words, size, "ink", "left", on)
    yield from _draw_list(layout, y, integers, change, on, style)


def _draw_start(layout: Layout, y: float, integers: Sequence[int], style: RowStyle) -> Iterator[Shape]:
    unit = layout.squares_per_point
    yield Text(CHANGE * unit, y * unit, "start", style.type * unit, "faded", "left")
    yield from _draw_list(layout, y, integers, None, "paper", style)


def _draw_list(
    layout: Layout, y: float, integers: Sequence[int], change: Change | None, on: Ink, row: RowStyle
) -> Iterator[Shape]:
    """A list, or as much of it as fits about a change, with the new integers in a frame."""
    unit, style = layout.squares_per_point, row.box
    start, end = (change.place, change.place + len(change.after)) if change else (0, 0)
    first, last = visible_range(integers, start, end, RIGHT - row.list, row)
    x, places = row.list + row.dots_width * (first > 0), list[BoxPlace]()
    for integer in integers[first:last]:
        places.append(BoxPlace(x, 0, style.box_width(integer)))
        x += places[-1].wide + style.gap
    new = places[start - first : min(end, last) - first]
    if new and change:
        left, wide = new[0].x - FRAME, new[-1].x + new[-1].wide - new[0].x + 2 * FRAME
        top, high = y - style.high / 2 - FRAME, style.high + 2 * FRAME
        frame = (left * unit, top * unit, wide * unit, high * unit)
        yield Box(*frame, None, SEAT_INKS[change.seat - 1], WEIGHT * unit, 8 * unit, on)
    for place, integer in zip(places, integers[first:last], strict=True):
        yield from draw_box(layout, place, y, integer, style, on)
    for left in ([row.list] if first else []) + ([x] if last < len(integers) else []):
        yield Text(left * unit, y * unit, DOTS, style.type * unit, "faded", "left", on)


# Pages.


def make_pages(changes: Sequence[Change], title: str, name: str) -> Iterator[Picture]:
    """All changes of a match, in order."""
    pairs = [range(at, min(at + PAGE_ABREAST, len(changes))) for at in range(0, len(changes), PAGE_ABREAST)]
    rows = [ListRow(PAGE_ROW, partial(_draw_list_row, changes, pair)) for pair in pairs]
    return make_list_pages(f"{name}-history", f"{title}, all {len(changes)} changes, each with its position.", rows)


def _draw_list_row(changes: Sequence[Change], pair: range, y: float) -> Iterator[Shape]:
    width = RIGHT / PAGE_ABREAST
    for column, at in enumerate(pair):
        left, change = EDGE + column * width, changes[at]
        yield Text(left + NUMBER, y, str(at + 1), LEAST, "faded", "right")
        yield Chip(left + CHIP + SIZE / 2, y, SIZE, change.seat)
        yield Text(left + CHANGE, y, describe_change(change, width - CHANGE - 10), LEAST, "ink", "left")


def describe_before(change: Change) -> str:
    """What a change was made of: "split 10", "4 + 1"."""
    before = " + ".join(map(group_digits, change.before))
    return before if len(change.before) > 1 else f"split {before}"


def describe_change(change: Change, width: float) -> str:
    """What a change did, and at which position: "3: 10 = 2·5", "5: 4 + 1 = 5"."""
    before, after = " + ".join(map(group_digits, change.before)), "·".join(map(group_digits, change.after))
    return cut_short(f"{change.place + 1}: {before} = {after}", width)


def cut_short(words: str, width: float, size: float = LEAST) -> str:
    """Words cut short where they do not fit."""
    while text_width(words, size) > width:
        words = words.removesuffix(DOTS)[:-1] + DOTS
    return words


TITLE, NAME = "Combining And Dividing Integers", "combining-dividing"
HIGHEST = 1.16
"""The greatest height of a board at the end, in widths."""

# In points.
PAGE = POINTS - 2 * EDGE
GAP, BELOW = 10, 8
"""Above the list, and below it."""
SAMPLE = 32
RIM = 6
"""By how much the ground of the last change is larger than its boxes."""

BLANK = 10
"""The integer for which an empty box is measured."""
PRIME, NOT_PRIME = "prime (all: you win)", "not prime"
LEFT = Plural("not prime: 1 left", "not prime: {number} left")
LIST_OF_NONE, LIST_OF_ALL = "the list is empty", "the list is {numbers}"
LIST_OF_MANY = "the list is {numbers} and {more} more"
ALT = 60
"""How many integers the description of a picture names."""
ENDED = Plural("ended after 1 change", "ended after {number} changes")


def pictures(position: CombiningDividing) -> tuple[Picture, ...]:
    """The board; when the match is over and not all changes are on it, also pages with all of them."""
    rows = _count_history_rows(position)
    board = _make_board(position, rows)
    if position.turn or rows > len(position.changes) or not position.changes:
        return (board,)
    return (board, *make_pages(position.changes, TITLE, NAME))


# The board. Measures are in points, and become those of the page where shapes are made.


def _lay_out_list(position: CombiningDividing) -> tuple[BoxStyle, list[BoxPlace]]:
    """The layout of the list; while it is being built, with empty boxes for the rest."""
    rest = position.length - len(position.numbers) if position.is_building else 0
    return choose_style((*position.numbers, *(BLANK,) * rest), PAGE)


def _make_board(position: CombiningDividing, rows: int) -> Picture:
    style = choose_row_style(position, rows)
    layout = Layout(20, 0, EDGE, EDGE, EDGE / 2, _history_top(position) + table_height(rows, style))
    shapes = (
        *_draw_integers(position, layout, *_lay_out_list(position)),
        *draw_table(position, layout, rows, _history_top(position), style),
    )
    key = boards.join_signs(layout, _make_key_signs(position, layout.squares_per_point))
    return make_page(layout, NAME, _write_alt_text(position), (), shapes, _make_legend_entries(position), (key,))


def _history_top(position: CombiningDividing) -> float:
    style, places = _lay_out_list(position)
    return GAP + list_height(places, style) + BELOW


def _count_history_rows(position: CombiningDividing) -> int:
    """How many rows of the history are on the board."""
    if position.turn:
        return min(LATEST, len(position.changes))
    rest = _history_top(position) + KEY_ROW + rendering_pages.legend_height(_make_legend_entries(position))
    return count_fitting_rows(len(position.changes), HIGHEST * POINTS - EDGE / 2 - rest)


def _draw_integers(
    position: CombiningDividing, layout: Layout, style: BoxStyle, places: list[BoxPlace]
) -> Iterator[Shape]:
    unit, new = layout.squares_per_point, _new_places(position)
    composite = set(position.composite_places())
    for at in new:
        place = places[at]
        left, top = place.x - RIM, _box_middle(style, place) - style.high / 2 - RIM
        wide = (
            place.wide + 2 * RIM + (style.gap - 2 * RIM if at + 1 in new and places[at + 1].line == place.line else 0)
        )
        yield Box(left * unit, top * unit, wide * unit, (style.high + 2 * RIM) * unit, "gold")
    for here, after in pairwise(places):
        if after.line > here.line:
            yield from _draw_join(layout, here.x + here.wide + style.gap / 2, _box_middle(style, here))
    for at, place in enumerate(places):
        y = _box_middle(style, place)
        yield from _draw_number(layout, style, place, at, y, first=not at or places[at - 1].line < place.line)
        if at < len(position.numbers):
            tag = position.explain(at) if at in composite else ""
            on: Ink = "gold" if at in new else "paper"
            yield from draw_box(layout, place, y, position.numbers[at], style, on, tag)
        else:
            left, top, radius = place.x * unit, (y - style.high / 2) * unit, 0.16 * style.high * unit
            yield Box(left, top, place.wide * unit, style.high * unit, None, "faded", HAIR * unit, radius)


def _draw_join(layout: Layout, x: float, y: float) -> Iterator[Shape]:
    """An arrow at the end of a line of boxes: the next box is its neighbour."""
    unit = layout.squares_per_point
    yield Line(x * unit, y * unit, (x + HEAD / 2) * unit, y * unit, "ink", 4 * unit)
    yield boards.draw_arrow((x + 0.8 * HEAD) * unit, y * unit, "right", HEAD * unit)


def _draw_number(layout: Layout, style: BoxStyle, place: BoxPlace, at: int, y: float, first: bool) -> Iterator[Shape]:
    """The number of a position: above its box, or at the left of a line for its first."""
    unit = layout.squares_per_point
    if style.numbered:
        above = y - style.high / 2 - BOX_NUMBER / 2 - RIM / 2
        yield Text((place.x + place.wide / 2) * unit, above * unit, str(at + 1), NUMBER_TYPE * unit, "faded")
    elif first:
        yield Text((place.x - 16) * unit, y * unit, str(at + 1), NUMBER_TYPE * unit, "faded", "right")


def _box_middle(style: BoxStyle, place: BoxPlace) -> float:
    return GAP + place.line * style.pitch + (BOX_NUMBER if style.numbered else 0) + style.high / 2


def _new_places(position: CombiningDividing) -> range:
    """The places of what was written last, or of what the last change made."""
    for change in position.changes[-1:]:
        return range(change.place, change.place + len(change.after))
    return range(len(position.numbers))[-1:]


def _make_key_signs(position: CombiningDividing, unit: float) -> tuple[Sign, ...]:
    """What dark and light boxes are, and how many are still light."""
    side, left = SAMPLE * unit, 0 if position.is_building else len([*position.composite_places()])
    told: tuple[tuple[Ink, str], ...] = ("ink", PRIME), ("paper", LEFT.fill_in(left) if left else NOT_PRIME)

    def box_of(fill: Ink) -> Callable[[float, float], Iterable[Shape]]:
        return lambda x, y: (Box(x, y - side / 2, side, side, fill, "ink", HAIR * unit, 5 * unit),)

    return tuple(Sign(words, SAMPLE, box_of(fill), now=left > 0 and fill == "paper") for fill, words in told)


# On a pad.


def sketch(position: CombiningDividing, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the integer to come in its frame, or with those framed that are to be split or added."""
    board, (style, places) = _make_board(position, _count_history_rows(position)), _lay_out_list(position)
    marks: list[Shape] = []
    if number := chosen.get("number"):
        marks += _frame_box(places[len(position.numbers)], style, number, board.squares_per_point, number)
    elif at := chosen.get("position"):
        for place in range(int(at) - 1, int(at) + (kind == "add")):
            marks += _frame_box(places[place], style, str(place + 1), board.squares_per_point)
    board = frames.draw_over(board, marks)
    if factors := chosen.get("factors"):
        board = frames.add_note_strip(board, f"split into {join_words(factors.split())}", factors)
    return (board,)


def _frame_box(place: BoxPlace, style: BoxStyle, name: str, unit: float, number: str = "") -> Iterator[Shape]:
    middle = _box_middle(style, place) * unit
    high, left = style.high * unit, place.x * unit
    yield from frames.frame_box(left, middle - high / 2, place.wide * unit, high, name, unit)
    if number:
        size = fit_type_size(number, style.type * unit, 0.86 * place.wide * unit, LEAST * unit)
        yield Text(left + place.wide / 2 * unit, middle, number, size, tag=frames.tag_of_mark(number))


# What all say.


def _make_legend_entries(position: CombiningDividing) -> tuple[LegendEntry, ...]:
    ranks, tag = position.ranks() or (0,) * position.seats, "".join(position.verdict())
    states = [_describe_state(position, seat, rank) for seat, rank in enumerate(ranks, 1)]
    return rendering_pages.make_legend_entries(position, totals=states, tags=[tag * (rank == 1) for rank in ranks])


def _describe_state(position: CombiningDividing, seat: int, rank: int) -> str:
    if seat in position.withdrawn:
        return "left"
    return "" if rank != 1 else "draw" if position.is_tied and not position.is_deserted else "wins"


def _describe_progress(position: CombiningDividing) -> str:
    changes = len(position.changes)
    if position.winner:
        return f"all prime: {seat_colour(position.winner)} wins with change {changes}"
    if position.is_building and position.turn:
        return f"{len(position.numbers)} of {position.length} numbers written, 1 to {position.largest}"
    if position.is_tied and not position.is_deserted:
        return f"a draw after {changes} changes"
    return f"change {changes} of {position.limit}" if position.turn else ENDED.fill_in(changes)


def _describe_primes(position: CombiningDividing) -> str:
    if position.winner or position.is_building and position.turn:
        return ""
    return f"{sum(map(is_prime, position.numbers))} of {len(position.numbers)} numbers are prime"


def _write_alt_text(position: CombiningDividing) -> str:
    numbers = position.numbers[:ALT]
    said, more = " ".join(map(str, numbers)), len(position.numbers) - ALT
    told = LIST_OF_NONE if not numbers else LIST_OF_MANY if more > 0 else LIST_OF_ALL
    return join_facts(
        TITLE, _describe_progress(position), _describe_primes(position), told.format(numbers=said, more=more)
    )
