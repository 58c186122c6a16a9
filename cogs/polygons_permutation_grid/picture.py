"""Draws Polygons In Permutation Grid: the lines that are still free, and the polygons in the end.

While dots are placed only lines without a dot are drawn: a dot can go wherever two of them cross. Segments between dots
that already are in neighbouring lines are drawn at once, since nothing can change them. A finished round shows every
polygon in the tint and with the mark of the seat whose point it is, and the scores as they stood after it; it stays
below the board until the next round has a dot. When the match is over every round has its picture, the last one first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise

from bot.games.notation import format_sum
from bot.games.position import BOTH, name_seats
from cogs.polygons_permutation_grid.rules import PermutationGrid, first_role
from rendering import boards
from rendering.boards import GAP, Layout, Sign
from rendering.pages import LegendEntry, describe_scores, join_facts, make_page, seat_colour
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
    text_width,
)

# The polygons that a permutation of dots cuts out of the plane, exactly.


Vector = tuple[int, int]
Dot = tuple[int, int]
"""Column and row, from 0."""
Segment = tuple[Dot, Dot]
"""Its left end and its right end; no segment is upright or level, since no line carries two dots."""
Corner = tuple[Fraction, Fraction]
Polygon = tuple[Corner, ...]
"""Its corners, clockwise as seen on the page, and so one for each side."""
Edge = tuple[int, int]
"""From one spot to the next along a segment, as their places in a list of spots."""


@lru_cache(maxsize=256)
def find_polygons(columns: tuple[int, ...]) -> tuple[Polygon, ...]:
    """The bounded regions of a permutation: in row r the dot is in column `columns[r]`.

    >>> find_polygons((0, 1, 3, 2))
    (((Fraction(1, 1), Fraction(1, 1)), (Fraction(3, 1), Fraction(2, 1)), (Fraction(2, 1), Fraction(3, 1))),)
    """
    spots, headings = _arrange_spots(list_segments(columns))
    regions = (_find_corners(walk, spots, headings) for walk in _iter_walks(headings))
    return tuple(sorted(_rotate_to_least(region) for region in regions if _signed_area(region) > 0))


@lru_cache(maxsize=256)
def list_segments(columns: Sequence[int]) -> tuple[Segment, ...]:
    """The segments between dots of consecutive rows and of consecutive columns; those that coincide once."""
    dots = [(column, row) for row, column in enumerate(columns)]
    pairs = (*pairwise(dots), *pairwise(sorted(dots)))
    return tuple(sorted({(min(pair), max(pair)) for pair in pairs}))


def cross_segments(first: Segment, second: Segment) -> Corner | None:
    """Where two segments cross between their ends; None where they do not.

    No dot lies on a segment between its ends, so segments that touch have an end in common.
    """
    along, other = _vector_of(*first), _vector_of(*second)
    between = _vector_of(first[0], second[0])
    turn, reached, met = _cross_product(along, other), _cross_product(between, other), _cross_product(between, along)
    if turn < 0:
        turn, reached, met = -turn, -reached, -met
    if not (0 < reached < turn and 0 < met < turn):
        return None
    (x, y), part = first[0], Fraction(reached, turn)
    return x + part * along[0], y + part * along[1]


def _vector_of(start: Dot, end: Dot) -> Vector:
    return end[0] - start[0], end[1] - start[1]


def _cross_product(first: Vector, second: Vector) -> int:
    return first[0] * second[1] - first[1] * second[0]


def _arrange_spots(drawn: Sequence[Segment]) -> tuple[list[Corner], dict[Edge, Vector]]:
    """The spots where segments end or cross, and both ways along each piece between two spots, with its direction."""
    spots = [(Fraction(x), Fraction(y)) for x, y in sorted({dot for segment in drawn for dot in segment})]
    at = {spot: place for place, spot in enumerate(spots)}
    along = {segment: [at[Fraction(x), Fraction(y)] for x, y in segment] for segment in drawn}
    for first, second in combinations(drawn, 2):
        if spot := cross_segments(first, second):
            along[first].append(len(spots))
            along[second].append(len(spots))
            spots.append(spot)
    headings: dict[Edge, Vector] = {}
    for segment, places in along.items():
        x, y = _vector_of(*segment)
        for here, there in pairwise(sorted(places, key=lambda place: spots[place][0])):
            headings[here, there], headings[there, here] = (x, y), (-x, -y)
    return spots, headings


def _iter_walks(headings: dict[Edge, Vector]) -> Iterator[list[Edge]]:
    """The walks about all regions, each with its region to the right; the one about the outside is among them."""
    ways: dict[int, list[int]] = {}
    for here, there in sorted(headings, key=lambda edge: _angle_key(headings[edge])):
        ways.setdefault(here, []).append(there)
    following = {
        (there, here): (here, right)
        for here, around in ways.items()
        for right, there in pairwise((around[-1], *around))
    }
    while following:
        walk: list[Edge] = []
        edge = next(iter(following))
        while edge in following:
            walk.append(edge)
            edge = following.pop(edge)
        yield walk


def _angle_key(vector: Vector) -> tuple[bool, Fraction]:
    # What sorts directions clockwise from the top: those to the right by their slope, then those to the left.
    x, y = vector
    return x < 0, Fraction(y, x)


def _find_corners(walk: Sequence[Edge], spots: Sequence[Corner], headings: dict[Edge, Vector]) -> Polygon:
    # A vector has a component ±1, so pieces that go on straight have the same one.
    turns = zip(walk, (*walk[1:], walk[0]), strict=True)
    return tuple(spots[after[0]] for before, after in turns if headings[before] != headings[after])


def _signed_area(corners: Polygon) -> Fraction:
    # Twice the area; negative for the walk about the outside, 0 where no region is cut off.
    edges = zip(corners, (*corners[1:], corners[0]), strict=True)
    return sum(((x1 * y2 - x2 * y1) for (x1, y1), (x2, y2) in edges), Fraction(0))


def _rotate_to_least(corners: Polygon) -> Polygon:
    first = corners.index(min(corners))
    return corners[first:] + corners[:first]


# Where a mark fits best into a polygon: far from all of its sides. For looks only, so in floats.


STEPS = 6
"""How often the search about the best spot is refined."""
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))


def find_clearest_spot(corners: Sequence[Spot]) -> tuple[Spot, float]:
    """A spot inside a polygon far from its sides, and how far it is from the nearest."""
    best = max(_candidate_spots(corners), key=lambda spot: _clearance_at(corners, spot))
    clearance = _clearance_at(corners, best)
    step = max(clearance, 0.01)
    for _ in range(STEPS):
        near = [(best[0] + dx * step, best[1] + dy * step) for dx, dy in AROUND]
        found = max(near, key=lambda spot: _clearance_at(corners, spot))
        if (other := _clearance_at(corners, found)) > clearance:
            best, clearance = found, other
        else:
            step /= 2
    return best, clearance


def _candidate_spots(corners: Sequence[Spot]) -> Iterator[Spot]:
    """The middles of all corners, of each two and of each three in a row: one at least is inside."""
    yield _middle_of(corners)
    yield from map(_middle_of, combinations(corners, 2))
    yield from (_middle_of((corners[at - 2], corners[at - 1], corners[at])) for at in range(len(corners)))


def _middle_of(spots: Sequence[Spot]) -> Spot:
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def _clearance_at(corners: Sequence[Spot], spot: Spot) -> float:
    """The distance to the nearest side; negative outside."""
    x, y = spot
    inside, nearest = False, math.inf
    x1, y1 = corners[-1]
    for x2, y2 in corners:
        dx, dy = x2 - x1, y2 - y1
        part = min(1.0, max(0.0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
        nearest = min(nearest, math.hypot(x1 + part * dx - x, y1 + part * dy - y))
        if (y1 > y) != (y2 > y) and x < x1 + dx * (y - y1) / dy:
            inside = not inside
        x1, y1 = x2, y2
    return nearest if inside else -nearest


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
    ended = position.finished_rounds == position.rounds
    fresh = not position.dots_in_round(position.round)
    shown = position.finished_rounds if not position.turn else min(position.finished_rounds, 1) if fresh else 0
    pages = (_make_page(position, position.finished_rounds - back) for back in range(shown))
    return tuple(pages) if ended else (_make_board(position), *pages)


@lru_cache(maxsize=64)
def _make_layout(size: int) -> Layout:
    return Layout(size, size, EDGE + text_width("00", LABEL) + GAP, EDGE / 2, below=12)


# A round that is played.


def _make_board(position: PermutationGrid) -> Picture:
    layout = _make_layout(position.size)
    alt = join_facts(
        TITLE,
        _describe_size(position),
        *_describe_progress(position, position.round),
        describe_scores(position.scores()),
    )
    signs = (
        *_make_role_signs(layout, position.round, ("triangles: {first}", "four or more sides: {other}")),
        *_make_key_signs(position, layout),
    )
    entries = _make_legend_entries(position, position.finished_rounds, won=True)
    return make_page(layout, f"{NAME}-{position.round}", alt, (), _draw_on_board(position, layout), entries, signs)


def _draw_on_board(position: PermutationGrid, layout: Layout) -> Iterator[Shape]:
    yield from _free_lines(position, layout)
    yield from _draw_ground(position, layout, position.round, GOLD, GOLD_AT_MOST)
    for start, end in _sure_segments(position, position.dots_in_round(position.round)):
        yield boards.draw_segment(layout, boards.square_centre(*start), boards.square_centre(*end), "ink", SEGMENT)
    yield from _draw_dots(position, layout, position.round, DOT, DOT_AT_MOST)


def _free_lines(position: PermutationGrid, layout: Layout) -> Iterator[Shape]:
    """Lines without a dot and, in the tint of the seat to move, where they cross; names of the others are faded."""
    size, weight, type_size = position.size, FREE_LINE * layout.squares_per_point, LABEL * layout.squares_per_point
    columns, rows = position.free_lines()
    yield from (Line(at + 0.5, 0.12, at + 0.5, size - 0.12, "faded", weight) for at in columns)
    yield from (Line(0.12, at + 0.5, size - 0.12, at + 0.5, "faded", weight) for at in rows)
    radius = min(OPEN, OPEN_AT_MOST * layout.squares_per_point) / 2
    for seat in position.turn:
        spots = (boards.square_centre(column, row) for row in rows for column in columns)
        yield from (Disc(*spot, radius, TINT_INKS[seat - 1]) for spot in spots)
    inks: tuple[Ink, Ink] = ("faded", "ink")
    for at in range(size):
        y, x = -GAP * layout.squares_per_point - type_size / 2, -GAP * layout.squares_per_point
        yield Text(at + 0.5, y, boards.column_name(at), type_size, inks[at in columns])
        yield Text(x, at + 0.5, boards.row_name(at), type_size, inks[at in rows], "right")


def _sure_segments(position: PermutationGrid, dots: Sequence[int]) -> Iterator[Segment]:
    """The segments between dots that are in neighbouring rows or columns already."""
    placed = sorted((dot % position.size, dot // position.size) for dot in dots)
    for start in placed:
        for end in placed:
            if start < end and 1 in (end[0] - start[0], abs(end[1] - start[1])):
                yield start, end


def _make_key_signs(position: PermutationGrid, layout: Layout) -> Iterator[Sign]:
    """What lines on the board mean."""
    unit, half = layout.squares_per_point, SAMPLE / 2 * layout.squares_per_point

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


def _make_page(position: PermutationGrid, round: int) -> Picture:
    layout, fact = _make_layout(position.size), position.explain(round)
    alt = join_facts(
        TITLE, _describe_size(position), *_describe_progress(position, round), name_seats(fact, seat_colour)
    )
    entries = _make_legend_entries(position, round, won=round == position.rounds)
    triangles, others = (name_seats(line, seat_colour) for line in position.describe_points(round))
    signs = tuple(_make_role_signs(layout, round, (triangles, others), fact))
    base, shapes = boards.draw_coordinates(layout), _draw_on_page(position, layout, round)
    return make_page(layout, f"{NAME}-{round}", alt, base, shapes, entries, signs)


def _draw_on_page(position: PermutationGrid, layout: Layout, round: int) -> Iterator[Shape]:
    yield from _cut_out(
        position.columns_in_round(round), first_role(round), layout.squares_per_point, position.explain(round)
    )
    if round * position.size == len(position.dots):
        yield from _draw_ground(position, layout, round, SMALL_GOLD, SMALL_GOLD_AT_MOST)
    for start, end in list_segments(position.columns_in_round(round)):
        yield boards.draw_segment(layout, boards.square_centre(*start), boards.square_centre(*end), "ink", SIDE)
    yield from _draw_dots(position, layout, round, SMALL_DOT, SMALL_DOT_AT_MOST)


@lru_cache(maxsize=64)
def _cut_out(columns: tuple[int, ...], first: int, point: float, tag: str) -> tuple[Shape, ...]:
    """The polygons of a round in the tints of the seats that count them, each with its seat's mark."""
    shapes: list[Shape] = []
    for corners in find_polygons(columns):
        seat = first if len(corners) == 3 else 3 - first
        spots = tuple((float(x) + 0.5, float(y) + 0.5) for x, y in corners)
        (x, y), clearance = find_clearest_spot(spots)
        shapes.append(Path(spots, None, closed=True, fill=TINT_INKS[seat - 1], tag=tag))
        # Rounded, so that few sizes have to be painted.
        radius = max(LEAST_MARK, min(MARK, round(clearance / point * 0.45))) * point
        shapes.append(_draw_mark((x, y), radius, seat))
    return tuple(shapes)


