"""Draws Polygons In Permutation Grid: the lines that are still free, and the polygons in the end.

While dots are placed only lines without a dot are drawn: a dot can go wherever two of them cross. Segments between dots
that already are in neighbouring lines are drawn at once, since nothing can change them, and what they enclose so far
has the tint of the seat that would count it. A finished round shows every polygon in the tint and with the mark of the
seat whose point it is; it has a picture of its own until the next round has a dot. When the match is over the first
picture has all rounds side by side, and every round has its picture, the last one first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from bot.games.notation import format_sum
from bot.games.position import BOTH, name_seats
from bot.games.wording import Plural
from cogs.polygons_permutation_grid.polygons import Polygon, enclose_polygons, find_polygons, list_segments
from cogs.polygons_permutation_grid.rules import PermutationGrid, first_role
from rendering import boards
from rendering.boards import ACROSS, GAP, KEY_ROW, Layout, Sign
from rendering.pages import LegendEntry, describe_scores, join_facts, make_page, seat_colour
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    SEAT_INKS,
    TINT_INKS,
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
SHAPES_SCORED = Plural("1 triangle", "{number} triangles"), Plural("1 other shape", "{number} other shapes")
"""What a seat has scored, by kinds of shapes."""

# In points.
FREE_LINE, SEGMENT, SIDE = 3, 6, 5
"""The weight of a line without a dot, of a segment, and of a segment about polygons."""
MARK, LEAST_MARK = 11, 2.5
"""The radius of the mark in a polygon, at most and at least."""
SAMPLE = 34
"""The side of a sample in the key."""
DOT_AT_MOST, GOLD_AT_MOST, OPEN_AT_MOST = 56, 92, 22
SMALL_DOT_AT_MOST, SMALL_GOLD_AT_MOST = 22, 60
"""Across a dot, the gold behind the last one and the ring where one may be placed; and in a finished round."""
LEFT = EDGE + text_width("00", LABEL) + GAP
"""From the page's edge to a board."""
BETWEEN, BELOW = 24, 12
"""Between two figures side by side, and below a board or a figure."""
SMALL_SIZE, STACKED = 6, 520
"""The most lines of a figure that is legible where two share a row; and the width of one that has a row."""
FEW = 4
"""Up to so many rounds stand two side by side when the match is over, more than these three."""
NAMES, LEAST_NAMED = 44, 34
"""Left of and above a figure of a round there, for the names of its lines; and how far these are apart at least."""

# In squares.
DOT, GOLD, OPEN = 0.55, 0.92, 0.3
SMALL_DOT, SMALL_GOLD = 0.3, 0.9
"""The same, where squares are small."""

TRIANGLE: tuple[Spot, ...] = ((0, -0.5), (0.55, 0.45), (-0.55, 0.45))
PENTAGON: tuple[Spot, ...] = ((0, -0.52), (0.52, -0.12), (0.32, 0.48), (-0.32, 0.48), (-0.52, -0.12))
"""What the key shows for triangles and for other polygons, about the middle."""

FORMS = ("triangles", "four or more sides")
TRIANGLES, OTHERS = Plural("1 triangle", "{number} triangles"), Plural("1 other shape", "{number} other shapes")
"""The key while a round is played, and what it counts."""
FREE, SURE = "a dot may go here", "a line that is sure"


def pictures(position: PermutationGrid) -> tuple[Picture, ...]:
    """The board, and at a round's end that round; when the match is over all rounds, and each, the last one first."""
    ended = position.finished_rounds == position.rounds
    shown = position.finished_rounds if not position.turn else 1 if position.opening else 0
    pages = (_make_page(position, position.finished_rounds - back) for back in range(shown))
    if ended:
        last, *before = pages
        return _make_summary(position), replace(last, last=True), *before
    return _make_board(position), *(replace(page, ended=position.opening is not None) for page in pages)


class Place(NamedTuple):
    """Where a figure stands: its left top corner, and the side of its squares in squares of the page."""

    left: float = 0
    top: float = 0
    side: float = 1

    def find_spot(self, x: float, y: float) -> Spot:
        """Where the crossing in column x and row y stands."""
        return self.left + self.side * (x + 0.5), self.top + self.side * (y + 0.5)


WHOLE = Place()


@lru_cache(maxsize=64)
def _make_layout(size: int) -> Layout:
    return Layout(size, size, LEFT, EDGE / 2, below=BELOW)


# A round that is played.


