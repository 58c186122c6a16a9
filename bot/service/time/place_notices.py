"""Notices to the players of a match whose channel is closed to the bot: decided in a transaction, sent, noted.

Both players are told once that the place is closed. After that each is told what the line above a board would have told
them, and a clock that waited for its board starts then: so nobody runs out of time without having been told. Whom
nobody can tell anything is let be, and their clock stands still. That a place is closed nobody is told in their quiet
hours, unless somebody has just moved. A month after nobody has come the match is closed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from bot.core.match.clocks import DAY
from bot.core.match.loaded_match import dues
from bot.core.match.stored import GIVEN_UP_DAYS, MatchRow, Notice, PendingEdit
from bot.core.values.computer_users import is_person
from bot.core.values.ids import ChannelId, MatchId, MessageId, UserId
from bot.service.time import clock_updates, nights, reminder_removals
from data.store import Transaction

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
"""Seconds for which the end of a match is news if no earlier notice was sent about it."""


def claimed(
    tx: Transaction, match: MatchId, version: int, place: ChannelId | None, now: int, lasts: bool
) -> tuple[Notice, ...]:
    """Claim the notices of a match at a version, for a channel or as direct messages; one that was tried before may
    have been sent, and is looked for first. Empty where another process has them, none is due, or the channel has just
    been closed and may open again (unless that `lasts`)."""
    tx.hold(match)
    row = tx.row(match)
    if row is None or row.publish_error is None or row.version != version:
        return ()
    known = {one.user: one for one in tx.notices(match)}
    lasts = lasts or row.state != "live"
    late = [one for one in known.values() if one.under_way and (one.due <= now or (lasts and not one.tries))]
    asleep = {one.user: until for one in late if (until := wakes(tx, row, one.user, now)) > now}
    put_off(tx, [one for one in late if asleep.get(one.user, one.due) != one.due], asleep)
    # No two messages about a match begin in the same second: their nonces would be the same.
    begun = max((now, *(one.begun + 1 for one in known.values())))
    if late := [one for one in late if one.user not in asleep]:
        return tuple(_taken(tx, one, place, begun, now) for one in late)
    recipients, since = told_now(row, known), min((one.since for one in known.values()), default=now)
    found, waits = list[Notice](), not known and not lasts
    for user in dict.fromkeys((*(player.user for player in row.players if is_person(player.user)), *recipients)):
        one = known.get(user) or Notice(match, user, since, 0, 0, None, 0, 0, 0)
        if one.under_way:
            continue
        if user not in recipients:
            one = replace(one, version=version, told=version)
        elif waits or (not known and wakes(tx, row, user, now) > now):
            due = max(now + PASSES_WITHIN if waits else now, wakes(tx, row, user, now))
            one = replace(one, version=version, told=0, place=place, begun=begun, due=due)
        else:
            one = replace(one, version=version, told=0, place=place, begun=begun, due=now + LEASE, tries=1)
            found.append(one)
        tx.keep_notice(one)
    return tuple(found)


def _taken(tx: Transaction, one: Notice, place: ChannelId | None, begun: int, now: int) -> Notice:
    """A notice that is tried, again or for the first time: then its place is chosen as it is now, and it begins now."""
    first = one if one.tries else replace(one, place=place, begun=begun)
    taken = replace(first, due=now + LEASE, tries=one.tries + 1)
    tx.keep_notice(taken)
    return taken


def wakes(tx: Transaction, row: MatchRow, user: UserId, now: int) -> int:
    """From when on somebody may be told of a closed place: at once where a move that concerns them was just made."""
    seen, moved = max(row.shown_version, row.told_version), row.moved is not None and now - row.moved <= PASSES_WITHIN
    if moved and any(other == user and due > seen for other, due in dues(row)):
        return now
    return nights.wakes(tx, row.guild, user, now)


def told_now(row: MatchRow, known: Mapping[UserId, Notice]) -> tuple[UserId, ...]:
    """The users to notify of a match as it stands: at first all its players, later those whom the message above a board
    would notify of something new."""
    if not known and row.state == "live":
        return tuple(player.user for player in row.players if is_person(player.user))
    seen = max(row.shown_version, row.told_version)
    told = {user: one.told for user, one in known.items() if one.message is not None}
    return tuple(
        dict.fromkeys(user for user, due in dues(row) if due > max(seen, told.get(user, 0)) and is_person(user))
    )


def arrived(tx: Transaction, notices: Collection[Notice], message: MessageId, version: int, now: int) -> None:
    """Note a message that has arrived, which notified these users of a match at a version; and start their clocks if
    they are to move."""
    tx.keep_times()
    for match in {one.match for one in notices}:
        tx.hold(match)
    for one in notices:
        if _is_kept(tx, one):
            tx.keep_notice(replace(one, version=version, told=version, message=message))
            _known(tx, one, version, message, now)


def _is_kept(tx: Transaction, one: Notice) -> bool:
    """Whether a notice is still on its way: its match may have been shown meanwhile."""
    kept = next((other for other in tx.notices(one.match) if other.user == one.user), None)
    return kept is not None and kept.under_way and kept.version == one.version


def _known(tx: Transaction, one: Notice, version: int, message: MessageId, now: int) -> None:
    """Go on with a match after a user has been notified of it; once all have, a board that comes notifies nobody
    again."""
    row, kept = tx.row(one.match), {other.user: other for other in tx.notices(one.match)}
    if row is None or row.publish_error is None:
        return
    if row.version == version:
        clock_updates.start_of(tx, row, one.user, now)
    seen = max(row.shown_version, row.told_version)
    told = [kept.get(user) for user, due in dues(row) if seen < due <= version and is_person(user)]
    if all(other and other.message and other.told >= version for other in told):
        tx.told(one.match, version, row.told_message or message)


def given_up(tx: Transaction, notices: Collection[Notice]) -> None:
    """Note that some users cannot be reached: no channel takes the notice. A board that is shown notifies them."""
    for one in notices:
        if _is_kept(tx, one):
            tx.keep_notice(replace(one, told=one.version, message=None))


def elsewhere(tx: Transaction, notices: Collection[Notice], place: ChannelId | None, now: int) -> tuple[Notice, ...]:
    """Try some notices in another place, which surely were not sent."""
    found = tuple(replace(one, place=place, due=now + LEASE) for one in notices)
    found = tuple(one for one in found if _is_kept(tx, one))
    for one in found:
        tx.keep_notice(one)
    return found


def put_off(tx: Transaction, notices: Collection[Notice], due: int | Mapping[UserId, int]) -> None:
    """Have some notices tried again later, at one moment or at each person's own."""
    for one in notices:
        tx.retake_notice(one, due if isinstance(due, int) else due[one.user], one.tries)


def rehoused(tx: Transaction, match: MatchId, place: ChannelId, by: UserId) -> bool:
    """Move a live match whose channel is closed to another one. All others are notified there; running clocks run on.
    False where it has been shown, moved or closed meanwhile."""
    tx.keep_times()
    tx.hold(match)
    row = tx.row(match)
    if row is None or row.state != "live" or row.publish_error is None or not tx.update(match, row.version):
        return False
    reminder_removals.taken_down(tx, row)
    if challenge := row.lobby_message:
        tx.leave_over(PendingEdit(challenge, row.channel, match, row.version))
    tx.set_place(match, place, place)
    for player in row.players:
        if is_person(player.user) and player.user != by:
            tx.seat(match, player.user, mention_version=row.version + 1)
    return True
