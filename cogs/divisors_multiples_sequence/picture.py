"""Divisors/Multiples Sequence as pictures: the numbers with who claimed them, the last walk, and what walks have cost.

The number where the walk stands is on gold, and the numbers one step away from it are framed. When the match is over
further pictures list every walk with its costs, step by step.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from cogs.divisors_multiples_sequence.rules import DivisorsMultiplesSequence
from cogs.divisors_multiples_sequence.walking import neighbours
from rendering import boards
from rendering import legend as legends
from rendering.boards import Layout
from rendering.legend import Entry
from rendering.shapes import EDGE, LABEL, LEAST, POINTS, SEAT_INKS, Box, Chip, Ink, Line, Picture, Shape, Text

TITLE, NAME = "Divisors/Multiples Sequence", "divisors-multiples-sequence"
COLUMNS = ((12, 6), (20, 7), (35, 8), (60, 10))
"""Up to this r, so many numbers on a line."""
LATEST = 6
"""How many walks stand below the board while the match goes on."""
LINES = 30
"""How many lines of walks a page has."""

# In points.
ROW, MARK, INDENT, GROUND = 40, 30, 46, 30


def pictures(position: DivisorsMultiplesSequence) -> tuple[Picture, ...]:
    """The board; when the match is over also every walk with its costs."""
    return (_board(position),) if position.turn else (_board(position), *_pages(position))


def _columns(r: int) -> int:
    return next(columns for most, columns in COLUMNS if r <= most)


@lru_cache(maxsize=256)
def _layout(r: int, seats: int, walks: int) -> Layout:
    columns = _columns(r)
    below = _above_legend(walks) + legends.old_height(seats)
    return Layout(columns, -(-r // columns), left=EDGE, above=EDGE + 24, below=below)


def _above_legend(walks: int) -> float:
    return GROUND + (ROW * (walks + 1) + GROUND / 2 if walks else 0)


def _place(position: DivisorsMultiplesSequence, one: int) -> tuple[int, int]:
    row, column = divmod(one - 1, _columns(position.r))
    return column, row


def _board(position: DivisorsMultiplesSequence) -> Picture:
    shown = min(LATEST, len(position.walks)) if position.turn else 0
    layout = _layout(position.r, position.seats, shown)
    grounds, walk = _grounds(position, layout), _last_walk(position, layout)
    shapes = (*grounds, *walk, *_numbers(position, layout), *_latest(position, layout, shown))
    legend = legends.old(layout, _entries(position), _above_legend(shown))
    return Picture(NAME, layout.extent, (), (*shapes, *legend), _alt(position))


def _subtitle(position: DivisorsMultiplesSequence) -> str:
    left = position.r - 1 - len(position.walks)
    if not position.turn:
        return f"1 to {position.r}, finished after {len(position.walks)} walks, the lowest total wins"
    return f"1 to {position.r}, the walk stands at {position.here}, {left} free, the lowest total wins"


def _alt(position: DivisorsMultiplesSequence) -> str:
    totals = ", ".join(f"seat {seat} {total}" for seat, total in enumerate(position.scores(), 1))
    return f"{TITLE}, {_subtitle(position)}: {totals}."


def _grounds(position: DivisorsMultiplesSequence, layout: Layout) -> Iterator[Shape]:
    """Every number's square: framed where one step leads, gold where the walk stands."""
    near = neighbours(position.here, position.r) if position.turn else ()
    for one in range(1, position.r + 1):
        column, row = _place(position, one)
        fill: Ink | None = "gold" if one == position.here else None
        frame: Ink = "ink" if one in near else "rule"
        weight = (4 if one in near else 2) * layout.point
        yield Box(column + 0.03, row + 0.03, 0.94, 0.94, fill, frame, weight, 0.08)


def _numbers(position: DivisorsMultiplesSequence, layout: Layout) -> Iterator[Shape]:
    """The numbers: a chip of the seat that claimed it, dark for the 1 that is nobody's, plain where free."""
    claims = position.claims
    for one in range(1, position.r + 1):
        column, row = _place(position, one)
        on: Ink = "gold" if one == position.here else "paper"
        yield from _number(layout, one, column, row, claims.get(one), on)


def _number(layout: Layout, one: int, column: int, row: int, owner: int | None, on: Ink) -> Iterator[Shape]:
    size, middle = layout.fit(str(one), 0.5, 0.34 / layout.point), boards.centre(column, row)
    if owner:
        yield Chip(*middle, 0.76, owner, corner=True, on=on)
        yield Text(*middle, str(one), size, "paper", on=SEAT_INKS[owner - 1])
    elif owner == 0:
        yield Box(column + 0.12, row + 0.12, 0.76, 0.76, "ink", radius=0.1, on=on)
        yield Text(*middle, str(one), size, "paper", on="ink")
    else:
        yield Text(*middle, str(one), size, "ink", on=on)


