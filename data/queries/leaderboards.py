"""Leaderboards, profiles and best scores for commands, read from the ratings as they are stored.

Nothing is computed here that `data.queries.standings` has counted already. Equals share a place, and only people who
have played enough have one. Scores of matches alone are no ratings; they are compared for each choice of options.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Integer, Select, and_, bindparam, case, func, select

from bot.core.league.week import Counted
from bot.core.match.stored import MatchRow
from bot.core.rating.careers import Came, Mark
from bot.core.rating.seasons import ALL_TIME
from bot.core.rating.stored_standings import Against, Best, Board, Losses, Score, Standing
from bot.core.values.computer_users import LEVELS, computer, level_of
from bot.core.values.ids import UserId
from data.queries import standings
from data.tables.schema import matches, move_losses, players, ratings

AFTER_ALL = 2**31 - 1
"""After every season that the column can hold."""
OF_BOARD = (
    ratings.c.guild == bindparam("guild"),
    ratings.c.game == bindparam("game"),
    ratings.c.season == bindparam("season"),
)
# A former player is rated on, so that ratings can be computed anew, but has no line any more: `placed` is null.
LINES: dict[bool, Select[*tuple[Any, ...]]] = {
    placed: select(ratings.c.user, ratings.c.value, *standings.COLUMNS)
    .where(*OF_BOARD, ratings.c.placed == placed)
    .order_by(ratings.c.value.desc(), ratings.c.user)
    .limit(bindparam("most", type_=Integer()))
    for placed in (True, False)
}
HOW_MANY = (
    select(ratings.c.placed, func.count()).where(*OF_BOARD, ratings.c.placed.is_not(None)).group_by(ratings.c.placed)
)
BEFORE = select(func.max(ratings.c.season)).where(
    ratings.c.guild == bindparam("guild"), ratings.c.game == "", ratings.c.season < bindparam("season")
)
RIVALS = ratings.alias()
PLACE = (
    select(func.count() + 1)
    .where(RIVALS.c.guild == ratings.c.guild, RIVALS.c.game == ratings.c.game, RIVALS.c.season == ratings.c.season)
    .where(RIVALS.c.placed == ratings.c.placed, RIVALS.c.value > ratings.c.value)
    .scalar_subquery()
)
AHEAD_OF = (
    select(ratings.c.user)
    .where(*OF_BOARD, ratings.c.placed)
    .where(
        ratings.c.value
        > select(RIVALS.c.value)
        .where(RIVALS.c.guild == bindparam("guild"), RIVALS.c.game == bindparam("game"))
        .where(RIVALS.c.season == bindparam("season"), RIVALS.c.user == bindparam("user"))
        .scalar_subquery()
    )
    .order_by(ratings.c.value.desc(), ratings.c.user)
    .limit(bindparam("most", type_=Integer()))
)
PROFILE = select(ratings.c.game, ratings.c.user, case((ratings.c.placed, PLACE), else_=None), *standings.COLUMNS).where(
    ratings.c.guild == bindparam("guild"),
    ratings.c.user == bindparam("user"),
    ratings.c.user > 0,
    ratings.c.season == ALL_TIME,
)
ONE, OTHER = players.alias("one"), players.alias("other")
BOTH = (ONE.c.user == bindparam("one"), OTHER.c.user == bindparam("other"))
AHEAD, LEVEL, BEHIND = (
    func.sum(case((kind, 1), else_=0))
    for kind in (ONE.c.rank < OTHER.c.rank, ONE.c.rank == OTHER.c.rank, ONE.c.rank > OTHER.c.rank)
)
SCORES = (
    select(matches.c.game, AHEAD, LEVEL, BEHIND)
    .select_from(ONE)
    .join(OTHER, OTHER.c.match == ONE.c.match)
    .join(matches, matches.c.id == ONE.c.match)
    # Who has a rank has finished. Asked by its state or its server, SQLite would begin with all that was.
    .where(*BOTH, matches.c.guild + 0 == bindparam("guild"), ONE.c.rank.is_not(None), matches.c.substitutions.is_(None))
    .group_by(matches.c.game)
)
# Where several of a level play in a match, the first of them stands for all.
COMPUTERS = OTHER.c.user.in_([computer(level) for level in LEVELS])
AGAINST = (
    select(
        matches.c.game,
        OTHER.c.user,
        AHEAD,
        LEVEL,
        BEHIND,
        func.sum(case((and_(ONE.c.rank < OTHER.c.rank, ONE.c.hints == 0), 1), else_=0)),
    )
    .select_from(ONE)
    .join(OTHER, OTHER.c.match == ONE.c.match)
    .join(matches, matches.c.id == ONE.c.match)
    .where(ONE.c.user == bindparam("user"), COMPUTERS, ONE.c.rank.is_not(None))
    .where(matches.c.guild + 0 == bindparam("guild"), matches.c.substitutions.is_(None))
    .group_by(matches.c.game, OTHER.c.user)
    .order_by(matches.c.game, OTHER.c.user)
)
LOSSES = (
    select(
        matches.c.game,
        func.sum(move_losses.c.moves),
        func.sum(move_losses.c.points),
        func.sum(move_losses.c.by_lot),
        func.sum(move_losses.c.moves * move_losses.c.points / move_losses.c.by_lot) / func.sum(move_losses.c.moves),
    )
    .join(matches, matches.c.id == move_losses.c.match)
    .where(move_losses.c.user == bindparam("user"), matches.c.guild + 0 == bindparam("guild"))
    .group_by(matches.c.game)
)
ALONE = (
    select(matches.c.options, matches.c.channel, players.c.user, players.c.score, matches.c.id)
    .join(matches, matches.c.id == players.c.match)
    .where(
        matches.c.guild == bindparam("guild"),
        matches.c.state == "finished",
        matches.c.game == bindparam("game"),
        matches.c.seats == 1,
        players.c.score.is_not(None),
        players.c.user > 0,
    )
    .order_by(matches.c.options, matches.c.ended, matches.c.id)
)


class Leaderboards:
    """The part of a `Reader` that compares people."""

    _connection: Connection

    def leaderboard(self, guild: int, game: str = "", most: int = 20, season: int = ALL_TIME) -> tuple[Standing, ...]:
        """The best in a game, or over all games (""), and then those without a place, at most so many of each."""
        values = {**Board(guild, game, season)._asdict(), "most": most}
        best, others = (self._connection.execute(LINES[placed], values).all() for placed in (True, False))
        first: dict[float, int] = {}
        places = [first.setdefault(line.value, place) for place, line in enumerate(best, 1)] + [None] * len(others)
        lines = zip(places, (*best, *others), strict=True)
        return tuple(Standing(user, place, *rest) for place, (user, _, *rest) in lines)

    def counted_in(self, guild: int, channels: Collection[int], until: int) -> list[Counted]:
        """The rated matches that count, ended before a moment and were challenged in some channels, oldest first."""
        return standings.counted_in(self._connection, guild, channels, until)

    def rated(self, guild: int, game: str = "", season: int = ALL_TIME) -> tuple[int, int]:
        """How many have a place on a leaderboard, and how many have none yet."""
        rows = self._connection.execute(HOW_MANY, Board(guild, game, season)._asdict())
        numbers = {bool(placed): int(number) for placed, number in rows}
        return numbers.get(True, 0), numbers.get(False, 0)

    def seasons(self, guild: int, most: int = 25) -> tuple[int, ...]:
        """The last seasons in which something was rated in a server, the latest first; each is one step in an index."""
        found: list[int] = []
        values = {"guild": guild, "season": AFTER_ALL}
        while len(found) < most and (season := self._connection.execute(BEFORE, values).scalar()):
            found.append(season)
            values["season"] = season
        return tuple(found)

    def profile(self, guild: int, user: int) -> dict[str, Standing]:
        """Somebody's standing of all time in every game they have a rating in, and over all games (key "")."""
        rows = self._connection.execute(PROFILE, {"guild": guild, "user": user})
        return {game: Standing(*standing) for game, *standing in rows}

    def ahead(self, guild: int, user: int, game: str = "", most: int = 20) -> tuple[UserId, ...]:
        """Who is ahead of somebody on a leaderboard of all time, so many of the best at most."""
        values = {**Board(guild, game)._asdict(), "user": user, "most": most}
        return tuple(self._connection.execute(AHEAD_OF, values).scalars())

    def scores(self, guild: int, one: int, other: int) -> tuple[Score, ...]:
        """How often somebody came out ahead of somebody else in all matches that both finished, rated or not, by
        game."""
        rows = self._connection.execute(SCORES, {"guild": guild, "one": one, "other": other})
        return tuple(Score(*row) for row in rows)

    def against(self, guild: int, user: int) -> tuple[Against, ...]:
        """How somebody's finished matches against the computer went in a server, by game and level."""
        rows = self._connection.execute(AGAINST, {"guild": guild, "user": user})
        return tuple(Against(game, level_of(rival), *results) for game, rival, *results in rows)

    def losses(self, guild: int, user: int) -> dict[str, Losses]:
        """What somebody's moves have lost in a server, where that could be computed, by game; for themselves alone."""
        rows = self._connection.execute(LOSSES, {"guild": guild, "user": user})
        return {game: Losses(*sums) for game, *sums in rows}

    def came(self, guild: int, game: str, seen: Mark | None, most: int) -> Came | None:
        """The results at a game, or over all games (""), that came in since they were seen; None where there are more
        matches to look through than `most`."""
        return standings.came(self._connection, guild, game, seen, most)

    def bests(
        self, guild: int, game: str, channels: Collection[int] | None = None
    ) -> list[tuple[Mapping[str, int | str], tuple[Best, ...]]]:
        """Everybody's best score alone at a game, highest first, the earlier first, for each choice of options; of
        matches in some channels alone, or in all."""
        rows = self._connection.execute(ALONE, {"guild": guild, "game": game})
        found = [row for row in rows if channels is None or row.channel in channels]
        grouped = [
            (options, [Best(*best) for _, _, *best in group]) for options, group in groupby(found, itemgetter(0))
        ]
        return [(options, _best_of_each(bests)) for options, bests in grouped]

    def record_alone(self, row: MatchRow) -> int | None:
        """The best score of a server alone at the game and with the options of a match."""
        tables = self.bests(row.guild, row.game)
        return next((best[0].score for options, best in tables if options == row.options and best), None)


def _best_of_each(bests: Iterable[Best]) -> tuple[Best, ...]:
    best: dict[UserId, Best] = {}
    # Scores are text of any length, which no database orders as numbers.
    for one in sorted(bests, key=lambda one: -one.score):
        best.setdefault(one.user, one)
    return tuple(best.values())
