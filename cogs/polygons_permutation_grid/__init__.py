"""Polygons In Permutation Grid: dots on lines, and the polygons between the segments that join them."""

from collections.abc import Mapping

from bot.games.game import Game, describe_swapped_roles
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part, Question, make_from_pattern
from bot.games.position import Seat
from cogs.polygons_permutation_grid import rules
from cogs.polygons_permutation_grid.mind import MIND
from cogs.polygons_permutation_grid.picture import pictures
from cogs.polygons_permutation_grid.rules import PermutationGrid, PermutationGridOptions, first_role

TRIANGLES, OTHERS = (
    Question("You want triangles. Where does your dot go?", "{who} wants triangles. Where does the dot go?"),
    Question(
        "You want shapes with four or more sides. Where does your dot go?",
        "{who} wants shapes with four or more sides. Where does the dot go?",
    ),
)


def _ask_crossing(position: PermutationGrid, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return TRIANGLES if first_role(position.round) == seat else OTHERS


GAME = Game(
    key="polygons-permutation-grid",
    title="Polygons In Permutation Grid",
    year=2008,
    goal="Place dots so that their lines enclose triangles or, in the other role, shapes with more sides.",
    seats=range(2, 3),
    plies=20,
    minutes=15,
    difficulty=2,
    Options=PermutationGridOptions,
    start=PermutationGrid.start,
    rules=rules.__doc__,
    pictures=pictures,
    moves=(
        MoveKind(
            "move",
            "Place a dot.",
            "{square}",
            (
                Part(
                    "square",
                    "square",
                    "Where two lines without a dot cross, like b2",
                    square_sides,
                ),
            ),
            asks=_ask_crossing,
            words=("place",),
            verb="Place",
            thing="a dot at",
            does=make_from_pattern("placed a dot at {square}"),
        ),
    ),
    mind=MIND,
    seat_advantage=describe_swapped_roles,
)
