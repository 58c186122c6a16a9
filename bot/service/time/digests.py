"""Decides when a person's daily digest is due, and which matches belong in it.

A digest is due when the person's quiet hours end, usually at eight in the morning of their own zone. Who has chosen
digests gets one on every day on which a match waits for them. Where only their server has set digests, they get them
from the start of a clock of theirs until no match waits for them any more.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from bot.core.match.stored import MatchRow, Player
from bot.core.match.stored_settings import Preferences, ServerSettings
from bot.core.values.computer_users import is_person
from bot.core.values.ids import GuildId, UserId
from bot.service.time.calendars import Calendar
from data.store import Reader, Transaction

ENDLESS = 2**62


def digest_due(calendar: Calendar, now: int) -> int:
    """The next end of a user's quiet hours, in epoch seconds."""
    return calendar.at_hour(now, calendar.morning)


def reminded_anew(chosen: Preferences, settings: ServerSettings, now: int) -> Preferences:
    """A user's preferences after a change of reminders or zone: direct messages that were refused are tried again, and
    digests begin or end. `settings` are those of the server where the change was made."""
    calendar = Calendar.of(chosen, settings, ())
    due = digest_due(calendar, now) if calendar.reminders == "digest" else None
    return replace(chosen, closed=False, digest=due)


def begin(tx: Transaction, user: UserId, calendar: Calendar, now: int) -> None:
    """Begin a user's digests where their server has set them; nothing where they have begun."""
    if calendar.reminders != "digest" or user <= 0:
        return
    chosen = tx.preferences(user)
    if chosen.digest is None and not chosen.closed:
        tx.change_preferences(user, lambda before: replace(before, digest=digest_due(calendar, now)))


def to_move(row: MatchRow, player: Player) -> bool:
    """Whether a match waits for a player's move, and is not paused."""
    return row.state == "live" and row.paused is None and is_person(player.user) and player.seat in row.turn


def waiting(
    reader: Reader, user: UserId, chosen: Preferences, here: Container[GuildId], now: int
) -> tuple[tuple[MatchRow, ...], Calendar]:
    """The matches in these servers that belong in a user's digest, the most urgent first; and their calendar."""
    rows, usual = list[MatchRow](), Calendar.of(chosen, ServerSettings(), ())
    hours = dict[GuildId, Calendar]()
    for row in reader.current(user):
        player = row.player(user)
        if player is None or row.guild not in here:
            continue
        if row.guild not in hours:
            hours[row.guild] = Calendar.of(chosen, reader.settings(row.guild), reader.away(row.guild, user, now))
        calendar = hours[row.guild]
        waits = to_move(row, player) if row.state == "live" else player.invited
        resting = any(begin <= now < end for begin, end in calendar.rests(now))
        if waits and calendar.reminders == "digest" and not resting:
            rows.append(row)
    rows.sort(key=lambda row: order_in_digest(row, user))
    return tuple(rows), hours[rows[0].guild] if rows else usual


def until(row: MatchRow, user: UserId) -> int | None:
    """Until when a match waits for a user, in epoch seconds; None without a limit."""
    player = row.player(user)
    return row.expires if row.state == "open" else player.deadline if player else None


def order_in_digest(row: MatchRow, user: UserId) -> tuple[int, int, int]:
    """A key to sort by: matches that end first, then those without an end, the longest-running first."""
    end = until(row, user)
    return (ENDLESS if end is None else end, row.started or row.created, row.id)
