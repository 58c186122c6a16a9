"""Plexus: a network drawn dot by dot, where the second must do as the first did."""

from collections.abc import Mapping

from bot.games.game import Game, make_edge_by_board
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part, Question
from bot.games.position import Seat
from cogs.plexus import rules
from cogs.plexus.mind import MIND
from cogs.plexus.picture import pictures, sketch
from cogs.plexus.rules import AN, Plexus, PlexusOptions

TO_DOT = Question("To which dot?", "To which dot?")
BEGINS = Question("You begin a pair. {what}", "{{who}} begins a pair. {what}")
ANSWERS = Question("You answer from {kind}. {what}", "{{who}} answers from {kind}. {what}")


def _ask_dot(position: Plexus, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return TO_DOT if "to" in chosen else _ask_first(position, "From which dot?")


def _ask_line(position: Plexus, seat: Seat, chosen: Mapping[str, str]) -> Question:
    return TO_DOT if "to" in chosen else _ask_first(position, "Which line?")


def _ask_first(position: Plexus, what: str) -> Question:
    words = ANSWERS if position.kind else BEGINS
    return Question(*(one.format(kind=AN[position.kind] if position.kind else "", what=what) for one in words))


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
            asks_whole=_ask_line,
            words=("draw",),
        ),
    ),
    mind=MIND,
    seat_advantage=make_edge_by_board("size", exact={3: -1}),
)
