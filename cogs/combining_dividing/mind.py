"""How the computer plays Combining And Dividing Integers: which integers and which rewritings are worth a thought.

An integer can be split in thousands of ways, and what matters is mostly how many are not prime afterwards. So
only a winning rewriting is worth a thought where there is one. Elsewhere it is those that let nobody win at once, if
there are any, with a few ways of each kind to split an integer.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from bot.core.game.mind import Lots, Mind
from bot.core.game.notation import listed
from bot.core.values.primes import is_prime
from bot.core.values.seats import Seat, staying
from cogs.combining_dividing.factors import divisors, primes
from cogs.combining_dividing.rules import CombiningDividing

Numbers = tuple[int, ...]

LONG = 150
"""Few playouts take more rewritings."""
MOST_PRIMES = 3
"""Integers with so many prime factors or more are of one kind."""


class Rewriting(NamedTuple):
    """A rewriting: from which place how many integers are replaced, and by which."""

    place: int
    length: int
    after: Numbers

    def made(self, numbers: Numbers) -> Numbers:
        """The list after it."""
        return (*numbers[: self.place], *self.after, *numbers[self.place + self.length :])

    def __str__(self) -> str:
        if self.length == 2:
            return f"add {self.place + 1}"
        return f"split {self.place + 1} {listed(self.after)}"


@cache
def kinds(largest: int) -> tuple[Numbers, ...]:
    """The integers that may be written by what can be made of them: odd or even, with how many prime factors.

    >>> [kind[:3] for kind in kinds(20)]
    [(1,), (2,), (3, 5, 7), (4, 6, 10), (8, 12, 16), (9, 15)]
    """
    found: dict[tuple[int, bool], list[int]] = {}
    for integer in range(1, largest + 1):
        found.setdefault((min(MOST_PRIMES, len(primes(integer))), integer % 2 == 1), []).append(integer)
    return tuple(sorted(map(tuple, found.values())))


@lru_cache(maxsize=4096)
def splits(integer: int) -> tuple[Numbers, ...]:
    """A few ways to split an integer: into its primes from either end, and in two at its least and its middle divisor.

    >>> splits(7), splits(6), splits(60)
    ((), ((2, 3), (3, 2)), ((2, 2, 3, 5), (5, 3, 2, 2), (2, 30), (30, 2), (6, 10), (10, 6)))
    """
    among = divisors(integer)
    if not among:
        return ()
    whole, middle = primes(integer), among[(len(among) - 1) // 2]
    ways = (
        whole,
        whole[::-1],
        *((one, other) for part in (among[0], middle) for one, other in _both(part, integer // part)),
    )
    return tuple(dict.fromkeys(ways))


def _both(one: int, other: int) -> Iterator[tuple[int, int]]:
    yield one, other
    yield other, one


@lru_cache(maxsize=1 << 15)
def winning(numbers: Numbers) -> Rewriting | None:
    """A rewriting that leaves only primes, if there is one."""
    open_places = [place for place, integer in enumerate(numbers) if _unfinished(integer)]
    if len(open_places) > 2:
        return None
    if len(open_places) == 1 and numbers[open_places[0]] > 1:
        return Rewriting(open_places[0], 1, primes(numbers[open_places[0]]))
    for place in range(len(numbers) - 1):
        inside = sum(place <= each <= place + 1 for each in open_places)
        if inside == len(open_places) and is_prime(numbers[place] + numbers[place + 1]):
            return Rewriting(place, 2, (numbers[place] + numbers[place + 1],))
    return None


@lru_cache(maxsize=1 << 15)
def rewritings(numbers: Numbers) -> tuple[Rewriting, ...]:
    """The rewritings worth a thought."""
    win = winning(numbers)
    if win:
        return (win,)
    unfinished = sum(map(_unfinished, numbers))
    found = (*_sums(numbers), *_splits(numbers))
    return tuple(each for each in found if _safe(each, numbers, unfinished)) or found


def _sums(numbers: Numbers) -> Iterator[Rewriting]:
    return (Rewriting(at, 2, (numbers[at] + numbers[at + 1],)) for at in range(len(numbers) - 1))


def _splits(numbers: Numbers) -> Iterator[Rewriting]:
    return (Rewriting(at, 1, way) for at, integer in enumerate(numbers) for way in splits(integer))


def _unfinished(integer: int) -> bool:
    return not is_prime(integer)


def _safe(rewriting: Rewriting, numbers: Numbers, unfinished: int) -> bool:
    # Whether nobody wins right after it: surely not while more than two integers are not prime.
    before = numbers[rewriting.place : rewriting.place + rewriting.length]
    left = unfinished - sum(map(_unfinished, before)) + sum(map(_unfinished, rewriting.after))
    return left > 2 or not winning(rewriting.made(numbers))


def candidates(position: CombiningDividing, seat: Seat, lots: Lots) -> Sequence[str]:
    """An integer of each kind while the list is built, and then the rewritings worth a thought."""
    if position.building:
        return [str(lots.choice(kind)) for kind in kinds(position.largest)]
    return list(map(str, rewritings(position.numbers)))


def glimpsed(position: CombiningDividing, seat: Seat, lots: Lots) -> Sequence[str]:
    """An integer of each kind while the list is built, and then sums and a few splits, whoever wins after them."""
    if position.building:
        return candidates(position, seat, lots)
    return list(map(str, (*_sums(position.numbers), *_splits(position.numbers))))


def rollout(position: CombiningDividing, lots: Lots) -> Sequence[int]:
    """Who comes first when everybody plays random rewritings of those worth a thought."""
    numbers, seat, after = position.numbers, position.mover, position.successors
    while position.building and len(numbers) < position.length:
        numbers = (*numbers, lots.choice(lots.choice(kinds(position.largest))))
        seat = after[seat]
    first = (position.winner,) if position.winner else staying(position.seats, position.withdrawn)
    for _ in range(0 if position.winner else position.limit - len(position.changes)):
        numbers = lots.choice(rewritings(numbers)).made(numbers)
        if all(map(is_prime, numbers)):
            first = (seat,)
            break
        seat = after[seat]
    return [int(one in first) for one in range(1, position.seats + 1)]


def key(position: CombiningDividing) -> Hashable:
    """The list, or its mirror image once it is full; who is to move, and how many rewritings there have been."""
    numbers = position.numbers
    if not position.building:
        numbers = min(numbers, numbers[::-1])
    return numbers, position.building, position.mover, len(position.changes), position.winner


def effort(position: CombiningDividing) -> float:
    """A playout rewrites the list until somebody wins, which takes longer with several, or until the limit; it looks at
    all of the list each time, and at more for each integer of a long one. Large numbers can be split in more ways."""
    left, ways = min(LONG, position.limit - len(position.changes)), math.log10(position.largest) ** 2
    return left * position.length * (position.length + 4) * (len(position.scores()) + 4) * ways


MIND: Mind[CombiningDividing] = Mind(rollout=rollout, key=key, candidates=candidates, glimpsed=glimpsed, effort=effort)
