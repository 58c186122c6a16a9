"""What helps the computer play Polygons In Permutation Grid: random dots on the remaining lines, regions counted."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

from bot.core.game.mind import Lots, Mind
from bot.core.game.playouts import mirrors, shuffled
from cogs.polygons_permutation_grid.counting import counted
from cogs.polygons_permutation_grid.rules import PermutationGrid, first_role


def _rollout(position: PermutationGrid, lots: Lots) -> tuple[int, int]:
    """The scores after a random end of this round, and random dots in every further one."""
    scores = [*position.scores()]
    size, columns = position.size, [0] * position.size
    free_columns, free_rows = position.free()
    for dot in position.placed(position.finished + 1):
        columns[dot // size] = dot % size
    for row, column in zip(free_rows, shuffled(free_columns, lots), strict=True):
        columns[row] = column
    for round in range(position.finished + 1, position.rounds + 1):
        triangles, others = counted(tuple(columns))
        first = first_role(round)
        scores[first - 1] += triangles
        scores[2 - first] += others
        columns = shuffled(range(size), lots)
    return scores[0], scores[1]


@cache
def _images(size: int) -> tuple[bytes, ...]:
    """Where intersections come to lie in all mirror images and turns, as tables for `translate`."""
    across = bytes(column * size + row for row in range(size) for column in range(size)).ljust(256, b"\0")
    return across, *(table for mirror in mirrors(size) for table in (mirror, mirror.translate(across)))


def _key(position: PermutationGrid) -> Hashable:
    """Only the points of finished rounds matter, and in this round where the dots are, seen from any side."""
    dots = bytes(position.placed(position.finished + 1))
    least = min(sorted(dots), *(sorted(dots.translate(image)) for image in _images(position.size)))
    return position.finished, position.scores(), bytes(least)


def _effort(position: PermutationGrid) -> int:
    """A playout counts the regions of every round that is left."""
    return position.size * (position.rounds - position.finished)


MIND: Mind[PermutationGrid] = Mind(rollout=_rollout, key=_key, effort=_effort)
