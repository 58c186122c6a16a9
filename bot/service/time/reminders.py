"""Reminders: each is decided in a transaction when it is due, put into the outbox, and dropped when it has arrived.

Its moment is computed when a clock starts. When it is due everything is checked again: the player is still to move,
awake, in the server and wants it; several that are due at once become one. The same transaction schedules the next
one. So of two processes one sends it, and after a crash it is looked for before it is sent again.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from bot.core.match.clocks import Rests
from bot.core.match.stored import (
    MatchRow,
    PendingEdit,
    PendingMessage,
    Player,
    Preferences,
    ServerSettings,
    Stored,
)
from bot.core.values.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.service.rules.decisions import Change
from bot.service.time import clock_updates, digests
from bot.service.time.calendars import Calendar
from data.store import Transaction

LEASE = 60
"""Seconds for which the process that has taken a reminder has it alone; sending takes less."""
ALL = MatchId(0)
"""The match of a digest in the outbox: all of them."""
MARGIN = 30
"""Seconds that a reminder may be under way at most; it is not sent if the night begins by then."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder to be sent now, with the match and player it is about."""

    pending: PendingMessage
    row: MatchRow
    player: Player


@dataclass(frozen=True, slots=True)
class Digest:
    """A digest that is to be sent now: the matches that wait for somebody, the most urgent first."""

    pending: PendingMessage
    rows: tuple[MatchRow, ...]


def moment(row: MatchRow, player: Player, calendar: Calendar, before: int, anyhow: bool, now: int) -> int | None:
    """When somebody is to be reminded after `before` reminders of their turn: now, later, or None for never. `anyhow`:
    also if no further one is due."""
    clock = clock_updates.clock_of(player)
    if not digests.to_move(row, player) or player.lapse is not None or calendar.reminders == "off":
        return None
    if clock is None or clock.since is None:
        return awake(calendar, now, calendar.rests(now)) if anyhow else None
    rests = calendar.rests(clock.since)
    if not anyhow and clock.reminders_behind(now, rests) <= before:
        return calendar.next_reminder(clock, before)
    at = awake(calendar, now, rests)
    return at if clock.deadline is not None and at < clock.deadline else None


def awake(calendar: Calendar, now: int, rests: Rests = ()) -> int:
    """The first moment at which a reminder can be sent that surely arrives by day and in no rest."""
    at = calendar.awake(now, rests)
    arrived = calendar.awake(at + MARGIN, rests)
    return at if arrived == at + MARGIN else arrived


# --- one match


def claimed(tx: Transaction, match: MatchId, user: UserId, now: int) -> Reminder | None:
    """Take a reminder that is due; None where there is nothing to be sent now."""
    _go_in_order(tx, user, match)
    row = tx.row(match)
    player = row.player(user) if row else None
    if row is None or player is None or player.remind is None or player.remind > now:
        return None
    if tx.pending(user, match) is not None:
        return None  # the process that takes that one sends this too
    return _taken(tx, row, player, player.reminded, None, now)


def _go_in_order(tx: Transaction, user: UserId, match: MatchId) -> None:
    """Take the locks: nobody changes times, moves in the match, or decides on this user's reminders meanwhile. A clock
    that stops must not be left with a reminder."""
    tx.keep_times()
    tx.hold(match)
    tx.go_alone_for(user)


def skipped(tx: Transaction, match: MatchId, user: UserId, now: int) -> None:
    """Count a reminder as given to somebody who has left the server."""
    if reminder := claimed(tx, match, user, now):
        _dropped(tx, reminder.pending)


def retaken(tx: Transaction, pending: PendingMessage, now: int) -> PendingMessage | None:
    """Take an entry of the outbox whose lease has run out; None where another process has taken it."""
    due, tries = now + LEASE, pending.tries + 1
    return replace(pending, due=due, tries=tries) if tx.put_off_pending(pending, due, tries) else None


def again(tx: Transaction, pending: PendingMessage, now: int) -> Reminder | None:
    """Decide again on a reminder that was taken and surely not sent; None where none is to be sent now."""
    _go_in_order(tx, pending.user, pending.match)
    row = tx.row(pending.match)
    player = row.player(pending.user) if row else None
    if tx.pending(pending.user, pending.match) != pending:
        return None
    if row is None or player is None or (player.reminded != pending.mark and not pending.closed):
        _dropped(tx, pending)  # their turn is over
        return None
    return _taken(tx, row, player, pending.mark - 1, pending, now)


