"""How the computer plays Combining And Dividing Integers: which integers and which rewritings are candidates.

An integer can be split in thousands of ways, and what matters is mostly how many integers are not prime afterwards. So
a winning rewriting is the only candidate where there is one. Elsewhere the candidates are those after which nobody can
win at once, if there are any, with a few ways of each kind to split an integer.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from bot.games.mind import Measured, Mind, RandomSource
from bot.games.notation import join_items
from bot.games.position import Seat, list_staying_seats
from bot.games.primes import is_prime
from cogs.combining_dividing.rules import CombiningDividing, prime_factors, proper_divisors

Numbers = tuple[int, ...]

LONG = 150
"""More rewritings than in most playouts."""
MOST_PRIMES = 3
"""Integers with this many prime factors or more count as one kind."""


class Rewriting(NamedTuple):
    """A rewriting: from which place how many integers are replaced, and by which."""

    place: int
    length: int
    after: Numbers

    def apply_to(self, numbers: Numbers) -> Numbers:
        """The list after it."""
        return (*numbers[: self.place], *self.after, *numbers[self.place + self.length :])

    def __str__(self) -> str:
        if self.length == 2:
            return f"add {self.place + 1}"
        return f"split {self.place + 1} {join_items(self.after)}"


@cache
def kinds_of_integer(largest: int) -> tuple[Numbers, ...]:
    """The integers that may be written by what can be made of them: odd or even, with how many prime factors.

    >>> [kind[:3] for kind in kinds_of_integer(20)]
    [(1,), (2,), (3, 5, 7), (4, 6, 10), (8, 12, 16), (9, 15)]
    """
    found: dict[tuple[int, bool], list[int]] = {}
    for integer in range(1, largest + 1):
        found.setdefault((min(MOST_PRIMES, len(prime_factors(integer))), integer % 2 == 1), []).append(integer)
    return tuple(sorted(map(tuple, found.values())))


@lru_cache(maxsize=4096)
def useful_splits(integer: int) -> tuple[Numbers, ...]:
    """A few ways to split an integer: into its primes from either end, and in two at its least and its middle divisor.

    >>> useful_splits(7), useful_splits(6), useful_splits(60)
    ((), ((2, 3), (3, 2)), ((2, 2, 3, 5), (5, 3, 2, 2), (2, 30), (30, 2), (6, 10), (10, 6)))
    """
    among = proper_divisors(integer)
    if not among:
        return ()
    whole, middle = prime_factors(integer), among[(len(among) - 1) // 2]
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
def find_winning_rewriting(numbers: Numbers) -> Rewriting | None:
    """A rewriting that leaves only primes, if there is one."""
    open_places = [place for place, integer in enumerate(numbers) if _is_not_prime(integer)]
    if len(open_places) > 2:
        return None
    if len(open_places) == 1 and numbers[open_places[0]] > 1:
        return Rewriting(open_places[0], 1, prime_factors(numbers[open_places[0]]))
    for place in range(len(numbers) - 1):
        inside = sum(place <= each <= place + 1 for each in open_places)
        if inside == len(open_places) and is_prime(numbers[place] + numbers[place + 1]):
            return Rewriting(place, 2, (numbers[place] + numbers[place + 1],))
    return None


@lru_cache(maxsize=1 << 15)
def list_rewritings(numbers: Numbers) -> tuple[Rewriting, ...]:
    win = find_winning_rewriting(numbers)
    if win:
        return (win,)
    unfinished = sum(map(_is_not_prime, numbers))
    found = (*_sum_rewritings(numbers), *_split_rewritings(numbers))
    return tuple(each for each in found if _is_safe(each, numbers, unfinished)) or found


def _sum_rewritings(numbers: Numbers) -> Iterator[Rewriting]:
    return (Rewriting(at, 2, (numbers[at] + numbers[at + 1],)) for at in range(len(numbers) - 1))


def _split_rewritings(numbers: Numbers) -> Iterator[Rewriting]:
    return (Rewriting(at, 1, way) for at, integer in enumerate(numbers) for way in useful_splits(integer))


def _is_not_prime(integer: int) -> bool:
    return not is_prime(integer)


def _is_safe(rewriting: Rewriting, numbers: Numbers, unfinished: int) -> bool:
    # Whether nobody can win right after it; nobody can while more than two integers are not prime.
    before = numbers[rewriting.place : rewriting.place + rewriting.length]
    left = unfinished - sum(map(_is_not_prime, before)) + sum(map(_is_not_prime, rewriting.after))
    return left > 2 or not find_winning_rewriting(rewriting.apply_to(numbers))


def list_candidates(position: CombiningDividing, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """An integer of each kind while the list is built, and then the candidate rewritings."""
    if position.is_building:
        return [str(rng.choice(kind)) for kind in kinds_of_integer(position.largest)]
    return list(map(str, list_rewritings(position.numbers)))


def glimpse_candidates(position: CombiningDividing, seat: Seat, rng: RandomSource) -> Sequence[str]:
    """An integer of each kind while the list is built, and then sums and a few splits, without a look at who wins."""
    if position.is_building:
        return list_candidates(position, seat, rng)
    return list(map(str, (*_sum_rewritings(position.numbers), *_split_rewritings(position.numbers))))


def roll_out(position: CombiningDividing, rng: RandomSource) -> Sequence[int]:
    """Who comes first after random candidate rewritings."""
    numbers, seat, after = position.numbers, position.seat_to_move, position.next_seats
    while position.is_building and len(numbers) < position.length:
        numbers = (*numbers, rng.choice(rng.choice(kinds_of_integer(position.largest))))
        seat = after[seat]
    first = (position.winner,) if position.winner else list_staying_seats(position.seats, position.withdrawn)
    for _ in range(0 if position.winner else position.limit - len(position.changes)):
        numbers = rng.choice(list_rewritings(numbers)).apply_to(numbers)
        if all(map(is_prime, numbers)):
            first = (seat,)
            break
        seat = after[seat]
    return [int(one in first) for one in range(1, position.seats + 1)]


def position_key(position: CombiningDividing) -> Hashable:
    """The list, or its mirror image once it is full; who is to move, and how many rewritings there have been."""
    numbers = position.numbers
    if not position.is_building:
        numbers = min(numbers, numbers[::-1])
    return numbers, position.is_building, position.seat_to_move, len(position.changes), position.winner


def estimate_effort(position: CombiningDividing) -> float:
    """A playout rewrites the list until a player wins, which takes longer with several, or until the limit. Each step
    reads the whole list, and more for each integer of a long one. Large numbers can be split in more ways."""
    left, ways = min(LONG, position.limit - len(position.changes)), math.log10(position.largest) ** 2
    return left * position.length * (position.length + 4) * (len(position.scores()) + 4) * ways


MIND: Mind[CombiningDividing] = Mind(
    rollout=roll_out,
    key=position_key,
    candidates=list_candidates,
    glimpsed=glimpse_candidates,
    effort=estimate_effort,
    measured=Measured(
        playouts=5_600,
        nodes=60_000,
        playout_effort=48_000,  # rewritings left × integers × (integers + 4) × (seats + 4) × log10(largest)²
        hastes=(0.84, 0.42, 0.28, 0.14),
    ),
)
