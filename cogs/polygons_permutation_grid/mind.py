"""What helps the computer play Polygons In Permutation Grid: random dots on the remaining lines, regions counted."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

from bot.games.mind import Measured, Mind, RandomSource, make_mirror_tables, shuffle_items
from cogs.polygons_permutation_grid.rules import PermutationGrid, count_polygons, first_role


def _roll_out(position: PermutationGrid, rng: RandomSource) -> tuple[int, int]:
    """The scores after a random end of this round, and random dots in every further one."""
    scores = [*position.scores()]
    size, columns = position.size, [0] * position.size
    free_columns, free_rows = position.free_lines()
    for dot in position.dots_in_round(position.finished_rounds + 1):
        columns[dot // size] = dot % size
    for row, column in zip(free_rows, shuffle_items(free_columns, rng), strict=True):
        columns[row] = column
    for round in range(position.finished_rounds + 1, position.rounds + 1):
        triangles, others = count_polygons(tuple(columns))
        first = first_role(round)
        scores[first - 1] += triangles
        scores[2 - first] += others
        columns = shuffle_items(range(size), rng)
    return scores[0], scores[1]


@cache
def _symmetry_tables(size: int) -> tuple[bytes, ...]:
    """Where intersections come to lie in all mirror images and turns, as tables for `translate`."""
    across = bytes(column * size + row for row in range(size) for column in range(size)).ljust(256, b"\0")
    return across, *(table for mirror in make_mirror_tables(size) for table in (mirror, mirror.translate(across)))


def _position_key(position: PermutationGrid) -> Hashable:
    """Only the points of finished rounds matter, and in this round where the dots are, seen from any side."""
    dots = bytes(position.dots_in_round(position.finished_rounds + 1))
    least = min(sorted(dots), *(sorted(dots.translate(image)) for image in _symmetry_tables(position.size)))
    return position.finished_rounds, position.scores(), bytes(least)


def _estimate_effort(position: PermutationGrid) -> int:
    """A playout counts the regions of every round that is left."""
    return position.size * (position.rounds - position.finished_rounds)


MIND: Mind[PermutationGrid] = Mind(
    rollout=_roll_out,
    key=_position_key,
    effort=_estimate_effort,
    measured=Measured(
        playouts=12_000,
        nodes=30_000,
        playout_effort=20,  # dots of the rounds left
        hastes=(0.54, 0.52, 0.35, 0.2),
        lost_by_lot=0.79,
    ),
)
