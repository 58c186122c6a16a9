"""What is kept about a person, for them to have; and taking their number out of every table.

Matches stay for those who played them too. In place of the person's number stands an alias, a negative number, the same
in all their matches, so that the ratings of the others can still be computed from the results.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, or_, select, update

from data.schema import deliveries, matches, moves, players, ratings

SHOWN = (
    matches.c.id, matches.c.guild, matches.c.channel, matches.c.thread, matches.c.game, matches.c.options,
    matches.c.seats, matches.c.rated, matches.c.host, matches.c.state, matches.c.created, matches.c.started,
    matches.c.ended, players.c.joined, players.c.seat, players.c.invited, players.c.consent, players.c.rank,
    players.c.score, players.c.due,
)  # fmt: skip
OF_USER = players.c.user == bindparam("person")
MATCHES = select(*SHOWN).join(players, players.c.match == matches.c.id).where(OF_USER).order_by(matches.c.id)
MOVES = (
    select(moves.c.match, moves.c.ply, moves.c.text, moves.c.at)
    .join(players, (players.c.match == moves.c.match) & (players.c.seat == moves.c.seat))
    .where(OF_USER)
    .order_by(moves.c.match, moves.c.ply)
)
RATINGS = select(ratings).where(ratings.c.user == bindparam("person")).order_by(ratings.c.guild, ratings.c.game)

THEIRS = select(players.c.match).where(OF_USER)
FORGET_PLAYER = update(players).where(OF_USER).values(user=bindparam("alias"))
FORGET_HOST = update(matches).where(matches.c.host == bindparam("person")).values(host=bindparam("alias"))
FORGET_RATING = update(ratings).where(ratings.c.user == bindparam("person")).values(user=bindparam("alias"))
FORGET_DELIVERIES = delete(deliveries).where(deliveries.c.match.in_(THEIRS))
SHOW_AGAIN = (
    update(matches)
    .where(or_(matches.c.id.in_(THEIRS), matches.c.host == bindparam("person")))
    .values(version=matches.c.version + 1)
)
LEAST_ALIAS = select(func.min(players.c.user))


def exported(connection: Connection, person: int) -> dict[str, Any]:
    """Everything that is kept about a person, as plain values."""
    found = {
        name: [dict(row) for row in connection.execute(statement, {"person": person}).mappings()]
        for name, statement in (("matches", MATCHES), ("moves", MOVES), ("ratings", RATINGS))
    }
    return {"user": person, **found}


def forget(connection: Connection, person: int) -> None:
    """Put an alias in place of a person, and have the boards of their matches shown again without them."""
    least = connection.execute(LEAST_ALIAS).scalar() or 0
    values = {"person": person, "alias": min(least, 0) - 1}
    for statement in (SHOW_AGAIN, FORGET_DELIVERIES, FORGET_HOST, FORGET_RATING, FORGET_PLAYER):
        connection.execute(statement, values)
