"""Curves drawn corner by corner: whatever is offered can be closed, and whatever can be closed is offered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from bot.games.notation import Square
from bot.games.position import Illegal
from cogs.within_the_curve.pad import closable_corners, is_closable
from cogs.within_the_curve.sheet import (
    Curve,
    find_direction,
    find_enclosed,
    iter_next_corners,
    iter_straight,
    neighbours_by_square,
)
from tests.support.counted_calls import CountedCalls
from tests.support.sampled import sampled

LARGEST = 16
MOST_CALLS = 100_000
"""Calls of functions for the corners that may be next; 34,000 are the most that were seen."""

Corners = tuple[Square, ...]


def begun(rng: Random, size: int) -> Iterator[Corners]:
    """A curve begun at random in any legal way, at each of its corners."""
    corners: Corners = (Square(rng.randrange(size), rng.randrange(size)),)
    following: list[Square] = list(iter_next_corners(corners, size))
    while len(corners) < 10 and following:
        corners = (*corners, rng.choice(following))
        yield corners
        following = list(iter_next_corners(corners, size))


def can_be_closed(corners: Corners, size: int) -> bool:
    """The same by trying all ways."""
    path = [square.ordinal(size) for side in pairwise(corners) for square in iter_straight(*side)]
    path.append(corners[-1].ordinal(size))
    first, last = find_direction(*corners[:2]), find_direction(*corners[-2:])
    return _closes(path, first, last, size)


def _closes(path: list[int], first: tuple[int, int], turned: tuple[int, int] | None, size: int) -> bool:
    for other in neighbours_by_square(size)[path[-1]]:
        step = find_direction(Square.from_ordinal(path[-1], size), Square.from_ordinal(other, size))
        if turned and not _across(step, turned):
            continue
        if other == path[0] and len(path) > 2 and _across(step, first) and find_enclosed(path, size):
            return True
        if other not in path and _closes([*path, other], first, None, size):
            return True
    return False


def _across(step: tuple[int, int], other: tuple[int, int]) -> bool:
    return not (step[0] * other[0] or step[1] * other[1])


@sampled(("size", "curves"), [(5, 40), (4, 500)])
def test_what_can_be_closed_is_found_as_by_trying_everything(size: int, curves: int) -> None:
    rng = Random(size)
    for _ in range(curves):
        for corners in begun(rng, size):
            whole = can_be_closed(corners, size)
            assert is_closable(corners, size) == whole, f"{' '.join(map(str, corners))}: {whole}"
            if not whole:
                break


def is_curve(corners: Corners, size: int) -> bool:
    try:
        Curve.from_corners(corners, size)
    except Illegal:
        return False
    return True


def walk(rng: Random, size: int) -> Corners:
    """A curve drawn until nothing is offered any more, with sides as short as a lot says, so that it winds."""
    corners: Corners = ()
    short = rng.choice((2, 4, 8, size))
    while following := closable_corners(corners, size):
        near = sorted(
            following, key=lambda it: sum(abs(a - b) for a, b in zip(it, (corners or (it,))[-1], strict=True))
        )
        corners = (*corners, rng.choice(near[:short] if corners else near))
    return corners


@sampled(("size", "curves"), [(6, 20), (9, 6), (LARGEST, 2)])
def test_no_walk_comes_to_a_dead_end(size: int, curves: int) -> None:
    rng = Random(size)
    for _ in range(curves):
        corners = walk(rng, size)
        assert is_curve(corners, size), " ".join(map(str, corners))


@pytest.mark.long
def test_the_next_corners_are_found_in_few_calls_on_the_largest_grid() -> None:
    closable_corners.cache_clear()
    corners = walk(Random(7), LARGEST)
    closable_corners.cache_clear()
    for count in range(0, len(corners), 3):
        with CountedCalls() as counted:
            closable_corners(corners[:count], LARGEST)
        assert counted.calls < MOST_CALLS
