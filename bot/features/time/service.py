"""Reminders and digests: each decided in a transaction and put into the outbox."""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import dataclass, replace
from itertools import count

from bot.play.calendars import Calendar
from bot.play.clocks import HOUR, Rests
from bot.play.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.play.rows import DIRECT, MatchRow, PendingEdit, PendingMessage, Player, Preferences, ServerSettings
from bot.umpire import clocks
from bot.umpire.notifications import is_posted, make_removal
from data.store import Reader, Transaction

# The entries of reminders in the outbox: which make up one message, which process has their lease, and their removal.


LEASE = 60
"""Seconds of the lease of a process that has taken a reminder; sending takes less."""
ALL = MatchId(0)
"""The match of a digest in the outbox: all of them."""


def find_message_entries(reader: Reader, pending: PendingMessage) -> tuple[PendingMessage, ...]:
    """The entries of the outbox that are one message with this one, itself among them if it is there."""
    return tuple(
        one
        for one in reader.find_pending_messages_to(pending.user)
        if _make_message_key(one) == _make_message_key(pending)
    )


def _make_message_key(pending: PendingMessage) -> tuple[bool, int, int | None]:
    return pending.match == ALL, pending.begun, pending.place


def retake_message(tx: Transaction, pending: PendingMessage, now: int) -> PendingMessage | None:
    """Take a message of the outbox whose lease has run out; None where another process has taken it."""
    due, tries = now + LEASE, pending.tries + 1
    return replace(pending, due=due, tries=tries) if tx.put_off_pending(pending, due, tries) else None


def put_off_unsent(tx: Transaction, pending: PendingMessage, due: int, now: int) -> None:
    """Put off an entry of the outbox that surely was not sent yet. It is merged only with entries put off for the same
    channel."""
    others = tx.find_pending_messages_to(pending.user)
    taken = {one.begun for one in others if one.tries or one.place != pending.place}
    begun = next(second for second in count(now, -1) if second not in taken)
    tx.keep_pending(replace(pending, begun=begun, due=due, tries=0))


def drop_entry(tx: Transaction, pending: PendingMessage) -> None:
    """Drop an entry of the outbox. If it alone was to say that direct messages are refused, one more direct message is
    tried later."""
    tx.drop_pending(pending)
    if pending.closed and not any(one.closed for one in tx.find_pending_messages_to(pending.user)):
        tx.change_preferences(pending.user, lambda chosen: replace(chosen, closed=False))


def drop_message(tx: Transaction, pending: PendingMessage) -> None:
    """Drop a message of the outbox that cannot be sent, or whose delivery cannot be known."""
    tx.lock_user(pending.user)
    for one in find_message_entries(tx, pending):
        drop_entry(tx, one)


# Reminders: each is decided in a transaction when it is due, put into the outbox, and dropped when it has arrived.


MARGIN = 30
"""The most seconds that sending a reminder takes; it is not sent if the night begins by then."""
AHEAD = HOUR
"""Seconds by which a reminder may come early, along with another one of the same user."""


@dataclass(frozen=True, slots=True)
class ClaimedReminder:
    """A reminder to be sent now, with the match and player it is about, and the other matches that it reminds of."""

    pending: PendingMessage
    row: MatchRow
    player: Player
    others: tuple[ClaimedReminder, ...] = ()
    board: bool = False
    """Whether it becomes the board, once it has arrived."""


def find_reminder_time(
    row: MatchRow, player: Player, calendar: Calendar, before: int, anyhow: bool, now: int
) -> int | None:
    """When to remind a player after `before` reminders of their turn: now, later, or None for never. `anyhow`: also if
    no further reminder is due."""
    clock = clocks.clock_of(player)
    if not clocks.waits_for_move(row, player) or player.forfeit_at is not None or calendar.reminders == "off":
        return None
    if clock is None or clock.since is None:
        return find_sendable_moment(calendar, now, calendar.list_rests(now)) if anyhow or before < 0 else None
    rests = calendar.list_rests(clock.since)
    if not anyhow and clock.count_due_reminders(now + AHEAD, rests) <= before:
        return calendar.find_next_reminder(clock, before)
    at = find_sendable_moment(calendar, now, rests)
    return at if clock.deadline is not None and at < clock.deadline else None


