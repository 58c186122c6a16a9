"""Divisor Over Sums: numbers placed so that one divisor divides many sums of neighbours."""

from bot.games.game import Game, make_edge_by_board
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part, make_from_pattern
from cogs.divisor_over_sums import rules
from cogs.divisor_over_sums.mind import MIND
from cogs.divisor_over_sums.picture import pictures, sketch
from cogs.divisor_over_sums.rules import DivisorOverSums, DivisorOverSumsOptions


def _divisor_bounds(position: DivisorOverSums) -> tuple[int, int]:
    # No sum is larger than that of the two largest numbers.
    return 1, 2 * position.size**2 - 1


GAME = Game(
    key="divisor-over-sums",
    title="Divisor Over Sums",
    year=2011,
    goal="Place numbers so that one divisor divides many sums of neighbours, then find that divisor.",
    seats=range(2, 3),
    lopsided=True,
    plies=18,
    minutes=20,
    difficulty=2,
    sides=("sums in rows", "sums in columns"),
    Options=DivisorOverSumsOptions,
    start=DivisorOverSums.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "move",
            "Place the next number in an empty square.",
            "{square}",
            (Part("square", "square", "The empty square that gets the next number, like b2", square_sides),),
            DivisorOverSums.may_place,
            places=DivisorOverSums.find_next_number,
            words=("place",),
        ),
        MoveKind(
            "choose",
            "Choose your divisor, when the grid is full.",
            "{divisor}",
            (
                Part(
                    "divisor",
                    "whole",
                    "A number that divides at least one of your sums",
                    _divisor_bounds,
                    asks="Which divisor do you choose? You only see its points afterwards.",
                    asks_other="Which divisor does {who} choose?",
                    max_buttons=16,
                ),
            ),
            DivisorOverSums.may_choose,
            plays=make_from_pattern("divisor {divisor}"),
            does=make_from_pattern("chose divisor {divisor}"),
            foreseen=False,
        ),
    ),
    mind=MIND,
    seat_advantage=make_edge_by_board("size", exact={3: 0}),
)
