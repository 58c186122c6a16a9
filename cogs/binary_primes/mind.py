"""What helps the computer play Binary Primes: the products so far count as much as those at a random end."""

from __future__ import annotations

import math
from functools import cache

from bot.games.mind import Measured, Mind, RandomSource, both_ways, fill_randomly, make_mirror_key
from cogs.binary_primes.rules import BinaryPrimes, line_prime

_prime = cache(line_prime)
"""There are at most 2^11 lines."""


def _roll_out(position: BinaryPrimes, rng: RandomSource) -> tuple[int, int]:
    """The products after random squares are filled; by which seat does not matter."""
    size = position.size
    # A line's prime is the same from either end.
    rows, columns = both_ways(fill_randomly(position.board, size**2, position.length, rng), size)
    return math.prod(map(_prime, columns)), math.prod(map(_prime, rows))


def _position_key(position: BinaryPrimes) -> str:
    """Lines are read from both ends, so mirror images are worth the same; a mirror in a diagonal swaps the seats."""
    return make_mirror_key(position.board, position.size)


MIND: Mind[BinaryPrimes] = Mind(
    rollout=_roll_out,
    key=_position_key,
    trust=0.5,
    measured=Measured(
        playouts=28_000,
        nodes=80_000,
        hastes=(0.61, 0.47, 0.44, 0.2),
    ),
)