def find_sendable_moment(calendar: Calendar, now: int, rests: Rests = ()) -> int:
    """The first moment at which a reminder can be sent that surely arrives by day and in no rest."""
    at = calendar.find_awake_moment(now, rests)
    arrived = calendar.find_awake_moment(at + MARGIN, rests)
    return at if arrived == at + MARGIN else arrived


# --- deciding


def claim_reminders(
    tx: Transaction, match: MatchId, user: UserId, now: int, along: Collection[MatchId] = ()
) -> ClaimedReminder | None:
    """Take a reminder that is due, and those `along` that are due within the hour; None where there is nothing to be
    sent now."""
    _lock_in_order(tx, user, {match, *along})
    if any(one.begun == now for one in tx.find_pending_messages_to(user)):
        return None  # another message to them was taken in this second: the next poll takes this one
    first = _claim_reminder(tx, match, user, now, now)
    if first is None:
        return None
    with_it = [other for other in sorted({*along} - {match}) if _goes_same_way(tx, other, first)]
    others = [_claim_reminder(tx, other, user, now + AHEAD, now) for other in with_it]
    return _merge_reminders(tx, [first, *filter(None, others)], now)


def _claim_reminder(tx: Transaction, match: MatchId, user: UserId, by: int, now: int) -> ClaimedReminder | None:
    row = tx.load_row(match)
    player = row.find_player(user) if row else None
    if row is None or player is None or player.next_reminder_at is None or player.next_reminder_at > by:
        return None
    if tx.find_pending_message(user, match) is not None:
        return None  # the process that takes that one sends this too
    return _take_reminder(tx, row, player, player.reminder_count, None, now)


def _lock_in_order(tx: Transaction, user: UserId, matches: Collection[MatchId]) -> None:
    """Take the locks in order: on times, on the matches, and on this user's reminders. A clock that stops must not be
    left with a reminder."""
    tx.lock_clocks_shared()
    for match in sorted(matches):
        tx.lock_match(match)
    tx.lock_user(user)


def _merge_reminders(tx: Transaction, taken: list[ClaimedReminder], now: int) -> ClaimedReminder | None:
    """Merge reminders that go to the same channel as the most urgent one. Others, if the user changed their preference
    meanwhile, are sent at the next poll."""
    if not taken:
        return None
    first, *rest = sorted(taken, key=lambda one: clocks.make_digest_sort_key(one.row, one.player.user))
    others: list[ClaimedReminder] = []
    for one in rest:
        pending = replace(one.pending, closed=False)
        if _find_server(one) == _find_server(first):
            others.append(replace(one, pending=replace(pending, place=first.pending.place)))
            tx.keep_pending(others[-1].pending)
        else:
            put_off_unsent(tx, pending, now, now)
    return replace(first, others=tuple(others))


def _goes_same_way(tx: Transaction, match: MatchId, first: ClaimedReminder) -> bool:
    """Whether the reminder of a match goes along with the first, to the same channel; else it waits for its own time.
    Each board has a message of its own."""
    if first.board:
        return False
    row, chosen = tx.load_row(match), tx.load_preferences(first.player.user)
    if row is None or first.pending.place is not None:
        return row is not None and row.guild == first.row.guild
    return _choose_way(Calendar.of(chosen, tx.load_settings(row.guild), ()), chosen) == "message"


def _find_server(reminder: ClaimedReminder) -> GuildId | None:
    """The server in which a reminder is posted; None for a direct message."""
    return None if reminder.pending.place is None else reminder.row.guild


def skip_reminder(tx: Transaction, match: MatchId, user: UserId, now: int) -> None:
    """Count a reminder as given to a player who has left the server."""
    if reminder := claim_reminders(tx, match, user, now):
        drop_entry(tx, reminder.pending)


def decide_again(
    tx: Transaction, pending: PendingMessage, now: int, left: Container[GuildId] = (), direct: bool = True
) -> ClaimedReminder | None:
    """Decide again on a reminder that was taken and surely not sent, except about servers that the user has left; None
    where none is to be sent now. Unless `direct`, Discord takes no direct message: it goes to the thread."""
    _lock_in_order(tx, pending.user, [one.match for one in find_message_entries(tx, pending)])
    kept = find_message_entries(tx, pending)
    if pending not in kept:
        return None
    taken = [reminder for one in kept if (reminder := _decide_again(tx, one, now, left, direct))]
    return _merge_reminders(tx, taken, now)


