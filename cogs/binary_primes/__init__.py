"""Binary Primes: primes hidden in the filled squares of a grid."""

from bot.games.game import Game, make_edge_by_board
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part
from cogs.binary_primes import rules
from cogs.binary_primes.mind import MIND
from cogs.binary_primes.picture import pictures
from cogs.binary_primes.rules import BinaryPrimes, BinaryPrimesOptions

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
            words=("fill",),
        ),
    ),
    mind=MIND,
    products=True,
    lopsided=True,
    example=rules.inventors_grid,
    seat_advantage=make_edge_by_board("size", exact={3: -72}),
)