def _last_walk(position: DivisorsMultiplesSequence, layout: Layout) -> Iterator[Shape]:
    """The last walk as a broad line from square to square, below the numbers."""
    if position.walks:
        spots = [boards.centre(*_place(position, one)) for one in position.walks[-1].path]
        yield from (Line(*start, *end, "gold", 14 * layout.point) for start, end in pairwise(spots))


def _latest(position: DivisorsMultiplesSequence, layout: Layout, shown: int) -> Iterator[Shape]:
    """The latest walks with their costs, the last one first."""
    if not shown:
        return
    left, right = layout.edges
    unit = layout.point
    y = layout.rows + (GROUND + ROW * 0.5) * unit
    yield Text(left, y, "framed: one step away; below: the latest walks", LEAST * unit, "faded", "left")
    for place, walk in enumerate(reversed(position.walks[-shown:]), 1):
        y = layout.rows + (GROUND + ROW * (place + 0.5)) * unit
        text = _shortened(layout, f"{'-'.join(map(str, walk.path))}: {_sum(walk.costs)}", right - left - INDENT * unit)
        if place == 1:
            yield Box(left - 8 * unit, y - 19 * unit, right - left + 16 * unit, 38 * unit, "gold", radius=6 * unit)
        on: Ink = "gold" if place == 1 else "paper"
        yield Chip(left + MARK / 2 * unit, y, MARK * unit, walk.seat, on=on)
        yield Text(left + INDENT * unit, y, text, LEAST * unit, "ink", "left", on)


def _sum(costs: tuple[int, ...]) -> str:
    return f"{' + '.join(map(str, costs))} = {sum(costs)}" if len(costs) > 1 else str(sum(costs))


def _shortened(layout: Layout, text: str, room: float) -> str:
    """A text with its middle left out where it is too long."""
    size = LEAST * layout.point
    half = len(text) // 2
    short = text
    while boards.width(short, size) > room and half > 4:
        half -= 1
        short = f"{text[:half]} ... {text[-half:]}"
    return short


def _entries(position: DivisorsMultiplesSequence) -> list[Entry]:
    ranks = position.ranks() or tuple(0 for _ in range(position.seats))
    return [
        Entry(seat, f"seat {seat}", boards.grouped(total), rank == 1, position.total(seat))
        for seat, (total, rank) in enumerate(zip(position.scores(), ranks, strict=True), 1)
    ]


# Every walk, when the match is over.


def _pages(position: DivisorsMultiplesSequence) -> Iterator[Picture]:
    """All walks, as many on a page as there is room for."""
    pages: list[list[tuple[int, list[str]]]] = [[]]
    for at in range(len(position.walks)):
        lines = _lines(str(position.walks[at]))
        if sum(len(told) for _, told in pages[-1]) + len(lines) > LINES:
            pages.append([])
        pages[-1].append((at, lines))
    for number, page in enumerate(pages, 1):
        subtitle = "every walk and what each step cost" + (f", page {number} of {len(pages)}" if len(pages) > 1 else "")
        rows = sum(len(told) for _, told in page)
        layout = Layout(10, rows * ROW / (POINTS - 2 * EDGE) * 10, left=EDGE, above=EDGE + 10, below=EDGE)
        shapes, alt = tuple(_page(position, layout.point, page)), f"{TITLE}: {subtitle}."
        yield Picture(f"{NAME}-{number}", layout.extent, (), shapes, alt)


def _lines(text: str) -> list[str]:
    """A walk on as many lines as it needs, broken between numbers."""
    room, line = POINTS - 2 * EDGE - 100, ""
    lines: list[str] = []
    for word in text.replace("-", " - ").split(" "):
        longer = f"{line} {word}".strip()
        if line and boards.width(longer, LEAST) > room:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]


def _page(position: DivisorsMultiplesSequence, unit: float, page: list[tuple[int, list[str]]]) -> Iterator[Shape]:
    y = 0.5 * ROW * unit
    for at, lines in page:
        yield Text(0, y, str(at + 1), LABEL * unit, "faded", "left")
        yield Chip(66 * unit, y, MARK * unit, position.walks[at].seat)
        for line in lines:
            text = line.replace(" - ", "-")
            yield Text(100 * unit, y, text, LEAST * unit, "ink", "left", tag=position.told(at))
            y += ROW * unit
