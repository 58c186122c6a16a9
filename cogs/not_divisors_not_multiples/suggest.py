"""What is offered while a move is typed: squares with the smallest number that fits them, then numbers for a square."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.core.game.notation import Square
from bot.core.game.position import Suggestion, Unreadable

if TYPE_CHECKING:
    from cogs.not_divisors_not_multiples.rules import NotDivisorsNotMultiples

LEAST = "least"
"""What stands for the smallest number that fits a square."""


def moves(position: NotDivisorsNotMultiples, typed: str) -> Iterator[Suggestion]:
    """Moves that begin with what has been typed: squares as long as none is whole, then numbers for it."""
    head, _, tail = typed.lower().rpartition(" ")
    try:
        square = Square.parse(head, position.size, position.size)
    except Unreadable:
        return _squares(position, typed.lower().replace(" ", "").replace("-", ""))
    return _numbers(position, square, tail)


def _squares(position: NotDivisorsNotMultiples, typed: str) -> Iterator[Suggestion]:
    for index in position.open_squares():
        square = position.name(index)
        if square.startswith(typed):
            yield Suggestion(f"{square} {LEAST}", f"from {position.leasts[index]}")


def _numbers(position: NotDivisorsNotMultiples, square: Square, typed: str) -> Iterator[Suggestion]:
    """The smallest number for a square, by its word, and all that fit, with how each goes with those beside it."""
    index = square.ordinal(position.size)
    smallest, beside = position.leasts[index], sorted(position.beside(index))
    if smallest and LEAST.startswith(typed):
        yield Suggestion(f"{square} {LEAST}", f"{smallest}, the smallest that fits")
    for value in position.fitting(index, typed):
        yield Suggestion(f"{square} {value}", ", ".join(relation(value, other) for other in beside))


def relation(value: int, other: int) -> str:
    """How a number goes with one beside it.

    >>> relation(12, 4), relation(12, 24)
    ('4 × 3', '24 ÷ 2')
    """
    return f"{other} × {value // other}" if value % other == 0 else f"{other} ÷ {other // value}"
