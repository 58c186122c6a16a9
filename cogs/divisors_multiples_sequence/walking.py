"""The cheapest walks through divisors and multiples: shortest paths (Dijkstra, 1959) on at most 60 numbers."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache
from heapq import heappop, heappush

from bot.game import Suggestion


@lru_cache(maxsize=4096)
def neighbours(one: int, r: int) -> tuple[int, ...]:
    """The divisors and multiples of a number from 1 to r, itself left out.

    >>> neighbours(6, 13)
    (1, 2, 3, 12)
    """
    return tuple(other for other in range(1, r + 1) if other != one and (one % other == 0 or other % one == 0))


def price(before: int, after: int, claimed: Container[int]) -> int:
    """What a step costs."""
    return max(before, after) // min(before, after) * (2 if after in claimed else 1)


def paths(r: int, start: int, claimed: Container[int]) -> dict[int, tuple[int, tuple[int, ...]]]:
    """For every number the cost of the cheapest walk to it, and the steps of that walk."""
    found: dict[int, tuple[int, tuple[int, ...]]] = {}
    waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while waiting:
        cost, steps = heappop(waiting)
        here = steps[-1] if steps else start
        if here not in found:
            found[here] = (cost, steps)
            for there in neighbours(here, r):
                if there not in found:
                    heappush(waiting, (cost + price(here, there, claimed), (*steps, there)))
    return found


def begun(r: int, start: int, typed: str) -> tuple[int, ...] | None:
    """The steps that have been typed whole, as a walk; None where they are none."""
    steps: list[int] = []
    for word in typed.replace(",", " ").split(" ")[:-1]:
        if not word:
            continue
        if not (word.isascii() and word.isdigit() and len(word) < 3):
            return None
        if int(word) not in neighbours(steps[-1] if steps else start, r):
            return None
        steps.append(int(word))
    return tuple(steps)


def cheapest(r: int, start: int, claimed: Container[int], typed: str, most: int) -> Iterator[Suggestion]:
    """Walks to every free number that begin as typed, cheapest first, each with its cost step by step."""
    steps = begun(r, start, typed)
    if steps is None or len(steps) > most:
        return
    last = typed.replace(",", " ").rpartition(" ")[2]
    walks: list[tuple[int, tuple[int, ...]]] = []
    base = steps[-1] if steps else start
    for first in neighbours(base, r):
        if str(first).startswith(last):
            onward = paths(r, first, claimed)
            walks += [(cost, (*steps, first, *rest)) for to, (cost, rest) in onward.items() if to not in claimed]
    best: dict[int, tuple[int, tuple[int, ...], tuple[int, ...]]] = {}
    for _, walk in walks:
        costs = tuple(price(before, after, claimed) for before, after in zip((start, *walk), walk, strict=False))
        found = (sum(costs), walk, costs)
        if len(walk) <= most and (walk[-1] not in best or found < best[walk[-1]]):
            best[walk[-1]] = found
    for total, walk, costs in sorted(best.values()):
        sum_of = f": {' + '.join(map(str, costs))}" if len(costs) > 1 else ""
        yield Suggestion(" ".join(map(str, walk)), f"costs {total}{sum_of}")
