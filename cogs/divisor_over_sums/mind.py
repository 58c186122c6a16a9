"""What helps the computer play Divisor Over Sums: once the grid is full, it finds the best divisor by counting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from bot.games.grids import split_lines
from bot.games.mind import Measured, Mind, RandomSource, fill_with_numbers, is_forced, make_order_key
from bot.games.position import Seat
from cogs.divisor_over_sums.rules import DivisorOverSums, find_best


@cache
def _divisors_of(total: int) -> tuple[int, ...]:
    return tuple(divisor for divisor in range(1, total + 1) if total % divisor == 0)


def _best_score(sums: Iterable[int]) -> int:
    """The score of the best divisor of some sums."""
    scored: dict[int, int] = {}
    for total in sums:
        for divisor in _divisors_of(total):
            scored[divisor] = scored.get(divisor, 0) + divisor
    return max(scored.values())


def _roll_out(position: DivisorOverSums, rng: RandomSource) -> tuple[int, int]:
    """The scores after a random end: remaining numbers in any order, then the best divisors that are not chosen yet."""
    size, cells = position.size, fill_with_numbers(position, rng)
    across = [one + other for row in split_lines(cells, size, "row") for one, other in pairwise(row)]
    first, second = _best_score(across), _best_score(map(int.__add__, cells, cells[size:]))
    chosen = position.scores()
    return chosen[0] or first, chosen[1] or second


def _position_key(position: DivisorOverSums) -> tuple[bytes, tuple[int, ...]]:
    """Neighbours stay neighbours in a mirror; a mirror in a diagonal swaps the seats."""
    return make_order_key(position.placed, position.size), position.chosen


def _list_candidates(position: DivisorOverSums, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """Every empty square, and then the best divisor, since any other is worse."""
    if position.is_full:
        return [str(find_best(position.totals_of(seat))[0].divisor)]
    return list(position.moves(seat))


def _estimate_effort(position: DivisorOverSums) -> int:
    """A playout looks at every square."""
    return position.size**2


MIND: Mind[DivisorOverSums] = Mind(
    rollout=_roll_out,
    key=_position_key,
    candidates=_list_candidates,
    complete=True,
    ordered=True,
    settled=is_forced,
    effort=_estimate_effort,
    measured=Measured(
        playouts=40_000,
        nodes=125_000,
        playout_effort=18,  # squares
        hastes=(0.71, 0.57, 0.46, 0.2),
        lost_by_lot=0.73,
    ),
)
