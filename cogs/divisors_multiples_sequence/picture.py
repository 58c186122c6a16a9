"""Draws Divisors/Multiples Sequence: the claimed numbers, the last walk, and what walks have cost.

The last walk is arrows that bend around the boxes between; the number where it stands is on gold. Every number one step
away says what that step costs, and those where one can stop are framed. When the match is over every walk is listed
with its costs, step by step: below the board, or where they are many on further pictures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, pairwise

from cogs.divisors_multiples_sequence.rules import DivisorsMultiplesSequence, Walk, list_neighbours
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import ACROSS, Layout, make_remark_sign
from rendering.pages import (
    LegendEntry,
    ListRow,
    describe_scores,
    join_facts,
    make_heading_row,
    make_list_pages,
    make_page,
)
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    SEAT_INKS,
    SEAT_PENS,
    Box,
    Chip,
    Ink,
    Line,
    Path,
    Picture,
    Shape,
    Spot,
    Text,
    group_digits,
    text_width,
    wrap_text,
)

TITLE, NAME = "Divisors/Multiples Sequence", "divisors-multiples-sequence"
COLUMNS = ((12, 6), (20, 7), (35, 8), (60, 10))
"""Pairs (r, numbers on a line), each for values up to its r."""
LATEST, ALL = 3, 16
"""How many walks stand below the board while the match goes on; and when it is over, if all are no more and short."""
STEPS, STOPS = "+3: what a step there costs (claimed numbers cost double)", "framed: you can stop there"
HEADING = "every walk and what each step cost"
COSTS_ALONE = "costs {cost}"

# In points.
ROW, MARK, INDENT, GROUND = 50, 34, 50, 24
"""The height of a walk in a list, a seat's chip there, where its words begin, and the gaps above and below a list."""
SIZE, COSTS = 36, 4
"""The type of the latest walks, and the gap between a walk and its costs."""
NUMBERED = 116
"""From the edge of a list to its walks: the number of the walk and its seat."""
ARROW, BAND = 5, 16
"""The weights of an arrow, and of the gold below it."""

# In squares.
LANE = 0.5
"""The height above each line of numbers, in which arrows bend."""
BEND = 0.5
"""How far the handles of an arrow between numbers of one line lie above them."""
HEAD = 0.18
"""The length of an arrow's head."""
COST = 38
"""The type of what a step costs, in points."""
LEAVES, ARRIVES = 0.1, 0.26
"""How far beside the middle of a box an arrow leaves it, and another reaches it."""


def pictures(position: DivisorsMultiplesSequence) -> tuple[Picture, ...]:
    """The board; when the match is over also every walk with its costs, where not all stand below it."""
    if position.turn or _count_shown(position) == len(position.walks):
        return (_make_board(position),)
    return (_make_board(position), *_make_lists(position))


def _count_columns(r: int) -> int:
    return next(columns for most, columns in COLUMNS if r <= most)