def _make_board(position: PermutationGrid) -> Picture:
    layout, round = _make_layout(position.size), position.round
    alt = join_facts(
        TITLE, _describe_size(position), *_describe_progress(position, round), describe_scores(position.scores())
    )
    roles, marks = _make_role_signs(layout, round, FORMS), tuple(_make_key_signs(position, layout))
    shapes, signs = _draw_on_board(position, layout), [boards.join_signs(layout, roles)]
    if position.turn:
        signs.append(boards.join_signs(layout, marks))
    entries = _make_legend_entries(position, position.finished_rounds, won=True)
    return make_page(layout, f"{NAME}-{round}", alt, (), shapes, entries, signs)


def _draw_on_board(position: PermutationGrid, layout: Layout) -> Iterator[Shape]:
    first, sure = first_role(position.round), position.list_sure_segments()
    yield from _tint_polygons(enclose_polygons(sure), first, WHOLE)
    yield from _free_lines(position, layout)
    yield from _draw_ground(position, layout, position.round, GOLD, GOLD_AT_MOST)
    for start, end in sure:
        yield boards.draw_segment(layout, boards.square_centre(*start), boards.square_centre(*end), "ink", SEGMENT)
    yield from _draw_dots(position, layout, position.round, DOT, DOT_AT_MOST)


def _free_lines(position: PermutationGrid, layout: Layout) -> Iterator[Shape]:
    """Lines without a dot and where they cross; names of the others are faded."""
    size, weight, type_size = position.size, FREE_LINE * layout.squares_per_point, LABEL * layout.squares_per_point
    columns, rows = position.free_lines()
    yield from (Line(at + 0.5, 0.12, at + 0.5, size - 0.12, "faded", weight) for at in columns)
    yield from (Line(0.12, at + 0.5, size - 0.12, at + 0.5, "faded", weight) for at in rows)
    radius = min(OPEN, OPEN_AT_MOST * layout.squares_per_point) / 2
    if position.turn:
        spots = (boards.square_centre(column, row) for row in rows for column in columns)
        for spot in spots:
            yield from _draw_open(spot, radius, weight)
    inks: tuple[Ink, Ink] = ("faded", "ink")
    for at in range(size):
        y, x = -GAP * layout.squares_per_point - type_size / 2, -GAP * layout.squares_per_point
        yield Text(at + 0.5, y, boards.column_name(at), type_size, inks[at in columns])
        yield Text(x, at + 0.5, boards.row_name(at), type_size, inks[at in rows], "right")


def _draw_open(spot: Spot, radius: float, weight: float) -> Iterator[Shape]:
    """A place for a dot."""
    yield Disc(*spot, radius, "paper")
    yield Ring(*spot, radius, "faded", weight)


def _make_key_signs(position: PermutationGrid, layout: Layout) -> Iterator[Sign]:
    """What lines on the board mean."""
    unit, half = layout.squares_per_point, SAMPLE / 2 * layout.squares_per_point

    def free(x: float, y: float) -> Iterator[Shape]:
        yield Line(x, y, x + 2 * half, y, "faded", FREE_LINE * unit)
        yield Line(x + half, y - half, x + half, y + half, "faded", FREE_LINE * unit)
        yield from _draw_open((x + half, y), 0.25 * SAMPLE * unit, FREE_LINE * unit)

    def sure(x: float, y: float) -> Iterator[Shape]:
        yield Line(x, y, x + 2 * half, y, "ink", SEGMENT * unit)

    yield Sign(FREE, SAMPLE, free)
    yield Sign(SURE, SAMPLE, sure)


# A finished round.


def _make_page(position: PermutationGrid, round: int) -> Picture:
    layout, fact = _make_layout(position.size), position.explain(round)
    alt = join_facts(
        TITLE, _describe_size(position), *_describe_progress(position, round), name_seats(fact, seat_colour)
    )
    entries = _make_legend_entries(position, round, won=round == position.rounds)
    first, points = first_role(round), position.points_in_round(round)
    made = TRIANGLES.fill_in(points[first - 1]), OTHERS.fill_in(points[2 - first])
    signs = [boards.join_signs(layout, _make_role_signs(layout, round, made, fact))]
    base, shapes = boards.draw_coordinates(layout), _draw_figure(position, layout, round, WHOLE)
    return make_page(layout, f"{NAME}-{round}", alt, base, shapes, entries, signs)


