"""Dream Math: numbers placed in turn, whose neighbours score by their greatest common divisor."""

from bot.games.game import Game, describe_edge
from bot.games.grids import square_sides
from bot.games.moves import MoveKind, Part
from cogs.dream_math import rules
from cogs.dream_math.mind import MIND
from cogs.dream_math.picture import pictures
from cogs.dream_math.rules import DreamMath, DreamMathOptions

EXACT: dict[int, int] = {3: -2}
"""By how much seat 1 is ahead at the end under perfect play, by the size of the board."""


def _seat_advantage(options: DreamMathOptions, seats: int) -> str | None:
    return describe_edge(options.size, EXACT, {}) if options.variant == "dream" else None


GAME = Game(
    key="dream-math",
    title="Dream Math",
    year=2008,
    goal="Place 1, 2, 3 … by turns, so that pairs of neighbours in your lines score the most.",
    seats=range(2, 3),
    plies=16,
    minutes=15,
    difficulty=1,
    sides=("rows", "columns"),
    Options=DreamMathOptions,
    start=DreamMath.start,
    rules=rules.__doc__,
    pictures=pictures,
    moves=(
        MoveKind(
            "move",
            "Put the next number into an empty square.",
            "{square}",
            (Part("square", "square", "The empty square that gets the next number, like b2", square_sides),),
            places=DreamMath.find_next_number,
            words=("place",),
        ),
    ),
    mind=MIND,
    seat_advantage=_seat_advantage,
)
