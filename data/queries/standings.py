"""Ratings, leaderboards, profiles and best scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Integer, Row, Select, and_, bindparam, case, delete, func, insert, select, update

from bot.games.position import LEVELS
from bot.play.ids import UserId, level_of, make_computer_user
from bot.play.ratings import (
    ALL_TIME,
    FOR_EVER,
    BestResult,
    GameLosses,
    HeadToHead,
    Leaderboard,
    LeaderboardRow,
    Rating,
    Result,
    ResultAgainstComputer,
    ResultsMark,
    ResultsSince,
    find_bounds,
    fold_results,
    rate_result,
    season_of,
)
from bot.play.record import WORDS
from bot.play.rows import MatchRow
from bot.play.week import RatedMatch
from data.engine.sql import LockSubject, lock_exclusively, lock_shared
from data.tables.rows import list_columns, take_fields
from data.tables.schema import matches, move_losses, moves, players, ratings

# Rating: each result is added when its match finishes; the check computes boards again from all results.


MOST_FOLDED = 20_000
"""The most matches that are rated at once; they take about a second."""
OVERALL = ""
"""In place of a game: all games together."""

MOVERS = (
    select(func.count(moves.c.seat.distinct()))
    .where(moves.c.match == matches.c.id, moves.c.text.not_in(WORDS))
    .scalar_subquery()
)
COUNTED = (
    matches.c.state == "finished",
    matches.c.rated,
    matches.c.seats > 1,
    matches.c.seats == MOVERS,
    players.c.rank.is_not(None),
)
COUNTING = (
    select(matches.c.id, players.c.user, players.c.rank)
    .join(players, players.c.match == matches.c.id)
    .where(*COUNTED)
    .order_by(matches.c.ended, matches.c.id, players.c.seat)
)
THIS = COUNTING.where(matches.c.id == bindparam("match"))
WITHIN = (matches.c.ended > bindparam("since"), matches.c.ended <= bindparam("until"))
ALL = COUNTING.where(matches.c.guild == bindparam("guild"), *WITHIN)
COUNTED_IN = ALL.add_columns(matches.c.ended, matches.c.channel)
ALL_OF_GAME = ALL.where(matches.c.game == bindparam("game"))

WHERE = select(matches.c.guild, matches.c.game, matches.c.state, matches.c.ended).where(
    matches.c.id == bindparam("match")
)
FINISHED = (matches.c.guild == bindparam("guild"), matches.c.state == "finished", matches.c.ended.is_not(None))
LATEST = select(matches.c.ended).where(*FINISHED).order_by(matches.c.ended.desc()).limit(1)
BEFORE = LATEST.where(matches.c.id != bindparam("match"))
SINCE = select(func.count()).where(*FINISHED, matches.c.ended > bindparam("since"))
END = update(matches).where(matches.c.id == bindparam("of_match")).values(ended=bindparam("now"))
LEAST_ALIAS = select(func.min(players.c.user))
COLUMNS = list_columns(ratings)
"""The columns of a standing, in the order of its fields after the user and the place."""
RATING = (ratings.c.user, *COLUMNS)
OF_BOARD = and_(
    ratings.c.guild == bindparam("of_guild"),
    ratings.c.game == bindparam("of_game"),
    ratings.c.season == bindparam("of_season"),
)
STORED = select(*RATING).where(OF_BOARD)
DROP = delete(ratings).where(OF_BOARD)
OF_THESE = and_(
    ratings.c.guild == bindparam("of_guild"),
    ratings.c.game.in_(bindparam("games", expanding=True)),
    ratings.c.season.in_(bindparam("seasons", expanding=True)),
    # One parameter each: for a list in one parameter SQLite would not use the primary key.
    ratings.c.user.in_(bindparam("users", expanding=True)),
)
STORED_OF: Select[*tuple[Any, ...]] = select(ratings.c.game, ratings.c.season, *RATING).where(OF_THESE)
DROP_OF = delete(ratings).where(OF_THESE)
KEEP = insert(ratings)
ENDS = select(matches.c.guild, matches.c.game, matches.c.ended).where(
    matches.c.state == "finished", matches.c.rated, matches.c.ended >= 0, matches.c.ended <= bindparam("until")
)
STORED_BOARDS = select(ratings.c.guild, ratings.c.game, ratings.c.season).distinct()


def count_match(connection: Connection, match: int) -> int | None:
    """Add a match that has just finished to the leaderboards of its game and of all games.

    Returns when it ended: as it was written, or one second after the last finished match of its server.
    """
    guild, game, state, ended = connection.execute(WHERE, {"match": match}).one()
    if state != "finished" or ended is None:
        return ended
    lock_exclusively(connection, LockSubject.SERVER, guild)
    before = connection.execute(BEFORE, {"guild": guild, "match": match}).scalar()
    if before is not None and before >= ended:
        ended = before + 1
        connection.execute(END, {"of_match": match, "now": ended})
    for result in read_results(connection.execute(THIS, {"match": match})):
        _add_result(connection, guild, boards_of(guild, game, ended), result)
    return ended


def boards_of(guild: int, game: str, ended: int) -> tuple[Leaderboard, ...]:
    """The leaderboards on which a match counts that ended at a moment."""
    return tuple(
        Leaderboard(guild, each, season) for each in (game, OVERALL) for season in (ALL_TIME, season_of(ended))
    )


def _add_result(connection: Connection, guild: int, boards: Collection[Leaderboard], result: Result) -> None:
    these = {
        "of_guild": guild,
        "games": sorted({board.game for board in boards}),
        "seasons": sorted({board.season for board in boards}),
        "users": list(result.users),
    }
    before: dict[Leaderboard, dict[int, Rating]] = {board: {} for board in boards}
    for game, season, user, *rating in connection.execute(STORED_OF, these):
        before[Leaderboard(guild, game, season)][user] = Rating(*rating)
    connection.execute(DROP_OF, these)
    connection.execute(
        KEEP, [row for board in boards for row in _rating_rows(board, rate_result(before[board], result))]
    )


def rewrite_ratings(connection: Connection, board: Leaderboard, after: Mapping[int, Rating], seen: ResultsMark) -> bool:
    """Replace the stored ratings of a leaderboard by those computed up to `seen`, with later results added; False, and
    no change, if a user has deleted their data meanwhile."""
    lock_shared(connection, LockSubject.TIMES)
    lock_exclusively(connection, LockSubject.SERVER, board.guild)
    if read_results_mark(connection, board.guild).alias != seen.alias:
        return False
    after = compute_ratings(connection, board, after, seen.ended or 0)
    connection.execute(DROP, _board_values(board))
    if after:
        connection.execute(KEEP, _rating_rows(board, after))
    return True


def read_results_mark(connection: Connection, guild: int) -> ResultsMark:
    """The current mark of a server's results."""
    ended = connection.execute(LATEST, {"guild": guild}).scalar()
    return ResultsMark(ended, connection.execute(LEAST_ALIAS).scalar())


