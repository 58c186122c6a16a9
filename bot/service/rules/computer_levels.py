"""Computer levels: which levels are offered in a match, by its game and options, and which suits a user. A level that
takes too long is not offered.

A user who asks for a higher level gets the highest that is offered, and is told so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.core.game.game import Game
from bot.core.match.match import Match
from bot.core.match.stored import MatchRow
from bot.core.rating.right_level import Advice, Losing, advised
from bot.core.rating.stored_standings import Against, Losses
from bot.core.values.computer_users import LEVELS, is_computer, level_of
from bot.search import levels


def highest(game: Game, options: Mapping[str, int | str], seats: int) -> int:
    """The highest level that is offered in a match with some options, settled or not."""
    return levels.highest(game, Match.start(game, options, seats).position)


def offered(game: Game, options: Mapping[str, int | str], seats: int) -> range:
    """The levels that are offered in a match."""
    return range(LEVELS[0], highest(game, options, seats) + 1)


def usual(game: Game) -> range:
    """The levels that are offered in a match of two, or where the game has none, of as many as it can have."""
    return offered(game, {}, 2 if 2 in game.seats else game.seats[-1])


def suitable(game: Game, results: Sequence[Against], lost: Losses | None = None) -> Advice | None:
    """Which of the usual levels suits a user, by their results against the computer at this game, and by the points
    that their moves lost at it."""
    first = levels.BY_LOT.get(game.key)
    losing = Losing(lost, first) if lost and first else None
    return advised([one for one in results if one.game == game.key], usual(game), losing)


def level(row: MatchRow) -> int | None:
    """The level of the computers in a match, the highest where they differ; None where only people play."""
    return max((level_of(player.user) for player in row.players if is_computer(player.user)), default=None)
