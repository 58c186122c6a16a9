"""Combining And Dividing Integers: a list rewritten by sums and products until all of it is prime."""

from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from cogs.combining_dividing import rules
from cogs.combining_dividing.mind import MIND
from cogs.combining_dividing.pad import composites, factors, integers, sums
from cogs.combining_dividing.picture import pictures, sketch
from cogs.combining_dividing.rules import CombiningDividing, CombiningDividingOptions


def _integers(position: CombiningDividing) -> tuple[int, int]:
    return 1, position.largest


def _all_positions(position: CombiningDividing) -> tuple[int, int]:
    return 1, max(1, len(position.numbers))


def _all_but_the_last(position: CombiningDividing) -> tuple[int, int]:
    return 1, max(1, len(position.numbers) - 1)


def _divisors(position: CombiningDividing) -> tuple[int, int]:
    return 2, max(position.numbers, default=2)


def _how_many(position: CombiningDividing) -> tuple[int, int]:
    # No integer has more factors than binary digits.
    return 2, max(2, max(position.numbers, default=2).bit_length())


GAME = Game(
    key="combining-dividing",
    title="Combining And Dividing Integers",
    year=2011,
    goal="Split integers into divisors and add neighbours until your rewriting leaves only primes.",
    seats=range(2, 7),
    plies=20,
    minutes=20,
    difficulty=2,
    Options=CombiningDividingOptions,
    start=CombiningDividing.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    scored=False,
    moves=(
        MoveKind(
            "append",
            "Write the next integer of the list.",
            "{number}",
            (Part("number", "whole", "The integer to write at the right end", _integers, following=integers),),
            CombiningDividing.may_append,
        ),
        MoveKind(
            "split",
            "Replace an integer by two or more divisors of it.",
            "split {position} {factors}",
            (
                Part(
                    "position",
                    "whole",
                    "The position of the integer to split, from 1 at the left",
                    _all_positions,
                    following=composites,
                ),
                Part(
                    "factors",
                    "whole",
                    "Its divisors in order, like 2 5; their product is the integer",
                    _divisors,
                    items=_how_many,
                    following=factors,
                ),
            ),
            CombiningDividing.may_split,
        ),
        MoveKind(
            "add",
            "Replace two neighbours by their sum.",
            "add {position}",
            (
                Part(
                    "position",
                    "whole",
                    "The position of the left one of the two, from 1 at the left",
                    _all_but_the_last,
                    following=sums,
                ),
            ),
            CombiningDividing.may_add,
        ),
    ),
    mind=MIND,
)
