"""The entries of reminders in the outbox: which are one message, who has them for now, and how they leave it.

Each match that a user is reminded of has a row of its own; rows that were begun at the same moment for the same channel
are one message, and are changed together. So separate messages to a user never begin in the same second.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from bot.core.match.stored import PendingMessage
from bot.core.values.ids import MatchId
from data.store import Reader, Transaction

LEASE = 60
"""Seconds of the lease of a process that has taken a reminder; sending takes less."""
ALL = MatchId(0)
"""The match of a digest in the outbox: all of them."""


def together(reader: Reader, pending: PendingMessage) -> tuple[PendingMessage, ...]:
    """The entries of the outbox that are one message with this one, itself among them if it is there."""
    return tuple(one for one in reader.on_the_way(pending.user) if _message_of(one) == _message_of(pending))


def _message_of(pending: PendingMessage) -> tuple[bool, int, int | None]:
    return pending.match == ALL, pending.begun, pending.place


def retaken(tx: Transaction, pending: PendingMessage, now: int) -> PendingMessage | None:
    """Take a message of the outbox whose lease has run out; None where another process has taken it."""
    due, tries = now + LEASE, pending.tries + 1
    return replace(pending, due=due, tries=tries) if tx.put_off_pending(pending, due, tries) else None


def untried(tx: Transaction, pending: PendingMessage, due: int, now: int) -> None:
    """Put off an entry of the outbox that surely was not sent yet. It is merged only with entries put off for the same
    channel."""
    others = tx.on_the_way(pending.user)
    taken = {one.begun for one in others if one.tries or one.place != pending.place}
    begun = next(second for second in count(now, -1) if second not in taken)
    tx.keep_pending(replace(pending, begun=begun, due=due, tries=0))


def drop_entry(tx: Transaction, pending: PendingMessage) -> None:
    """Drop an entry of the outbox. If it alone was to say that direct messages are refused, one more direct message is
    tried later."""
    tx.drop_pending(pending)
    if pending.closed and not any(one.closed for one in tx.on_the_way(pending.user)):
        tx.change_preferences(pending.user, lambda chosen: replace(chosen, closed=False))


def dropped(tx: Transaction, pending: PendingMessage) -> None:
    """Drop a message of the outbox that cannot be sent, or whose delivery cannot be known."""
    tx.go_alone_for(pending.user)
    for one in together(tx, pending):
        drop_entry(tx, one)
