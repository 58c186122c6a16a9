"""Reminders: each is decided in a transaction when it is due, put into the outbox, and dropped when it has arrived.

Its moment is computed when a clock starts. When it is due everything is checked again: the player is still to move,
awake, in the server and wants it; several that are due at once become one. The same transaction schedules the next
one. So of two processes one sends it, and after a crash it is looked for before it is sent again.

What is due within the hour comes along in the same message: by a direct message for all servers, in the thread of the
match that is most urgent for all matches of its server.
"""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import dataclass, replace

from bot.core.match.clocks import HOUR, Rests
from bot.core.match.stored import MatchRow, PendingMessage, Player
from bot.core.match.stored_settings import Preferences, ServerSettings
from bot.core.values.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.service.time import clock_updates, digests
from bot.service.time.calendars import Calendar
from bot.service.time.reminder_outbox import ALL, LEASE, drop_entry, together, untried
from bot.service.time.reminder_removals import removal, stands
from data.store import Transaction

MARGIN = 30
"""Seconds that a reminder may be under way at most; it is not sent if the night begins by then."""
AHEAD = HOUR
"""Seconds by which a reminder may come early, along with another one of the same person."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder to be sent now, with the match and player it is about, and the other matches that it reminds of."""

    pending: PendingMessage
    row: MatchRow
    player: Player
    others: tuple[Reminder, ...] = ()


def moment(row: MatchRow, player: Player, calendar: Calendar, before: int, anyhow: bool, now: int) -> int | None:
    """When to remind a player after `before` reminders of their turn: now, later, or None for never. `anyhow`: also if
    no further reminder is due."""
    clock = clock_updates.clock_of(player)
    if not digests.to_move(row, player) or player.forfeit_at is not None or calendar.reminders == "off":
        return None
    if clock is None or clock.since is None:
        return awake(calendar, now, calendar.rests(now)) if anyhow else None
    rests = calendar.rests(clock.since)
    if not anyhow and clock.reminders_behind(now + AHEAD, rests) <= before:
        return calendar.next_reminder(clock, before)
    at = awake(calendar, now, rests)
    return at if clock.deadline is not None and at < clock.deadline else None


def awake(calendar: Calendar, now: int, rests: Rests = ()) -> int:
    """The first moment at which a reminder can be sent that surely arrives by day and in no rest."""
    at = calendar.awake(now, rests)
    arrived = calendar.awake(at + MARGIN, rests)
    return at if arrived == at + MARGIN else arrived


# --- deciding


def claimed(
    tx: Transaction, match: MatchId, user: UserId, now: int, along: Collection[MatchId] = ()
) -> Reminder | None:
    """Take a reminder that is due, and those `along` that are due within the hour; None where there is nothing to be
    sent now."""
    _go_in_order(tx, user, {match, *along})
    if any(one.begun == now for one in tx.on_the_way(user)):
        return None  # another message to them has begun in this second: the next look takes this one
    first = _claimed(tx, match, user, now, now)
    if first is None:
        return None
    with_it = [other for other in sorted({*along} - {match}) if _goes_with(tx, other, first)]
    others = [_claimed(tx, other, user, now + AHEAD, now) for other in with_it]
    return _as_one(tx, [first, *filter(None, others)], now)


def _claimed(tx: Transaction, match: MatchId, user: UserId, by: int, now: int) -> Reminder | None:
    row = tx.row(match)
    player = row.player(user) if row else None
    if row is None or player is None or player.next_reminder_at is None or player.next_reminder_at > by:
        return None
    if tx.pending(user, match) is not None:
        return None  # the process that takes that one sends this too
    return _taken(tx, row, player, player.reminder_count, None, now)


def _go_in_order(tx: Transaction, user: UserId, matches: Collection[MatchId]) -> None:
    """Take the locks in order: on times, on the matches, and on this user's reminders. A clock that stops must not be
    left with a reminder."""
    tx.keep_times()
    for match in sorted(matches):
        tx.hold(match)
    tx.go_alone_for(user)


def _as_one(tx: Transaction, taken: list[Reminder], now: int) -> Reminder | None:
    """Merge reminders that go to the same channel as the most urgent one. Others, if the user changed their preference
    meanwhile, are sent at the next look."""
    if not taken:
        return None
    first, *rest = sorted(taken, key=lambda one: digests.order_in_digest(one.row, one.player.user))
    others: list[Reminder] = []
    for one in rest:
        pending = replace(one.pending, closed=False)
        if _way_of(one) == _way_of(first):
            others.append(replace(one, pending=replace(pending, place=first.pending.place)))
            tx.keep_pending(others[-1].pending)
        else:
            untried(tx, pending, now, now)
    return replace(first, others=tuple(others))


