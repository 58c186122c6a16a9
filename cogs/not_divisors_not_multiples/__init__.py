"""(Not)Divisors Or (Not)Multiples: numbers that divide those beside them, and go with none across a corner."""

from collections.abc import Iterator, Mapping
from itertools import islice

from bot.core.game.game import Game
from bot.core.game.grids import square_sides
from bot.core.game.moves import MoveKind, Part
from bot.core.game.notation import Square
from bot.core.values.seats import Seat
from cogs.not_divisors_not_multiples import rules
from cogs.not_divisors_not_multiples.fitting import GREATEST
from cogs.not_divisors_not_multiples.mind import MIND
from cogs.not_divisors_not_multiples.picture import pictures
from cogs.not_divisors_not_multiples.rules import NotDivisorsNotMultiples, NotDivisorsNotMultiplesOptions


def _numbers(position: NotDivisorsNotMultiples) -> tuple[int, int]:
    return 2, GREATEST


def _open_squares(
    position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The squares into which a number can be written."""
    if seat in position.turn:
        yield from map(position.name, position.open_squares())


def _fitting(position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The numbers that begin as typed and fit the square."""
    if seat in position.turn:
        square = Square.parse(chosen["square"], position.size, position.size)
        yield from map(str, position.fitting(square.ordinal(position.size), typed))


USUAL = 20
"""The least numbers that fit a square have keys of their own on a pad: so many of them."""


def _least(position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str]) -> Iterator[str]:
    """The least numbers that fit the square."""
    return islice(_fitting(position, seat, chosen, ""), USUAL)


GAME = Game(
    key="not-divisors-not-multiples",
    title="(Not)Divisors Or (Not)Multiples",
    year=2011,
    goal="Write numbers that divide their neighbours or are multiples of them; who writes the last wins.",
    seats=range(2, 9),
    plies=18,
    minutes=20,
    difficulty=3,
    Options=NotDivisorsNotMultiplesOptions,
    start=NotDivisorsNotMultiples.start,
    rules=rules.__doc__,
    pictures=pictures,
    scored=False,
    moves=(
        MoveKind(
            "move",
            "Write a number into an empty square.",
            "{square} {number}",
            (
                Part(
                    "square",
                    "square",
                    "An empty square beside a number, like c4",
                    square_sides,
                    following=_open_squares,
                ),
                Part(
                    "number",
                    "whole",
                    "The number to write, from 2; or least, the smallest that fits",
                    _numbers,
                    following=_fitting,
                    usual=_least,
                ),
            ),
            words=("write",),
        ),
    ),
    mind=MIND,
)