def _decide_again(
    tx: Transaction, pending: PendingMessage, now: int, left: Container[GuildId], direct: bool
) -> ClaimedReminder | None:
    row = tx.load_row(pending.match)
    player = row.find_player(pending.user) if row else None
    over = player is None or (player.reminder_count != pending.mark and not pending.closed)
    if row is None or player is None or over or row.guild in left:
        drop_entry(tx, pending)
        return None
    return _take_reminder(tx, row, player, pending.mark - 1, pending, now, direct=direct)


def _take_reminder(
    tx: Transaction,
    row: MatchRow,
    player: Player,
    before: int,
    kept: PendingMessage | None,
    now: int,
    closed: bool = False,
    direct: bool = True,
) -> ClaimedReminder | None:
    """Note that a reminder is on its way, and schedule the next one; `kept` is its entry in the outbox, `closed`
    whether it says that direct messages are refused for good, `direct` whether Discord takes any at present."""
    chosen, closed = tx.load_preferences(player.user), closed or bool(kept and kept.closed)
    hours = Calendar.of(
        chosen,
        tx.load_settings(row.guild),
        tx.find_absences_of(row.guild, player.user, player.since if player.since else now),
    ).adapt_to_clock(player)
    anyhow = closed or not (direct or hours.reminders == "thread")
    before = before if hours.reminders == "board" else max(0, before)
    at = find_reminder_time(row, player, hours, before, anyhow, now)
    if at is None or at > now:
        _put_off(tx, row, player, at, kept, now)
        return None
    clock = clocks.clock_of(player)
    behind = (
        max(player.reminder_count, clock.count_due_reminders(now + AHEAD, hours.list_rests(clock.since or now)))
        if clock
        else 0
    )
    remind = hours.find_next_reminder(clock, behind) if clock else None
    tx.set_player(row.id, player.user, reminder_count=behind, next_reminder_at=remind)
    clocks.begin_digests(tx, player.user, hours, now)
    way, place = _choose_open_way(tx, row, player.user, hours, chosen, direct), row.thread or row.channel
    if way == "digest" or (way == "thread" and row.publish_error):
        if kept:
            drop_entry(tx, kept)
        return None
    channel = place if way == "thread" else None
    begun, tries = (kept.begun, kept.tries) if kept else (now, 1)
    pending = PendingMessage(player.user, row.id, behind, channel, closed, begun, now + LEASE, tries)
    tx.keep_pending(pending)
    player = replace(player, reminder_count=behind, next_reminder_at=remind)
    return ClaimedReminder(pending, row, player, board=way == "board")


def _was_notified_elsewhere(tx: Transaction, row: MatchRow, user: UserId) -> bool:
    """Whether a user was notified that the channel of their match is closed."""
    return any(one.user == user and one.message is not None for one in tx.load_notices(row.id))


def _choose_way(hours: Calendar, chosen: Preferences, direct: bool = True) -> str:
    """How a user is reminded; in the thread where Discord refuses what they want."""
    return "thread" if (chosen.closed or not direct) and hours.reminders in DIRECT else hours.reminders


def _choose_open_way(
    tx: Transaction, row: MatchRow, user: UserId, hours: Calendar, chosen: Preferences, direct: bool
) -> str:
    """The same; by direct message where the place of the match takes none, and the user was told so."""
    way = _choose_way(hours, chosen, direct)
    shut = way == "thread" and row.publish_error and direct and not chosen.closed
    return "message" if shut and _was_notified_elsewhere(tx, row, user) else way


def _put_off(
    tx: Transaction, row: MatchRow, player: Player, at: int | None, kept: PendingMessage | None, now: int
) -> None:
    if kept is None:
        tx.set_player(row.id, player.user, next_reminder_at=at)
    elif at is None:
        drop_entry(tx, kept)
    else:
        put_off_unsent(tx, kept, at, now)


# --- results


