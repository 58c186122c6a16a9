"""Who was asked to play, and how much somebody has open: what the caps on challenges are counted from.

Kept apart from the matches, for an hour: who declines leaves no row of theirs behind, and was asked all the same. Once
the match begins, whoever plays it wanted to be asked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, bindparam, delete, func, select

from bot.core.match.stored import Ask
from bot.core.values.ids import MatchId, UserId
from data.tables.column_types import among
from data.tables.schema import asks, matches
from data.tables.upsert import replacing

ASKS = (
    select(asks.c.asked, asks.c.asker, asks.c.at)
    .where(
        asks.c.guild == bindparam("guild"),
        among(asks.c.asked, "people"),
        asks.c.at > bindparam("since"),
        asks.c.at <= bindparam("now"),
    )
    .order_by(asks.c.at)
)
OPEN_OF = (
    select(func.count())
    .select_from(matches)
    .where(matches.c.guild == bindparam("guild"), matches.c.state == "open", matches.c.host == bindparam("host"))
)
REMATCH = (
    select(matches.c.id)
    .where(matches.c.rematch_of == bindparam("match"), matches.c.state.in_(("open", "live", "finished", "aborted")))
    .order_by(matches.c.id.desc())
    .limit(1)
)
ASK = replacing(asks)
UNASK = delete(asks).where(asks.c.match == bindparam("of_match"), among(asks.c.asked, "people"))
FORGET = delete(asks).where(asks.c.at < bindparam("before"))


def of(connection: Connection, guild: int, people: Sequence[UserId], since: int, now: int) -> tuple[Ask, ...]:
    """The challenges that some people of a server got since some time, the oldest first; none from after `now`."""
    values = {"guild": guild, "people": [*people], "since": since, "now": now}
    return tuple(Ask(*row) for row in connection.execute(ASKS, values))


def open_of(connection: Connection, guild: int, host: int) -> int:
    """How many challenges and tables of somebody's are open in a server."""
    return connection.execute(OPEN_OF, {"guild": guild, "host": host}).scalar_one()


def rematch(connection: Connection, match: int) -> MatchId | None:
    """The latest match that follows another and was not turned down; None if there is none."""
    return connection.execute(REMATCH, {"match": match}).scalar()


def ask(connection: Connection, match: int, guild: int, ask: Ask) -> None:
    """Note that a match asks somebody to play, in place of an older such note."""
    values = {"match": match, "asked": ask.asked, "guild": guild, "asker": ask.asker, "at": ask.at}
    ASK.say(connection, values)


def unask(connection: Connection, match: int, people: Collection[int]) -> None:
    """Drop that a match asked some people to play."""
    connection.execute(UNASK, {"of_match": match, "people": [*people]})


def forget(connection: Connection, before: int) -> None:
    """Drop who was asked by whom before a time."""
    connection.execute(FORGET, {"before": before})