def find_results_since(
    connection: Connection, guild: int, board: str, seen: ResultsMark | None, most: int
) -> ResultsSince | None:
    """The results of a leaderboard since a mark, or all of them without a mark or if a user has deleted their data
    since; None if more than `most` matches would have to be read."""
    now = read_results_mark(connection, guild)
    whole = seen is None or seen.alias != now.alias or (seen.ended or 0) > (now.ended or 0)
    values = {"guild": guild, "since": 0 if seen is None or whole else seen.ended or 0, "until": FOR_EVER}
    if connection.execute(SINCE, values).scalar_one() > most:
        return None
    rows = connection.execute(ALL_OF_GAME, {**values, "game": board}) if board else connection.execute(ALL, values)
    return ResultsSince(now, whole, tuple(read_results(rows)))


def compute_ratings(
    connection: Connection, board: Leaderboard, before: Mapping[int, Rating] | None = None, since: int = 0
) -> dict[int, Rating]:
    """The ratings of a leaderboard, from all matches that count; or from earlier ratings and the matches since."""
    first, until = find_bounds(board.season)
    statement, values = (ALL_OF_GAME, {"game": board.game}) if board.game else (ALL, {})
    within = {"guild": board.guild, "since": max(first, since), "until": until}
    return fold_results(read_results(connection.execute(statement, {**values, **within})), before)


