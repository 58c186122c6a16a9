"""(Not)Divisors Or (Not)Multiples: numbers that divide those beside them, and go with none across a corner."""

from collections.abc import Iterator, Mapping
from itertools import islice

from bot.games.game import Game
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part, Question, make_from_pattern
from bot.games.notation import Square, group_digits
from bot.games.position import Seat
from cogs.not_divisors_not_multiples import rules
from cogs.not_divisors_not_multiples.mind import MIND
from cogs.not_divisors_not_multiples.picture import pictures
from cogs.not_divisors_not_multiples.rules import GREATEST, NotDivisorsNotMultiples, NotDivisorsNotMultiplesOptions


def _number_bounds(position: NotDivisorsNotMultiples) -> tuple[int, int]:
    return 2, GREATEST


def _suggest_squares(
    position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The squares into which a number can be written."""
    if seat in position.turn:
        yield from map(position.name, position.open_squares())


def _suggest_numbers(
    position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The numbers that begin as typed and fit the square."""
    if seat in position.turn:
        square = Square.parse(chosen["square"], position.size, position.size)
        yield from map(str, position.fitting_numbers(square.ordinal(position.size), typed))


def _describe_number(position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str]) -> str:
    number = chosen["number"]
    return f"{group_digits(int(number)) if number.isdecimal() else number} at {chosen['square']}"


USUAL, AT_FIRST, LARGEST = 7, 13, 99
"""How many of the least numbers that fit a square have keys of their own; and up to which all numbers can be tapped,
on an empty board, where everything fits, and later."""


def _suggest_least(position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str]) -> Iterator[str]:
    """The least numbers that fit the square."""
    return islice(_suggest_numbers(position, seat, chosen, ""), USUAL)


def _suggest_on_pad(
    position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str], typed: str
) -> Iterator[str]:
    """The numbers of a pad that begin as typed: the least, and all that are not too large for it."""
    largest = LARGEST if any(position.cells) else AT_FIRST
    for place, number in enumerate(_suggest_numbers(position, seat, chosen, "")):
        if place >= USUAL and int(number) > largest:
            return
        if number.startswith(typed):
            yield number


def _label_number(position: NotDivisorsNotMultiples, chosen: Mapping[str, str], number: str) -> str:
    return group_digits(int(number))


def _pad_bounds(position: NotDivisorsNotMultiples) -> tuple[int, int]:
    return 2, LARGEST


ON_A_PAD = Part(
    "number",
    "whole",
    "Which number?",
    _pad_bounds,
    asks="Which number? Type it if it is not here.",
    asks_other="Which number does {who} write?",
    completions=_suggest_on_pad,
    common_values=_suggest_least,
    key_label=_label_number,
    max_buttons=20,
)
"""The number as it is tapped."""


def _ask_both(position: NotDivisorsNotMultiples, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return Question("Which number do you write where?", "Which number does {who} write where?")


GAME = Game(
    key="not-divisors-not-multiples",
    title="(Not)Divisors Or (Not)Multiples",
    year=2011,
    goal="Write numbers that divide their neighbours or are multiples of them; the last one to write wins.",
    seats=range(2, 9),
    plies=18,
    minutes=20,
    difficulty=3,
    Options=NotDivisorsNotMultiplesOptions,
    start=NotDivisorsNotMultiples.start,
    rules=rules.__doc__,
    pictures=pictures,
    scored=False,
    wins="last to write wins",
    moves=(
        MoveKind(
            "move",
            "Write a number into an empty square.",
            "{square} {number}",
            (
                Part(
                    "square",
                    "square",
                    "An empty square beside a number, like b2",
                    square_sides,
                    completions=_suggest_squares,
                    asks="Which square do you write in?",
                    asks_other="Which square does {who} write in?",
                ),
                Part(
                    "number",
                    "whole",
                    "Which number, 2 or more; or least, the smallest that fits",
                    _number_bounds,
                    completions=_suggest_numbers,
                    pad_part=ON_A_PAD,
                ),
            ),
            asks_whole=_ask_both,
            plays=_describe_number,
            does=make_from_pattern("wrote {number} at {square}"),
            words=("write",),
        ),
    ),
    mind=MIND,
)
