"""How the computer plays Divisors/Multiples Sequence: it considers only the cheapest walk to each number.

Nothing that follows depends on more of a walk than where it stops and what it costs.

Source of the search for it: Dijkstra, A note on two problems in connexion with graphs, 1959.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush

from bot.games.mind import Measured, Mind, RandomSource, compute_leads
from bot.games.position import Seat
from cogs.divisors_multiples_sequence.rules import DivisorsMultiplesSequence, list_neighbours

MANY = 20
"""Among more numbers than that the same walks hardly ever recur."""
Found = tuple[tuple[int, int], ...]
"""Numbers that are free, each with what the cheapest walk to it costs, the cheapest first."""


@cache
def _step_costs(r: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    # For each number from 0 on: to which others a step leads, each with its single cost.
    return tuple(
        tuple((other, max(one, other) // min(one, other)) for other in list_neighbours(one, r) if one)
        for one in range(r + 1)
    )


def search_walks(r: int, here: int, claimed: int) -> tuple[Found, list[int]]:
    """The numbers that are free, and for each number the one before it on the cheapest walk from a number. `claimed`
    has a bit for each number that is claimed."""
    steps, costs, before = _step_costs(r), [0] * (r + 1), [0] * (r + 1)
    left = r - claimed.bit_count()
    queue, done, found = [(0, here)], 0, list[tuple[int, int]]()
    while len(found) < left:
        cost, one = heappop(queue)
        if done >> one & 1:
            continue
        done |= 1 << one
        if not claimed >> one & 1:
            found.append((one, cost))
        for other, single in steps[one]:
            dearer = cost + (single + single if claimed >> other & 1 else single)
            known = costs[other]
            if not known or dearer < known:
                costs[other], before[other] = dearer, one
                heappush(queue, (dearer, other))
    return tuple(found), before


@lru_cache(maxsize=1 << 14)
def _find_free_numbers(r: int, here: int, claimed: int) -> Found:
    return search_walks(r, here, claimed)[0]


def _claimed_bits(position: DivisorsMultiplesSequence) -> int:
    return sum(1 << walk.steps[-1] for walk in position.walks) | 2


def list_candidates(position: DivisorsMultiplesSequence, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """The cheapest walk to each number that is free, the cheapest first."""
    found, before = search_walks(position.r, position.here, _claimed_bits(position))
    return [_write_walk(one, position.here, before) for one, _ in found]


def _write_walk(end: int, here: int, before: list[int]) -> str:
    path: list[int] = []
    while end != here:
        path.append(end)
        end = before[end]
    return " ".join(map(str, reversed(path)))


def roll_out(position: DivisorsMultiplesSequence, rng: RandomSource) -> Sequence[int]:
    """The totals when each seat always walks to any of the numbers that are free, as cheaply as it can."""
    claimed, here, seat, r = _claimed_bits(position), position.here, position.seat_to_move, position.r
    totals, draw, after = list(position.scores()), rng.random, position.next_seats
    for _ in range(r - 1 - len(position.walks)):
        found = _find_free_numbers(r, here, claimed)
        here, cost = found[int(draw() * len(found))]
        totals[seat - 1] += cost
        claimed |= 1 << here
        seat = after[seat]
    return totals


def position_key(position: DivisorsMultiplesSequence) -> Hashable:
    """Where the walk stands, what is claimed, who is to move, and by how much totals differ; not who claimed what."""
    return position.here, _claimed_bits(position), position.seat_to_move, compute_leads(position.scores())


def estimate_effort(position: DivisorsMultiplesSequence) -> int:
    """A playout looks for as many walks as numbers are left, each among all numbers, and fewer are known before."""
    return (position.r - len(position.walks)) * position.r * (position.r + MANY)


MIND: Mind[DivisorsMultiplesSequence] = Mind(
    rollout=roll_out,
    key=position_key,
    candidates=list_candidates,
    complete=True,
    lowest_wins=True,
    effort=estimate_effort,
    measured=Measured(
        playouts=9_000,
        nodes=50_000,
        playout_effort=5_600,  # numbers left × numbers × (numbers + 20)
        hastes=(0.73, 0.57, 0.33, 0.2),
        lost_by_lot=0.74,
    ),
)
