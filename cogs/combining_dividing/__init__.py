"""Combining And Dividing Integers: a list rewritten by sums and products until all of it is prime."""

from collections.abc import Iterator, Mapping
from math import prod

from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from bot.core.game.notation import beginning, grouped
from bot.core.values.seats import Seat
from cogs.combining_dividing import rules
from cogs.combining_dividing.factors import divisors
from cogs.combining_dividing.mind import MIND
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


def _to_write(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The integers that begin as typed and may be written."""
    if position.may_append(seat):
        yield from map(str, beginning(typed, 1, position.largest))


def _with_neighbour(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The positions that begin as typed and have a right neighbour."""
    if position.may_add(seat):
        yield from map(str, beginning(typed, 1, len(position.numbers) - 1))


def _to_split(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The positions that begin as typed and have an integer that can be split."""
    if position.may_split(seat):
        places = beginning(typed, 1, len(position.numbers))
        yield from (str(place) for place in places if divisors(position.numbers[place - 1]))


def _factors(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The divisors that begin as typed of what is left to split; after the first also all that is left."""
    if not position.may_split(seat):
        return
    taken = [int(factor) for factor in chosen["factors"].split()]
    left = position.numbers[int(chosen["position"]) - 1] // prod(taken)
    found = [*divisors(left), *([left] if taken and left > 1 else [])]
    yield from (str(divisor) for divisor in found if str(divisor).startswith(typed))


def _number_there(position: CombiningDividing, place: str) -> str:
    return grouped(position.numbers[int(place) - 1])


def _pair_there(position: CombiningDividing, place: str) -> str:
    at = int(place)
    return " + ".join(map(grouped, position.numbers[at - 1 : at + 1]))


def _splits(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> str:
    return f"{_number_there(position, chosen['position'])} = {chosen['factors'].replace(' ', ' · ')}"


def _adds(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> str:
    place = int(chosen["position"])
    return f"{_pair_there(position, chosen['position'])} = {grouped(sum(position.numbers[place - 1 : place + 1]))}"


GAME = Game(
    key="combining-dividing",
    title="Combining And Dividing Integers",
    year=2011,
    goal="Write a list of numbers, then split them and add neighbours; whoever leaves only primes wins.",
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
    decided="Every number in the list is prime.",
    moves=(
        MoveKind(
            "append",
            "Write the next number of the list.",
            "{number}",
            (
                Part(
                    "number",
                    "whole",
                    "The number to write at the right end",
                    _integers,
                    following=_to_write,
                    asks="Which number comes next?",
                ),
            ),
            CombiningDividing.may_append,
            words=("write",),
        ),
        MoveKind(
            "split",
            "Split a number into two or more factors.",
            "split {position} {factors}",
            (
                Part(
                    "position",
                    "whole",
                    "Which number to split, counted from the left",
                    _all_positions,
                    following=_to_split,
                    asks="Which number do you split?",
                    title="Place",
                    named=_number_there,
                ),
                Part(
                    "factors",
                    "whole",
                    "Its factors in order, like 2 5",
                    _divisors,
                    items=_how_many,
                    following=_factors,
                    asks="Into which factors, in order?",
                ),
            ),
            CombiningDividing.may_split,
            plays=_splits,
        ),
        MoveKind(
            "add",
            "Replace two neighbours by their sum.",
            "add {position}",
            (
                Part(
                    "position",
                    "whole",
                    "The left one of the two numbers, counted from the left",
                    _all_but_the_last,
                    following=_with_neighbour,
                    asks="Which pair do you add?",
                    title="Pair",
                    named=_pair_there,
                ),
            ),
            CombiningDividing.may_add,
            plays=_adds,
        ),
    ),
    mind=MIND,
)
