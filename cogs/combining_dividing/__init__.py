"""Combining And Dividing Integers: a list rewritten by sums and products until all of it is prime."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import prod

from bot.games.game import Game
from bot.games.moves import MoveKind, Part, Question, make_from_pattern
from bot.games.notation import find_numbers_starting, group_digits
from bot.games.position import Seat
from bot.games.wording import format_ordinal, join_words
from cogs.combining_dividing import rules
from cogs.combining_dividing.mind import MIND
from cogs.combining_dividing.picture import pictures, sketch
from cogs.combining_dividing.rules import CombiningDividing, CombiningDividingOptions, proper_divisors

FEW = 12
"""The most numbers of a list with whose pairs keys name their sums."""


def _integer_bounds(position: CombiningDividing) -> tuple[int, int]:
    return 1, position.largest


def _position_bounds(position: CombiningDividing) -> tuple[int, int]:
    return 1, max(1, len(position.numbers))


def _pair_bounds(position: CombiningDividing) -> tuple[int, int]:
    return 1, max(1, len(position.numbers) - 1)


def _divisor_bounds(position: CombiningDividing) -> tuple[int, int]:
    return 2, max(position.numbers, default=2)


def _factor_count_bounds(position: CombiningDividing) -> tuple[int, int]:
    # No integer has more factors than binary digits.
    return 2, max(2, max(position.numbers, default=2).bit_length())


def _suggest_integers(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The integers that begin as typed and may be written."""
    if position.may_append(seat):
        yield from map(str, find_numbers_starting(typed, 1, position.largest))


def _suggest_pairs(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The positions that begin as typed and have a right neighbour."""
    if position.may_add(seat):
        yield from map(str, find_numbers_starting(typed, 1, len(position.numbers) - 1))


def _suggest_splittable(
    position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The positions that begin as typed and have an integer that can be split."""
    if position.may_split(seat):
        places = find_numbers_starting(typed, 1, len(position.numbers))
        yield from (str(place) for place in places if proper_divisors(position.numbers[place - 1]))


def _suggest_factors(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str], typed: str) -> Iterator[str]:
    """The divisors that begin as typed of what is left to split; after the first also all that is left."""
    if not position.may_split(seat):
        return
    taken = [int(factor) for factor in chosen["factors"].split()]
    left = position.numbers[int(chosen["position"]) - 1] // prod(taken)
    found = [*proper_divisors(left), *([left] if taken and left > 1 else [])]
    yield from (str(divisor) for divisor in found if str(divisor).startswith(typed))


def _name_number(position: CombiningDividing, chosen: Mapping[str, str], place: str) -> str:
    """A number; one that is there twice with its place: "6 (4th)"."""
    number = position.numbers[int(place) - 1]
    return _tell_apart(group_digits(number), place, position.numbers.count(number))


def _name_pair(position: CombiningDividing, chosen: Mapping[str, str], place: str) -> str:
    """Two neighbours; where the same are there twice with the place of the first: "2+3 (4th)"."""
    pairs, at = [*pairwise(position.numbers)], int(place) - 1
    count, terms = pairs.count(pairs[at]), map(group_digits, pairs[at])
    return _tell_apart(("+" if count > 1 else " + ").join(terms), place, count)


def _label_pair(position: CombiningDividing, chosen: Mapping[str, str], place: str) -> str:
    """The same with the sum, where a phone has space for keys so long."""
    name, at = _name_pair(position, chosen, place), int(place)
    return f"{name} = {group_digits(sum(position.numbers[at - 1 : at + 1]))}" if len(position.numbers) <= FEW else name


def _tell_apart(name: str, place: str, count: int) -> str:
    return f"{name} ({format_ordinal(int(place))})" if count > 1 else name


def _ask_number(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> Question:
    most = position.largest
    return Question(f"Which number do you write, 1 to {most}?", f"Which number does {{who}} write, 1 to {most}?")


def _ask_split(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return Question("Which split?", "Which split does {who} make?")


def _describe_split(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> str:
    return f"{_name_number(position, chosen, chosen['position'])} = {chosen['factors'].replace(' ', ' · ')}"


def _describe_add(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> str:
    place = int(chosen["position"])
    total = group_digits(sum(position.numbers[place - 1 : place + 1]))
    return f"{_name_pair(position, chosen, chosen['position'])} = {total}"


def _tell_split(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> str:
    number = group_digits(position.numbers[int(chosen["position"]) - 1])
    return f"split {number} into {join_words(map(group_digits, map(int, chosen['factors'].split())))}"


def _tell_sum(position: CombiningDividing, seat: Seat, chosen: Mapping[str, str]) -> str:
    place = int(chosen["position"])
    one, other = position.numbers[place - 1 : place + 1]
    return f"added {group_digits(one)} + {group_digits(other)} = {group_digits(one + other)}"


GAME = Game(
    key="combining-dividing",
    title="Combining And Dividing Integers",
    year=2011,
    goal="Write a list of numbers, then split them and add neighbours. Leave only primes, and you win.",
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
            "Write the next number of the list.",
            "{number}",
            (
                Part(
                    "number",
                    "whole",
                    "Which number, at the right end",
                    _integer_bounds,
                    completions=_suggest_integers,
                ),
            ),
            CombiningDividing.may_append,
            asks=_ask_number,
            words=("write",),
            does=make_from_pattern("wrote {number}"),
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
                    _position_bounds,
                    completions=_suggest_splittable,
                    asks="Which number do you split?",
                    asks_other="Which number does {who} split?",
                    title="Place",
                    key_label=_name_number,
                ),
                Part(
                    "factors",
                    "whole",
                    "Its factors in order, like 2 5",
                    _divisor_bounds,
                    items=_factor_count_bounds,
                    completions=_suggest_factors,
                    asks="Into which factors, in order?",
                    ends="Split it like this",
                    asks_other="Into which factors, in order?",
                ),
            ),
            CombiningDividing.may_split,
            asks_whole=_ask_split,
            plays=_describe_split,
            does=_tell_split,
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
                    _pair_bounds,
                    completions=_suggest_pairs,
                    asks="Which pair do you add?",
                    asks_other="Which pair does {who} add?",
                    title="Pair",
                    key_label=_label_pair,
                ),
            ),
            CombiningDividing.may_add,
            plays=_describe_add,
            does=_tell_sum,
        ),
    ),
    mind=MIND,
)
