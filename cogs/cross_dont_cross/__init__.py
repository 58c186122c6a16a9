"""Cross, Don't Cross: segments between the intersections of a few chords, crossing none and one in turn."""

from bot.core.game.first_move_edge import swapped
from bot.core.game.game import Game
from bot.core.game.moves import MoveKind, Part
from cogs.cross_dont_cross import rules
from cogs.cross_dont_cross.mind import MIND
from cogs.cross_dont_cross.pad import degrees, points
from cogs.cross_dont_cross.picture import pictures
from cogs.cross_dont_cross.rules import LAST_DEGREE, CrossDontCross, CrossDontCrossOptions
from cogs.cross_dont_cross.sketch import sketch


def _degrees(position: CrossDontCross) -> tuple[int, int]:
    return 0, LAST_DEGREE


def _intersections(position: CrossDontCross) -> tuple[int, int]:
    return 1, max(1, len(position.drawing.points))


GAME = Game(
    key="cross-dont-cross",
    title="Cross, Don't Cross",
    year=2008,
    goal="Draw chords that leave your opponent many segments to draw; draw few segments between theirs.",
    seats=range(2, 3),
    lowest_wins=True,
    plies=45,
    minutes=30,
    difficulty=2,
    Options=CrossDontCrossOptions,
    start=CrossDontCross.start,
    rules=rules.__doc__,
    pictures=pictures,
    sketch=sketch,
    moves=(
        MoveKind(
            "chord",
            "Draw a chord of the circle.",
            "{from}-{to}",
            (
                Part(
                    "from",
                    "whole",
                    "Where it starts: degrees clockwise from the top, 0 to 359",
                    _degrees,
                    following=degrees,
                ),
                Part(
                    "to",
                    "whole",
                    "Where it ends: degrees clockwise from the top, 0 to 359",
                    _degrees,
                    following=degrees,
                ),
            ),
            CrossDontCross.may_chord,
        ),
        MoveKind(
            "segment",
            "Draw a segment between two intersections.",
            "{from}-{to}",
            (
                Part(
                    "from", "whole", "The number of the intersection where it starts", _intersections, following=points
                ),
                Part("to", "whole", "The number of the intersection where it ends", _intersections, following=points),
            ),
            CrossDontCross.may_segment,
        ),
    ),
    mind=MIND,
    edge=swapped,
)
