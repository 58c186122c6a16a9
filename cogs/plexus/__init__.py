"""Plexus: a network drawn dot by dot, where the second must do as the first did."""

from collections.abc import Mapping

from bot.games.game import Game, make_edge_by_board
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part
from bot.games.position import Seat
from cogs.plexus import rules
from cogs.plexus.mind import MIND
from cogs.plexus.picture import pictures, sketch
from cogs.plexus.rules import AN, Plexus, PlexusOptions


def _ask_dot(position: Plexus, seat: Seat, chosen: Mapping[str, str]) -> str:
    if "to" in chosen:
        return "To which dot?"
    if position.kind:
        return f"You answer from {AN[position.kind]}. From which dot?"
    return "You begin a pair. From which dot?"


GAME = Game(
    key="plexus",
    title="Plexus",
    year=2011,
    goal="Draw segments from endpoints and midpoints so that your opponent can't do the same.",
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
                Part(
                    "from",
                    "square",
                    "The dot where it starts, which has a segment, like b2",
                    square_sides,
                    asks="From which dot?",
                ),
                Part(
                    "to", "square", "The dot where it ends, which has none, like b3", square_sides, asks="To which dot?"
                ),
            ),
            asks=_ask_dot,
            words=("draw",),
        ),
    ),
    mind=MIND,
    seat_advantage=make_edge_by_board("size", exact={3: -1}),
)
