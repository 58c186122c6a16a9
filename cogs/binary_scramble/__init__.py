"""Binary Scramble: a list of zeros and ones, scrambled until its runs come back in another order."""

from collections.abc import Mapping

from bot.games.game import Game, describe_margin
from bot.games.moves import MoveKind, Part, Question, make_from_pattern
from bot.games.position import Seat
from cogs.binary_scramble import rules
from cogs.binary_scramble.mind import MIND
from cogs.binary_scramble.picture import pictures, sketch
from cogs.binary_scramble.rules import BinaryScramble, BinaryScrambleOptions

FLIP = "Which digit do you flip?", "Which digit does {who} flip?"
STRUCK = "A struck one would bring back an earlier list."


def _position_bounds(position: BinaryScramble) -> tuple[int, int]:
    return 1, position.length


def _ask_flip(position: BinaryScramble, seat: Seat, chosen: Mapping[str, str]) -> Question:
    """Why keys are greyed out is said where some are."""
    struck = position.digits and len(list(position.free_positions())) < position.length
    return Question(*(f"{asks} {STRUCK}" if struck else asks for asks in FLIP))


EXACT = {(4, 1): 1, (4, 2): 1, (4, 3): -1, (4, 4): -1, (4, 5): -1, (6, 1): -1}
"""By how much seat 1 is ahead at the end under perfect play of two, by the list's length and the target."""


def _seat_advantage(options: BinaryScrambleOptions, seats: int) -> str | None:
    board = options.length, options.target
    return describe_margin(EXACT[board]) if seats == 2 and board in EXACT else None


GAME = Game(
    key="binary-scramble",
    title="Binary Scramble",
    year=2011,
    goal="Write a list of digits, then flip them. You score when its blocks are as long as an earlier list's.",
    seats=range(2, 7),
    plies=25,
    minutes=15,
    difficulty=1,
    quick_start=True,
    Options=BinaryScrambleOptions,
    start=BinaryScramble.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "append",
            "Write the next digit of the list.",
            "{digit}",
            (
                Part(
                    "digit",
                    "word",
                    "0 or 1, at the right end",
                    words=("0", "1"),
                    asks="Which digit do you write?",
                    asks_other="Which digit does {who} write?",
                ),
            ),
            BinaryScramble.may_append,
            words=("write",),
            does=make_from_pattern("wrote {digit}"),
        ),
        MoveKind(
            "flip",
            "Flip one digit of the full list.",
            "{position}",
            (
                Part(
                    "position",
                    "whole",
                    "Which digit to flip, counted from the left",
                    _position_bounds,
                    title="Place",
                    is_place=True,
                ),
            ),
            BinaryScramble.may_flip,
            asks=_ask_flip,
            plays=make_from_pattern("flip {position}"),
            does=make_from_pattern("flipped digit {position}"),
        ),
    ),
    mind=MIND,
    seat_advantage=_seat_advantage,
)
