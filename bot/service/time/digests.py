"""When somebody's daily digest is due: at eight in the morning of their own zone, for as long as they want one.

Somebody who has chosen a digest gets one on every day on which something waits for them. Where it is only what their
server has set, there is one from when a clock of theirs starts until nothing waits for them any more.
"""

from __future__ import annotations

from dataclasses import replace

from bot.core.match.stored import Preferences, ServerSettings
from bot.core.values.ids import UserId
from bot.service.time.calendars import MORNING, Calendar
from data.store import Transaction


def digest_due(calendar: Calendar, now: int) -> int:
    """When the next daily digest of somebody is due."""
    return calendar.at_hour(now, MORNING)


def reminded_anew(chosen: Preferences, settings: ServerSettings, now: int) -> Preferences:
    """What somebody has chosen, after they have changed how they are reminded or their zone: a mailbox that was closed
    is tried again, and a digest begins or ends. `settings` are those of the server where they said so."""
    calendar = Calendar.of(chosen, settings, ())
    due = digest_due(calendar, now) if calendar.reminders == "digest" else None
    return replace(chosen, closed=False, digest=due)


def begin(tx: Transaction, user: UserId, calendar: Calendar, now: int) -> None:
    """Let the digests of somebody begin who is to get some, as their server has set; nothing where they have begun."""
    if calendar.reminders != "digest" or user <= 0:
        return
    chosen = tx.preferences(user)
    if chosen.digest is None and not chosen.closed:
        tx.change_preferences(user, lambda before: replace(before, digest=digest_due(calendar, now)))
