"""Notifications: quiet hours, removal of reminders, notices about closed channels."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from bot.play.acts import Outcome, find_new_lines, has_ended
from bot.play.calendars import Calendar
from bot.play.clocks import DAY
from bot.play.ids import ChannelId, GuildId, MatchId, MessageId, UserId, is_person
from bot.play.loaded_match import LoadedMatch, list_due_versions
from bot.play.rows import GIVEN_UP_DAYS, MatchNotice, MatchRecordRow, MatchRow, PendingEdit, Player
from bot.umpire import clocks
from data.store import Reader, Transaction

# Quiet hours: notifications of a deadline's act, not of a user's, wait until they are over.


SLEPT = 0
"""The wake time of a player who is being notified of what happened in their quiet hours."""
TRIES = 10
"""The most attempts to find a moment outside the quiet hours of several users."""


def find_wake_time(reader: Reader, guild: GuildId, user: UserId, now: int) -> int:
    """From when on a user may be notified of a deadline's act: now, or the end of their quiet hours."""
    return Calendar.of(reader.load_preferences(user), reader.load_settings(guild), ()).find_awake_moment(now)


def find_common_wake_time(reader: Reader, guild: GuildId, users: Collection[UserId], now: int) -> int:
    """From when on several users may be notified of a deadline's act in one line: outside all their quiet hours, or if
    there is no such moment, at the end of the current quiet hours of the last one."""
    calendars = [Calendar.of(reader.load_preferences(user), reader.load_settings(guild), ()) for user in users]
    moments = [now]
    for _ in range(TRIES):
        moments.append(max((one.find_awake_moment(moments[-1]) for one in calendars), default=now))
        if moments[-1] == moments[-2]:
            return moments[-1]
    return moments[1]


def anyone_sleeps(reader: Reader, guild: GuildId, users: Collection[UserId], now: int) -> bool:
    """Whether a moment is in the quiet hours of any of the users."""
    return any(find_wake_time(reader, guild, user, now) > now for user in users)


def delay_notifications(reader: Reader, before: MatchRecordRow, after: MatchRecordRow, now: int) -> MatchRecordRow:
    """The row after a deadline's act, with the notifications delayed by quiet hours; if the match is over, all users
    are notified in one line."""
    due = {player.user: player.mention_version for player in before.players}
    told = [one.user for one in after.players if one.mention_version == after.version]
    together = find_common_wake_time(reader, before.guild, told, now) if has_ended(before, after) else None
    for user in told:
        at = find_wake_time(reader, before.guild, user, now) if together is None else together
        if at > now:
            after = after.change_player(user, mention_version=due.get(user, 0), wakes=at)
    return after


def notify_awoken(tx: Transaction, match: MatchId, now: int) -> bool:
    """Notify the players of a match whose quiet hours are over of what happened meanwhile; False if there are none."""
    row = tx.load_row(match)
    up = [player.user for player in row.players if player.wakes and player.wakes <= now] if row else []
    if row is None or not up or not tx.update(match, row.version):
        return False
    for user in up:
        tx.set_player(match, user, mention_version=row.version + 1, wakes=SLEPT)
    return True


def have_slept(loaded: LoadedMatch) -> bool:
    """Whether the posted board is current except for the notification of players whose quiet hours are over."""
    row, told = loaded.row, loaded.users_to_notify
    slept = [player.user for player in row.players if player.wakes == SLEPT]
    known = row.shown_version == row.version - 1 and row.board_message is not None
    return known and bool(told) and {*told} <= {*slept}


# Removal of reminders when their turn is over: in the act that ends it, or in the next sweep.


def list_reminders_to_remove(before: MatchRecordRow, after: MatchRecordRow) -> list[Player]:
    """The players, as they were before an act, whose reminders it ends: their clocks stop, or they are gone."""
    return [player for player in before.players if is_posted(player) and _needs_no_reminder(player, before, after)]


def is_posted(player: Player) -> bool:
    """Whether a reminder was posted in the channel of the player's match."""
    return player.reminder is not None and player.reminder > 0


def _needs_no_reminder(player: Player, before: MatchRecordRow, after: MatchRecordRow) -> bool:
    then = next(one for one in after.players if one.joined == player.joined)
    stops = player.since is not None and then.since is None
    return stops or has_ended(before, after) or (then.gone and not player.gone)