def _taken(
    tx: Transaction,
    row: MatchRow,
    player: Player,
    before: int,
    kept: PendingMessage | None,
    now: int,
    closed: bool = False,
) -> Reminder | None:
    """Note that a reminder is on its way, with its next one; `kept` is what was noted of it, `closed` whether it says
    that direct messages are refused."""
    chosen, closed = tx.preferences(player.user), closed or bool(kept and kept.closed)
    hours = Calendar.of(
        chosen, tx.settings(row.guild), tx.away(row.guild, player.user, player.since if player.since else now)
    )
    at = moment(row, player, hours, before, closed, now)
    if at is None or at > now:
        _put_off(tx, row, player, at, kept, now)
        return None
    clock = clock_updates.clock_of(player)
    behind = max(player.reminded, clock.reminders_behind(now, hours.rests(clock.since or now))) if clock else 0
    remind = hours.next_reminder(clock, behind) if clock else None
    tx.seat(row.id, player.user, reminded=behind, remind=remind)
    digests.begin(tx, player.user, hours, now)
    way, place = _way(hours, chosen), row.thread or row.channel
    if way == "digest" or (way == "thread" and row.parked):
        if kept:
            _dropped(tx, kept)
        return None
    channel = place if way == "thread" else None
    begun, tries = (kept.begun, kept.tries) if kept else (now, 1)
    pending = PendingMessage(player.user, row.id, behind, channel, closed, begun, now + LEASE, tries)
    tx.keep_pending(pending)
    return Reminder(pending, row, replace(player, reminded=behind, remind=remind))


def _way(hours: Calendar, chosen: Preferences) -> str:
    """How somebody is reminded; in the thread too where Discord refuses what they want."""
    return "thread" if chosen.closed and hours.reminders in ("message", "digest") else hours.reminders


def _put_off(
    tx: Transaction, row: MatchRow, player: Player, at: int | None, kept: PendingMessage | None, now: int
) -> None:
    if kept is None:
        tx.seat(row.id, player.user, remind=at)
    elif at is None:
        _dropped(tx, kept)
    else:
        _untried(tx, kept, at, now)


def _untried(tx: Transaction, pending: PendingMessage, due: int, now: int) -> None:
    """Put off an entry of the outbox that surely was not sent yet."""
    tx.keep_pending(replace(pending, begun=now, due=due, tries=0))


def _dropped(tx: Transaction, pending: PendingMessage) -> None:
    """Drop an entry of the outbox. If it was to tell that direct messages are refused, one more is tried later."""
    tx.drop_pending(pending)
    if pending.closed:
        tx.change_preferences(pending.user, lambda chosen: replace(chosen, closed=False))


def dropped(tx: Transaction, pending: PendingMessage) -> None:
    """Drop an entry of the outbox: it cannot be sent, or nobody can know whether it was."""
    tx.go_alone_for(pending.user)
    _dropped(tx, pending)


def noted(tx: Transaction, pending: PendingMessage, message: MessageId) -> bool:
    """Note that a reminder has arrived, in place of the one before; False where it came too late, and is removed."""
    tx.go_alone_for(pending.user)
    known = tx.drop_pending(pending)
    if pending.place is None:
        return known
    row = tx.row(pending.match)
    player = row.player(pending.user) if row else None
    if row is None:
        return False
    if not known or player is None or not digests.to_move(row, player) or player.reminded != pending.mark:
        tx.leave_over(_removal(row, message, pending.place))
        return False
    if player.reminder not in (None, message):
        tx.leave_over(_removal(row, player.reminder, row.thread or row.channel))
    tx.seat(row.id, player.user, reminder=message)
    return True


def moved(tx: Transaction, pending: PendingMessage, due: int, now: int) -> bool:
    """The thread of a match is gone: it goes on in its channel, and there the reminder is sent, once its board is
    there. False where there is no other place."""
    tx.go_alone_for(pending.user)
    row = tx.row(pending.match)
    if row is None or row.channel == pending.place:
        _dropped(tx, pending)
        return False
    if row.thread == pending.place:
        tx.set_thread(row.id, row.channel)
    _untried(tx, replace(pending, place=row.channel), due, now)
    return True