def _goes_with(tx: Transaction, match: MatchId, first: Reminder) -> bool:
    """Whether the reminder of a match goes to the same channel as the first; else it waits for its own time."""
    row, chosen = tx.row(match), tx.preferences(first.player.user)
    if row is None or first.pending.place is not None:
        return row is not None and row.guild == first.row.guild
    return _way(Calendar.of(chosen, tx.settings(row.guild), ()), chosen) == "message"


def _way_of(reminder: Reminder) -> GuildId | None:
    """The server in which a reminder is posted; None for a direct message."""
    return None if reminder.pending.place is None else reminder.row.guild


def skipped(tx: Transaction, match: MatchId, user: UserId, now: int) -> None:
    """Count a reminder as given to a player who has left the server."""
    if reminder := claimed(tx, match, user, now):
        drop_entry(tx, reminder.pending)


def again(
    tx: Transaction, pending: PendingMessage, now: int, left: Container[GuildId] = (), direct: bool = True
) -> Reminder | None:
    """Decide again on a reminder that was taken and surely not sent, except about servers that the user has left; None
    where none is to be sent now. Unless `direct`, Discord takes no direct message: it goes to the thread."""
    _go_in_order(tx, pending.user, [one.match for one in together(tx, pending)])
    kept = together(tx, pending)
    if pending not in kept:
        return None
    taken = [reminder for one in kept if (reminder := _again(tx, one, now, left, direct))]
    return _as_one(tx, taken, now)


def _again(
    tx: Transaction, pending: PendingMessage, now: int, left: Container[GuildId], direct: bool
) -> Reminder | None:
    row = tx.row(pending.match)
    player = row.player(pending.user) if row else None
    over = player is None or (player.reminder_count != pending.mark and not pending.closed)
    if row is None or player is None or over or row.guild in left:
        drop_entry(tx, pending)
        return None
    return _taken(tx, row, player, pending.mark - 1, pending, now, direct=direct)


def _taken(
    tx: Transaction,
    row: MatchRow,
    player: Player,
    before: int,
    kept: PendingMessage | None,
    now: int,
    closed: bool = False,
    direct: bool = True,
) -> Reminder | None:
    """Note that a reminder is on its way, and schedule the next one; `kept` is its entry in the outbox, `closed`
    whether it says that direct messages are refused for good, `direct` whether Discord takes any at present."""
    chosen, closed = tx.preferences(player.user), closed or bool(kept and kept.closed)
    hours = Calendar.of(
        chosen, tx.settings(row.guild), tx.away(row.guild, player.user, player.since if player.since else now)
    ).of_clock(player)
    anyhow = closed or not (direct or hours.reminders == "thread")
    at = moment(row, player, hours, before, anyhow, now)
    if at is None or at > now:
        _put_off(tx, row, player, at, kept, now)
        return None
    clock = clock_updates.clock_of(player)
    behind = (
        max(player.reminder_count, clock.reminders_behind(now + AHEAD, hours.rests(clock.since or now))) if clock else 0
    )
    remind = hours.next_reminder(clock, behind) if clock else None
    tx.seat(row.id, player.user, reminder_count=behind, next_reminder_at=remind)
    digests.begin(tx, player.user, hours, now)
    way, place = _way(hours, chosen, direct), row.thread or row.channel
    if way == "thread" and row.publish_error and direct and not chosen.closed and _told_elsewhere(tx, row, player.user):
        way = "message"  # its place takes none
    if way == "digest" or (way == "thread" and row.publish_error):
        if kept:
            drop_entry(tx, kept)
        return None
    channel = place if way == "thread" else None
    begun, tries = (kept.begun, kept.tries) if kept else (now, 1)
    pending = PendingMessage(player.user, row.id, behind, channel, closed, begun, now + LEASE, tries)
    tx.keep_pending(pending)
    return Reminder(pending, row, replace(player, reminder_count=behind, next_reminder_at=remind))


def _told_elsewhere(tx: Transaction, row: MatchRow, user: UserId) -> bool:
    """Whether a user was notified that the channel of their match is closed."""
    return any(one.user == user and one.message is not None for one in tx.notices(row.id))


def _way(hours: Calendar, chosen: Preferences, direct: bool = True) -> str:
    """How a user is reminded; in the thread where Discord refuses what they want."""
    return "thread" if (chosen.closed or not direct) and hours.reminders in ("message", "digest") else hours.reminders


def _put_off(
    tx: Transaction, row: MatchRow, player: Player, at: int | None, kept: PendingMessage | None, now: int
) -> None:
    if kept is None:
        tx.seat(row.id, player.user, next_reminder_at=at)
    elif at is None:
        drop_entry(tx, kept)
    else:
        untried(tx, kept, at, now)


