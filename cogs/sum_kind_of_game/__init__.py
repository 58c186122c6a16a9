"""Sum Kind Of Game: numbers that are sums of two others in their row or column."""

from bot.games.game import Game
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part
from cogs.sum_kind_of_game import rules
from cogs.sum_kind_of_game.mind import MIND
from cogs.sum_kind_of_game.picture import pictures
from cogs.sum_kind_of_game.rules import SumKindOfGame, SumKindOfGameOptions

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
            (Part("square", "square", "The empty square that gets your next number, like b2", square_sides),),
            places=SumKindOfGame.find_next_number,
            words=("place",),
        ),
    ),
    mind=MIND,
)