def list_mail_edits(before: MatchRecordRow, outcome: Outcome) -> list[PendingEdit]:
    """The entries of the outbox for the direct messages with the board of a turn which an act has changed or ended; of
    users who have handed their seat on they are removed."""
    after, game = outcome.row, outcome.match.game if outcome.match else None
    moved = {line.seat for line in find_new_lines(before, after)}
    # In a game with secrets an edit would tell when somebody else has moved.
    hidden = game is not None and game.secret and not has_ended(before, after)
    left = outcome.handed[:1] if outcome.handed else ()

    def changes(player: Player) -> bool:
        ends = player.seat in moved or player.seat not in after.turn
        return player.user in left or (player.seat in before.turn and (ends or not hidden))

    return [
        PendingEdit(player.mail, player.mailbox, before.id, before.version, remove=player.user in left)
        for player in before.players
        if player.mail is not None and player.mailbox is not None and changes(player)
    ]


def sweep_reminders(tx: Transaction, most: int) -> int:
    """Remove reminders that were stored while their turn was ending, and return how many."""
    found = tx.find_outlived_reminders(most)
    for match, user in found:
        if row := tx.load_row(match):
            _take_down_elsewhere(tx, row, user)
            take_down_reminders(tx, row, user)
            tx.set_player(match, user, reminder=None)
    return len(found)


def _take_down_elsewhere(tx: Transaction, row: MatchRow, user: UserId) -> None:
    """Have a reminder removed that stands where another match is played, and lists this one."""
    player = row.find_player(user)
    if player is None or player.reminder is None or is_posted(player):
        return
    for other in tx.live_of(row.guild, user):
        seat = other.find_player(user)
        if seat and seat.reminder == -player.reminder:
            take_down_reminders(tx, other, user)


def take_down_reminders(tx: Transaction, row: MatchRow, user: UserId | None = None) -> None:
    """Remove the reminders of a match that no act has removed, of all players or of one user."""
    for player in row.players:
        if is_posted(player) and user in (None, player.user):
            tx.keep_edit(make_removal(row, player.reminder, row.thread or row.channel))
            tx.set_player(row.id, player.user, reminder=None)


def make_removal(row: MatchRow, message: MessageId | None, place: ChannelId) -> PendingEdit:
    """The entry of the outbox that removes a reminder."""
    assert message is not None
    return PendingEdit(message, place, row.id, row.version, remove=True)


# Notices to the players of a match whose channel is closed to the bot.


LEASE = 60
"""Seconds of the lease of a process that sends a notice; sending takes less."""
PASSES_WITHIN = 600
"""Seconds after which users are notified of a closed channel, which may be open again by then: permissions are changed,
or the bot is timed out for a moment."""
GIVEN_UP_AFTER = GIVEN_UP_DAYS * DAY
"""The same in seconds."""
GIVEN_UP = (
    f"This match was closed, unrated: for {GIVEN_UP_DAYS} days nobody moved in it, and I couldn't post where it was "
    "played."
)
RECENT = DAY
"""Seconds for which the end of a match is reported if no earlier notice was sent about it."""


def claim_notices(
    tx: Transaction, match: MatchId, version: int, place: ChannelId | None, now: int, lasts: bool
) -> tuple[MatchNotice, ...]:
    """Lease the notices of a match at a version, for a channel or as direct messages; one that was tried before may
    have been sent, and is searched for first. Empty if another process has the lease, none is due, or the channel was
    just closed and may open again (unless that `lasts`)."""
    tx.lock_match(match)
    row = tx.load_row(match)
    if row is None or row.publish_error is None or row.version != version:
        return ()
    known = {one.user: one for one in tx.load_notices(match)}
    lasts = lasts or row.state != "live"
    late = [one for one in known.values() if one.is_on_the_way and (one.due <= now or (lasts and not one.tries))]
    asleep = {one.user: until for one in late if (until := find_notify_time(tx, row, one.user, now)) > now}
    put_off_notices(tx, [one for one in late if asleep.get(one.user, one.due) != one.due], asleep)
    # Two messages about a match never begin in the same second, as their nonces would be equal.
    begun = max((now, *(one.begun + 1 for one in known.values())))
    if late := [one for one in late if one.user not in asleep]:
        return tuple(_take_notice(tx, one, place, begun, now) for one in late)
    recipients, since = users_to_notify(row, known), min((one.since for one in known.values()), default=now)
    found, waits = list[MatchNotice](), not known and not lasts
    for user in dict.fromkeys((*(player.user for player in row.players if is_person(player.user)), *recipients)):
        one = known.get(user) or MatchNotice(match, user, since, 0, 0, None, 0, 0, 0)
        if one.is_on_the_way:
            continue
        if user not in recipients:
            one = replace(one, version=version, told=version)
        elif waits or (not known and find_notify_time(tx, row, user, now) > now):
            due = max(now + PASSES_WITHIN if waits else now, find_notify_time(tx, row, user, now))
            one = replace(one, version=version, told=0, place=place, begun=begun, due=due)
        else:
            one = replace(one, version=version, told=0, place=place, begun=begun, due=now + LEASE, tries=1)
            found.append(one)
        tx.keep_notice(one)
    return tuple(found)


