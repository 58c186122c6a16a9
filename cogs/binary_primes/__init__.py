"""Binary Primes: primes hidden in the filled squares of a grid."""

from bot.core.game.first_move_edge import by_board
from bot.core.game.game import Game
from bot.core.game.grids.squares import square_sides
from bot.core.game.moves import MoveKind, Part
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
            (Part("square", "square", "The square to fill, like b2", square_sides),),
            words=("fill",),
        ),
    ),
    mind=MIND,
    products=True,
    lopsided=True,
    example=rules.inventors_grid,
    edge=by_board("size", exact={3: -72}),
)