def _draw_figure(position: PermutationGrid, layout: Layout, round: int, place: Place) -> Iterator[Shape]:
    """A finished round: its polygons with their marks, its segments and its dots."""
    unit, columns = layout.squares_per_point, position.columns_in_round(round)
    yield from _cut_out(columns, first_role(round), unit, position.explain(round), place)
    if round * position.size == len(position.dots):
        yield from _draw_ground(position, layout, round, SMALL_GOLD, SMALL_GOLD_AT_MOST, place)
    for start, end in list_segments(columns):
        yield boards.draw_segment(layout, place.find_spot(*start), place.find_spot(*end), "ink", SIDE)
    yield from _draw_dots(position, layout, round, SMALL_DOT, SMALL_DOT_AT_MOST, place)


@lru_cache(maxsize=64)
def _cut_out(columns: tuple[int, ...], first: int, point: float, tag: str, place: Place) -> tuple[Shape, ...]:
    """The polygons of a round in the tints of the seats that count them, each with its seat's mark."""
    polygons = find_polygons(columns)
    shapes: list[Shape] = [*_tint_polygons(polygons, first, place, tag)]
    for corners in polygons:
        spots = tuple(place.find_spot(float(x), float(y)) for x, y in corners)
        spot, clearance = find_clearest_spot(spots)
        # Rounded, so that few sizes have to be painted.
        radius = max(LEAST_MARK, min(MARK, round(clearance / point * 0.45))) * point
        shapes.append(_draw_mark(spot, radius, _seat_counting(corners, first)))
    return tuple(shapes)


def _tint_polygons(polygons: Iterable[Polygon], first: int, place: Place, tag: str = "") -> Iterator[Shape]:
    for corners in polygons:
        spots = tuple(place.find_spot(float(x), float(y)) for x, y in corners)
        yield Path(spots, None, closed=True, fill=TINT_INKS[_seat_counting(corners, first) - 1], tag=tag)


def _seat_counting(corners: Polygon, first: int) -> int:
    """The seat whose point a polygon is."""
    return first if len(corners) == 3 else 3 - first


def _draw_mark(spot: Spot, radius: float, seat: int) -> Shape:
    if seat == 1:
        return Disc(*spot, radius, SEAT_INKS[0], TINT_INKS[0])
    return Ring(*spot, radius, SEAT_INKS[1], 0.42 * radius, TINT_INKS[1])


# All rounds.


