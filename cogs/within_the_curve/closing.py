"""Decides, exactly and quickly, whether a curve that has been begun can still be closed around something.

A curve that is closed later runs on from its last corner, through squares that it has not passed, back to its first.
Which squares it can pass at all are those on some simple way from the one to the other, the *maze*: with a bridge from
the first corner to the last, the part of the squares that no single square cuts off.

**Crossings.** A square lies inside when a line from the left edge to it crosses the closed curve an odd number of
times; it does so where the curve goes up from a square of its row (`enclosed`). So each step up has a *label*, the set
of squares to its right in its row, as bits, and the labels of all steps of a closed curve, added without carry, are the
squares inside it, apart from those on it.

**Both or one.** For a square off the maze all ways through the maze make the same difference, unless the maze holds a
ring around that square: then, since no single square cuts the maze, a way can go round either side of the ring. Rings
are found by giving each square of the maze the sum of the labels on some way to it: a step between two squares whose
sums do not differ by its label closes a ring, around the squares by which they differ.

**Squares of the maze** may lie inside, too, when the way leaves them out. So each that could be is taken out of the
maze in turn, and the rest is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from heapq import nsmallest
from itertools import pairwise
from typing import NamedTuple

from bot.core.game.notation import Square
from cogs.within_the_curve.curve import direction, neighbours, next_corners, straight

NEAREST = 3
"""Of so many squares it is asked first whether a curve can go round them."""

Ways = dict[int, list[int]]
"""To which squares one can step from each square."""


@lru_cache(maxsize=1024)
def onward(corners: tuple[Square, ...], size: int) -> tuple[Square, ...]:
    """The squares that can be the next corner of a begun curve that is closed at once or later."""
    if not corners:
        return tuple(Square.of(square, size) for square in range(size**2))
    return tuple(square for square in next_corners(corners, size) if closable((*corners, square), size))


def closable(corners: Sequence[Square], size: int) -> bool:
    """Whether a curve that begins with these two or more corners, and turns at the last, can be closed."""
    begun = [square for side in pairwise(corners) for square in straight(*side)]
    path = [square.ordinal(size) for square in (*begun, corners[-1])]
    ways = _ways(corners, path, size)
    return _goes_round(ways, path, size) or (_joined(ways, path) and _encloses_any(ways, path, size))


def _goes_round(ways: Ways, path: Sequence[int], size: int) -> bool:
    """Whether a shortest way round one of the nearest open squares passes no square twice; most curves can do that."""
    for square in _open(path, size):
        way = _shortest(ways, path, size, square)
        if way and len({*way, path[-1]}) == len(way) + 1:
            return True
    return False


def _encloses_any(ways: Ways, path: Sequence[int], size: int) -> bool:
    """Whether some way encloses a square: one off the maze, or one that it leaves out."""
    begun, taken = _labels(path, size), _bits(path)
    maze = _maze(ways, path, -1)
    inside = (maze.rings | maze.sums[path[0]] ^ begun) & _within(size) & ~taken
    if inside & ~_bits(maze.sums):
        return True
    for square in maze.sums:
        if inside >> square & 1:
            rest = _maze(ways, path, square)
            if path[0] in rest.sums and (rest.rings | rest.sums[path[0]] ^ begun) >> square & 1:
                return True
    return False


# Ways through free squares.


def _ways(corners: Sequence[Square], path: Sequence[int], size: int) -> Ways:
    """The steps between free squares, to the side from the last corner, and from the side to the first."""
    start, here, taken = path[0], path[-1], frozenset(path)
    entries = _beside(corners[0], direction(*corners[:2]), size)
    exits = _beside(corners[-1], direction(*corners[-2:]), size)
    beside = neighbours(size)
    ways = {square: [other for other in beside[square] if other not in taken] for square in range(size**2)}
    ways[start], ways[here] = [], [start] if start in exits and here in entries else []
    for end, sides in (here, exits), (start, entries):
        for square in sides:
            if square not in taken:
                ways[end].append(square)
                ways[square].append(end)
    return ways


def _beside(corner: Square, way: tuple[int, int], size: int) -> list[int]:
    """The squares at both sides of a corner, seen along the curve."""
    column, row = corner
    places = ((column + way[1], row + way[0]), (column - way[1], row - way[0]))
    return [y * size + x for x, y in places if 0 <= x < size and 0 <= y < size]


def _shortest(ways: Ways, path: Sequence[int], size: int, inside: int) -> list[int]:
    """The squares of a shortest way back to where the path began that closes it round a square.

    Such a way may pass a square twice: once on its way out, once after it has crossed the line from the left edge to
    the square inside once more. There may be none.
    """
    edge_of_row, odd = inside - inside % size, size**2
    begun = _labels(path, size) >> inside & 1
    start, goal = path[-1], path[0] + odd * (1 - begun)
    came, edge = {start: start}, [start]
    while edge and goal not in came:
        following: list[int] = []
        for state in edge:
            square = state % odd
            for other in ways[square]:
                step, lower = state - square + other, other if other > square else square
                if edge_of_row <= lower < inside and (other - square == size or square - other == size):
                    step = (step + odd) % (2 * odd)
                if other != inside and step not in came:
                    came[step] = state
                    following.append(step)
        edge = following
    way = [goal] if goal in came else []
    while way and came[way[-1]] != start:
        way.append(came[way[-1]])
    return [state % odd for state in way]


def _joined(ways: Ways, path: Sequence[int]) -> bool:
    """Whether there is any way back to where the path began."""
    reached, edge = {path[-1]}, [path[-1]]
    while edge:
        for other in ways[edge.pop()]:
            if other not in reached:
                reached.add(other)
                edge.append(other)
    return path[0] in reached


def _open(path: Sequence[int], size: int) -> list[int]:
    """The few squares nearest to the end of a path that it does not even touch with a corner."""
    taken, (column, row) = _bits(path), Square.of(path[-1], size)
    free = [square for square, around in _rings(size).items() if not around & taken]
    return nsmallest(NEAREST, free, lambda it: abs(it % size - column) + abs(it // size - row))


# The maze.


class _Maze(NamedTuple):
    """For each square on a simple way the labels on some way to it; and all squares that the maze has rings around."""

    sums: dict[int, int]
    rings: int


def _maze(ways: Ways, path: Sequence[int], left_out: int) -> _Maze:
    start, here = path[0], path[-1]
    order, came, low = _searched(ways, here, start, left_out)
    place = {square: at for at, square in enumerate(order, 1)} | {start: 0}
    sums = {here: 0}
    for square in order[1:]:
        # A square behind which nothing leads back beyond its parent is cut off by the parent.
        parent = came[square]
        if parent in sums and low[square] < place[parent]:
            sums[square] = sums[parent] ^ _label(parent, square, len(ways))
    rings = 0
    for square in tuple(sums):
        for other in ways[square]:
            if other == start and start not in sums:
                sums[start] = sums[square] ^ _label(square, start, len(ways))
            elif other in sums:
                rings |= sums[square] ^ sums[other] ^ _label(square, other, len(ways))
    return _Maze(sums, rings)


def _searched(ways: Ways, here: int, start: int, left_out: int) -> tuple[list[int], dict[int, int], dict[int, int]]:
    """A search in depth from `here`: the squares in the order found, from where, and how far back each leads.

    `start` counts as found before `here`, by the bridge.
    """
    order, came, found, low = [here], {here: start}, {start: 0, here: 1}, {here: 1}
    stack = [(here, iter(ways[here]))]
    while stack:
        square, others = stack[-1]
        for other in others:
            if other == left_out:
                continue
            if other not in found:
                found[other] = low[other] = len(found)
                came[other] = square
                order.append(other)
                stack.append((other, iter(ways[other])))
                break
            # The step back to where it came from leads nowhere.
            if other != came[square] or other == start:
                low[square] = min(low[square], found[other])
        else:
            stack.pop()
            if square != here:
                low[came[square]] = min(low[came[square]], low[square])
    return order, came, low


# Labels.


@lru_cache(maxsize=4096)
def _label(one: int, other: int, squares: int) -> int:
    """The squares, as bits, from which a line to the left edge crosses a step between two squares."""
    size = round(squares**0.5)
    if abs(one - other) != size:
        return 0
    lower = max(one, other)
    return (1 << (lower // size + 1) * size) - (1 << lower + 1)


def _labels(path: Sequence[int], size: int) -> int:
    found = 0
    for step in pairwise(path):
        found ^= _label(*step, size**2)
    return found


@cache
def _rings(size: int) -> dict[int, int]:
    """For each square that is not at the edge the squares around it and itself, as bits."""
    inner = range(1, size - 1)
    three = 0b111 | 0b111 << size | 0b111 << 2 * size
    return {row * size + column: three << (row - 1) * size + column - 1 for row in inner for column in inner}


@cache
def _within(size: int) -> int:
    """The squares that are not at the edge: no others can lie inside."""
    return _bits(_rings(size))


def _bits(squares: Iterable[int]) -> int:
    found = 0
    for square in squares:
        found |= 1 << square
    return found