def _draw_mark(spot: Spot, radius: float, seat: int) -> Shape:
    if seat == 1:
        return Disc(*spot, radius, SEAT_INKS[0], TINT_INKS[0])
    return Ring(*spot, radius, SEAT_INKS[1], 0.42 * radius, TINT_INKS[1])


# What both have.


def _draw_ground(position: PermutationGrid, layout: Layout, round: int, part: float, most: float) -> Iterator[Disc]:
    """Gold behind the last dot."""
    for dot in position.dots_in_round(round)[-1:]:
        row, column = divmod(dot, position.size)
        yield Disc(*boards.square_centre(column, row), min(part, most * layout.squares_per_point) / 2, "gold")


def _draw_dots(position: PermutationGrid, layout: Layout, round: int, part: float, most: float) -> Iterator[Chip]:
    """The dots of a round, each as a piece of the seat that placed it."""
    before, size = (round - 1) * position.size, min(part, most * layout.squares_per_point)
    for place, dot in enumerate(position.dots_in_round(round), before):
        row, column = divmod(dot, position.size)
        on: Ink = "gold" if place + 1 == len(position.dots) else "paper"
        yield Chip(*boards.square_centre(column, row), size, position.placing_seat(place), round=True, on=on)


def _make_role_signs(layout: Layout, round: int, words: tuple[str, str], tag: str = "") -> Iterator[Sign]:
    """Which seat counts which polygons in a round."""
    unit, size, first = layout.squares_per_point, SAMPLE * layout.squares_per_point, first_role(round)

    def sample(seat: int, form: tuple[Spot, ...]) -> Callable[[float, float], Iterable[Shape]]:
        def draw(x: float, y: float) -> Iterator[Shape]:
            spots = tuple((x + size / 2 + size * dx, y + size * dy) for dx, dy in form)
            yield Path(spots, "ink", boards.HAIR * unit, closed=True, fill=TINT_INKS[seat - 1], tag=tag)
            yield _draw_mark((x + size / 2, y + 0.08 * size), 5 * unit, seat)

        return draw

    for seat, form, said in zip((first, 3 - first), (TRIANGLE, PENTAGON), words, strict=True):
        yield Sign(said.format(first=seat_colour(first), other=seat_colour(3 - first)), SAMPLE, sample(seat, form))


