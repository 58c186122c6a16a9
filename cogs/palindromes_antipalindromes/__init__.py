"""Palindromes/Antipalindromes: a row of zeros and ones that reads the same backwards, or just the opposite."""

from collections.abc import Mapping

from bot.games.game import Game, make_edge_by_board
from bot.games.moves import MoveKind, Part, Question, make_from_pattern
from bot.games.position import Seat
from cogs.palindromes_antipalindromes import rules
from cogs.palindromes_antipalindromes.mind import MIND
from cogs.palindromes_antipalindromes.picture import pictures, sketch
from cogs.palindromes_antipalindromes.rules import Palindromes, PalindromesOptions


def _position_bounds(position: Palindromes) -> tuple[int, int]:
    return 1, position.length


def _ask_both(position: Palindromes, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return Question("Which digit do you write where?", "Which digit does {who} write where?")


GAME = Game(
    key="palindromes-antipalindromes",
    title="Palindromes/Antipalindromes",
    year=2011,
    goal="Fill a row with zeros and ones: one of you counts its palindromes, the other its antipalindromes.",
    seats=range(2, 3),
    lopsided=True,
    plies=16,
    minutes=10,
    difficulty=1,
    sides=("palindromes", "antipalindromes"),
    Options=PalindromesOptions,
    start=Palindromes.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "move",
            "Write 0 or 1 into an empty square.",
            "{position} {digit}",
            (
                Part(
                    "position",
                    "whole",
                    "Which square, from 1 at the left",
                    _position_bounds,
                    asks="Which square do you fill?",
                    asks_other="Which square does {who} fill?",
                    title="Square",
                ),
                Part(
                    "digit",
                    "word",
                    "0 or 1",
                    words=("0", "1"),
                    asks="Which digit?",
                    asks_other="Which digit does {who} write?",
                ),
            ),
            asks_whole=_ask_both,
            plays=make_from_pattern("{digit} at {position}"),
            does=make_from_pattern("wrote {digit} at {position}"),
            words=("write",),
        ),
    ),
    mind=MIND,
    seat_advantage=make_edge_by_board("length", exact={8: -4, 9: 2, 10: -4, 11: 2, 12: -6}),
)
