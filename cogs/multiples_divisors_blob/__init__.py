"""Multiples/Divisors Blob: a growing blob, and lines in which every two runs divide."""

from bot.games.game import Game
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part, make_from_pattern
from cogs.multiples_divisors_blob import rules
from cogs.multiples_divisors_blob.mind import MIND
from cogs.multiples_divisors_blob.picture import pictures
from cogs.multiples_divisors_blob.rules import MultiplesDivisorsBlob, MultiplesDivisorsBlobOptions

GAME = Game(
    key="multiples-divisors-blob",
    title="Multiples/Divisors Blob",
    year=2011,
    goal="Grow a blob. A line scores when, of any two runs in it, one length divides the other.",
    seats=range(2, 3),
    lopsided=True,
    plies=32,
    minutes=25,
    difficulty=2,
    sides=("rows", "columns"),
    Options=MultiplesDivisorsBlobOptions,
    start=MultiplesDivisorsBlob.start,
    rules=rules.__doc__,
    pictures=pictures,
    moves=(
        MoveKind(
            "move",
            "Fill an empty square next to a filled one; the first goes anywhere.",
            "{square}",
            (
                Part(
                    "square",
                    "square",
                    "Which square, like b2",
                    square_sides,
                    asks="Which square do you fill?",
                    asks_other="Which square does {who} fill?",
                ),
            ),
            does=make_from_pattern("filled {square}"),
            words=("fill",),
        ),
    ),
    mind=MIND,
)