@lru_cache(maxsize=256)
def _make_layout(r: int, walks: int) -> Layout:
    columns, listed = _count_columns(r), ROW * walks
    rows = -(-r // columns) * (1 + LANE)
    return Layout(columns, rows, left=EDGE, above=0, below=listed + (2 * GROUND if listed else GROUND))


def _place_of(position: DivisorsMultiplesSequence, one: int) -> Spot:
    """The left top corner of a number's box."""
    row, column = divmod(one - 1, _count_columns(position.r))
    return column, row * (1 + LANE) + LANE


def _make_board(position: DivisorsMultiplesSequence, walking: Sequence[int] = ()) -> Picture:
    """The board; on a pad with the walk so far, from where it began, in place of the last one and of the list."""
    shown = 0 if walking else _count_shown(position)
    layout = _make_layout(position.r, shown)
    path = walking or (position.walks[-1].path if position.walks else ())
    shapes = (
        *_draw_walk(position, layout, path, frames.tag_of_mark("walk") if walking else ""),
        *_draw_numbers(position, layout, walking[1:]),
        *_draw_latest(position, layout, shown),
    )
    key = tuple(map(make_remark_sign, _list_remarks(position)))
    return make_page(layout, NAME, _write_alt_text(position), (), shapes, _make_legend_entries(position), key)


def _list_remarks(position: DivisorsMultiplesSequence) -> tuple[str, ...]:
    """What the numbers in the boxes are, and the frames where there are any."""
    if not position.turn:
        return ()
    free = any(one not in position.claimed_numbers for one in list_neighbours(position.here, position.r))
    return (STEPS, STOPS) if free else (STEPS,)


def _describe_progress(position: DivisorsMultiplesSequence) -> str:
    left = position.r - 1 - len(position.walks)
    if not position.turn:
        return f"finished after {len(position.walks)} walks"
    return f"the walk stands at {position.here}, {left} free"


def _write_alt_text(position: DivisorsMultiplesSequence) -> str:
    board, totals = f"1 to {position.r}", describe_scores(position.scores())
    return join_facts(TITLE, board, _describe_progress(position), "the lowest total wins", totals)


# The numbers.


def _draw_numbers(position: DivisorsMultiplesSequence, layout: Layout, steps: Sequence[int]) -> Iterator[Shape]:
    """Every number in its box, gold where the walk stands; in those that follow some more steps, what that costs."""
    stands, claims = steps[-1] if steps else position.here, position.claimed_numbers
    near = list_neighbours(stands, position.r) if position.turn else ()
    for one in range(1, position.r + 1):
        x, y = _place_of(position, one)
        ground: Ink = "gold" if one == position.here else "paper"
        frame, weight = ("ink", 4) if one in near and one not in claims else ("rule", 2)
        yield Box(x + 0.03, y + 0.03, 0.94, 0.94, ground, frame, weight * layout.squares_per_point, 0.08)
        cost = f"+{group_digits(position.step_costs((*steps, one))[-1])}" if one in near else ""
        yield from _draw_number(layout, one, (x + 0.5, y + 0.5), claims.get(one), ground, cost)


def _draw_number(
    layout: Layout, one: int, middle: Spot, owner: int | None, ground: Ink, cost: str = ""
) -> Iterator[Shape]:
    """A number: on a chip of the seat that claimed it, on a dark one if it is the 1 that is nobody's, plain if free."""
    x, y = middle
    ink: Ink = "ink" if owner is None else SEAT_PENS[owner - 1] if owner else "paper"
    on: Ink = ground if owner is None else SEAT_INKS[owner - 1] if owner else "ink"
    if owner:
        yield Chip(x, y, 0.8, owner, corner=True, on=ground)
    elif owner == 0:
        yield Box(x - 0.4, y - 0.4, 0.8, 0.8, "ink", radius=0.1, on=ground)
    marked = (owner or 0) > 1
    size = layout.fit(str(one), 0.38 if marked and cost else 0.5, (0.34 if cost else 0.4) / layout.squares_per_point)
    # Of two lines the upper one keeps clear of the mark in the corner.
    yield Text(x - 0.1 * (marked and bool(cost)), y - (0.16 if cost else 0), str(one), size, ink, on=on)
    if cost:
        yield Text(x, y + 0.2, cost, layout.fit(cost, 0.76, COST), ink, on=on)


# The last walk.


def _draw_walk(
    position: DivisorsMultiplesSequence, layout: Layout, path: Sequence[int], tag: str = ""
) -> Iterator[Shape]:
    """An arrow on gold for each step of a walk, below the boxes that it passes."""
    unit = layout.squares_per_point
    ways = [_trace_step(_place_of(position, here), _place_of(position, there)) for here, there in pairwise(path)]
    yield from (Path(way, "gold", BAND * unit) for way in ways)
    for way in ways:
        (x, y), down = way[-1], way[-1][1] > way[-2][1]
        # The line ends within the head, which ends in a point.
        yield Path((*way[:-1], (x, y - HEAD / 2 if down else y + HEAD / 2)), "ink", ARROW * unit, on="gold", tag=tag)
        yield boards.draw_arrow(x, y + (-0.45 if down else 0.45) * HEAD, "down" if down else "up", HEAD)


def _trace_step(start: Spot, end: Spot) -> tuple[Spot, ...]:
    """The way of an arrow from a box to another: over the boxes between two of one line, else from line to line."""
    (x1, y1), (x2, y2) = start, end
    toward = (x2 > x1) - (x2 < x1)
    first, last = x1 + 0.5 + LEAVES * toward, x2 + 0.5 - ARRIVES * toward
    if y1 == y2:
        return boards.trace_curve((first, y1), (first, y1 - BEND), (last, y2 - BEND), (last, y2))
    leaves, arrives = (y1 + 1, y2) if y2 > y1 else (y1, y2 + 1)
    middle = (leaves + arrives) / 2
    return boards.trace_curve((first, leaves), (first, middle), (last, middle), (last, arrives))


# Walks in words.


def _count_shown(position: DivisorsMultiplesSequence) -> int:
    """How many of the latest walks stand below the board."""
    made = len(position.walks)
    every = not position.turn and made <= ALL and all(_measure_walk(walk, LEAST) <= ROOM for walk in position.walks)
    return made if every else min(LATEST, made)


def _draw_latest(position: DivisorsMultiplesSequence, layout: Layout, shown: int) -> Iterator[Shape]:
    """The latest walks with their costs in order, the last one on gold."""
    (left, right), unit = layout.edges, layout.squares_per_point
    latest = range(len(position.walks) - shown, len(position.walks))
    for place, at in enumerate(latest):
        y, walk = layout.rows + (GROUND + ROW * (place + 0.5)) * unit, position.walks[at]
        on: Ink = "gold" if at == latest[-1] else "paper"
        if on == "gold":
            yield Box(left - 12 * unit, y - ROW / 2 * unit, right - left + 24 * unit, ROW * unit, on, radius=8 * unit)
        yield Chip(left + MARK / 2 * unit, y, MARK * unit, walk.seat, on=on)
        yield from _draw_walk_in_words(layout, left + INDENT * unit, y, walk, on, position.describe_walk(at))


ROOM = ACROSS - INDENT
"""The width of a walk in words, in points."""


def _draw_walk_in_words(layout: Layout, x: float, y: float, walk: Walk, on: Ink, tag: str) -> Iterator[Shape]:
    """A walk as numbers with arrows between, and what it cost; where it is too long, without its middle."""
    unit, size = layout.squares_per_point, min(SIZE, SIZE * ROOM / _measure_walk(walk, SIZE))
    path, costs = [str(one) for one in walk.path], f": {walk.format_costs()}"
    if size < LEAST:
        size, costs = LEAST, f": {group_digits(walk.cost)}"
        path = _shorten_middle(path, ROOM - COSTS - text_width(costs, size))
    yield from _draw_path(x, y, path, size, unit, on, tag)
    yield Text(x + (_measure_path(path, size) + COSTS) * unit, y, costs, size * unit, "ink", "left", on, tag)


def _draw_path(
    x: float, y: float, path: Sequence[str], size: float, unit: float, on: Ink, tag: str, begun: bool = False
) -> Iterator[Shape]:
    """Numbers with arrows between, from `x` on; the first has an arrow before it if the walk is `begun`."""
    for at, one in enumerate(path):
        if at or begun:
            yield Line(x + 0.22 * size * unit, y, x + 0.7 * size * unit, y, "faded", 0.09 * size * unit, on=on)
            yield boards.draw_arrow(x + 0.8 * size * unit, y, "right", 0.36 * size * unit, "faded")
            x += _arrow_width(size) * unit
        yield Text(x, y, one, size * unit, "ink", "left", on, tag)
        x += text_width(one, size) * unit


def _arrow_width(size: float) -> float:
    return 1.15 * size


def _measure_walk(walk: Walk, size: float) -> float:
    """The width of a walk with its costs, in points."""
    return _measure_path([str(one) for one in walk.path], size) + COSTS + text_width(f": {walk.format_costs()}", size)


def _measure_path(path: Sequence[str], size: float) -> float:
    return sum(text_width(one, size) for one in path) + _arrow_width(size) * (len(path) - 1)


def _shorten_middle(path: list[str], width: float) -> list[str]:
    """A walk, with dots for its middle, so that it fits into `width` points."""
    half = len(path) // 2
    while _measure_path(short := [*path[:half], "...", *path[-half:]], LEAST) > width:
        half -= 1
    return short


def _format_costs(walk: Walk) -> str:
    """What each step of a walk cost: "2×5 + 3 = 13"."""
    return COSTS_ALONE.format(cost=walk.format_costs())


def _make_legend_entries(position: DivisorsMultiplesSequence) -> tuple[LegendEntry, ...]:
    facts = [position.describe_total(seat) for seat in range(1, position.seats + 1)]
    return rendering_pages.make_legend_entries(
        position, totals=[group_digits(score) for score in position.scores()], tags=facts
    )


# On a pad.


def sketch(position: DivisorsMultiplesSequence, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the walk so far, and frames about the numbers that may follow its last one."""
    steps = [int(step) for step in chosen.get("numbers", "").split()]
    board = _make_board(position, (position.here, *steps) if steps else ())
    marks = [
        frames.frame_square(*_place_of(position, step), str(step), board.squares_per_point)
        for step in dict.fromkeys(steps)
    ]
    return (frames.draw_over(board, chain(*marks)),)


# Every walk, when the match is over.


def _make_lists(position: DivisorsMultiplesSequence) -> Iterator[Picture]:
    rows: list[ListRow] = []
    for at, walk in enumerate(position.walks):
        paths, costs = _wrap_path([str(one) for one in walk.path]), wrap_text(_format_costs(walk), LEAST, WIDE)
        rows.append(ListRow(ROW * (len(paths) + len(costs)), partial(_draw_list_row, position, at, paths, costs)))
    yield from make_list_pages(f"{NAME}-walks", join_facts(TITLE, HEADING), rows, head=make_heading_row(HEADING))


WIDE = ACROSS - NUMBERED
"""The width of a walk on a page of walks, in points."""


def _wrap_path(path: Sequence[str]) -> list[list[str]]:
    """The numbers of a walk on as many lines as they need; every line but the first begins with an arrow."""
    lines: list[list[str]] = [[]]
    for one in path:
        if _measure_path([*lines[-1], one], LEAST) > WIDE - 2 * _arrow_width(LEAST):
            lines.append([])
        lines[-1].append(one)
    return lines


def _draw_list_row(
    position: DivisorsMultiplesSequence, at: int, paths: list[list[str]], costs: Sequence[str], middle: float
) -> Iterator[Shape]:
    y, x, tag = middle - ROW * (len(paths) + len(costs) - 1) / 2, EDGE + NUMBERED, position.describe_walk(at)
    yield Text(EDGE, y, str(at + 1), LABEL, "faded", "left")
    yield Chip(x - MARK / 2 - 20, y, MARK, position.walks[at].seat)
    for place, path in enumerate(paths):
        yield from _draw_path(x, y + ROW * place, path, LEAST, 1, "paper", tag, begun=place > 0)
    for place, line in enumerate(costs, len(paths)):
        yield Text(x, y + ROW * place, line, LEAST, "ink", "left", tag=tag)
