"""Draws Polygons In Permutation Grid: the lines that are still free, and the polygons in the end.

While dots are placed only lines without a dot are drawn: a dot can go wherever two of them cross. Segments between dots
that already are in neighbouring lines are drawn at once, since nothing can change them. A finished round shows every
polygon in the tint and with the mark of the seat whose point it is, and the scores as they stood after it; it stays
below the board until the next round has a dot. When the match is over every round has its picture, the last one first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from bot.core.game.notation import added
from bot.core.values.seats import BOTH, peopled
from cogs.polygons_permutation_grid.polygons import Segment, polygons, segments
from cogs.polygons_permutation_grid.roomiest import roomiest
from cogs.polygons_permutation_grid.rules import PermutationGrid, first_role
from rendering import boards
from rendering.boards import GAP, Layout
from rendering.legend import Entry, colour
from rendering.margins import Sign
from rendering.pages import facts, page, standing
from rendering.shapes import (
    EDGE,
    LABEL,
    SEAT_INKS,
    TINT_INKS,
    Chip,
    Disc,
    Ink,
    Line,
    Path,
    Picture,
    Ring,
    Shape,
    Spot,
    Text,
    width,
)

TITLE, NAME = "Polygons In Permutation Grid", "polygons-permutation-grid"

# In points.
FREE_LINE, SEGMENT, SIDE = 3, 6, 5
"""The weight of a line without a dot, of a segment, and of a segment about polygons."""
MARK, LEAST_MARK = 11, 2.5
"""The radius of the mark in a polygon, at most and at least."""
SAMPLE = 34
"""The side of a sample in the key."""
DOT_AT_MOST, GOLD_AT_MOST, OPEN_AT_MOST = 64, 92, 44
SMALL_DOT_AT_MOST, SMALL_GOLD_AT_MOST = 26, 46
"""Across a dot, the gold behind the last one and the tint where one may be placed; and in a finished round."""

# In squares.
DOT, GOLD, OPEN = 0.62, 0.92, 0.42
SMALL_DOT, SMALL_GOLD = 0.36, 0.62
"""The same, where squares are small."""

TRIANGLE: tuple[Spot, ...] = ((0, -0.5), (0.55, 0.45), (-0.55, 0.45))
PENTAGON: tuple[Spot, ...] = ((0, -0.52), (0.52, -0.12), (0.32, 0.48), (-0.32, 0.48), (-0.52, -0.12))
"""What the key shows for triangles and for other polygons, about the middle."""


def pictures(position: PermutationGrid) -> tuple[Picture, ...]:
    """The board; at a round's end that round; when the match is over, every round, the last one first."""
    ended = position.finished == position.rounds
    fresh = not position.placed(position.round)
    shown = position.finished if not position.turn else min(position.finished, 1) if fresh else 0
    pages = (_page(position, position.finished - back) for back in range(shown))
    return tuple(pages) if ended else (_board(position), *pages)


@lru_cache(maxsize=64)
def _layout(size: int) -> Layout:
    return Layout(size, size, EDGE + width("00", LABEL) + GAP, EDGE / 2, below=12)


# A round that is played.


def _board(position: PermutationGrid) -> Picture:
    layout = _layout(position.size)
    alt = facts(TITLE, _size(position), *_progress(position, position.round), standing(position.scores()))
    signs = (
        *_roles(layout, position.round, ("triangles: {first}", "four or more sides: {other}")),
        *_signs(position, layout),
    )
    entries = _entries(position, position.finished, won=True)
    return page(layout, f"{NAME}-{position.round}", alt, (), _on_board(position, layout), entries, signs)


def _on_board(position: PermutationGrid, layout: Layout) -> Iterator[Shape]:
    yield from _free_lines(position, layout)
    yield from _ground(position, layout, position.round, GOLD, GOLD_AT_MOST)
    for start, end in _sure(position, position.placed(position.round)):
        yield boards.segment(layout, boards.centre(*start), boards.centre(*end), "ink", SEGMENT)
    yield from _dots(position, layout, position.round, DOT, DOT_AT_MOST)


