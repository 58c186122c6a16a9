"""What is to be sent to people by itself: reminders and digests that are due, and those that are on their way.

A reminder is noted here in the transaction that decides on it, before Discord is asked, and dropped once it is known to
have arrived; so after a death in between somebody looks for it. Whoever takes one has it to themselves until it is due
again.
"""

from __future__ import annotations

from dataclasses import astuple, fields
from typing import NamedTuple

from sqlalchemy import BigInteger, Connection, Integer, bindparam, delete, func, or_, select, tuple_, update

from bot.core.match.stored import Sending
from bot.core.values.ids import GuildId, MatchId, UserId
from data.tables.schema import matches, players, preferences, sendings
from data.tables.shares import ours
from data.tables.upsert import replacing

COLUMNS = tuple(field.name for field in fields(Sending))
MOST = bindparam("most", type_=Integer())


class Due(NamedTuple):
    """That somebody is to be reminded of a match, since when, in the order in which they are found."""

    at: int
    match: MatchId
    user: UserId
    guild: GuildId


FIRST = (-1, 0, 0)
"""A place in that order before all others."""
WHICH = (players.c.remind, players.c.match, players.c.user)
AFTER = tuple_(*WHICH) > tuple_(
    *(bindparam(name, type_=BigInteger()) for name in ("after_at", "after_match", "after_user"))
)
DUE = (
    select(*WHICH, matches.c.guild)
    .join(matches, matches.c.id == players.c.match)
    .where(players.c.remind <= bindparam("now"), AFTER, ours(matches.c.guild))
    .order_by(*WHICH)
    .limit(MOST)
)
DIGESTS = (
    select(preferences.c.user)
    .where(preferences.c.digest <= bindparam("now"), preferences.c.user > bindparam("after"))
    .where(ours(preferences.c.user))
    .order_by(preferences.c.user)
    .limit(MOST)
)

STALE = (
    select(players.c.match, players.c.user)
    .join(matches, matches.c.id == players.c.match)
    .where(players.c.reminder.is_not(None), players.c.since.is_(None))
    .where(or_(players.c.left.is_not(None), matches.c.state != "live"), ours(matches.c.guild))
    .limit(MOST)
)
ALL = select(*(sendings.c[name] for name in COLUMNS))
# What is begun in the future was so by a clock that has been put right since.
UNDER_WAY = (
    ALL.outerjoin(matches, matches.c.id == sendings.c.match)
    .where(or_(sendings.c.due <= bindparam("now"), sendings.c.begun > bindparam("now")))
    .where(ours(func.coalesce(matches.c.guild, sendings.c.user)))  # a digest is of no match
    .order_by(sendings.c.due, sendings.c.user, sendings.c.match)
    .limit(MOST)
)
THIS = (sendings.c.user == bindparam("of_user"), sendings.c.match == bindparam("of_match"))
OF = ALL.where(*THIS)
KEEP = replacing(sendings)
DROP = delete(sendings).where(*THIS)
SAME = (*THIS, sendings.c.due == bindparam("of_due"))
PUT_OFF = update(sendings).where(*SAME).values(due=bindparam("later"), tries=bindparam("tried"))


class Outbox:
    """The part of a `Reader` that looks for what is to be sent."""

    _connection: Connection
    _ours: dict[str, int]

    def to_remind(self, now: int, most: int, after: tuple[int, int, int] = FIRST) -> tuple[Due, ...]:
        """Who is to be reminded by now, so many at a time, from the one after some place on."""
        values = dict(zip(("after_at", "after_match", "after_user"), after, strict=True))
        found = self._connection.execute(DUE, {"now": now, "most": most, **values, **self._ours})
        return tuple(Due(*row) for row in found)

    def digests_due(self, now: int, most: int, after: int = 0) -> tuple[UserId, ...]:
        """Whose daily digest is due by now, from the person after some on."""
        values = {"now": now, "most": most, "after": after, **self._ours}
        return tuple(self._connection.execute(DIGESTS, values).scalars())

    def under_way(self, now: int, most: int) -> tuple[Sending, ...]:
        """What is on its way and nobody is at any more, the longest so first."""
        rows = self._connection.execute(UNDER_WAY, {"now": now, "most": most, **self._ours})
        return tuple(Sending(*row) for row in rows)

    def outlived(self, most: int) -> tuple[tuple[MatchId, UserId], ...]:
        """Whose reminders still stand in their channels although the clock that they were about has stopped."""
        found = self._connection.execute(STALE, {"most": most, **self._ours})
        return tuple((match, user) for match, user in found)

    def sending(self, user: int, match_id: int) -> Sending | None:
        """What is on its way to somebody about a match (0: about all of them)."""
        row = self._connection.execute(OF, {"of_user": user, "of_match": match_id}).one_or_none()
        return Sending(*row) if row else None


def keep(connection: Connection, sending: Sending) -> None:
    """Note what is on its way, in place of what was on its way to the same person about the same match."""
    KEEP.say(connection, dict(zip(COLUMNS, astuple(sending), strict=True)))


def put_off(connection: Connection, sending: Sending, due: int, tries: int) -> bool:
    """Note when something is tried again; False where somebody else has taken it meanwhile."""
    values = {"of_user": sending.user, "of_match": sending.match, "of_due": sending.due, "later": due, "tried": tries}
    return connection.execute(PUT_OFF, values).rowcount == 1


def drop(connection: Connection, sending: Sending) -> bool:
    """Forget what has arrived or is not to be sent any more; False where it is forgotten already."""
    return connection.execute(DROP, {"of_user": sending.user, "of_match": sending.match}).rowcount == 1
