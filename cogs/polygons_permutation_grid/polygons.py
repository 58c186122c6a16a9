"""The polygons that a permutation of dots cuts out of the plane, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise

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
    return enclose_polygons(list_segments(columns))


@lru_cache(maxsize=256)
def enclose_polygons(drawn: Sequence[Segment]) -> tuple[Polygon, ...]:
    """The bounded regions that some segments cut out; those that lie in a region without touching it do not cut it."""
    spots, headings = _arrange_spots(drawn)
    walks = (_trim_walk(walk) for walk in _iter_walks(headings))
    regions = (_find_corners(walk, spots, headings) for walk in walks if walk)
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


def _trim_walk(walk: Sequence[Edge]) -> list[Edge]:
    """A walk without the ways along a segment's end and back, which are no sides."""
    kept: list[Edge] = []
    for edge in walk:
        if kept and kept[-1] == edge[::-1]:
            kept.pop()
        else:
            kept.append(edge)
    while len(kept) > 1 and kept[0] == kept[-1][::-1]:
        kept = kept[1:-1]
    return kept


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