def counted_in(connection: Connection, guild: int, channels: Collection[int], until: int) -> list[RatedMatch]:
    """The last matches that count, ended before a moment and were challenged in some channels, oldest first."""
    rows = connection.execute(COUNTED_IN, {"guild": guild, "since": 0, "until": until - 1})
    grouped = groupby((row for row in rows if row.channel in channels), key=lambda row: (row.id, row.ended))
    lines = [(*of, [*group]) for of, group in grouped]
    return [
        RatedMatch(match, ended, Result(tuple(row.user for row in group), tuple(row.rank for row in group)))
        for match, ended, group in lines[-MOST_FOLDED:]
    ]


def load_ratings(connection: Connection, board: Leaderboard) -> dict[int, Rating]:
    """The stored ratings of a leaderboard."""
    return {user: Rating(*rating) for user, *rating in connection.execute(STORED, _board_values(board))}


def list_boards(connection: Connection) -> list[Leaderboard]:
    """Every leaderboard that has, or should have, ratings."""
    ends = connection.execute(ENDS, {"until": FOR_EVER})
    found = {board for guild, game, ended in ends for board in boards_of(guild, game, ended)}
    return sorted(found | {Leaderboard(*board) for board in connection.execute(STORED_BOARDS)})


def read_results(rows: Iterable[Row[int, int, int]]) -> list[Result]:
    """The results in rows of `COUNTING`, one a match."""
    grouped = ([*group] for _, group in groupby(rows, key=lambda row: row[0]))
    return [Result(tuple(row[1] for row in group), tuple(row[2] for row in group)) for group in grouped]


def _board_values(board: Leaderboard) -> dict[str, object]:
    return {"of_guild": board.guild, "of_game": board.game, "of_season": board.season}


def _rating_rows(board: Leaderboard, after: Mapping[int, Rating]) -> list[dict[str, object]]:
    return [{**board._asdict(), "user": user, **take_fields(ratings, rating)} for user, rating in after.items()]


# Leaderboards, profiles and best scores for commands, read from the ratings as they are stored.


