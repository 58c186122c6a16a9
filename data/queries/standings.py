"""Rates matches: adds each result when its match finishes, and computes boards anew from all results for the check.

What counts: finished, rated, of two seats or more (so between different people), with a move by every seat. Results
count in the order of `ended`, then `id`: at their game and over all games, of all time and of the season that `ended`
lies in. Both ways give the same numbers to the last bit, which `data.upkeep.integrity` relies on.

A match that finishes is the latest of its server, whatever the clock says: `ended` is raised behind that of the one
before. So a result is only ever added, and nothing is computed anew while others wait to write; and no season of a
server goes on once the next has begun there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, delete, func, insert, select, update

from bot.core.league.week import Counted
from bot.core.match.record import WORDS
from bot.core.rating.careers import Came, Mark
from bot.core.rating.ratings import Rating, Result, folded, rated
from bot.core.rating.seasons import ALL_TIME, FOR_EVER, bounds, season_of
from bot.core.rating.stored_standings import Board
from data.engine.advisory_locks import About, go_alone, go_beside
from data.tables.rows import fields_of, held
from data.tables.schema import matches, moves, players, ratings

MOST_FOLDED = 20_000
"""So many matches are rated in a second."""
OVERALL = ""
"""In place of a game: over all games."""

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
COLUMNS = held(ratings)
"""Of a standing, in the order of its fields behind the user and the place."""
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
    # Each a parameter: of a list within one, SQLite would not see that the primary key leads to it.
    ratings.c.user.in_(bindparam("users", expanding=True)),
)
STORED_OF: Select[*tuple[Any, ...]] = select(ratings.c.game, ratings.c.season, *RATING).where(OF_THESE)
DROP_OF = delete(ratings).where(OF_THESE)
KEEP = insert(ratings)
ENDS = select(matches.c.guild, matches.c.game, matches.c.ended).where(
    matches.c.state == "finished", matches.c.rated, matches.c.ended >= 0, matches.c.ended <= bindparam("until")
)
STORED_BOARDS = select(ratings.c.guild, ratings.c.game, ratings.c.season).distinct()


def count(connection: Connection, match: int) -> int | None:
    """Let a match that has just been finished count, on the boards of its game and on those over all games.

    Returns when it ended: as it was written, or one second after the match of its server that finished last.
    """
    guild, game, state, ended = connection.execute(WHERE, {"match": match}).one()
    if state != "finished" or ended is None:
        return ended
    go_alone(connection, About.SERVER, guild)
    before = connection.execute(BEFORE, {"guild": guild, "match": match}).scalar()
    if before is not None and before >= ended:
        ended = before + 1
        connection.execute(END, {"of_match": match, "now": ended})
    for result in results(connection.execute(THIS, {"match": match})):
        _add(connection, guild, boards_of(guild, game, ended), result)
    return ended


def boards_of(guild: int, game: str, ended: int) -> tuple[Board, ...]:
    """The boards on which a match counts that ended in some second."""
    return tuple(Board(guild, each, season) for each in (game, OVERALL) for season in (ALL_TIME, season_of(ended)))


def _add(connection: Connection, guild: int, boards: Collection[Board], result: Result) -> None:
    these = {
        "of_guild": guild,
        "games": sorted({board.game for board in boards}),
        "seasons": sorted({board.season for board in boards}),
        "users": list(result.users),
    }
    before: dict[Board, dict[int, Rating]] = {board: {} for board in boards}
    for game, season, user, *rating in connection.execute(STORED_OF, these):
        before[Board(guild, game, season)][user] = Rating(*rating)
    connection.execute(DROP_OF, these)
    connection.execute(KEEP, [row for board in boards for row in _rows(board, rated(before[board], result))])


def rewrite(connection: Connection, board: Board, after: Mapping[int, Rating], seen: Mark) -> bool:
    """Replace the stored ratings of a board by those computed from what was `seen`, and by what has come in since;
    False, and no change, where somebody was forgotten meanwhile."""
    go_beside(connection, About.TIMES)
    go_alone(connection, About.SERVER, board.guild)
    if mark(connection, board.guild).alias != seen.alias:
        return False
    after = computed(connection, board, after, seen.ended or 0)
    connection.execute(DROP, _of(board))
    if after:
        connection.execute(KEEP, _rows(board, after))
    return True


def mark(connection: Connection, guild: int) -> Mark:
    """Until when a server's results are known now."""
    ended = connection.execute(LATEST, {"guild": guild}).scalar()
    return Mark(ended, connection.execute(LEAST_ALIAS).scalar())


def came(connection: Connection, guild: int, board: str, seen: Mark | None, most: int) -> Came | None:
    """What has come in on a board since it was seen, or all of it where somebody was forgotten since or nothing was
    seen; None where so much would have to be looked through that more than `most` matches are behind it."""
    now = mark(connection, guild)
    whole = seen is None or seen.alias != now.alias or (seen.ended or 0) > (now.ended or 0)
    values = {"guild": guild, "since": 0 if seen is None or whole else seen.ended or 0, "until": FOR_EVER}
    if connection.execute(SINCE, values).scalar_one() > most:
        return None
    rows = connection.execute(ALL_OF_GAME, {**values, "game": board}) if board else connection.execute(ALL, values)
    return Came(now, whole, tuple(results(rows)))


def computed(
    connection: Connection, board: Board, before: Mapping[int, Rating] | None = None, since: int = 0
) -> dict[int, Rating]:
    """The ratings of a board, from all matches that count; or from ratings before, and what has ended since."""
    first, until = bounds(board.season)
    statement, values = (ALL_OF_GAME, {"game": board.game}) if board.game else (ALL, {})
    within = {"guild": board.guild, "since": max(first, since), "until": until}
    return folded(results(connection.execute(statement, {**values, **within})), before)


def counted_in(connection: Connection, guild: int, channels: Collection[int], until: int) -> list[Counted]:
    """The last matches that count, ended before a moment and were challenged in some channels, oldest first."""
    rows = connection.execute(COUNTED_IN, {"guild": guild, "since": 0, "until": until - 1})
    grouped = groupby((row for row in rows if row.channel in channels), key=lambda row: (row.id, row.ended))
    lines = [(*of, [*group]) for of, group in grouped]
    return [
        Counted(match, ended, Result(tuple(row.user for row in group), tuple(row.rank for row in group)))
        for match, ended, group in lines[-MOST_FOLDED:]
    ]


def stored(connection: Connection, board: Board) -> dict[int, Rating]:
    """The ratings of a board as they are stored."""
    return {user: Rating(*rating) for user, *rating in connection.execute(STORED, _of(board))}


def boards(connection: Connection) -> list[Board]:
    """Every board that has, or should have, ratings."""
    ends = connection.execute(ENDS, {"until": FOR_EVER})
    found = {board for guild, game, ended in ends for board in boards_of(guild, game, ended)}
    return sorted(found | {Board(*board) for board in connection.execute(STORED_BOARDS)})


def results(rows: Iterable[Row[int, int, int]]) -> list[Result]:
    """Rows of `COUNTING`, a result a match."""
    grouped = ([*group] for _, group in groupby(rows, key=lambda row: row[0]))
    return [Result(tuple(row[1] for row in group), tuple(row[2] for row in group)) for group in grouped]


def _of(board: Board) -> dict[str, object]:
    return {"of_guild": board.guild, "of_game": board.game, "of_season": board.season}


def _rows(board: Board, after: Mapping[int, Rating]) -> list[dict[str, object]]:
    return [{**board._asdict(), "user": user, **fields_of(ratings, rating)} for user, rating in after.items()]
