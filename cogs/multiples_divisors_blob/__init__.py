"""Multiples/Divisors Blob: a growing blob, and lines in which every two runs divide."""

from bot.core.game.first_move_edge import known
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from cogs.multiples_divisors_blob import rules
from cogs.multiples_divisors_blob.mind import MIND
from cogs.multiples_divisors_blob.picture import pictures
from cogs.multiples_divisors_blob.rules import MultiplesDivisorsBlob, MultiplesDivisorsBlobOptions


def _grid(position: MultiplesDivisorsBlob) -> tuple[int, int]:
    return position.size, position.size


EXACT: dict[int, int] = {}
"""By how much seat 1 is ahead at the end if nobody errs, by the size of the board."""
SHARES: dict[int, tuple[int, int]] = {8: (13, 39)}
"""How many of 100 matches of the computer against itself seat 1 wins, where more playouts do not change it."""


def _edge(options: MultiplesDivisorsBlobOptions, seats: int) -> str | None:
    return known(options.size, EXACT, SHARES)


GAME = Game(
    key="multiples-divisors-blob",
    title="Multiples/Divisors Blob",
    year=2011,
    goal="Grow a blob so that in many of your lines of every two runs one divides the other.",
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
            (Part("square", "square", "The square to fill, like c4", _grid),),
        ),
    ),
    mind=MIND,
    edge=_edge,
)
