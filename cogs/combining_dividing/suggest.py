"""What is offered while a move is typed: integers to write, positions, and the divisors that an integer can have."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain

from bot.core.game.notation import listed
from bot.core.game.position import Suggestion
from bot.core.values.primes import is_prime
from cogs.combining_dividing.action import BETWEEN
from cogs.combining_dividing.factors import divisors, primes, splits

DIGITS = 6
"""No position and no integer of a match has more digits."""


def integers(largest: int, typed: str) -> Iterator[Suggestion]:
    """Integers to write, each with its prime factors."""
    begun = typed.strip()
    for integer in range(1, largest + 1):
        if str(integer).startswith(begun):
            yield Suggestion(str(integer), note(integer))


def note(integer: int) -> str:
    """What an integer is: "prime", "2·2·3", or nothing for 1."""
    return "prime" if is_prime(integer) else "·".join(map(str, primes(integer)))


def rewritings(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    """Rewritings that begin with what has been typed."""
    word, _, rest = typed.lower().lstrip().partition(" ")
    if "add".startswith(word):
        yield from _sums(numbers, rest)
    if "split".startswith(word):
        position, space, factors = rest.partition(" ")
        yield from _factors(numbers, position, factors) if space else _positions(numbers, position)


def _sums(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    for position, (one, other) in enumerate(zip(numbers, numbers[1:], strict=False), 1):
        if str(position).startswith(typed.strip()):
            yield Suggestion(f"add {position}", f"{one} + {other} = {one + other}, {note(one + other)}")


def _positions(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    """Each integer that can be split, by its primes."""
    for position, integer in enumerate(numbers, 1):
        if divisors(integer) and str(position).startswith(typed):
            yield Suggestion(f"split {position} {listed(primes(integer))}", f"{integer} = {note(integer)}")


def _factors(numbers: Sequence[int], position: str, typed: str) -> Iterator[Suggestion]:
    """The integer at a position by divisors that begin with those typed; all its primes first, then pairs."""
    if not position.isdecimal() or len(position) > DIGITS or not 1 <= int(position) <= len(numbers):
        return
    *begun, partial = BETWEEN.split(typed.lstrip())
    if not all(factor.isdecimal() and len(factor) <= DIGITS for factor in begun):
        return
    integer, first = numbers[int(position) - 1], tuple(map(int, begun))
    product = math.prod(first)
    if not product or integer % product or integer == product:
        return
    for rest in _ways(integer // product, bool(first)):
        if str(rest[0]).startswith(partial):
            factors = (*first, *rest)
            yield Suggestion(f"split {position} {listed(factors)}", "all prime" if all(map(is_prime, factors)) else "")


def _ways(integer: int, alone: bool) -> Iterator[tuple[int, ...]]:
    """An integer as a product: by its primes, by itself if that is allowed, in two, and then in all ways."""
    pairs = ((divisor, integer // divisor) for divisor in divisors(integer))
    whole = [(integer,)] if alone else []
    yield from chain([primes(integer)] if divisors(integer) else [], whole, pairs, splits(integer))
