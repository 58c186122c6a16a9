"""Type errors on purpose: tables and matches made from parts of two games, which pyright must refuse.

`make check` reads this file. A mismatch that became allowed would leave an `ignore` that is not needed, which is an
error here. Nothing of it is ever run.
"""

from bot.games.game import Game
from bot.games.moves import MoveKind, Part
from bot.play.match import Match
from cogs import dream_math, plexus
from cogs.dream_math.picture import pictures as other_pictures
from cogs.dream_math.rules import DreamMath, DreamMathOptions
from cogs.plexus.picture import pictures
from cogs.plexus.rules import Plexus, PlexusOptions


def _other_bounds(position: DreamMath) -> tuple[int, int]:
    return position.size, position.size


def _other_phase(position: DreamMath, seat: int) -> bool:
    return True


def _other_advice(options: DreamMathOptions, seats: int) -> str | None:
    return None


def tables() -> tuple[Game, ...]:
    """A table that is right, and six with something of another game in it."""
    other_part = MoveKind("move", "", "{square}", (Part("square", "square", "", _other_bounds),))
    other_kind = MoveKind("move", "", "", when=_other_phase)
    return (
        Game("a", "A", 2011, "", range(2, 3), PlexusOptions, Plexus.start, None, plexus.GAME.moves, pictures),
        Game("b", "B", 2011, "", range(2, 3), PlexusOptions, Plexus.start, None, (), other_pictures),  # pyright: ignore[reportArgumentType]
        Game("c", "C", 2011, "", range(2, 3), DreamMathOptions, Plexus.start, None, ()),  # pyright: ignore[reportArgumentType]
        Game("d", "D", 2011, "", range(2, 3), PlexusOptions, DreamMath.start, None, ()),  # pyright: ignore[reportArgumentType]
        Game("e", "E", 2011, "", range(2, 3), PlexusOptions, Plexus.start, None, (other_part,)),  # pyright: ignore[reportArgumentType]
        Game("f", "F", 2011, "", range(2, 3), PlexusOptions, Plexus.start, None, (other_kind,)),  # pyright: ignore[reportArgumentType]
        Game("g", "G", 2011, "", range(2, 3), PlexusOptions, Plexus.start, None, (), challenge_note=_other_advice),  # pyright: ignore[reportArgumentType]
    )


def matches() -> object:
    """What belongs to one game's match, given to another's table."""
    match = Match.start(plexus.GAME, {}, 2)
    right = plexus.GAME.pictures(match.position)
    other = dream_math.GAME.pictures(match.position)  # pyright: ignore[reportArgumentType]
    begun = dream_math.GAME.start(match.options, 2)  # pyright: ignore[reportArgumentType]
    mixed: Match[DreamMath, PlexusOptions] = match  # pyright: ignore[reportAssignmentType]
    return right, other, begun, mixed
