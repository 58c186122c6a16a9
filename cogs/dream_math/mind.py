"""What helps the computer play Dream Math: random ends with the remaining numbers in any order, and scores of pairs."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from bot.core.game.grids.squares import lines
from bot.core.game.mind import Lots, Mind
from bot.core.game.playouts import forced, least_order, numbered
from bot.core.values.primes import is_prime
from cogs.dream_math.rules import BONUS, DreamMath, Methods, pair_score

_prime = cache(is_prime)


@cache
def _pairs(size: int, methods: Methods) -> tuple[tuple[int, ...], ...]:
    """The scores of all pairs of numbers."""
    numbers = range(1, size**2 + 1)
    return ((), *((0, *(pair_score(*sorted((one, other)), methods) for other in numbers)) for one in numbers))


def _rollout(position: DreamMath, lots: Lots) -> tuple[int, int]:
    size, cells = position.size, numbered(position, lots)
    worth = _pairs(size, position.methods)
    both = (lines(cells, size, axis) for axis in position.AXES)
    sums = [[sum([worth[one][other] for one, other in pairwise(line)]) for line in each] for each in both]
    bonus = 0 if position.variant == "simple" else BONUS
    mine, others = (sum(each) + bonus * sum(map(_prime, each)) for each in sums)
    return mine, others


def _key(position: DreamMath) -> bytes:
    """Neighbours stay neighbours in a mirror; a mirror in a diagonal swaps the seats."""
    return least_order(position.placed, position.size)


def _effort(position: DreamMath) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[DreamMath] = Mind(rollout=_rollout, key=_key, ordered=True, settled=forced, effort=_effort)