def _make_summary(position: PermutationGrid) -> Picture:
    """All rounds, each with what it counted: two one above the other unless they are small, else side by side."""
    stacked = position.rounds == 2 and position.size > SMALL_SIZE
    abreast = 1 if stacked else 2 if position.rounds <= FEW else 3
    wide = STACKED if stacked else (ACROSS - (abreast - 1) * BETWEEN) / abreast
    names = NAMES if (wide - NAMES) / position.size >= LEAST_NAMED else 0
    pitch = wide + BELOW + (BETWEEN if stacked else 3 * KEY_ROW)
    layout = Layout(ACROSS, -(-position.rounds // abreast) * pitch, EDGE, EDGE, EDGE / 2, BELOW)
    found: list[Shape] = []
    for round in range(1, position.rounds + 1):
        row, column = divmod(round - 1, abreast)
        left, top = column * (wide + BETWEEN) + names, row * pitch + names + (0 if stacked else KEY_ROW)
        place = Place(left, top, (wide - names) / position.size)
        found += _draw_in_summary(position, layout, round, place, names, stacked)
    facts = (name_seats(position.explain(round), seat_colour) for round in range(1, position.rounds + 1))
    alt = join_facts(TITLE, _describe_size(position), *facts)
    entries = _make_legend_entries(position, position.rounds, won=True)
    return make_page(layout, NAME, alt, (), found, entries)


def _draw_in_summary(
    position: PermutationGrid, layout: Layout, round: int, place: Place, names: float, stacked: bool
) -> Iterator[Shape]:
    """A round with the names of its lines in `names` points at the left and above, and what it counted below it, or at
    the right."""
    wide, fact = place.side * position.size, position.explain(round)
    for at in range(position.size if names else 0):
        x, y = place.find_spot(at, at)
        yield Text(x, place.top - names / 2, boards.column_name(at), LEAST, "faded")
        yield Text(place.left - 8, y, boards.row_name(at), LEAST, "faded", "right")
    yield from _draw_figure(position, layout, round, place)
    head = f"round {round}"
    left, top, room = place.left, place.top + wide, wide
    if stacked:
        left, top = place.left + wide + BETWEEN, place.top + wide / 2 - KEY_ROW / 2
        room = ACROSS - left
        yield Text(left, top - KEY_ROW / 2, head, LABEL, "ink", "left")
    else:
        yield Text(place.left + wide / 2, place.top - names - KEY_ROW / 2, head, LABEL, "ink")
    for at, sign in enumerate(_make_role_signs(layout, round, _count_polygons(position, round), fact)):
        y, before = top + KEY_ROW * (at + 0.5), sign.wide + GAP
        yield from sign.draw(left, y)
        yield Text(left + before, y, sign.words, layout.fit(sign.words, room - before), "ink", "left", tag=fact)


def _count_polygons(position: PermutationGrid, round: int) -> tuple[str, str]:
    """What a round counted, without the seats: "7 triangles", "2 other shapes"."""
    first, points = first_role(round), position.points_in_round(round)
    return TRIANGLES.fill_in(points[first - 1]), OTHERS.fill_in(points[2 - first])


# What both have.


def _draw_ground(
    position: PermutationGrid, layout: Layout, round: int, part: float, most: float, place: Place = WHOLE
) -> Iterator[Disc]:
    """Gold behind the last dot."""
    across = min(part * place.side, most * layout.squares_per_point)
    for dot in position.dots_in_round(round)[-1:]:
        row, column = divmod(dot, position.size)
        yield Disc(*place.find_spot(column, row), across / 2, "gold")


def _draw_dots(
    position: PermutationGrid, layout: Layout, round: int, part: float, most: float, place: Place = WHOLE
) -> Iterator[Disc]:
    """The dots of a round, dark, since it does not matter who placed them."""
    across = min(part * place.side, most * layout.squares_per_point)
    for at, dot in enumerate(position.dots_in_round(round), (round - 1) * position.size + 1):
        row, column = divmod(dot, position.size)
        yield Disc(*place.find_spot(column, row), across / 2, "ink", "gold" if at == len(position.dots) else "paper")


def _make_role_signs(layout: Layout, round: int, words: tuple[str, str], tag: str = "") -> tuple[Sign, ...]:
    """Which seat counts which polygons in a round."""
    unit, size, first = layout.squares_per_point, SAMPLE * layout.squares_per_point, first_role(round)

    def sample(seat: int, form: tuple[Spot, ...]) -> Callable[[float, float], Iterable[Shape]]:
        def draw(x: float, y: float) -> Iterator[Shape]:
            spots = tuple((x + size / 2 + size * dx, y + size * dy) for dx, dy in form)
            yield Path(spots, "ink", boards.HAIR * unit, closed=True, fill=TINT_INKS[seat - 1], tag=tag)
            yield _draw_mark((x + size / 2, y + 0.08 * size), 5 * unit, seat)

        return draw

    whose = ((words[0], first, TRIANGLE), (words[1], 3 - first, PENTAGON))
    return tuple(Sign(said, SAMPLE, sample(seat, shape), now=True) for said, seat, shape in whose)


def _make_legend_entries(position: PermutationGrid, rounds: int, won: bool) -> list[LegendEntry]:
    """Both seats with what they scored in each of the first rounds, and their totals; that of who `won` on gold."""
    ranks = (won and position.ranks()) or (0, 0)
    entries: list[LegendEntry] = []
    for seat in BOTH:
        points = position.points_by_round(seat)[:rounds]
        label = _name_points(seat, points) or seat_colour(seat)
        tag, moves = f"player {seat}: {format_sum(points)}" if points else "", won and seat in position.turn
        entries.append(LegendEntry(seat, label, str(sum(points)), ranks[seat - 1] == 1, tag, moves))
    return entries


def _name_points(seat: int, points: Sequence[int]) -> str:
    """What a seat scored in some rounds, by kinds of shapes: "7 triangles + 5 other shapes"; empty before the first."""
    at = 0 if first_role(1) == seat else 1
    each = (SHAPES_SCORED[0], points[at::2]), (SHAPES_SCORED[1], points[1 - at :: 2])
    return " + ".join(name.fill_in(sum(scored)) for name, scored in each if scored)


def _describe_size(position: PermutationGrid) -> str:
    return f"{position.size} by {position.size}"


def _describe_progress(position: PermutationGrid, round: int) -> tuple[str, str]:
    said, placed = f"round {round} of {position.rounds}", len(position.dots_in_round(round))
    if round <= position.finished_rounds:
        return said, "finished" if not position.turn else "over"
    if position.withdrawn:
        return said, f"{seat_colour(position.withdrawn[0])} is out after {placed} of {position.size} dots"
    return said, f"{seat_colour(position.turn[0])} places dot {placed + 1} of {position.size}"
