"""Draws Divisors/Multiples Sequence: the claimed numbers, the last walk, and what walks have cost.

The number where the walk stands is on gold, and the numbers one step away from it are framed. When the match is over
further pictures list every walk with its costs, step by step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain, pairwise

from cogs.divisors_multiples_sequence.rules import DivisorsMultiplesSequence, list_neighbours
from rendering import boards, frames
from rendering import pages as rendering_pages
from rendering.boards import ACROSS, Layout, make_remark_sign
from rendering.frames import mark_as_worked
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
    Picture,
    Shape,
    Text,
    group_digits,
    text_width,
    wrap_text,
)

TITLE, NAME = "Divisors/Multiples Sequence", "divisors-multiples-sequence"
COLUMNS = ((12, 6), (20, 7), (35, 8), (60, 10))
"""Pairs (r, numbers on a line), each for values up to its r."""
LATEST = 5
"""How many walks stand below the board while the match goes on."""
KEY = ("framed: one step away; lowest total wins",)
HEADING = "every walk and what each step cost"

# In points.
ROW, MARK, INDENT, GROUND = 46, 34, 50, 20
NUMBERED = 116
"""From the edge of a list to its walks: the number of the walk and its seat."""


def pictures(position: DivisorsMultiplesSequence) -> tuple[Picture, ...]:
    """The board; when the match is over also every walk with its costs."""
    return (_make_board(position),) if position.turn else (_make_board(position), *_make_lists(position))


def _count_columns(r: int) -> int:
    return next(columns for most, columns in COLUMNS if r <= most)


@lru_cache(maxsize=256)
def _make_layout(r: int, walks: int) -> Layout:
    columns = _count_columns(r)
    return Layout(columns, -(-r // columns), left=EDGE, above=EDGE / 2, below=GROUND + ROW * walks)


def _place_of(position: DivisorsMultiplesSequence, one: int) -> tuple[int, int]:
    row, column = divmod(one - 1, _count_columns(position.r))
    return column, row


def _make_board(position: DivisorsMultiplesSequence, walking: Sequence[int] = ()) -> Picture:
    """The board; on a pad with the walk so far, from where it began, in place of the last one."""
    shown = min(LATEST, len(position.walks)) if position.turn else 0
    layout = _make_layout(position.r, shown)
    grounds = _draw_grounds(position, layout, walking[-1] if walking else position.here)
    walk = (
        _draw_walk(walking, position, layout, frames.tag_of_mark("walk")) if walking else _last_walk(position, layout)
    )
    shapes = (*grounds, *walk, *_draw_numbers(position, layout), *mark_as_worked(_draw_latest(position, layout, shown)))
    key = map(make_remark_sign, KEY) if position.turn else ()
    return make_page(layout, NAME, _write_alt_text(position), (), shapes, _make_legend_entries(position), tuple(key))


def _describe_progress(position: DivisorsMultiplesSequence) -> str:
    left = position.r - 1 - len(position.walks)
    if not position.turn:
        return f"finished after {len(position.walks)} walks"
    return f"the walk stands at {position.here}, {left} free"


def _write_alt_text(position: DivisorsMultiplesSequence) -> str:
    board, totals = f"1 to {position.r}", describe_scores(position.scores())
    return join_facts(TITLE, board, _describe_progress(position), "the lowest total wins", totals)


def _draw_grounds(position: DivisorsMultiplesSequence, layout: Layout, stands: int) -> Iterator[Shape]:
    """Every number's square: framed where one step leads from some number, gold where the walk stands."""
    near = list_neighbours(stands, position.r) if position.turn else ()
    for one in range(1, position.r + 1):
        column, row = _place_of(position, one)
        fill: Ink | None = "gold" if one == position.here else None
        frame: Ink = "ink" if one in near else "rule"
        weight = (4 if one in near else 2) * layout.squares_per_point
        yield Box(column + 0.03, row + 0.03, 0.94, 0.94, fill, frame, weight, 0.08)


def _draw_numbers(position: DivisorsMultiplesSequence, layout: Layout) -> Iterator[Shape]:
    """The numbers: a chip of the seat that claimed it, dark for the 1 that is nobody's, plain where free."""
    claims = position.claimed_numbers
    for one in range(1, position.r + 1):
        column, row = _place_of(position, one)
        on: Ink = "gold" if one == position.here else "paper"
        yield from _draw_number(layout, one, column, row, claims.get(one), on)


