"""Sum Of Products: numbers whose counts are multiplied along rows and columns."""

from bot.core.game.game import Game
from bot.core.game.grids.squares import square_sides
from bot.core.game.moves import MoveKind, Part, saying
from cogs.sum_of_products import rules
from cogs.sum_of_products.mind import MIND
from cogs.sum_of_products.picture import pictures
from cogs.sum_of_products.rules import SumOfProducts, SumOfProductsOptions


def _numbers(position: SumOfProducts) -> tuple[int, int]:
    return 1, position.size


def _edge(options: SumOfProductsOptions, seats: int) -> str | None:
    # Then the rows come to be the columns, number by number.
    if options.size % 2:
        return (
            "The player who starts can take a square on the diagonal, then mirror every move across it and never lose."
        )
    return "The second player can mirror every move across the diagonal and never lose."


GAME = Game(
    key="sum-of-products",
    title="Sum Of Products",
    year=2011,
    goal="Write numbers so that the counts of 1s, 2s, 3s … in your lines, multiplied, add up to more.",
    seats=range(2, 3),
    plies=36,
    minutes=25,
    difficulty=1,
    sides=("rows", "columns"),
    Options=SumOfProductsOptions,
    start=SumOfProducts.start,
    rules=rules.__doc__,
    pictures=pictures,
    moves=(
        MoveKind(
            "move",
            "Write a number into an empty square.",
            "{square} {number}",
            (
                Part("square", "square", "The empty square to write into, like b2", square_sides, asks="Which square?"),
                Part("number", "whole", "Which number: 1 to the side of the grid", _numbers, asks="Which number?"),
            ),
            plays=saying("{number} at {square}"),
            words=("write",),
        ),
    ),
    mind=MIND,
    edge=_edge,
)
