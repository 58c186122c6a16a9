"""When people are away, in which server; what is behind them too, since only so many days of a year are free."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, bindparam, delete, func, select

from bot.core.match.stored import Away
from bot.core.values.ids import GuildId, UserId
from data.tables.column_types import among
from data.tables.schema import away
from data.tables.shares import ours
from data.tables.upsert import replacing

OF_USER = (away.c.guild == bindparam("guild"), away.c.user == bindparam("person"))
SINCE = select(away.c.begins, away.c.ends).where(*OF_USER, away.c.ends > bindparam("since")).order_by(away.c.begins)
NOW = bindparam("now", type_=away.c.ends.type)
OF_MANY = (away.c.guild == bindparam("guild"), among(away.c.user, "people"))
AT = (
    select(away.c.user, func.max(away.c.ends).label("ends"))
    .where(*OF_MANY, away.c.begins <= NOW, away.c.ends > NOW)
    .group_by(away.c.user)
)
SINCE_OF_MANY = (
    select(away.c.user, away.c.begins, away.c.ends)
    .where(*OF_MANY, away.c.ends > bindparam("since"))
    .order_by(away.c.user, away.c.begins)
)
ENDED = (
    select(away.c.guild, away.c.user)
    .where(away.c.ends > bindparam("after"), away.c.ends <= NOW, ours(away.c.guild))
    .distinct()
)
THIS = (*OF_USER, away.c.begins == bindparam("since"))
KEEP, DROP = replacing(away), delete(away).where(*THIS)


def of(connection: Connection, guild: int, person: int, since: int) -> tuple[Away, ...]:
    """Somebody's absences in a server that were not over at a moment, in order."""
    return tuple(Away(*row) for row in connection.execute(SINCE, {"guild": guild, "person": person, "since": since}))


def of_many(
    connection: Connection, guild: int, people: Collection[int], since: int
) -> Mapping[UserId, tuple[Away, ...]]:
    """The same of several people; those who have none are left out."""
    found: dict[UserId, tuple[Away, ...]] = {}
    asked = {"guild": guild, "people": [*people], "since": since}
    for user, begins, ends in connection.execute(SINCE_OF_MANY, asked):
        found[user] = (*found.get(user, ()), Away(begins, ends))
    return found


def at(connection: Connection, guild: int, people: Collection[int], now: int) -> Mapping[UserId, int]:
    """Who of some people is away in a server at a moment, and until when."""
    rows = connection.execute(AT, {"guild": guild, "people": [*people], "now": now})
    return {row.user: row.ends for row in rows}


def ended(connection: Connection, after: int, now: int, share: Mapping[str, int]) -> tuple[tuple[GuildId, UserId], ...]:
    """Whose absences ended after a moment, and where, among the servers of a share."""
    rows = connection.execute(ENDED, {"after": after, "now": now, **share})
    return tuple((guild, user) for guild, user in rows)


def keep(connection: Connection, guild: int, person: int, one: Away) -> None:
    """Note an absence, in place of one that began at the same moment; one that has no length is none."""
    if one.begins < one.ends:
        KEEP.say(connection, {"guild": guild, "user": person, "begins": one.begins, "ends": one.ends})
    else:
        connection.execute(DROP, {"guild": guild, "person": person, "since": one.begins})
