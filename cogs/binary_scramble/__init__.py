"""Binary Scramble: a list of zeros and ones, scrambled until its runs come back in another order."""

from bot.core.game.first_move_edge import ahead
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part, saying
from cogs.binary_scramble import rules
from cogs.binary_scramble.mind import MIND
from cogs.binary_scramble.picture import pictures, sketch
from cogs.binary_scramble.rules import BinaryScramble, BinaryScrambleOptions


def _position(position: BinaryScramble) -> tuple[int, int]:
    return 1, position.length


EXACT = {(4, 1): 1, (4, 2): 1, (4, 3): -1, (4, 4): -1, (4, 5): -1, (6, 1): -1}
"""By how much seat 1 is ahead at the end if neither of two errs, by the list's length and the target."""


def _edge(options: BinaryScrambleOptions, seats: int) -> str | None:
    board = options.length, options.target
    return ahead(EXACT[board]) if seats == 2 and board in EXACT else None


GAME = Game(
    key="binary-scramble",
    title="Binary Scramble",
    year=2011,
    goal="Write a list of digits, then flip one at a time, so that its runs are as long as an earlier list's.",
    seats=range(2, 7),
    plies=25,
    minutes=15,
    difficulty=1,
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
            (Part("digit", "word", "The digit to write at the right end, 0 or 1", words=("0", "1"), asks="0 or 1?"),),
            BinaryScramble.may_append,
            words=("write",),
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
                    _position,
                    asks="Which digit do you flip?",
                    title="Place",
                ),
            ),
            BinaryScramble.may_flip,
            plays=saying("digit {position}"),
        ),
    ),
    mind=MIND,
    edge=_edge,
)