def _draw_number(layout: Layout, one: int, column: int, row: int, owner: int | None, on: Ink) -> Iterator[Shape]:
    size, middle = layout.fit(str(one), 0.5, 0.34 / layout.squares_per_point), boards.square_centre(column, row)
    if owner:
        yield Chip(*middle, 0.76, owner, corner=True, on=on)
        yield Text(*middle, str(one), size, SEAT_PENS[owner - 1], on=SEAT_INKS[owner - 1])
    elif owner == 0:
        yield Box(column + 0.12, row + 0.12, 0.76, 0.76, "ink", radius=0.1, on=on)
        yield Text(*middle, str(one), size, "paper", on="ink")
    else:
        yield Text(*middle, str(one), size, "ink", on=on)


def _last_walk(position: DivisorsMultiplesSequence, layout: Layout) -> Iterator[Shape]:
    """The last walk as a broad line from square to square, below the numbers."""
    return _draw_walk(position.walks[-1].path if position.walks else (), position, layout)


def _draw_walk(
    path: Sequence[int], position: DivisorsMultiplesSequence, layout: Layout, tag: str = ""
) -> Iterator[Shape]:
    spots = [boards.square_centre(*_place_of(position, one)) for one in path]
    yield from (Line(*start, *end, "gold", 14 * layout.squares_per_point, tag=tag) for start, end in pairwise(spots))


def _draw_latest(position: DivisorsMultiplesSequence, layout: Layout, shown: int) -> Iterator[Shape]:
    """The latest walks with their costs, the last one first."""
    left, right = layout.edges
    unit = layout.squares_per_point
    for place, walk in enumerate(reversed(position.walks[-shown:] if shown else ())):
        y = layout.rows + (GROUND / 2 + ROW * (place + 0.5)) * unit
        text = _shorten_middle(f"{'-'.join(map(str, walk.path))}: {_format_costs(walk.costs)}", ACROSS - INDENT)
        on: Ink = "paper" if place else "gold"
        if not place:
            yield Box(left - 8 * unit, y - 21 * unit, right - left + 16 * unit, 42 * unit, on, radius=6 * unit)
        yield Chip(left + MARK / 2 * unit, y, MARK * unit, walk.seat, on=on)
        yield Text(left + INDENT * unit, y, text, LEAST * unit, "ink", "left", on)


def _format_costs(costs: tuple[int, ...]) -> str:
    return f"{' + '.join(map(str, costs))} = {sum(costs)}" if len(costs) > 1 else str(sum(costs))


def _shorten_middle(text: str, width: float) -> str:
    """A text, with dots for its middle where it is wider than `width` points."""
    half = len(text) // 2
    short = text
    while text_width(short, LEAST) > width and half > 4:
        half -= 1
        short = f"{text[:half]} ... {text[-half:]}"
    return short


def _make_legend_entries(position: DivisorsMultiplesSequence) -> tuple[LegendEntry, ...]:
    facts = [position.describe_total(seat) for seat in range(1, position.seats + 1)]
    return rendering_pages.make_legend_entries(
        position, totals=[group_digits(score) for score in position.scores()], tags=facts
    )


# On a pad.


def sketch(position: DivisorsMultiplesSequence, seat: int, kind: str, chosen: Mapping[str, str]) -> tuple[Picture, ...]:
    """The board with the walk so far, and frames about the numbers that may follow its last one."""
    steps = [int(step) for step in chosen.get("numbers", "").split()]
    path = (position.here, *steps)
    board = _make_board(position, path if steps else ())
    marks = [
        frames.frame_square(*_place_of(position, step), str(step), board.squares_per_point)
        for step in dict.fromkeys(steps)
    ]
    return (frames.draw_over(board, chain(*marks)),)


# Every walk, when the match is over.


def _make_lists(position: DivisorsMultiplesSequence) -> Iterator[Picture]:
    rows: list[ListRow] = []
    for at, walk in enumerate(position.walks):
        # Broken between numbers, not within a cost.
        spaced = wrap_text(str(walk).replace("-", " - "), LEAST, ACROSS - NUMBERED)
        lines = [line.replace(" - ", "-") for line in spaced]
        rows.append(ListRow(ROW * len(lines), partial(_draw_list_row, position, at, lines)))
    yield from make_list_pages(f"{NAME}-walks", join_facts(TITLE, HEADING), rows, head=make_heading_row(HEADING))


def _draw_list_row(position: DivisorsMultiplesSequence, at: int, lines: list[str], middle: float) -> Iterator[Shape]:
    y = middle - ROW * (len(lines) - 1) / 2
    yield Text(EDGE, y, str(at + 1), LABEL, "faded", "left")
    yield Chip(EDGE + NUMBERED - MARK / 2 - 20, y, MARK, position.walks[at].seat)
    for place, line in enumerate(lines):
        yield Text(EDGE + NUMBERED, y + ROW * place, line, LEAST, "ink", "left", tag=position.describe_walk(at))
