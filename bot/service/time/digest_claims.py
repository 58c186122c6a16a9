"""Daily digests that are due: each is decided on in a transaction and put into the outbox, like a reminder."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from bot.core.match.stored import MatchRow, PendingMessage
from bot.core.match.stored_settings import Preferences
from bot.core.values.ids import GuildId, UserId
from bot.service.time import digests
from bot.service.time.reminder_outbox import ALL, LEASE, untried
from bot.service.time.reminders import awake
from data.store import Transaction


@dataclass(frozen=True, slots=True)
class Digest:
    """A digest to be sent now, with the matches that wait for a user, the most urgent first."""

    pending: PendingMessage
    rows: tuple[MatchRow, ...]


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
        untried(tx, kept, at, now)
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
