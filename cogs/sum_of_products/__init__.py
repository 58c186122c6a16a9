"""Sum Of Products: numbers whose counts are multiplied along rows and columns."""

from collections.abc import Mapping

from bot.games.game import Game
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part, Question, make_from_pattern
from bot.games.position import Seat
from cogs.sum_of_products import rules
from cogs.sum_of_products.mind import MIND
from cogs.sum_of_products.picture import pictures
from cogs.sum_of_products.rules import SumOfProducts, SumOfProductsOptions


def _number_bounds(position: SumOfProducts) -> tuple[int, int]:
    return 1, position.size


def _seat_advantage(options: SumOfProductsOptions, seats: int) -> str | None:
    # Then the rows come to be the columns, number by number.
    if options.size % 2:
        return (
            "The player who starts can take a square on the diagonal, then mirror every move across it and never lose."
        )
    return "The second player can mirror every move across the diagonal and never lose."


def _ask_both(position: SumOfProducts, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return Question("Which number do you write where?", "Which number does {who} write where?")


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
                Part(
                    "square",
                    "square",
                    "The empty square to write into, like b2",
                    square_sides,
                    asks="Which square do you write in?",
                    asks_other="Which square does {who} write in?",
                ),
                Part(
                    "number",
                    "whole",
                    "Which number, from 1 on",
                    _number_bounds,
                    asks="Which number?",
                    asks_other="Which number does {who} write?",
                ),
            ),
            asks_whole=_ask_both,
            plays=make_from_pattern("{number} at {square}"),
            does=make_from_pattern("wrote {number} at {square}"),
            words=("write",),
        ),
    ),
    mind=MIND,
    seat_advantage=_seat_advantage,
)
