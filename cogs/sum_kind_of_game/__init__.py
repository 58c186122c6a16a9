"""Sum Kind Of Game: numbers that are sums of two others in their row or column."""

from bot.core.game.first_move_edge import known
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from cogs.sum_kind_of_game import rules
from cogs.sum_kind_of_game.mind import MIND
from cogs.sum_kind_of_game.picture import pictures
from cogs.sum_kind_of_game.rules import SumKindOfGame, SumKindOfGameOptions


def _grid(position: SumKindOfGame) -> tuple[int, int]:
    return position.size, position.size


EXACT: dict[int, int] = {}
"""By how much seat 1 is ahead at the end if nobody errs, by the size of the board."""
SHARES: dict[int, tuple[int, int]] = {}
"""How many of 100 matches of the computer against itself seat 1 wins, where more playouts do not change it."""


def _edge(options: SumKindOfGameOptions, seats: int) -> str | None:
    return known(options.size, EXACT, SHARES)


GAME = Game(
    key="sum-kind-of-game",
    title="Sum Kind Of Game",
    year=2011,
    goal="Place your numbers so that many are sums of two others in your lines.",
    seats=range(2, 3),
    lopsided=True,
    plies=36,
    minutes=30,
    difficulty=2,
    sides=("rows", "columns"),
    Options=SumKindOfGameOptions,
    start=SumKindOfGame.start,
    rules=rules.__doc__,
    pictures=pictures,
    moves=(
        MoveKind(
            "move",
            "Put your next number into an empty square.",
            "{square}",
            (Part("square", "square", "The empty square that gets your next number, like c4", _grid),),
        ),
    ),
    mind=MIND,
    edge=_edge,
)
