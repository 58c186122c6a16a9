"""Quick games: which one a user gets, and when one is taken away again. Pure decisions.

A quick game is an easy one against the computer: each time another, and against a level above where they have won. It
is known by what it is, not by a mark: a user's live match of two against the computer, which they begin, with the usual
options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bot.core.game.game import Game
from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.stored import MatchRow
from bot.core.rating.stored_standings import Against
from bot.core.values.computer_users import LEVELS, is_computer
from bot.core.values.ids import UserId
from bot.service.rules import computer_levels
from bot.service.rules.decisions import Change
from bot.service.rules.refusals import Stale, expect_seat

TAKEN_AWAY = "Nothing had been played, so this match was taken away."
"""Why a quick game is over whose player went back before the first move."""


class Quick(NamedTuple):
    """A game, and the level of the computer in it."""

    game: Game
    level: int


def in_order(games: Iterable[Game]) -> list[Game]:
    """The games of two that can be played at once, the easiest first, of them those whose first move takes the fewest
    taps."""
    able = [game for game in games if 2 in game.seats and not game.secret]
    return sorted(able, key=lambda game: (game.difficulty, len(game.moves[0].parts), game.minutes, game.title))


def following(games: Iterable[Game], results: Sequence[Against], playing: Mapping[str, int]) -> Quick:
    """A user's next quick game, by their results against the computer and how many of each game they are `playing`: the
    easiest of those that they have had least often."""
    had = dict(playing)
    for one in results:
        had[one.game] = had.get(one.game, 0) + one.won + one.drawn + one.lost
    game = min(in_order(games), key=lambda game: had.get(game.key, 0))
    return Quick(game, min(level(results), computer_levels.usual(game)[-1]))


def level(results: Sequence[Against]) -> int:
    """The level above the highest that a user has won against more often than lost, over all games."""
    levels = {one.level for one in results}
    beaten = [
        each
        for each in levels
        if sum(one.won for one in results if one.level == each) > sum(one.lost for one in results if one.level == each)
    ]
    return min(max(beaten, default=LEVELS[0] - 1) + 1, LEVELS[-1])


def is_untouched(row: MatchRow, user: UserId) -> bool:
    """Whether a match is a quick game of a user in which nothing has been played."""
    rivals = [player.user for player in row.players if player.user != user]
    alone = len(rivals) == 1 and is_computer(rivals[0]) and row.host == user
    begins = row.state == "live" and row.plies == 0 and row.seating == "host"
    return alone and begins and row.legs == 1 and row.rematch_of is None and row.source_match is None


def is_taken_away(row: MatchRow) -> bool:
    """Whether a match is a quick game that its player has gone back from."""
    return row.state == "aborted" and row.close_reason == TAKEN_AWAY


def taking_away(seated: LoadedMatch, user: UserId) -> Change:
    """Abort a quick game whose player goes back before the first move."""
    expect_seat(seated, user)
    if not is_untouched(seated.row, user):
        raise Stale("You have moved already. Here is the board now.", seated)
    return Change({"close_reason": TAKEN_AWAY}, ends="aborted")
