"""The outbox: reminders to be sent and messages to be edited, noted in the transaction that decides on them.

A note is made before Discord is asked and dropped once the work is known to be done, so a death in between loses
nothing: the next sweep finds it. There are two kinds. A *pending message* (table `pending_reminders`) is a reminder or
a digest on its way to a person; the process that takes one has it to itself until it is due again. A *pending edit*
(table `pending_edits`) is a message that is still to be changed after a newer board of its match was noted; there is
one row a message, and the last note holds.
"""

from __future__ import annotations

from collections.abc import Collection
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
    func,
    or_,
    select,
    tuple_,
    update,
)

from bot.core.match.stored import PendingEdit, PendingMessage
from bot.core.values.ids import GuildId, MatchId, UserId
from data.tables.expressions import Upsert, among, in_share, insert_new, upsert, upsert_changing
from data.tables.rows import fields_of
from data.tables.schema import matches, pending_edits, pending_reminders, players, preferences

MOST = bindparam("most", type_=Integer())


class Due(NamedTuple):
    """That somebody is to be reminded of a match, since when, in the order in which they are found."""

    at: int
    match: MatchId
    user: UserId
    guild: GuildId


FIRST_PLACE = (-1, 0, 0)
"""A place in that order before all others."""
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

STALE = (
    select(players.c.match, players.c.user)
    .join(matches, matches.c.id == players.c.match)
    .where(players.c.reminder.is_not(None), players.c.since.is_(None))
    # One that stands where another match is played, negated, goes when this one is over, and not with its turn.
    .where(
        or_(and_(players.c.seconds_left.is_not(None), players.c.reminder > 0), matches.c.state != "live"),
        in_share(matches.c.guild),
    )
    .limit(MOST)
)
SENDINGS = select(*pending_reminders.c)
# What is begun in the future was so by a clock that has been put right since.
UNDER_WAY = (
    SENDINGS.outerjoin(matches, matches.c.id == pending_reminders.c.match)
    .where(or_(pending_reminders.c.due <= bindparam("now"), pending_reminders.c.begun > bindparam("now")))
    .where(in_share(func.coalesce(matches.c.guild, pending_reminders.c.user)))  # a digest is of no match
    .order_by(pending_reminders.c.due, pending_reminders.c.user, pending_reminders.c.match)
    .limit(MOST)
)
SENDINGS_OF = SENDINGS.where(pending_reminders.c.user == bindparam("of_user")).order_by(pending_reminders.c.match)
THIS_SENDING = (pending_reminders.c.user == bindparam("of_user"), pending_reminders.c.match == bindparam("of_match"))
SENDING_OF = SENDINGS.where(*THIS_SENDING)
KEEP_SENDING = upsert(pending_reminders)
DROP_SENDING = delete(pending_reminders).where(*THIS_SENDING)
SAME_SENDING = (
    *(pending_reminders.c[name] == bindparam(f"of_{name}") for name in ("user", "begun", "due")),
    pending_reminders.c.place.is_not_distinct_from(bindparam("of_place", type_=BigInteger())),
    or_(
        pending_reminders.c.match == bindparam("of_match"),
        and_(pending_reminders.c.match > 0, bindparam("of_match") > 0),
    ),
)
"""A message as it was taken: the rows of all matches that it is about."""
PUT_OFF_SENDING = (
    update(pending_reminders).where(*SAME_SENDING).values(due=bindparam("later"), tries=bindparam("tried"))
)

ADD_EDIT = upsert(pending_edits, due=lambda due: case((pending_edits.c.due == due, due + 1), else_=due))
SAME_EDIT = tuple(pending_edits.c[name] == bindparam(f"of_{name}") for name in ("message", "version", "due"))
"""The edit as it was taken; one that was noted for the same message since is due at another moment, and stays."""
CLEAR_EDIT = delete(pending_edits).where(*SAME_EDIT)
PUT_OFF_EDIT = update(pending_edits).where(*SAME_EDIT).values(tries=pending_edits.c.tries + 1, due=bindparam("later"))
LONG_AGO = 1_000_000
"""A moment before all others, in seconds since the epoch: what is due at once is due earlier still."""
AT_ONCE = upsert_changing(pending_edits, due=case((pending_edits.c.due > LONG_AGO, 0), else_=pending_edits.c.due + 1))
EDITS_DUE: Select[tuple[int, ...]] = (
    select(*pending_edits.c)
    .where(pending_edits.c.due <= bindparam("now"))
    .order_by(pending_edits.c.due, pending_edits.c.message)
    .limit(MOST)
)
EDITS_DUE_OF = EDITS_DUE.where(pending_edits.c.match == bindparam("match"))
EDITS_DUE_HERE = EDITS_DUE.join(matches, matches.c.id == pending_edits.c.match).where(in_share(matches.c.guild))

SETTLES = 3
"""Seconds until boards are drawn again, so that a person who changes their mind meanwhile has them edited once."""
NOW = bindparam("now", type_=pending_edits.c.due.type)
THESE = among(matches.c.id, "these")


def _redrawn(message: Column[int], channel: Any, state: str) -> tuple[Any, Upsert]:
    """Statements that have a message of each of some matches edited, unless a later edit of it is noted already."""
    shown = (THESE, matches.c.state == state, message.is_not(None))
    past = delete(pending_edits).where(
        pending_edits.c.message.in_(select(message).where(*shown)), pending_edits.c.due <= NOW
    )
    columns = (message, channel, matches.c.id, matches.c.version, bindparam("later", type_=pending_edits.c.due.type))
    names = ("message", "channel", "match", "version", "due")
    return past, insert_new(pending_edits, names, select(*columns).where(*shown))


