"""The outboxes: reminders, edits, notices, and texts to be rewritten."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    not_,
    or_,
    select,
    tuple_,
    update,
)

from bot.play.ids import ChannelId, GuildId, MatchId, UserId
from bot.play.rows import MatchNotice, MatchRow, PendingEdit, PendingMessage, PendingRewrite
from data.queries.matches import MOVED, ROWS, MatchQueries
from data.tables.rows import take_fields
from data.tables.schema import matches, notices, pending_edits, pending_reminders, players, preferences, rewritings
from data.tables.statements import Upsert, in_share, is_among, make_insert_new, make_upsert, make_upsert_changing

# Reminders to be sent and messages to be edited, stored in the transaction that decides on them.


MOST = bindparam("most", type_=Integer())


class Due(NamedTuple):
    """A due reminder: since when, to which user, of which match; in the order of the search."""

    at: int
    match: MatchId
    user: UserId
    guild: GuildId


FIRST_PLACE = (-1, 0, 0)
"""The place before all reminders in that order."""
WHICH = (players.c.next_reminder_at, players.c.match, players.c.user)
AFTER = tuple_(*WHICH) > tuple_(
    *(bindparam(name, type_=BigInteger()) for name in ("after_at", "after_match", "after_user"))
)
DUE = (
    select(*WHICH, matches.c.guild)
    .join(matches, matches.c.id == players.c.match)
    .where(players.c.next_reminder_at <= bindparam("now"), AFTER, in_share(matches.c.guild))
    .order_by(*WHICH)
    .limit(MOST)
)
DUE_FOR = (
    select(players.c.match, matches.c.guild)
    .join(matches, matches.c.id == players.c.match)
    .where(
        players.c.user == bindparam("of_user"),
        players.c.next_reminder_at <= bindparam("now"),
        in_share(matches.c.guild),
    )
)
DIGESTS = (
    select(preferences.c.user)
    .where(preferences.c.digest <= bindparam("now"), preferences.c.user > bindparam("after"))
    .where(in_share(preferences.c.user))
    .order_by(preferences.c.user)
    .limit(MOST)
)
PUZZLES = (
    select(preferences.c.user)
    .where(preferences.c.puzzle <= bindparam("now"), in_share(preferences.c.user))
    .order_by(preferences.c.puzzle)
    .limit(MOST)
)

STALE = (
    select(players.c.match, players.c.user)
    .join(matches, matches.c.id == players.c.match)
    .where(players.c.reminder.is_not(None), players.c.since.is_(None))
    # One in the channel of another match (negated) is removed when this match is over, not when the turn is.
    .where(
        or_(and_(players.c.seconds_left.is_not(None), players.c.reminder > 0), matches.c.state != "live"),
        in_share(matches.c.guild),
    )
    .limit(MOST)
)
SENDINGS = select(*pending_reminders.c)
# A beginning in the future was stored by a clock that has been corrected since.
UNDER_WAY = (
    SENDINGS.outerjoin(matches, matches.c.id == pending_reminders.c.match)
    .where(or_(pending_reminders.c.due <= bindparam("now"), pending_reminders.c.begun > bindparam("now")))
    .where(in_share(func.coalesce(matches.c.guild, pending_reminders.c.user)))  # a digest has no match
    .order_by(pending_reminders.c.due, pending_reminders.c.user, pending_reminders.c.match)
    .limit(MOST)
)
SENDINGS_OF = SENDINGS.where(pending_reminders.c.user == bindparam("of_user")).order_by(pending_reminders.c.match)
THIS_SENDING = (pending_reminders.c.user == bindparam("of_user"), pending_reminders.c.match == bindparam("of_match"))
SENDING_OF = SENDINGS.where(*THIS_SENDING)
KEEP_SENDING = make_upsert(pending_reminders)
DROP_SENDING = delete(pending_reminders).where(*THIS_SENDING)
SAME_SENDING = (
    *(pending_reminders.c[name] == bindparam(f"of_{name}") for name in ("user", "begun", "due")),
    pending_reminders.c.place.is_not_distinct_from(bindparam("of_place", type_=BigInteger())),
    or_(
        pending_reminders.c.match == bindparam("of_match"),
        and_(pending_reminders.c.match > 0, bindparam("of_match") > 0),
    ),
)
"""A message as it was leased: the rows of all its matches."""
PUT_OFF_SENDING = (
    update(pending_reminders).where(*SAME_SENDING).values(due=bindparam("later"), tries=bindparam("tried"))
)

ADD_EDIT = make_upsert(pending_edits, due=lambda due: case((pending_edits.c.due == due, due + 1), else_=due))
SAME_EDIT = tuple(pending_edits.c[name] == bindparam(f"of_{name}") for name in ("message", "version", "due"))
"""The edit as it was read; one stored later for the same message has another `due`, and stays."""
CLEAR_EDIT = delete(pending_edits).where(*SAME_EDIT)
PUT_OFF_EDIT = update(pending_edits).where(*SAME_EDIT).values(tries=pending_edits.c.tries + 1, due=bindparam("later"))
LONG_AGO = 1_000_000
"""A moment before all others, in seconds since the epoch: what is due at once is due earlier still."""
AT_ONCE = make_upsert_changing(
    pending_edits, due=case((pending_edits.c.due > LONG_AGO, 0), else_=pending_edits.c.due + 1)
)
EDITS_DUE: Select[tuple[int, ...]] = (
    select(*pending_edits.c)
    .where(pending_edits.c.due <= bindparam("now"))
    .order_by(pending_edits.c.due, pending_edits.c.message)
    .limit(MOST)
)
EDITS_DUE_OF = EDITS_DUE.where(pending_edits.c.match == bindparam("match"))
EDITS_DUE_HERE = EDITS_DUE.join(matches, matches.c.id == pending_edits.c.match).where(in_share(matches.c.guild))

SETTLES = 3
"""Seconds until boards are redrawn, so that several changes of preferences cause one edit."""
NOW = bindparam("now", type_=pending_edits.c.due.type)
THESE = is_among(matches.c.id, "these")


def _make_redraw_statements(message: Column[int], channel: Any, *which: Any) -> tuple[Any, Upsert]:
    """Statements that have a message of each of some matches edited, unless a later edit of it is stored already."""
    shown = (THESE, message.is_not(None), *which)
    past = delete(pending_edits).where(
        pending_edits.c.message.in_(select(message).where(*shown)), pending_edits.c.due <= NOW
    )
    columns = (message, channel, matches.c.id, matches.c.version, bindparam("later", type_=pending_edits.c.due.type))
    names = ("message", "channel", "match", "version", "due")
    return past, make_insert_new(pending_edits, names, select(*columns).where(*shown))


LIVE, OPEN, OVER = (matches.c.state == state for state in ("live", "open", "finished"))
WITHOUT_THREAD = or_(matches.c.thread.is_(None), matches.c.thread == matches.c.channel)
BOARD_CHANNEL = func.coalesce(matches.c.board_channel, matches.c.channel)
REDRAWN = (
    _make_redraw_statements(matches.c.board_message, BOARD_CHANNEL, or_(LIVE, and_(OVER, WITHOUT_THREAD))),
    _make_redraw_statements(matches.c.lobby_message, matches.c.channel, or_(OPEN, OVER)),
    _make_redraw_statements(matches.c.announcement, matches.c.channel, OVER),
)
THREADS = (
    select(matches.c.thread, matches.c.guild, func.max(matches.c.id), bindparam("later", type_=rewritings.c.due.type))
    .where(THESE, OVER, not_(WITHOUT_THREAD))
    .group_by(matches.c.thread, matches.c.guild)
)
REWRITTEN = (
    delete(rewritings).where(
        rewritings.c.place.in_(THREADS.with_only_columns(matches.c.thread)), rewritings.c.due <= NOW
    ),
    make_insert_new(rewritings, ("place", "guild", "match", "due"), THREADS),
)
"""The same for the threads of finished matches: in one that is archived no board can be edited."""


class OutboxQueries:
    """The queries about reminders and edits."""

    _connection: Connection
    _share: dict[str, int]

    def find_due_reminders(self, now: int, most: int, after: tuple[int, int, int] = FIRST_PLACE) -> tuple[Due, ...]:
        """The reminders that are due now, at most `most`, after a place in their order."""
        values = dict(zip(("after_at", "after_match", "after_user"), after, strict=True))
        found = self._connection.execute(DUE, {"now": now, "most": most, **values, **self._share})
        return tuple(Due(*row) for row in found)

    def find_due_reminders_for(self, user: int, by: int) -> tuple[tuple[MatchId, GuildId], ...]:
        """The matches of which a user is to be reminded by a moment, with their servers."""
        found = self._connection.execute(DUE_FOR, {"of_user": user, "now": by, **self._share})
        return tuple((match, guild) for match, guild in found)

    def digests_due(self, now: int, most: int, after: int = 0) -> tuple[UserId, ...]:
        """The users with a due daily digest, with an id above `after`."""
        values = {"now": now, "most": most, "after": after, **self._share}
        return tuple(self._connection.execute(DIGESTS, values).scalars())

    def find_due_puzzles(self, now: int, most: int) -> tuple[UserId, ...]:
        """The users whose puzzle of the day is due by direct message, the longest overdue first."""
        return tuple(self._connection.execute(PUZZLES, {"now": now, "most": most, **self._share}).scalars())

    def find_abandoned_messages(self, now: int, most: int) -> tuple[PendingMessage, ...]:
        """The messages whose lease has expired, the oldest first."""
        rows = self._connection.execute(UNDER_WAY, {"now": now, "most": most, **self._share})
        return tuple(PendingMessage(*row) for row in rows)

    def find_outlived_reminders(self, most: int) -> tuple[tuple[MatchId, UserId], ...]:
        """The posted reminders whose clocks have stopped, by match and user."""
        found = self._connection.execute(STALE, {"most": most, **self._share})
        return tuple((match, user) for match, user in found)

    def find_pending_message(self, user: int, match_id: int) -> PendingMessage | None:
        """The message to a user about a match (0: the digest) that is being sent."""
        row = self._connection.execute(SENDING_OF, {"of_user": user, "of_match": match_id}).one_or_none()
        return PendingMessage(*row) if row else None

    def find_pending_messages_to(self, user: int) -> tuple[PendingMessage, ...]:
        """All messages being sent to a user, in the order of matches."""
        return tuple(PendingMessage(*row) for row in self._connection.execute(SENDINGS_OF, {"of_user": user}))

    def find_pending_edits(self, now: int, most: int, match_id: int | None = None) -> tuple[PendingEdit, ...]:
        """The due edits of one match or all, the longest overdue first."""
        if match_id is None:
            rows = self._connection.execute(EDITS_DUE_HERE, {"now": now, "most": most, **self._share})
        else:
            rows = self._connection.execute(EDITS_DUE_OF, {"now": now, "most": most, "match": match_id})
        return tuple(PendingEdit(*row) for row in rows)


class OutboxWrites:
    """The writes about reminders and edits."""

    _connection: Connection

    def keep_pending(self, pending: PendingMessage) -> None:
        """Store a reminder being sent, in place of another to the same user about the match."""
        KEEP_SENDING.write(self._connection, take_fields(pending_reminders, pending))

    def put_off_pending(self, pending: PendingMessage, due: int, tries: int) -> bool:
        """Store when a message is tried again, in the rows of all its matches; False if another process has leased it
        meanwhile."""
        which = {f"of_{name}": getattr(pending, name) for name in ("user", "match", "place", "begun", "due")}
        return self._connection.execute(PUT_OFF_SENDING, {**which, "later": due, "tried": tries}).rowcount > 0

    def drop_pending(self, pending: PendingMessage) -> bool:
        """Delete a reminder that has arrived or is no longer to be sent; False if it was deleted before."""
        which = {"of_user": pending.user, "of_match": pending.match}
        return self._connection.execute(DROP_SENDING, which).rowcount == 1

    def keep_edit(self, left: PendingEdit) -> None:
        """Store an edit, in place of an older one of the same message."""
        ADD_EDIT.write(self._connection, take_fields(pending_edits, left))

    def edit_at_once(self, left: PendingEdit) -> None:
        """Have a message edited at once: by the stored edit of it, else by this one."""
        AT_ONCE.write(self._connection, take_fields(pending_edits, left))

    def redraw_messages(self, matches: Collection[int], now: int) -> None:
        """Have the boards of live matches, the challenges of open ones and what tells of the results of finished ones
        edited soon, as the matches are then: without notifications, and without raising versions, so that the buttons
        stay valid."""
        values = {"these": sorted(matches), "now": now, "later": now + SETTLES}
        for past, waiting in (*REDRAWN, REWRITTEN):
            self._connection.execute(past, values)
            waiting.write(self._connection, values)

    def put_off_edit(self, left: PendingEdit, due: int) -> None:
        """Store when a failed edit is tried again."""
        self._connection.execute(PUT_OFF_EDIT, {**_edit_key(left), "later": due})

    def clear_edit(self, left: PendingEdit) -> None:
        """Delete an edit that is made or cannot be made, unless another of the same message was stored since."""
        self._connection.execute(CLEAR_EDIT, _edit_key(left))


def _edit_key(left: PendingEdit) -> dict[str, int]:
    return {"of_message": left.message, "of_version": left.version, "of_due": left.due}


# Notices sent elsewhere about matches whose channels are closed, with what was sent before.


NOTICES = select(*notices.c).where(notices.c.match == bindparam("of_match")).order_by(notices.c.user)
KEEP = make_upsert(notices)
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
    """The queries about matches in closed channels and their notices."""

    _connection: Connection
    _share: dict[str, int]

    def load_notices(self, match_id: int) -> tuple[MatchNotice, ...]:
        """The notices of a match, sent or being sent; none if its channel is not closed."""
        return tuple(MatchNotice(*row) for row in self._connection.execute(NOTICES, {"of_match": match_id}))

    def find_matches_to_tell(self, now: int, recent: int, most: int, after: int = 0) -> tuple[MatchId, ...]:
        """Matches in closed channels that may need notices, with an id above `after`; of those that ended before
        `recent`, only with earlier notices."""
        values = {"now": now, "recent": recent, "most": most, "after": after, **self._share}
        return tuple(self._connection.execute(TO_TELL, values).scalars())

    def find_matches_given_up(self, before: int, most: int) -> tuple[MatchRow, ...]:
        """Live matches in channels that were closed before a moment, without a move since."""
        return self._load_rows(GIVEN_UP, {"before": before, "most": most, **self._share})

    def find_places_of_live_matches(
        self, most: int, after: int = 0, guild: int | None = None
    ) -> Sequence[tuple[MatchId, GuildId, ChannelId, ChannelId]]:
        """Live matches whose channels are not known to be closed, of one server or of all, each with its server, the
        channel of its challenge and the channel where it is played."""
        values = {"most": most, "after": after, "guild": guild, **self._share}
        found = self._connection.execute(LIVE_AT if guild is None else LIVE_IN, values)
        return [(match, of, channel, place) for match, of, channel, place in found]


class NoticeWrites:
    """The writes about notices."""

    _connection: Connection

    def keep_notice(self, notice: MatchNotice) -> None:
        """Store a notice to a user, in place of the one before."""
        KEEP.write(self._connection, take_fields(notices, notice))

    def retake_notice(self, notice: MatchNotice, due: int, tries: int) -> bool:
        """Lease a notice that has not arrived, until `due`; False if another process has leased it."""
        which = {f"of_{name}": getattr(notice, name) for name in ("match", "user", "version", "due")}
        return self._connection.execute(RETAKE, {**which, "later": due, "tried": tries}).rowcount == 1

    def drop_notices(self, match_id: int) -> None:
        """Delete the notices of a match whose board is shown again."""
        self._connection.execute(DROP, {"of_match": match_id})


# Texts on Discord to be rewritten when a user deletes their data, or when a league counts a match otherwise: threads
# with their boards, and posts of servers.


REWRITINGS_DUE = (
    select(*rewritings.c)
    .where(rewritings.c.due <= bindparam("now", type_=BigInteger()), in_share(rewritings.c.guild))
    .order_by(rewritings.c.due, rewritings.c.place)
    .limit(bindparam("most", type_=Integer()))
)
SAME = (rewritings.c.place == bindparam("of_place"), rewritings.c.due == bindparam("of_due"))
"""A row as it was read; one stored later for the same text has another `due`, and stays."""
DONE = delete(rewritings).where(*SAME)
PUT_OFF = update(rewritings).where(*SAME).values(tries=rewritings.c.tries + 1, due=bindparam("later"))


class RewritingQueries:
    """The queries about texts to be rewritten."""

    _connection: Connection
    _share: dict[str, int]

    def find_due_rewritings(self, now: int, most: int) -> Sequence[PendingRewrite]:
        """Some of the due rewrites, the earliest first."""
        return [
            PendingRewrite(*row)
            for row in self._connection.execute(REWRITINGS_DUE, {"now": now, "most": most, **self._share})
        ]


class RewritingWrites:
    """The writes about texts to be rewritten."""

    _connection: Connection

    def mark_rewritten(self, one: PendingRewrite) -> None:
        """Delete a rewrite that was done or can't be."""
        self._connection.execute(DONE, {"of_place": one.place, "of_due": one.due})

    def rewrite_later(self, one: PendingRewrite, due: int) -> None:
        """Store when a rewrite that Discord refused is tried again."""
        self._connection.execute(PUT_OFF, {"of_place": one.place, "of_due": one.due, "later": due})
