"""What people are told elsewhere of matches whose places are closed: an outbox that also knows what was told.

A row for each person in such a match is written in the transaction that decides on telling them, and stays until the
board is shown again: so nobody is told twice, and the month is counted after which the match is closed.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BigInteger, Connection, Integer, and_, bindparam, delete, exists, func, or_, select, update

from bot.core.match.stored import MatchRow, Notice
from bot.core.values.ids import ChannelId, GuildId, MatchId
from data.queries.match_queries import MOVED, ROWS, MatchQueries
from data.tables.expressions import in_share, upsert
from data.tables.rows import fields_of
from data.tables.schema import matches, notices

MOST = bindparam("most", type_=Integer())
NOTICES = select(*notices.c).where(notices.c.match == bindparam("of_match")).order_by(notices.c.user)
KEEP = upsert(notices)
DROP = delete(notices).where(notices.c.match == bindparam("of_match"))
CLOSED = (matches.c.publish_error.is_not(None), in_share(matches.c.guild))
OF_IT = notices.c.match == matches.c.id
EARLIER = exists().where(OF_IT, notices.c.version < matches.c.version)
KNOWN = exists().where(OF_IT)
OVERDUE = exists().where(OF_IT, notices.c.told < notices.c.version, notices.c.due <= bindparam("now"))
UNKNOWN = or_(matches.c.state == "live", matches.c.ended > bindparam("recent", type_=BigInteger()))
NEWS = or_(EARLIER, and_(~KNOWN, UNKNOWN))
TO_TELL = (
    select(matches.c.id)
    .where(*CLOSED, matches.c.id > bindparam("after"), matches.c.started.is_not(None), or_(NEWS, OVERDUE))
    .order_by(matches.c.id)
    .limit(MOST)
)
GIVEN_UP = (
    ROWS.where(*CLOSED, matches.c.state == "live")
    .where(
        matches.c.id.in_(
            select(notices.c.match)
            .group_by(notices.c.match)
            .having(func.min(notices.c.since) <= bindparam("before", type_=BigInteger()))
        )
    )
    .where(func.coalesce(MOVED.element, 0) <= bindparam("before", type_=BigInteger()))
    .order_by(matches.c.id)
    .limit(MOST)
)
PLACE = func.coalesce(matches.c.thread, matches.c.channel)
LIVE_AT = (
    select(matches.c.id, matches.c.guild, matches.c.channel, PLACE)
    .where(matches.c.state == "live", matches.c.publish_error.is_(None), in_share(matches.c.guild))
    .where(matches.c.id > bindparam("after"))
    .order_by(matches.c.id)
    .limit(MOST)
)
LIVE_IN = LIVE_AT.where(matches.c.guild == bindparam("guild"))
RETAKE = (
    update(notices)
    .where(
        notices.c.match == bindparam("of_match"),
        notices.c.user == bindparam("of_user"),
        notices.c.version == bindparam("of_version"),
        notices.c.due == bindparam("of_due"),
        notices.c.told < notices.c.version,
    )
    .values(due=bindparam("later"), tries=bindparam("tried"))
)


class NoticeQueries(MatchQueries):
    """The part of a `Reader` that finds matches whose people are to be told something elsewhere."""

    _connection: Connection
    _share: dict[str, int]

    def notices(self, match_id: int) -> tuple[Notice, ...]:
        """What the people of a match were told elsewhere, or are being told; none where its place is not closed."""
        return tuple(Notice(*row) for row in self._connection.execute(NOTICES, {"of_match": match_id}))

    def to_tell(self, now: int, recent: int, most: int, after: int = 0) -> tuple[MatchId, ...]:
        """Matches in closed places of which something may be to be told, from the one after some match on; of those
        that were over before `recent`, only where something was told before."""
        values = {"now": now, "recent": recent, "most": most, "after": after, **self._share}
        return tuple(self._connection.execute(TO_TELL, values).scalars())

    def given_up(self, before: int, most: int) -> tuple[MatchRow, ...]:
        """Live matches in places that were closed before a moment, and in which nobody has moved since."""
        return self._rows(GIVEN_UP, {"before": before, "most": most, **self._share})

    def live_places(
        self, most: int, after: int = 0, guild: int | None = None
    ) -> Sequence[tuple[MatchId, GuildId, ChannelId, ChannelId]]:
        """Live matches that are not known to be closed, of one server or of all, each with its server, the channel of
        its challenge and the place where it is played."""
        values = {"most": most, "after": after, "guild": guild, **self._share}
        found = self._connection.execute(LIVE_AT if guild is None else LIVE_IN, values)
        return [(match, of, channel, place) for match, of, channel, place in found]


class NoticeWrites:
    """The part of a `Transaction` that notes what people are told elsewhere."""

    _connection: Connection

    def keep_notice(self, notice: Notice) -> None:
        """Note what somebody is told or was told, in place of what was noted before."""
        KEEP.write(self._connection, fields_of(notices, notice))

    def retake_notice(self, notice: Notice, due: int, tries: int) -> bool:
        """Take a notice that is still to arrive until a moment; False where another process has taken it."""
        which = {f"of_{name}": getattr(notice, name) for name in ("match", "user", "version", "due")}
        return self._connection.execute(RETAKE, {**which, "later": due, "tried": tries}).rowcount == 1

    def drop_notices(self, match_id: int) -> None:
        """Forget what was told elsewhere: the board is shown again where the match is played."""
        self._connection.execute(DROP, {"of_match": match_id})