def record_sent_reminder(
    tx: Transaction, pending: PendingMessage, message: MessageId, mailbox: ChannelId | None = None
) -> bool:
    """Note that a reminder has arrived, in place of the one before; False where it came too late, and is removed. A
    direct message, in the channel `mailbox`, becomes the board of its match where its reader wants that."""
    for match in sorted({pending.match, *(one.match for one in find_message_entries(tx, pending))} - {0}):
        tx.lock_match(match)
    tx.lock_user(pending.user)
    kept = find_message_entries(tx, pending)
    known = [tx.drop_pending(one) for one in kept]
    place = pending.place
    if place is None:
        if any(known) and mailbox is not None and pending.match != ALL and len(kept) == 1:
            _keep_mail(tx, pending, message, mailbox)
        return bool(known)
    pending = next((one for one in (pending, *kept) if _stands_in(tx.load_row(one.match), place)), pending)
    row = tx.load_row(pending.match)
    player = row.find_player(pending.user) if row else None
    if row is None:
        return False
    if not known or player is None or not clocks.waits_for_move(row, player) or player.reminder_count != pending.mark:
        tx.keep_edit(make_removal(row, message, place))
        return False
    for one in kept:
        if one.match != row.id:
            _replace_reminder(tx, tx.load_row(one.match), pending.user, MessageId(-message))
    _replace_reminder(tx, row, pending.user, message)
    return True


def _keep_mail(tx: Transaction, pending: PendingMessage, message: MessageId, mailbox: ChannelId) -> None:
    """Have a direct message edited into the board of its match, and the one before it removed: there is one a match."""
    row, chosen = tx.load_row(pending.match), tx.load_preferences(pending.user)
    player = row.find_player(pending.user) if row else None
    if row is None or player is None:
        return
    if _choose_way(Calendar.of(chosen, tx.load_settings(row.guild), ()), chosen) != "board":
        return
    if player.mail is not None and player.mailbox is not None and player.mail != message:
        tx.keep_edit(make_removal(row, player.mail, player.mailbox))
    tx.set_player(row.id, pending.user, mail=message, mailbox=mailbox)
    tx.keep_edit(PendingEdit(message, mailbox, row.id, row.version))


def _replace_reminder(tx: Transaction, row: MatchRow | None, user: UserId, message: MessageId) -> None:
    """Note the last reminder of a match, negated where it stands in another's channel, and remove the one before."""
    player = row.find_player(user) if row else None
    if row is None or player is None:
        return
    if is_posted(player) and player.reminder != message:
        tx.keep_edit(make_removal(row, player.reminder, row.thread or row.channel))
    tx.set_player(row.id, user, reminder=message)


def _stands_in(row: MatchRow | None, place: ChannelId) -> bool:
    """Whether a match is played in a channel: of several matches that one's turn removes the reminder."""
    return row is not None and (row.thread or row.channel) == place


def move_to_channel(tx: Transaction, pending: PendingMessage, due: int, now: int) -> bool:
    """Send a reminder whose thread is gone to the match's channel, where the match goes on, once its board is there.
    False where there is no other channel."""
    tx.lock_user(pending.user)
    row, kept = tx.load_row(pending.match), find_message_entries(tx, pending)
    if row is None or row.channel == pending.place:
        for one in kept:
            drop_entry(tx, one)
        return False
    if row.thread == pending.place:
        tx.set_thread(row.id, row.channel)
    there = row.channel if row.thread in (None, pending.place) else row.thread
    for one in kept:
        put_off_unsent(tx, replace(one, place=there), due, now)
    return True


def put_off_reminder(tx: Transaction, pending: PendingMessage, due: int, now: int) -> None:
    """Try a message again later, since Discord has not taken it; until then no process looks for it."""
    tx.lock_user(pending.user)
    for one in find_message_entries(tx, pending):
        put_off_unsent(tx, one, due, now)


