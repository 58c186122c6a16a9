"""Polygons In Permutation Grid: dots on lines, and the polygons between the segments that join them."""

from bot.games.game import Game, describe_swapped_roles
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part
from cogs.polygons_permutation_grid import rules
from cogs.polygons_permutation_grid.mind import MIND
from cogs.polygons_permutation_grid.picture import pictures
from cogs.polygons_permutation_grid.rules import PermutationGrid, PermutationGridOptions

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
                    asks="Where does your dot go?",
                ),
            ),
            words=("place",),
        ),
    ),
    mind=MIND,
    seat_advantage=describe_swapped_roles,
)
