"""What helps the computer play Divisor Over Sums: once the grid is full, it finds the best divisor by counting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from bot.core.game.grids.squares import lines
from bot.core.game.mind import Lots, Mind
from bot.core.game.playouts import forced, least_order, numbered
from bot.core.values.seats import Seat
from cogs.divisor_over_sums.rules import DivisorOverSums, best


@cache
def _divisors(total: int) -> tuple[int, ...]:
    return tuple(divisor for divisor in range(1, total + 1) if total % divisor == 0)


def _most(sums: Iterable[int]) -> int:
    """The score of the best divisor of some sums."""
    scored: dict[int, int] = {}
    for total in sums:
        for divisor in _divisors(total):
            scored[divisor] = scored.get(divisor, 0) + divisor
    return max(scored.values())


def _rollout(position: DivisorOverSums, lots: Lots) -> tuple[int, int]:
    """The scores after a random end: remaining numbers in any order, then the best divisors that are not chosen yet."""
    size, cells = position.size, numbered(position, lots)
    across = [one + other for row in lines(cells, size, "row") for one, other in pairwise(row)]
    first, second = _most(across), _most(map(int.__add__, cells, cells[size:]))
    chosen = position.scores()
    return chosen[0] or first, chosen[1] or second


def _key(position: DivisorOverSums) -> tuple[bytes, tuple[int, ...]]:
    """Neighbours stay neighbours in a mirror; a mirror in a diagonal swaps the seats."""
    return least_order(position.placed, position.size), position.chosen


def _candidates(position: DivisorOverSums, seat: Seat, lots: Lots) -> Sequence[str]:
    """Every empty square, and then the best divisor: no other is worth a thought."""
    if position.full:
        return [str(best(position.totals(seat))[0].divisor)]
    return list(position.moves(seat))


def _effort(position: DivisorOverSums) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[DivisorOverSums] = Mind(
    rollout=_rollout, key=_key, candidates=_candidates, complete=True, ordered=True, settled=forced, effort=_effort
)