def refused(tx: Transaction, pending: PendingMessage, here: Container[GuildId], now: int) -> Reminder | None:
    """Discord takes no direct message to somebody: from now on they are reminded where the match is, beginning with
    this reminder, or for a digest with the match that is most urgent; and they are told so once."""
    _go_in_order(tx, pending.user, pending.match)
    user, first = pending.user, not tx.preferences(pending.user).closed
    if first:
        tx.change_preferences(user, lambda chosen: replace(chosen, closed=True, digest=None))
    if pending.match != ALL:
        pending = replace(pending, closed=first)
        tx.keep_pending(pending)
        return again(tx, pending, now)
    tx.drop_pending(pending)
    chosen = replace(tx.preferences(user), closed=False)
    for row in digests.waiting(tx, user, chosen, here, now)[0] if first else ():
        player = row.player(user)
        if player and tx.pending(user, row.id) is None:
            reminder = _taken(tx, row, player, player.reminded, None, now, closed=True)
            if reminder:
                return reminder
    if first:  # nobody has told them, so it is tried again
        settings = ServerSettings()
        tx.change_preferences(user, lambda chosen: digests.reminded_anew(chosen, settings, now))
    return None


# --- all matches of somebody


def digested(tx: Transaction, user: UserId, here: Container[GuildId], now: int) -> Digest | None:
    """Take a daily digest that is due, and put the next one off; None where there is nothing to be sent now."""
    tx.go_alone_for(user)
    chosen = tx.preferences(user)
    if chosen.digest is None or chosen.digest > now or tx.pending(user, ALL) is not None:
        return None
    return _digested(tx, user, chosen, here, None, now)


def digested_again(tx: Transaction, pending: PendingMessage, here: Container[GuildId], now: int) -> Digest | None:
    """Decide again on a digest that was taken and surely not sent."""
    tx.go_alone_for(pending.user)
    if tx.pending(pending.user, ALL) != pending:
        return None
    return _digested(tx, pending.user, tx.preferences(pending.user), here, pending, now)


def _digested(
    tx: Transaction, user: UserId, chosen: Preferences, here: Container[GuildId], kept: PendingMessage | None, now: int
) -> Digest | None:
    rows, hours = digests.waiting(tx, user, chosen, here, now)
    wanted = not chosen.closed and chosen.reminders in (None, "digest")
    at = awake(hours, now)
    if wanted and at > now and kept:
        _untried(tx, kept, at, now)
        return None
    due = None if not wanted or not (rows or chosen.reminders) else at if at > now else digests.digest_due(hours, now)
    if chosen.digest != due:
        tx.change_preferences(user, lambda before: replace(before, digest=due))
    if not wanted or not rows or at > now:
        if kept:
            tx.drop_pending(kept)
        return None
    begun, tries = (kept.begun, kept.tries) if kept else (now, 1)
    pending = PendingMessage(user, ALL, 0, None, False, begun, now + LEASE, tries)
    tx.keep_pending(pending)
    return Digest(pending, rows)


# --- what an act does to reminders


def cleared(row: Stored, change: Change) -> tuple[Change, tuple[PendingEdit, ...]]:
    """A change with what it does to the reminders of whose clocks it stops: the messages that are removed."""
    done = [player for player in row.players if player.reminder is not None and _stopped(player, change)]
    if not done:
        return change, ()
    players = {player.user: {**change.players.get(player.user, {}), "reminder": None} for player in done}
    place = row.thread or row.channel
    left = tuple(_removal(row, player.reminder, place) for player in done if player.reminder is not None)
    return replace(change, players={**change.players, **players}), left


def _stopped(player: Player, change: Change) -> bool:
    columns = change.players.get(player.user, {})
    return change.ends is not None or ("since" in columns and columns["since"] is None)


def swept(tx: Transaction, most: int) -> int:
    """Remove reminders that were noted while their turn was ending, and return how many."""
    found = tx.outlived(most)
    for match, user in found:
        if row := tx.row(match):
            taken_down(tx, row, user)
    return len(found)


def taken_down(tx: Transaction, row: MatchRow, user: UserId | None = None) -> None:
    """Have the reminders of a match removed, all or somebody's, that no act has removed."""
    for player in row.players:
        if player.reminder is not None and user in (None, player.user):
            tx.leave_over(_removal(row, player.reminder, row.thread or row.channel))
            tx.seat(row.id, player.user, reminder=None)


def _removal(row: MatchRow, message: MessageId | None, place: ChannelId) -> PendingEdit:
    assert message is not None
    return PendingEdit(message, place, row.id, row.version, remove=True)
