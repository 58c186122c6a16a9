"""The three kinds of moves as values: read from text, written as text (`7`, `split 3 2 5`, `add 5`), and offered."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from bot.core.game.notation import listed, quote, tidy, whole
from bot.core.game.position import Suggestion, Unreadable
from bot.core.values.primes import is_prime
from cogs.combining_dividing.factors import divisors, primes, splits

BETWEEN = re.compile(r" ?[*×·⋅x] ?| ?, ?| ")
"""What may stand between two divisors."""
SPLIT = re.compile(r"(?:split (?P<a>[^ :,]+)(?: ?[:,] ?| )|(?P<b>[^ ]+) split )(?P<factors>.+)", re.DOTALL)
ADD = re.compile(r"add (?P<a>[^ ]+)|(?P<b>[^ +]+)(?: add| ?\+)")
DIGITS = 6
"""No position and no integer of a match has more digits."""


@dataclass(frozen=True, slots=True)
class Append:
    """Write an integer at the right end of the list."""

    integer: int

    def __str__(self) -> str:
        return str(self.integer)


@dataclass(frozen=True, slots=True)
class Split:
    """Replace the integer at a position by factors in this order."""

    position: int
    factors: tuple[int, ...]

    def __str__(self) -> str:
        return f"split {self.position} {listed(self.factors)}"


@dataclass(frozen=True, slots=True)
class Add:
    """Replace the integers at a position and the next by their sum."""

    position: int

    def __str__(self) -> str:
        return f"add {self.position}"


Action = Append | Split | Add


def parsed(text: str) -> Action:
    """A move from text in any form that reading accepts, or `Unreadable`.

    >>> [str(parsed(text)) for text in ("7", "Split 3: 2*5", "3 split 2, 5", "5 +")]
    ['7', 'split 3 2 5', 'split 3 2 5', 'add 5']
    """
    folded = tidy(text)
    if found := SPLIT.fullmatch(folded):
        return Split(whole(found["a"] or found["b"]), _factors(found["factors"]))
    if found := ADD.fullmatch(folded):
        return Add(whole(found["a"] or found["b"]))
    if re.match(r"[a-z]|.* ", folded, re.DOTALL):
        raise Unreadable(
            f"{quote(text)} isn't a move. Write a number while the list is being built. Later, write split with a "
            "position and factors, or add with the position of the left one of two neighbours."
        )
    return Append(whole(folded))


def _factors(text: str) -> tuple[int, ...]:
    factors = BETWEEN.split(text)
    if "" in factors:
        raise Unreadable(f"{quote(text)} has one sign too many between two factors. Write one space or one sign.")
    return tuple(map(whole, factors))


def leading_to(numbers: Sequence[int], after: Sequence[int]) -> Iterator[Add | Split]:
    """The rewritings of a list that give another list."""
    longer = len(after) - len(numbers)
    for position, integer in enumerate(numbers, 1):
        put = tuple(after[position - 1 : position + max(longer, 0)])
        gone = 2 if longer < 0 else 1
        if (*numbers[: position - 1], *put, *numbers[position - 1 + gone :]) != tuple(after):
            continue
        if longer == -1 and put == (sum(numbers[position - 1 : position + 1]),):
            yield Add(position)
        if longer > 0 and math.prod(put) == integer and all(1 < factor < integer for factor in put):
            yield Split(position, put)


# What is offered while a move is typed.


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
        yield from _factored(numbers, position, factors) if space else _positions(numbers, position)


def _sums(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    for position, (one, other) in enumerate(zip(numbers, numbers[1:], strict=False), 1):
        if str(position).startswith(typed.strip()):
            yield Suggestion(f"add {position}", f"{one} + {other} = {one + other}, {note(one + other)}")


def _positions(numbers: Sequence[int], typed: str) -> Iterator[Suggestion]:
    """Each integer that can be split, by its primes."""
    for position, integer in enumerate(numbers, 1):
        if divisors(integer) and str(position).startswith(typed):
            yield Suggestion(f"split {position} {listed(primes(integer))}", f"{integer} = {note(integer)}")


def _factored(numbers: Sequence[int], position: str, typed: str) -> Iterator[Suggestion]:
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
