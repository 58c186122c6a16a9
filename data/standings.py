"""Ratings in the database: counted when a match is finished, and computed again from all that are.

What counts: finished, rated, of two seats or more (so between different people), with a move by every seat. Results
count in the order of `ended`, then `id`. Both ways give the same numbers to the last bit, which `data.check` relies on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from sqlalchemy import Connection, Row, and_, bindparam, delete, func, insert, or_, select

from bot.core.ratings import Rating, Result, folded, rated
from bot.core.record import WORDS
from data.engine import go_alone
from data.schema import matches, moves, players, ratings

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
ALL = COUNTING.where(matches.c.guild == bindparam("guild"))
ALL_OF_GAME = ALL.where(matches.c.game == bindparam("game"))

WHERE = select(matches.c.guild, matches.c.game, matches.c.ended).where(matches.c.id == bindparam("match"))
LATER = (
    select(matches.c.id)
    .where(
        matches.c.guild == bindparam("guild"),
        matches.c.state == "finished",
        matches.c.rated,
        or_(
            matches.c.ended > bindparam("ended"),
            and_(matches.c.ended == bindparam("ended"), matches.c.id > bindparam("match")),
        ),
    )
    .limit(1)
)
OF_BOARD = and_(ratings.c.guild == bindparam("of_guild"), ratings.c.game == bindparam("of_game"))
STORED = select(
    ratings.c.user,
    ratings.c.mu,
    ratings.c.sigma,
    ratings.c.played,
    ratings.c.won,
    ratings.c.drawn,
    ratings.c.lost,
).where(OF_BOARD)
OF_THESE = ratings.c.user.in_(bindparam("users", expanding=True))
STORED_OF = STORED.where(OF_THESE)
DROP = delete(ratings).where(OF_BOARD)
DROP_OF = DROP.where(OF_THESE)
KEEP = insert(ratings)
BOARDS = select(matches.c.guild, matches.c.game).where(matches.c.state == "finished", matches.c.rated).distinct()
STORED_BOARDS = select(ratings.c.guild, ratings.c.game).distinct()


def count(connection: Connection, match: int) -> None:
    """Let a match that has just been finished count, on the board of its game and on the one over all games."""
    found = results(connection.execute(THIS, {"match": match}))
    if not found:
        return
    guild, game, ended = connection.execute(WHERE, {"match": match}).one()
    go_alone(connection, guild)
    # A clock that was set back, or two ends in one second: then this result does not come after all those counted.
    later = connection.execute(LATER, {"guild": guild, "ended": ended, "match": match}).first()
    for board in (game, OVERALL):
        if later:
            rewrite(connection, guild, board)
        else:
            before = stored(connection, guild, board, found[0].users)
            after = rated(before, found[0])
            connection.execute(DROP_OF, {"of_guild": guild, "of_game": board, "users": list(after)})
            _keep(connection, guild, board, after)


def rewrite(connection: Connection, guild: int, board: str) -> None:
    """Replace the stored ratings of a board by computed ones."""
    after = computed(connection, guild, board)
    connection.execute(DROP, {"of_guild": guild, "of_game": board})
    _keep(connection, guild, board, after)


def computed(connection: Connection, guild: int, board: str) -> dict[int, Rating]:
    """The ratings of a board, from all matches that count."""
    statement, values = (ALL_OF_GAME, {"guild": guild, "game": board}) if board else (ALL, {"guild": guild})
    return folded(results(connection.execute(statement, values)))


def stored(connection: Connection, guild: int, board: str, users: Iterable[int] | None = None) -> dict[int, Rating]:
    """The ratings of a board as they are stored: of some users, or of all."""
    values: dict[str, object] = {"of_guild": guild, "of_game": board}
    if users is None:
        rows = connection.execute(STORED, values)
    else:
        rows = connection.execute(STORED_OF, {**values, "users": list(users)})
    return {user: Rating(*rating) for user, *rating in rows}


def boards(connection: Connection) -> list[tuple[int, str]]:
    """Every board that has, or should have, ratings: pairs of a server and a game."""
    found = {(guild, board) for guild, game in connection.execute(BOARDS) for board in (game, OVERALL)}
    return sorted(found | {(guild, game) for guild, game in connection.execute(STORED_BOARDS)})


def results(rows: Iterable[Row[int, int, int]]) -> list[Result]:
    """Rows of `COUNTING`, a result a match."""
    grouped = ([*group] for _, group in groupby(rows, key=lambda row: row[0]))
    return [Result(tuple(row[1] for row in group), tuple(row[2] for row in group)) for group in grouped]


def _keep(connection: Connection, guild: int, board: str, after: Mapping[int, Rating]) -> None:
    if after:
        rows = [{"guild": guild, "game": board, "user": user, **_columns(rating)} for user, rating in after.items()]
        connection.execute(KEEP, rows)


def _columns(rating: Rating) -> dict[str, float]:
    return {name: getattr(rating, name) for name in rating.__slots__}