def _free_lines(position: PermutationGrid, layout: Layout) -> Iterator[Shape]:
    """Lines without a dot and, in the tint of the seat to move, where they cross; names of the others are faded."""
    size, weight, type_size = position.size, FREE_LINE * layout.point, LABEL * layout.point
    columns, rows = position.free()
    yield from (Line(at + 0.5, 0.12, at + 0.5, size - 0.12, "faded", weight) for at in columns)
    yield from (Line(0.12, at + 0.5, size - 0.12, at + 0.5, "faded", weight) for at in rows)
    radius = min(OPEN, OPEN_AT_MOST * layout.point) / 2
    for seat in position.turn:
        spots = (boards.centre(column, row) for row in rows for column in columns)
        yield from (Disc(*spot, radius, TINT_INKS[seat - 1]) for spot in spots)
    inks: tuple[Ink, Ink] = ("faded", "ink")
    for at in range(size):
        y, x = -GAP * layout.point - type_size / 2, -GAP * layout.point
        yield Text(at + 0.5, y, boards.letter(at), type_size, inks[at in columns])
        yield Text(x, at + 0.5, boards.ordinal(at), type_size, inks[at in rows], "right")


def _sure(position: PermutationGrid, dots: Sequence[int]) -> Iterator[Segment]:
    """The segments between dots that are in neighbouring rows or columns already."""
    placed = sorted((dot % position.size, dot // position.size) for dot in dots)
    for start in placed:
        for end in placed:
            if start < end and 1 in (end[0] - start[0], abs(end[1] - start[1])):
                yield start, end


def _signs(position: PermutationGrid, layout: Layout) -> Iterator[Sign]:
    """What lines on the board mean."""
    unit, half = layout.point, SAMPLE / 2 * layout.point

    def free(seat: int) -> Callable[[float, float], Iterable[Shape]]:
        return lambda x, y: (
            Line(x, y, x + 2 * half, y, "faded", FREE_LINE * unit),
            Line(x + half, y - half, x + half, y + half, "faded", FREE_LINE * unit),
            Disc(x + half, y, 0.3 * SAMPLE * unit, TINT_INKS[seat - 1]),
        )

    def sure(x: float, y: float) -> Iterator[Shape]:
        yield Line(x, y, x + 2 * half, y, "ink", SEGMENT * unit)

    yield from (Sign("free: neither line has a dot", SAMPLE, free(seat)) for seat in position.turn)
    yield Sign("already sure to be drawn", SAMPLE, sure)


# A finished round.


def _page(position: PermutationGrid, round: int) -> Picture:
    layout, fact = _layout(position.size), position.explain(round)
    alt = facts(TITLE, _size(position), *_progress(position, round), peopled(fact, colour))
    entries = _entries(position, round, won=round == position.rounds)
    triangles, others = (peopled(line, colour) for line in position.counted(round))
    signs = tuple(_roles(layout, round, (triangles, others), fact))
    base, shapes = boards.coordinates(layout), _on_page(position, layout, round)
    return page(layout, f"{NAME}-{round}", alt, base, shapes, entries, signs)


def _on_page(position: PermutationGrid, layout: Layout, round: int) -> Iterator[Shape]:
    yield from _cut_out(position.columns(round), first_role(round), layout.point, position.explain(round))
    if round * position.size == len(position.dots):
        yield from _ground(position, layout, round, SMALL_GOLD, SMALL_GOLD_AT_MOST)
    for start, end in segments(position.columns(round)):
        yield boards.segment(layout, boards.centre(*start), boards.centre(*end), "ink", SIDE)
    yield from _dots(position, layout, round, SMALL_DOT, SMALL_DOT_AT_MOST)


@lru_cache(maxsize=64)
def _cut_out(columns: tuple[int, ...], first: int, point: float, tag: str) -> tuple[Shape, ...]:
    """The polygons of a round in the tints of the seats that count them, each with its seat's mark."""
    shapes: list[Shape] = []
    for corners in polygons(columns):
        seat = first if len(corners) == 3 else 3 - first
        spots = tuple((float(x) + 0.5, float(y) + 0.5) for x, y in corners)
        (x, y), room = roomiest(spots)
        shapes.append(Path(spots, None, closed=True, fill=TINT_INKS[seat - 1], tag=tag))
        # Rounded, so that few sizes have to be painted.
        radius = max(LEAST_MARK, min(MARK, round(room / point * 0.45))) * point
        shapes.append(_mark((x, y), radius, seat))
    return tuple(shapes)


def _mark(spot: Spot, radius: float, seat: int) -> Shape:
    if seat == 1:
        return Disc(*spot, radius, SEAT_INKS[0], TINT_INKS[0])
    return Ring(*spot, radius, SEAT_INKS[1], 0.42 * radius, TINT_INKS[1])


# What both have.


def _ground(position: PermutationGrid, layout: Layout, round: int, part: float, most: float) -> Iterator[Disc]:
    """Gold behind the last dot."""
    for dot in position.placed(round)[-1:]:
        row, column = divmod(dot, position.size)
        yield Disc(*boards.centre(column, row), min(part, most * layout.point) / 2, "gold")


def _dots(position: PermutationGrid, layout: Layout, round: int, part: float, most: float) -> Iterator[Chip]:
    """The dots of a round, each as a piece of the seat that placed it."""
    before, size = (round - 1) * position.size, min(part, most * layout.point)
    for place, dot in enumerate(position.placed(round), before):
        row, column = divmod(dot, position.size)
        on: Ink = "gold" if place + 1 == len(position.dots) else "paper"
        yield Chip(*boards.centre(column, row), size, position.placer(place), round=True, on=on)


def _roles(layout: Layout, round: int, words: tuple[str, str], tag: str = "") -> Iterator[Sign]:
    """Which seat counts which polygons in a round."""
    unit, size, first = layout.point, SAMPLE * layout.point, first_role(round)

    def sample(seat: int, form: tuple[Spot, ...]) -> Callable[[float, float], Iterable[Shape]]:
        def draw(x: float, y: float) -> Iterator[Shape]:
            spots = tuple((x + size / 2 + size * dx, y + size * dy) for dx, dy in form)
            yield Path(spots, "ink", boards.HAIR * unit, closed=True, fill=TINT_INKS[seat - 1], tag=tag)
            yield _mark((x + size / 2, y + 0.08 * size), 5 * unit, seat)

        return draw

    for seat, form, said in zip((first, 3 - first), (TRIANGLE, PENTAGON), words, strict=True):
        yield Sign(said.format(first=colour(first), other=colour(3 - first)), SAMPLE, sample(seat, form))


def _entries(position: PermutationGrid, rounds: int, won: bool) -> list[Entry]:
    """Both seats with what they scored in each of the first rounds, and their totals; that of who `won` on gold."""
    ranks = (won and position.ranks()) or (0, 0)
    entries: list[Entry] = []
    for seat in BOTH:
        points = position.by_round(seat)[:rounds]
        label = f"{colour(seat)}: {' + '.join(map(str, points))}" if len(points) > 1 else colour(seat)
        tag, moves = f"player {seat}: {added(points)}" if points else "", won and seat in position.turn
        entries.append(Entry(seat, label, str(sum(points)), ranks[seat - 1] == 1, tag, moves))
    return entries


def _size(position: PermutationGrid) -> str:
    return f"{position.size} by {position.size}"


def _progress(position: PermutationGrid, round: int) -> tuple[str, str]:
    said, placed = f"round {round} of {position.rounds}", len(position.placed(round))
    if round <= position.finished:
        return said, "finished"
    if position.withdrawn:
        return said, f"{colour(position.withdrawn[0])} is out after {placed} of {position.size} dots"
    return said, f"{colour(position.turn[0])} places dot {placed + 1} of {position.size}"
