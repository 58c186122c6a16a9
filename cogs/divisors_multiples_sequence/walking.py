"""The cheapest walks through divisors and multiples: shortest paths (Dijkstra, 1959) on at most 60 numbers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from heapq import heappop, heappush

from bot.core.game import Suggestion


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


def paths(r: int, start: int, firsts: Iterable[int], claimed: Container[int]) -> dict[int, tuple[int, ...]]:
    """For every number the steps of the cheapest walk to it whose first step is one of these."""
    found: dict[int, tuple[int, ...]] = {}
    waiting: list[tuple[int, tuple[int, ...]]] = sorted((price(start, first, claimed), (first,)) for first in firsts)
    while waiting:
        cost, steps = heappop(waiting)
        if steps[-1] not in found:
            found[steps[-1]] = steps
            for there in neighbours(steps[-1], r):
                if there not in found:
                    heappush(waiting, (cost + price(steps[-1], there, claimed), (*steps, there)))
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
    base = steps[-1] if steps else start
    firsts = [first for first in neighbours(base, r) if str(first).startswith(last)]
    walks = [(*steps, *onward) for to, onward in paths(r, base, firsts, claimed).items() if to not in claimed]
    priced = [(costs_of(start, walk, claimed), walk) for walk in walks if len(walk) <= most]
    for costs, walk in sorted(priced, key=lambda one: (sum(one[0]), one[1])):
        sum_of = f": {' + '.join(map(str, costs))}" if len(costs) > 1 else ""
        yield Suggestion(" ".join(map(str, walk)), f"costs {sum(costs)}{sum_of}")


def costs_of(start: int, walk: tuple[int, ...], claimed: Container[int]) -> tuple[int, ...]:
    """What each step of a walk costs."""
    return tuple(price(before, after, claimed) for before, after in zip((start, *walk), walk, strict=False))
