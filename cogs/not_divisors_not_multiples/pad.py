"""What may be chosen next: an open square, then a number that fits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.core.game.notation import Square
from bot.core.values.seats import Seat
from cogs.not_divisors_not_multiples.rules import NotDivisorsNotMultiples


def squares(position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The squares into which a number can be written."""
    if seat in position.turn:
        yield from map(position.name, position.open_squares())


def numbers(position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The numbers that begin as typed and fit the square."""
    if seat in position.turn:
        square = Square.parse(chosen["square"], position.size, position.size)
        yield from map(str, position.fitting(square.ordinal(position.size), typed))