def _take_notice(tx: Transaction, one: MatchNotice, place: ChannelId | None, begun: int, now: int) -> MatchNotice:
    """Lease a notice for a try; at the first try its channel is chosen, and it begins now."""
    first = one if one.tries else replace(one, place=place, begun=begun)
    taken = replace(first, due=now + LEASE, tries=one.tries + 1)
    tx.keep_notice(taken)
    return taken


def find_notify_time(tx: Transaction, row: MatchRow, user: UserId, now: int) -> int:
    """From when on a user may be notified of a closed channel: at once if a move that concerns them was just made."""
    seen, moved = max(row.shown_version, row.told_version), row.moved is not None and now - row.moved <= PASSES_WITHIN
    if moved and any(other == user and due > seen for other, due in list_due_versions(row)):
        return now
    return find_wake_time(tx, row.guild, user, now)


def users_to_notify(row: MatchRow, known: Mapping[UserId, MatchNotice]) -> tuple[UserId, ...]:
    """The users to notify of a match as it stands: at first all its players, later those whom the message above a board
    would notify of something new."""
    if not known and row.state == "live":
        return tuple(player.user for player in row.players if is_person(player.user))
    seen = max(row.shown_version, row.told_version)
    told = {user: one.told for user, one in known.items() if one.message is not None}
    return tuple(
        dict.fromkeys(
            user for user, due in list_due_versions(row) if due > max(seen, told.get(user, 0)) and is_person(user)
        )
    )


def record_arrival(
    tx: Transaction, notices: Collection[MatchNotice], message: MessageId, version: int, now: int
) -> None:
    """Note that a message has arrived which notified these users of a match at a version, and start the clocks of those
    who are to move."""
    tx.lock_clocks_shared()
    for match in {one.match for one in notices}:
        tx.lock_match(match)
    for one in notices:
        if _is_kept(tx, one):
            tx.keep_notice(replace(one, version=version, told=version, message=message))
            _record_notified(tx, one, version, message, now)


def _is_kept(tx: Transaction, one: MatchNotice) -> bool:
    """Whether a notice is still stored: its match may have been shown meanwhile."""
    kept = next((other for other in tx.load_notices(one.match) if other.user == one.user), None)
    return kept is not None and kept.is_on_the_way and kept.version == one.version


def _record_notified(tx: Transaction, one: MatchNotice, version: int, message: MessageId, now: int) -> None:
    """Update a match after a user has been notified of it; once all have been, a later board does not notify them
    again."""
    row, kept = tx.load_row(one.match), {other.user: other for other in tx.load_notices(one.match)}
    if row is None or row.publish_error is None:
        return
    if row.version == version:
        clocks.start_notified_clock(tx, row, one.user, now)
    seen = max(row.shown_version, row.told_version)
    told = [kept.get(user) for user, due in list_due_versions(row) if seen < due <= version and is_person(user)]
    if all(other and other.message and other.told >= version for other in told):
        tx.mark_told(one.match, version, row.told_message or message)


def give_up_notices(tx: Transaction, notices: Collection[MatchNotice]) -> None:
    """Note that some users cannot be reached by any channel. A board that is shown later notifies them."""
    for one in notices:
        if _is_kept(tx, one):
            tx.keep_notice(replace(one, told=one.version, message=None))


def move_notices(
    tx: Transaction, notices: Collection[MatchNotice], place: ChannelId | None, now: int
) -> tuple[MatchNotice, ...]:
    """Move notices that were certainly not sent to another channel."""
    found = tuple(replace(one, place=place, due=now + LEASE) for one in notices)
    found = tuple(one for one in found if _is_kept(tx, one))
    for one in found:
        tx.keep_notice(one)
    return found


def put_off_notices(tx: Transaction, notices: Collection[MatchNotice], due: int | Mapping[UserId, int]) -> None:
    """Delay some notices, to one moment or to each user's own."""
    for one in notices:
        tx.retake_notice(one, due if isinstance(due, int) else due[one.user], one.tries)


def move_match(tx: Transaction, match: MatchId, place: ChannelId, by: UserId) -> bool:
    """Move a live match whose channel is closed to another one. All others are notified there; running clocks run on.
    False if it has been shown, moved or closed meanwhile."""
    tx.lock_clocks_shared()
    tx.lock_match(match)
    row = tx.load_row(match)
    if row is None or row.state != "live" or row.publish_error is None or not tx.update(match, row.version):
        return False
    take_down_reminders(tx, row)
    if challenge := row.lobby_message:
        tx.keep_edit(PendingEdit(challenge, row.channel, match, row.version))
    tx.set_place(match, place, place)
    for player in row.players:
        if is_person(player.user) and player.user != by:
            tx.set_player(match, player.user, mention_version=row.version + 1)
    return True