REDRAWN = (
    _redrawn(matches.c.board_message, func.coalesce(matches.c.board_channel, matches.c.channel), "live"),
    _redrawn(matches.c.lobby_message, matches.c.channel, "open"),
)


class OutboxQueries:
    """The part of a `Reader` that looks for what is to be sent."""

    _connection: Connection
    _share: dict[str, int]

    def to_remind(self, now: int, most: int, after: tuple[int, int, int] = FIRST_PLACE) -> tuple[Due, ...]:
        """Who is to be reminded by now, so many at a time, from the one after some place on."""
        values = dict(zip(("after_at", "after_match", "after_user"), after, strict=True))
        found = self._connection.execute(DUE, {"now": now, "most": most, **values, **self._share})
        return tuple(Due(*row) for row in found)

    def due_for(self, user: int, by: int) -> tuple[tuple[MatchId, GuildId], ...]:
        """The matches of which somebody is to be reminded by some moment, and their servers."""
        found = self._connection.execute(DUE_FOR, {"of_user": user, "now": by, **self._share})
        return tuple((match, guild) for match, guild in found)

    def digests_due(self, now: int, most: int, after: int = 0) -> tuple[UserId, ...]:
        """Whose daily digest is due by now, from the person after some on."""
        values = {"now": now, "most": most, "after": after, **self._share}
        return tuple(self._connection.execute(DIGESTS, values).scalars())

    def under_way(self, now: int, most: int) -> tuple[PendingMessage, ...]:
        """The sendings that no process works on any more, the oldest first."""
        rows = self._connection.execute(UNDER_WAY, {"now": now, "most": most, **self._share})
        return tuple(PendingMessage(*row) for row in rows)

    def outlived(self, most: int) -> tuple[tuple[MatchId, UserId], ...]:
        """Whose reminders still stand in their channels although the clock that they were about has stopped."""
        found = self._connection.execute(STALE, {"most": most, **self._share})
        return tuple((match, user) for match, user in found)

    def pending(self, user: int, match_id: int) -> PendingMessage | None:
        """What is on its way to somebody about a match (0: about all of them)."""
        row = self._connection.execute(SENDING_OF, {"of_user": user, "of_match": match_id}).one_or_none()
        return PendingMessage(*row) if row else None

    def on_the_way(self, user: int) -> tuple[PendingMessage, ...]:
        """All that is on its way to somebody, in the order of matches."""
        return tuple(PendingMessage(*row) for row in self._connection.execute(SENDINGS_OF, {"of_user": user}))

    def left_over(self, now: int, most: int, match_id: int | None = None) -> tuple[PendingEdit, ...]:
        """Edits that are still to be made, of one match or all, and may be tried now; the longest overdue first."""
        if match_id is None:
            rows = self._connection.execute(EDITS_DUE_HERE, {"now": now, "most": most, **self._share})
        else:
            rows = self._connection.execute(EDITS_DUE_OF, {"now": now, "most": most, "match": match_id})
        return tuple(PendingEdit(*row) for row in rows)


class OutboxWrites:
    """The part of a `Transaction` that notes what is to be sent and edited."""

    _connection: Connection

    def keep_pending(self, pending: PendingMessage) -> None:
        """Note that a reminder is on its way, in place of what was on its way to the same person about the match."""
        KEEP_SENDING.write(self._connection, fields_of(pending_reminders, pending))

    def put_off_pending(self, pending: PendingMessage, due: int, tries: int) -> bool:
        """Note when a message is tried again, in the rows of all its matches; False where another process has taken it
        meanwhile."""
        which = {f"of_{name}": getattr(pending, name) for name in ("user", "match", "place", "begun", "due")}
        return self._connection.execute(PUT_OFF_SENDING, {**which, "later": due, "tried": tries}).rowcount > 0

    def drop_pending(self, pending: PendingMessage) -> bool:
        """Forget a reminder that has arrived or is not to be sent any more; False where it is forgotten already."""
        which = {"of_user": pending.user, "of_match": pending.match}
        return self._connection.execute(DROP_SENDING, which).rowcount == 1

    def leave_over(self, left: PendingEdit) -> None:
        """Note an edit that is still to be made, in place of an older one of the same message."""
        ADD_EDIT.write(self._connection, fields_of(pending_edits, left))

    def meet(self, left: PendingEdit) -> None:
        """Have a message edited at once: as was noted for it already, else like this."""
        AT_ONCE.write(self._connection, fields_of(pending_edits, left))

    def redraw(self, matches: Collection[int], now: int) -> None:
        """Have the boards of live matches and the challenges of open ones edited in a moment, as the matches stand
        then: nobody is told, and no version is raised, so the buttons that people see stay good."""
        values = {"these": sorted(matches), "now": now, "later": now + SETTLES}
        for past, waiting in REDRAWN:
            self._connection.execute(past, values)
            waiting.write(self._connection, values)

    def put_off(self, left: PendingEdit, due: int) -> None:
        """Note that an edit failed, and when it is tried again."""
        self._connection.execute(PUT_OFF_EDIT, {**_same(left), "later": due})

    def clear(self, left: PendingEdit) -> None:
        """Forget an edit that is made or cannot be made, unless another of the same message was noted since."""
        self._connection.execute(CLEAR_EDIT, _same(left))


def _same(left: PendingEdit) -> dict[str, int]:
    return {"of_message": left.message, "of_version": left.version, "of_due": left.due}