def redirect_for_now(
    tx: Transaction, pending: PendingMessage, here: Container[GuildId], now: int
) -> ClaimedReminder | None:
    """Handle a temporary refusal of direct messages to a user: the reminder goes to the match's channel, and a digest
    to the channels of its matches, those of each server together. The preferences stay."""
    kept = find_message_entries(tx, pending)
    _lock_in_order(tx, pending.user, [one.match for one in kept])
    if pending.match != ALL:
        return decide_again(tx, pending, now, direct=False)
    tx.drop_pending(pending)
    taken: list[ClaimedReminder] = []
    for row in clocks.list_waiting_matches(tx, pending.user, tx.load_preferences(pending.user), here, now)[0]:
        player = row.find_player(pending.user)
        if player and tx.find_pending_message(pending.user, row.id) is None:
            reminder = _take_reminder(tx, row, player, player.reminder_count, None, now, direct=False)
            taken += [reminder] if reminder else []
    return _merge_reminders(tx, taken, now)


def redirect_for_good(
    tx: Transaction, pending: PendingMessage, here: Container[GuildId], now: int
) -> ClaimedReminder | None:
    """Handle a permanent refusal of direct messages to a user: from now on they are reminded in the match's channel,
    beginning with this reminder, or for a digest with the most urgent match; the first one says why."""
    kept = find_message_entries(tx, pending)
    _lock_in_order(tx, pending.user, [one.match for one in kept])
    user, first = pending.user, not tx.load_preferences(pending.user).closed
    if first:
        tx.change_preferences(user, lambda chosen: replace(chosen, closed=True, digest=None))
    if pending.match != ALL:
        for one in find_message_entries(tx, pending):
            tx.keep_pending(replace(one, closed=first))
        return decide_again(tx, replace(pending, closed=first), now)
    tx.drop_pending(pending)
    chosen = replace(tx.load_preferences(user), closed=False)
    for row in clocks.list_waiting_matches(tx, user, chosen, here, now)[0] if first else ():
        player = row.find_player(user)
        if player and tx.find_pending_message(user, row.id) is None:
            reminder = _take_reminder(tx, row, player, player.reminder_count, None, now, closed=True)
            if reminder:
                return reminder
    if first:  # the reason was not given yet, so it is tried again
        settings = ServerSettings()
        tx.change_preferences(user, lambda chosen: clocks.reset_digest(chosen, settings, now))
    return None


# Daily digests that are due: each is decided on in a transaction and put into the outbox, like a reminder.


@dataclass(frozen=True, slots=True)
class ClaimedDigest:
    """A digest to be sent now, with the matches that wait for a user, the most urgent first."""

    pending: PendingMessage
    rows: tuple[MatchRow, ...]


def claim_digest(tx: Transaction, user: UserId, here: Container[GuildId], now: int) -> ClaimedDigest | None:
    """Take a daily digest that is due, and put the next one off; None where there is nothing to be sent now."""
    tx.lock_user(user)
    chosen = tx.load_preferences(user)
    if chosen.digest is None or chosen.digest > now or tx.find_pending_message(user, ALL) is not None:
        return None
    return _claim_digest(tx, user, chosen, here, None, now)


def claim_digest_again(
    tx: Transaction, pending: PendingMessage, here: Container[GuildId], now: int
) -> ClaimedDigest | None:
    """Decide again on a digest that was taken and surely not sent."""
    tx.lock_user(pending.user)
    if tx.find_pending_message(pending.user, ALL) != pending:
        return None
    return _claim_digest(tx, pending.user, tx.load_preferences(pending.user), here, pending, now)


def _claim_digest(
    tx: Transaction, user: UserId, chosen: Preferences, here: Container[GuildId], kept: PendingMessage | None, now: int
) -> ClaimedDigest | None:
    rows, hours = clocks.list_waiting_matches(tx, user, chosen, here, now)
    wanted = not chosen.closed and chosen.reminders in (None, "digest")
    at = find_sendable_moment(hours, now)
    if wanted and at > now and kept:
        put_off_unsent(tx, kept, at, now)
        return None
    due = (
        None
        if not wanted or not (rows or chosen.reminders)
        else at
        if at > now
        else clocks.find_next_digest(hours, now)
    )
    if chosen.digest != due:
        tx.change_preferences(user, lambda before: replace(before, digest=due))
    if not wanted or not rows or at > now:
        if kept:
            tx.drop_pending(kept)
        return None
    begun, tries = (kept.begun, kept.tries) if kept else (now, 1)
    pending = PendingMessage(user, ALL, 0, None, False, begun, now + LEASE, tries)
    tx.keep_pending(pending)
    return ClaimedDigest(pending, rows)