def _make_legend_entries(position: PermutationGrid, rounds: int, won: bool) -> list[LegendEntry]:
    """Both seats with what they scored in each of the first rounds, and their totals; that of who `won` on gold."""
    ranks = (won and position.ranks()) or (0, 0)
    entries: list[LegendEntry] = []
    for seat in BOTH:
        points = position.points_by_round(seat)[:rounds]
        label = f"{seat_colour(seat)}: {' + '.join(map(str, points))}" if len(points) > 1 else seat_colour(seat)
        tag, moves = f"player {seat}: {format_sum(points)}" if points else "", won and seat in position.turn
        entries.append(LegendEntry(seat, label, str(sum(points)), ranks[seat - 1] == 1, tag, moves))
    return entries


def _describe_size(position: PermutationGrid) -> str:
    return f"{position.size} by {position.size}"


def _describe_progress(position: PermutationGrid, round: int) -> tuple[str, str]:
    said, placed = f"round {round} of {position.rounds}", len(position.dots_in_round(round))
    if round <= position.finished_rounds:
        return said, "finished"
    if position.withdrawn:
        return said, f"{seat_colour(position.withdrawn[0])} is out after {placed} of {position.size} dots"
    return said, f"{seat_colour(position.turn[0])} places dot {placed + 1} of {position.size}"
