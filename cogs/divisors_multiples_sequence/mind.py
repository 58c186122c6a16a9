"""How the computer plays Divisors/Multiples Sequence: it considers only the cheapest walk to each number.

Nothing that follows depends on more of a walk than where it stops and what it costs.

Source of the search for it: Dijkstra, A note on two problems in connexion with graphs, 1959.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush

from bot.core.game.mind import Lots, Mind
from bot.core.game.playouts import ahead
from bot.core.values.seats import Seat
from cogs.divisors_multiples_sequence.rules import DivisorsMultiplesSequence, neighbours

MANY = 20
"""Among more numbers than that walks hardly ever come again."""
Found = tuple[tuple[int, int], ...]
"""Numbers that are free, each with what the cheapest walk to it costs, the cheapest first."""


@cache
def _steps(r: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    # For each number from 0 on: to which others a step leads, each with its single cost.
    return tuple(
        tuple((other, max(one, other) // min(one, other)) for other in neighbours(one, r) if one)
        for one in range(r + 1)
    )


def search(r: int, here: int, claimed: int) -> tuple[Found, list[int]]:
    """The numbers that are free, and for each number the one before it on the cheapest walk from a number. `claimed`
    has a bit for each number that is claimed."""
    steps, costs, before = _steps(r), [0] * (r + 1), [0] * (r + 1)
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
def _found(r: int, here: int, claimed: int) -> Found:
    return search(r, here, claimed)[0]


def _claimed(position: DivisorsMultiplesSequence) -> int:
    return sum(1 << walk.steps[-1] for walk in position.walks) | 2


def candidates(position: DivisorsMultiplesSequence, seat: Seat, lots: Lots) -> Sequence[str]:
    """The cheapest walk to each number that is free, the cheapest first."""
    found, before = search(position.r, position.here, _claimed(position))
    return [_written(one, position.here, before) for one, _ in found]


def _written(end: int, here: int, before: list[int]) -> str:
    path: list[int] = []
    while end != here:
        path.append(end)
        end = before[end]
    return " ".join(map(str, reversed(path)))


def rollout(position: DivisorsMultiplesSequence, lots: Lots) -> Sequence[int]:
    """The totals when each seat always walks to any of the numbers that are free, as cheaply as it can."""
    claimed, here, seat, r = _claimed(position), position.here, position.mover, position.r
    totals, draw, after = list(position.scores()), lots.random, position.successors
    for _ in range(r - 1 - len(position.walks)):
        found = _found(r, here, claimed)
        here, cost = found[int(draw() * len(found))]
        totals[seat - 1] += cost
        claimed |= 1 << here
        seat = after[seat]
    return totals


def key(position: DivisorsMultiplesSequence) -> Hashable:
    """Where the walk stands, what is claimed, who is to move, and by how much totals differ; not who claimed what."""
    return position.here, _claimed(position), position.mover, ahead(position.scores())


def effort(position: DivisorsMultiplesSequence) -> int:
    """A playout looks for as many walks as numbers are left, each among all numbers, and fewer are known before."""
    return (position.r - len(position.walks)) * position.r * (position.r + MANY)


MIND: Mind[DivisorsMultiplesSequence] = Mind(
    rollout=rollout, key=key, candidates=candidates, complete=True, lowest_wins=True, effort=effort
)
