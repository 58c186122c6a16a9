"""What can be asked of ratings and results: leaderboards, profiles, who won how often, and how it all came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from bot.core.match.stored import (
    Against,
    Best,
    Board,
    Places,
    Score,
    Standing,
)
from bot.core.rating.careers import Came, Mark
from bot.core.rating.seasons import ALL_TIME
from bot.core.values.ids import UserId
from data.queries import leaderboards, standings


class Ranks:
    """The part of a `Reader` that compares people."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def leaderboard(self, guild: int, game: str = "", most: int = 20, season: int = ALL_TIME) -> tuple[Standing, ...]:
        """The best in a game, or over all games (""), and then those without a place, at most so many of each."""
        return leaderboards.leaderboard(self._connection, Board(guild, game, season), most)

    def rated(self, guild: int, game: str = "", season: int = ALL_TIME) -> tuple[int, int]:
        """How many have a place on a leaderboard, and how many have none yet."""
        return leaderboards.rated(self._connection, Board(guild, game, season))

    def seasons(self, guild: int, most: int = 25) -> tuple[int, ...]:
        """The last seasons in which something was rated in a server, the latest first."""
        return leaderboards.seasons(self._connection, guild, most)

    def profile(self, guild: int, user: int) -> dict[str, Standing]:
        """Somebody's standing in every game they have a rating in, and over all games (key "")."""
        return leaderboards.profile(self._connection, guild, user)

    def places(self, guild: int, users: Sequence[UserId], season: int = ALL_TIME) -> dict[UserId, Places]:
        """How often some people came out at each place in the matches that count for ratings, by game."""
        return leaderboards.places(self._connection, guild, users, season)

    def scores(self, guild: int, one: int, other: int) -> tuple[Score, ...]:
        """How often somebody came out ahead of somebody else in all matches that both finished, rated or not, by
        game."""
        return leaderboards.scores(self._connection, guild, one, other)

    def against(self, guild: int, user: int) -> tuple[Against, ...]:
        """How somebody's finished matches against the computer went in a server, by game and level."""
        return leaderboards.against(self._connection, guild, user)

    def came(self, guild: int, game: str, seen: Mark | None, most: int) -> Came | None:
        """The results at a game, or over all games (""), that came in since they were seen; None where there are more
        matches to look through than `most`."""
        return standings.came(self._connection, guild, game, seen, most)

    def bests(self, guild: int, game: str) -> list[tuple[Mapping[str, int | str], tuple[Best, ...]]]:
        """Everybody's best score alone at a game, highest first, the earlier first, for each choice of options."""
        return leaderboards.bests(self._connection, guild, game)
