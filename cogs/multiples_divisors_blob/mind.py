"""What helps the computer play Multiples/Divisors Blob: random growth of the blob on bit boards, and mirror images."""

from __future__ import annotations

from functools import cache, lru_cache

from bot.games.grids import squares_of
from bot.games.mind import Measured, Mind, RandomSource, both_ways, make_mirror_key
from cogs.multiples_divisors_blob.rules import MultiplesDivisorsBlob, find_clash, run_lengths


@cache
def _neighbours_by_square(size: int) -> tuple[tuple[int, ...], ...]:
    around = ((0, -1), (-1, 0), (1, 0), (0, 1))
    return tuple(
        tuple(
            (row + down) * size + column + across
            for across, down in around
            if 0 <= row + down < size and 0 <= column + across < size
        )
        for row in range(size)
        for column in range(size)
    )


@lru_cache(maxsize=1 << 16)
def _is_scoring(line: str) -> bool:
    return find_clash(run_lengths(line)) is None


def _roll_out(position: MultiplesDivisorsBlob, rng: RandomSource) -> tuple[int, int]:
    """The scores after the blob has grown by random squares next to it, one after the other."""
    size, board, open_now = position.size, position.board, position.open_squares
    near, random = _neighbours_by_square(size), rng.random
    free, known = list(squares_of(open_now)), board | open_now
    if not board:
        free, known = [int(random() * size**2)], 0
        known = 1 << free[0]
    for _ in range(position.length - position.plies):
        at = int(random() * len(free))
        square = free[at]
        free[at] = free[-1]
        free.pop()
        board |= 1 << square
        for other in near[square]:
            if not known >> other & 1:
                known |= 1 << other
                free.append(other)
    # A line scores the same from either end.
    rows, columns = both_ways(board, size)
    return sum(map(_is_scoring, rows)), sum(map(_is_scoring, columns))


def _position_key(position: MultiplesDivisorsBlob) -> str:
    """Neither who filled a square nor the end from which a line is read matters; a diagonal mirror swaps the seats."""
    return make_mirror_key(position.board, position.size)


def _estimate_effort(position: MultiplesDivisorsBlob) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[MultiplesDivisorsBlob] = Mind(
    rollout=_roll_out,
    key=_position_key,
    trust=0.5,
    effort=_estimate_effort,
    measured=Measured(
        playouts=22_000,
        nodes=40_000,
        playout_effort=64,  # squares
        hastes=(0.74, 0.51, 0.4, 0.2),
        lost_by_lot=0.54,
    ),
)
