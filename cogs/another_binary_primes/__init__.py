"""Another Binary Primes: a column of marks in which each seat finds primes from its own end."""

from bot.games.game import Game, make_edge_by_board
from bot.games.moves import MoveKind, Part, make_from_pattern
from cogs.another_binary_primes import rules
from cogs.another_binary_primes.mind import MIND
from cogs.another_binary_primes.picture import pictures, sketch
from cogs.another_binary_primes.rules import ENDS, AnotherBinaryPrimes, AnotherBinaryPrimesOptions


def _challenge_note(options: AnotherBinaryPrimesOptions, seats: int) -> str | None:
    if options.squares % 2:
        return None
    return "With an even number of squares, the second player can copy every mark from the other end and draw."


def _position_bounds(position: AnotherBinaryPrimes) -> tuple[int, int]:
    return 1, position.squares


GAME = Game(
    key="another-binary-primes",
    title="Another Binary Primes",
    year=2011,
    goal="Mark squares of a column so that it hides more primes read from your end than from your opponent's.",
    seats=range(2, 3),
    lopsided=True,
    plies=8,
    minutes=10,
    difficulty=2,
    sides=ENDS,
    Options=AnotherBinaryPrimesOptions,
    start=AnotherBinaryPrimes.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "move",
            "Mark an empty square.",
            "{position}",
            (
                Part(
                    "position",
                    "whole",
                    "Which square, from 1 at the top",
                    _position_bounds,
                    asks="Which square do you mark?",
                    asks_other="Which square does {who} mark?",
                    title="Square",
                    is_place=True,
                ),
            ),
            plays=make_from_pattern("square {position}"),
            does=make_from_pattern("marked square {position}"),
            words=("mark",),
        ),
    ),
    challenge_note=_challenge_note,
    seat_advantage=make_edge_by_board(
        "squares", exact={8: 0, 9: 0, 10: 0, 11: 0, 12: -1, 13: -1, 14: -1, 15: -1, 16: -1, 17: -2, 18: -2, 19: -2}
    ),
    mind=MIND,
)