AFTER_ALL = 2**31 - 1
"""A number above all seasons."""
LINES_OF_BOARD = (
    ratings.c.guild == bindparam("guild"),
    ratings.c.game == bindparam("game"),
    ratings.c.season == bindparam("season"),
)
# An alias keeps its rating, so that ratings can be recomputed, but is not listed: `placed` is NULL.
LINES: dict[bool, Select[*tuple[Any, ...]]] = {
    placed: select(ratings.c.user, ratings.c.value, *COLUMNS)
    .where(*LINES_OF_BOARD, ratings.c.placed == placed)
    .order_by(ratings.c.value.desc(), ratings.c.user)
    .limit(bindparam("most", type_=Integer()))
    for placed in (True, False)
}
HOW_MANY = (
    select(ratings.c.placed, func.count())
    .where(*LINES_OF_BOARD, ratings.c.placed.is_not(None))
    .group_by(ratings.c.placed)
)
SEASON_BEFORE = select(func.max(ratings.c.season)).where(
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
    .where(*LINES_OF_BOARD, ratings.c.placed)
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
PROFILE = select(ratings.c.game, ratings.c.user, case((ratings.c.placed, PLACE), else_=None), *COLUMNS).where(
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
    # A rank means a finished match. With a condition on state or server SQLite would scan all matches.
    .where(*BOTH, matches.c.guild + 0 == bindparam("guild"), ONE.c.rank.is_not(None), matches.c.substitutions.is_(None))
    .group_by(matches.c.game)
)
# Of several computers of a level in a match only the first is counted.
COMPUTERS = OTHER.c.user.in_([make_computer_user(level) for level in LEVELS])
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
    """The queries about leaderboards, profiles and best scores."""

    _connection: Connection

    def leaderboard(
        self, guild: int, game: str = "", most: int = 20, season: int = ALL_TIME
    ) -> tuple[LeaderboardRow, ...]:
        """The top of a leaderboard, and then users without a place, at most `most` of each; game "" for all games."""
        values = {**Leaderboard(guild, game, season)._asdict(), "most": most}
        best, others = (self._connection.execute(LINES[placed], values).all() for placed in (True, False))
        first: dict[float, int] = {}
        places = [first.setdefault(line.value, place) for place, line in enumerate(best, 1)] + [None] * len(others)
        lines = zip(places, (*best, *others), strict=True)
        return tuple(LeaderboardRow(user, place, *rest) for place, (user, _, *rest) in lines)

    def counted_in(self, guild: int, channels: Collection[int], until: int) -> list[RatedMatch]:
        """The rated matches that count, ended before a moment and were challenged in some channels, oldest first."""
        return counted_in(self._connection, guild, channels, until)

    def count_rated(self, guild: int, game: str = "", season: int = ALL_TIME) -> tuple[int, int]:
        """The number of users with a place on a leaderboard, and without."""
        rows = self._connection.execute(HOW_MANY, Leaderboard(guild, game, season)._asdict())
        numbers = {bool(placed): int(number) for placed, number in rows}
        return numbers.get(True, 0), numbers.get(False, 0)

    def seasons(self, guild: int, most: int = 25) -> tuple[int, ...]:
        """The last seasons with rated matches in a server, the latest first; each takes one step in an index."""
        found: list[int] = []
        values = {"guild": guild, "season": AFTER_ALL}
        while len(found) < most and (season := self._connection.execute(SEASON_BEFORE, values).scalar()):
            found.append(season)
            values["season"] = season
        return tuple(found)

    def profile(self, guild: int, user: int) -> dict[str, LeaderboardRow]:
        """A user's all-time standing in every game in which they have a rating, and over all games (key "")."""
        rows = self._connection.execute(PROFILE, {"guild": guild, "user": user})
        return {game: LeaderboardRow(*standing) for game, *standing in rows}

    def find_users_ahead(self, guild: int, user: int, game: str = "", most: int = 20) -> tuple[UserId, ...]:
        """The users ahead of a user on an all-time leaderboard, at most `most`, the best first."""
        values = {**Leaderboard(guild, game)._asdict(), "user": user, "most": most}
        return tuple(self._connection.execute(AHEAD_OF, values).scalars())

    def scores(self, guild: int, one: int, other: int) -> tuple[HeadToHead, ...]:
        """The results of a user against another in all matches that both finished, rated or not, by game."""
        rows = self._connection.execute(SCORES, {"guild": guild, "one": one, "other": other})
        return tuple(HeadToHead(*row) for row in rows)

    def load_results_against_computer(self, guild: int, user: int) -> tuple[ResultAgainstComputer, ...]:
        """A user's results against the computer in a server, by game and level."""
        rows = self._connection.execute(AGAINST, {"guild": guild, "user": user})
        return tuple(ResultAgainstComputer(game, level_of(rival), *results) for game, rival, *results in rows)

    def load_losses_by_game(self, guild: int, user: int) -> dict[str, GameLosses]:
        """The losses of a user's moves in a server, by game, as far as computed; to be shown to themselves alone."""
        rows = self._connection.execute(LOSSES, {"guild": guild, "user": user})
        return {game: GameLosses(*sums) for game, *sums in rows}

    def find_results_since(self, guild: int, game: str, seen: ResultsMark | None, most: int) -> ResultsSince | None:
        """The results at a game, or over all games (""), since a mark; None if more than `most` matches would have to
        be read."""
        return find_results_since(self._connection, guild, game, seen, most)

    def find_best_scores(
        self, guild: int, game: str, channels: Collection[int] | None = None
    ) -> list[tuple[Mapping[str, int | str], tuple[BestResult, ...]]]:
        """The best solo score of each user at a game, highest and then earliest first, for each choice of options; of
        matches in some channels, or in all."""
        rows = self._connection.execute(ALONE, {"guild": guild, "game": game})
        found = [row for row in rows if channels is None or row.channel in channels]
        grouped = [
            (options, [BestResult(*best) for _, _, *best in group]) for options, group in groupby(found, itemgetter(0))
        ]
        return [(options, _best_of_each(bests)) for options, bests in grouped]

    def record_alone(self, row: MatchRow) -> int | None:
        """The best solo score of a server at the game and with the options of a match."""
        tables = self.find_best_scores(row.guild, row.game)
        return next((best[0].score for options, best in tables if options == row.options and best), None)


def _best_of_each(bests: Iterable[BestResult]) -> tuple[BestResult, ...]:
    best: dict[UserId, BestResult] = {}
    # Scores are stored as text, which databases do not order as numbers.
    for one in sorted(bests, key=lambda one: -one.score):
        best.setdefault(one.user, one)
    return tuple(best.values())
