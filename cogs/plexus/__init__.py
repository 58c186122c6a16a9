"""Plexus: a network drawn dot by dot, where the second must do as the first did."""

from bot.core.game.first_move_edge import known
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from cogs.plexus import rules
from cogs.plexus.mind import MIND
from cogs.plexus.picture import pictures, sketch
from cogs.plexus.rules import Plexus, PlexusOptions


def _dots(position: Plexus) -> tuple[int, int]:
    return position.size, position.size


EXACT: dict[int, int] = {3: -1}
"""By how much seat 1 is ahead at the end if nobody errs, by the size of the board."""
SHARES: dict[int, tuple[int, int]] = {}
"""How many of 100 matches of the computer against itself seat 1 wins, where more playouts do not change it."""


def _edge(options: PlexusOptions, seats: int) -> str | None:
    return known(options.size, EXACT, SHARES)


GAME = Game(
    key="plexus",
    title="Plexus",
    year=2011,
    goal="Draw segments from endpoints and midpoints so that your opponent cannot do as you did.",
    seats=range(2, 3),
    lopsided=True,
    plies=45,
    minutes=25,
    difficulty=2,
    Options=PlexusOptions,
    start=Plexus.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "move",
            "Draw a segment.",
            "{from}-{to}",
            (
                Part("from", "square", "The dot it starts from, which has a segment, like d4", _dots),
                Part("to", "square", "The dot it reaches, which has none, like d5", _dots),
            ),
        ),
    ),
    mind=MIND,
    edge=_edge,
)