# --- what became of it


def noted(tx: Transaction, pending: PendingMessage, message: MessageId) -> bool:
    """Note that a reminder has arrived, in place of the one before; False where it came too late, and is removed."""
    tx.go_alone_for(pending.user)
    kept = together(tx, pending)
    known = [tx.drop_pending(one) for one in kept]
    place = pending.place
    if place is None:
        return bool(known)
    pending = next((one for one in (pending, *kept) if _stands_in(tx.row(one.match), place)), pending)
    row = tx.row(pending.match)
    player = row.player(pending.user) if row else None
    if row is None:
        return False
    if not known or player is None or not digests.to_move(row, player) or player.reminder_count != pending.mark:
        tx.leave_over(removal(row, message, place))
        return False
    for one in kept:
        if one.match != row.id:
            _replaced(tx, tx.row(one.match), pending.user, MessageId(-message))
    _replaced(tx, row, pending.user, message)
    return True


def _replaced(tx: Transaction, row: MatchRow | None, user: UserId, message: MessageId) -> None:
    """Note the last reminder of a match, negated where it stands in another's channel, and remove the one before."""
    player = row.player(user) if row else None
    if row is None or player is None:
        return
    if stands(player) and player.reminder != message:
        tx.leave_over(removal(row, player.reminder, row.thread or row.channel))
    tx.seat(row.id, user, reminder=message)


def _stands_in(row: MatchRow | None, place: ChannelId) -> bool:
    """Whether a match is played in a channel: of several matches that one's turn removes the reminder."""
    return row is not None and (row.thread or row.channel) == place


def moved(tx: Transaction, pending: PendingMessage, due: int, now: int) -> bool:
    """Send a reminder whose thread is gone to the match's channel, where the match goes on, once its board is there.
    False where there is no other channel."""
    tx.go_alone_for(pending.user)
    row, kept = tx.row(pending.match), together(tx, pending)
    if row is None or row.channel == pending.place:
        for one in kept:
            drop_entry(tx, one)
        return False
    if row.thread == pending.place:
        tx.set_thread(row.id, row.channel)
    there = row.channel if row.thread in (None, pending.place) else row.thread
    for one in kept:
        untried(tx, replace(one, place=there), due, now)
    return True


def put_off(tx: Transaction, pending: PendingMessage, due: int, now: int) -> None:
    """Try a message again later, since Discord has not taken it; until then no process looks for it."""
    tx.go_alone_for(pending.user)
    for one in together(tx, pending):
        untried(tx, one, due, now)


def turned(tx: Transaction, pending: PendingMessage, here: Container[GuildId], now: int) -> Reminder | None:
    """Discord takes no direct message to this user at present: the reminder goes to the match's channel, and a digest
    to the channels of its matches, those of each server together. The preferences stay."""
    kept = together(tx, pending)
    _go_in_order(tx, pending.user, [one.match for one in kept])
    if pending.match != ALL:
        return again(tx, pending, now, direct=False)
    tx.drop_pending(pending)
    taken: list[Reminder] = []
    for row in digests.waiting(tx, pending.user, tx.preferences(pending.user), here, now)[0]:
        player = row.player(pending.user)
        if player and tx.pending(pending.user, row.id) is None:
            reminder = _taken(tx, row, player, player.reminder_count, None, now, direct=False)
            taken += [reminder] if reminder else []
    return _as_one(tx, taken, now)


def refused(tx: Transaction, pending: PendingMessage, here: Container[GuildId], now: int) -> Reminder | None:
    """Discord refuses direct messages to this user for good: from now on they are reminded in the match's channel,
    beginning with this reminder, or for a digest with the most urgent match; and they are told so once."""
    kept = together(tx, pending)
    _go_in_order(tx, pending.user, [one.match for one in kept])
    user, first = pending.user, not tx.preferences(pending.user).closed
    if first:
        tx.change_preferences(user, lambda chosen: replace(chosen, closed=True, digest=None))
    if pending.match != ALL:
        for one in together(tx, pending):
            tx.keep_pending(replace(one, closed=first))
        return again(tx, replace(pending, closed=first), now)
    tx.drop_pending(pending)
    chosen = replace(tx.preferences(user), closed=False)
    for row in digests.waiting(tx, user, chosen, here, now)[0] if first else ():
        player = row.player(user)
        if player and tx.pending(user, row.id) is None:
            reminder = _taken(tx, row, player, player.reminder_count, None, now, closed=True)
            if reminder:
                return reminder
    if first:  # nobody has told them, so it is tried again
        settings = ServerSettings()
        tx.change_preferences(user, lambda chosen: digests.reminded_anew(chosen, settings, now))
    return None
