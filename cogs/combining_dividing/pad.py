"""What may be chosen next: an integer to write, a position, and divisors until their product is what is split."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from bot.core.game.notation import beginning
from bot.core.values.seats import Seat
from cogs.combining_dividing.factors import divisors
from cogs.combining_dividing.rules import CombiningDividing


def integers(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The integers that begin as typed and may be written."""
    if position.may_append(seat):
        yield from map(str, beginning(typed, 1, position.largest))


def sums(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The positions that begin as typed and have a right neighbour."""
    if position.may_add(seat):
        yield from map(str, beginning(typed, 1, len(position.numbers) - 1))


def composites(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The positions that begin as typed and have an integer that can be split."""
    if position.may_split(seat):
        places = beginning(typed, 1, len(position.numbers))
        yield from (str(place) for place in places if divisors(position.numbers[place - 1]))


def factors(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The divisors that begin as typed of what is left to split; after the first also all that is left."""
    if not position.may_split(seat):
        return
    taken = [int(factor) for factor in chosen["factors"].split()]
    left = position.numbers[int(chosen["position"]) - 1] // prod(taken)
    found = [*divisors(left), *([left] if taken and left > 1 else [])]
    yield from (str(divisor) for divisor in found if str(divisor).startswith(typed))
