"""Removes reminders from their channels when their turn is over: in the act that ends it, or at the next look.

One that lists several matches stands where the most urgent is played, and goes with that one's turn. The others have
its number negated: when one of them is over, the next look removes it, since it lists what is no more.
"""

from __future__ import annotations

from dataclasses import replace

from bot.core.match.stored import MatchRow, PendingEdit, Player, Stored
from bot.core.values.ids import ChannelId, MessageId, UserId
from bot.service.rules.decisions import Change
from data.store import Transaction


def cleared(row: Stored, change: Change) -> tuple[Change, tuple[PendingEdit, ...]]:
    """The change with the reminders of the clocks that it stops cleared, and the messages to remove."""
    done = [player for player in row.players if stands(player) and _stopped(player, change)]
    if not done:
        return change, ()
    players = {player.user: {**change.players.get(player.user, {}), "reminder": None} for player in done}
    place = row.thread or row.channel
    left = tuple(removal(row, player.reminder, place) for player in done if player.reminder is not None)
    return replace(change, players={**change.players, **players}), left


def stands(player: Player) -> bool:
    """Whether a reminder stands where the player's match is played."""
    return player.reminder is not None and player.reminder > 0


def _stopped(player: Player, change: Change) -> bool:
    columns = change.players.get(player.user, {})
    return change.ends is not None or bool(columns.get("gone")) or ("since" in columns and columns["since"] is None)


def swept(tx: Transaction, most: int) -> int:
    """Remove reminders that were noted while their turn was ending, and return how many."""
    found = tx.outlived(most)
    for match, user in found:
        if row := tx.row(match):
            _others_taken_down(tx, row, user)
            taken_down(tx, row, user)
            tx.seat(match, user, reminder=None)
    return len(found)


def _others_taken_down(tx: Transaction, row: MatchRow, user: UserId) -> None:
    """Have a reminder removed that stands where another match is played, and lists this one."""
    player = row.player(user)
    if player is None or player.reminder is None or stands(player):
        return
    for other in tx.live_of(row.guild, user):
        seat = other.player(user)
        if seat and seat.reminder == -player.reminder:
            taken_down(tx, other, user)


def taken_down(tx: Transaction, row: MatchRow, user: UserId | None = None) -> None:
    """Have the reminders of a match removed that no act has removed, of all players or of one user."""
    for player in row.players:
        if stands(player) and user in (None, player.user):
            tx.leave_over(removal(row, player.reminder, row.thread or row.channel))
            tx.seat(row.id, player.user, reminder=None)


def removal(row: MatchRow, message: MessageId | None, place: ChannelId) -> PendingEdit:
    """The entry of the outbox that removes a reminder."""
    assert message is not None
    return PendingEdit(message, place, row.id, row.version, remove=True)
