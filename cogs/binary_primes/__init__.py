"""Binary Primes: primes hidden in the filled squares of a grid."""

from bot.core.game.first_move_edge import known
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from cogs.binary_primes import rules
from cogs.binary_primes.mind import MIND
from cogs.binary_primes.picture import pictures
from cogs.binary_primes.rules import BinaryPrimes, BinaryPrimesOptions


def _grid(position: BinaryPrimes) -> tuple[int, int]:
    return position.size, position.size


EXACT: dict[int, int] = {3: -72}
"""By how much seat 1 is ahead at the end if nobody errs, by the size of the board."""
SHARES: dict[int, tuple[int, int]] = {7: (16, 43), 9: (10, 35)}
"""How many of 100 matches of the computer against itself seat 1 wins, where more playouts do not change it."""


def _edge(options: BinaryPrimesOptions, seats: int) -> str | None:
    return known(options.size, EXACT, SHARES)


GAME = Game(
    key="binary-primes",
    title="Binary Primes",
    year=2011,
    goal="Fill squares so that your lines, read as binary numbers, hide larger primes than your opponent's.",
    seats=range(2, 3),
    plies=24,
    minutes=25,
    difficulty=2,
    sides=("columns", "rows"),
    Options=BinaryPrimesOptions,
    start=BinaryPrimes.start,
    rules=rules.__doc__,
    pictures=pictures,
    moves=(
        MoveKind(
            "move",
            "Fill an empty square.",
            "{square}",
            (Part("square", "square", "The square to fill, like c4", _grid),),
        ),
    ),
    mind=MIND,
    edge=_edge,
)
