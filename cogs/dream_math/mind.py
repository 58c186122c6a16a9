"""What helps the computer play Dream Math: random ends with the remaining numbers in any order, and scores of pairs."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from bot.games.grids import split_lines
from bot.games.mind import Measured, Mind, RandomSource, fill_with_numbers, is_forced, make_order_key
from bot.games.primes import is_prime
from cogs.dream_math.rules import BONUS, DreamMath, Methods, score_pair

_prime = cache(is_prime)


@cache
def _pair_scores(size: int, methods: Methods) -> tuple[tuple[int, ...], ...]:
    numbers = range(1, size**2 + 1)
    return ((), *((0, *(score_pair(*sorted((one, other)), methods) for other in numbers)) for one in numbers))


def _roll_out(position: DreamMath, rng: RandomSource) -> tuple[int, int]:
    size, cells = position.size, fill_with_numbers(position, rng)
    worth = _pair_scores(size, position.methods)
    both = (split_lines(cells, size, axis) for axis in position.AXES)
    sums = [[sum([worth[one][other] for one, other in pairwise(line)]) for line in each] for each in both]
    bonus = 0 if position.variant == "simple" else BONUS
    mine, others = (sum(each) + bonus * sum(map(_prime, each)) for each in sums)
    return mine, others


def _position_key(position: DreamMath) -> bytes:
    """Neighbours stay neighbours in a mirror; a mirror in a diagonal swaps the seats."""
    return make_order_key(position.placed, position.size)


def _estimate_effort(position: DreamMath) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[DreamMath] = Mind(
    rollout=_roll_out,
    key=_position_key,
    ordered=True,
    settled=is_forced,
    effort=_estimate_effort,
    measured=Measured(
        playouts=46_000,
        nodes=125_000,
        playout_effort=16,  # squares
        hastes=(0.69, 0.55, 0.38, 0.2),
        lost_by_lot=0.55,
    ),
)
