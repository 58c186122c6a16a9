"""Records which closed channels the owner of a server was notified of: once each, and again only if the channel has
opened since and a week has passed.

This is kept in the notes table. A process claims a notification with a lease before it sends it; if it dies, another
process checks whether it was sent.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.core.values.ids import ChannelId, GuildId
from data.store import Reader, Transaction

LEASE, WEEK = 120, 604_800
"""Seconds that a process has to send a notification, and for which no other is sent about the same channel."""
PENDING, TOLD, OPENED = "pending", "told", "opened"


class Closing(NamedTuple):
    """A claimed notification about a closed channel; `begun`: since when it may have been sent, in epoch seconds;
    `again`: whether an earlier try may have arrived."""

    guild: GuildId
    channel: ChannelId
    begun: int
    again: bool


def name_of(guild: GuildId, channel: ChannelId) -> str:
    """The key of a channel's note."""
    return f"closed {guild} {channel}"


def claimed(tx: Transaction, guild: GuildId, channel: ChannelId, now: int) -> Closing | None:
    """Claim the notification about a channel; None where it was sent, or another process has it."""
    tx.go_alone(guild)
    state, begun, due = _noted(tx, guild, channel)
    if state == TOLD or (state == OPENED and begun + WEEK > now) or (state == PENDING and due > now):
        return None
    again = state == PENDING
    closing = Closing(guild, channel, begun if again else now, again)
    tx.set_note(name_of(guild, channel), f"{PENDING} {closing.begun} {now + LEASE}")
    return closing


def told(tx: Transaction, closing: Closing) -> None:
    """Note that the notification was sent, or cannot be."""
    tx.go_alone(closing.guild)
    tx.set_note(name_of(closing.guild, closing.channel), f"{TOLD} {closing.begun} 0")


def opened(tx: Transaction, guild: GuildId, channel: ChannelId) -> None:
    """Note that something was posted in a channel that was, or was to be, reported as closed."""
    tx.go_alone(guild)
    state, begun, _ = _noted(tx, guild, channel)
    if state:
        tx.set_note(name_of(guild, channel), f"{OPENED} {begun if state != PENDING else 0} 0")


def _noted(reader: Reader, guild: GuildId, channel: ChannelId) -> tuple[str, int, int]:
    note = reader.note(name_of(guild, channel))
    state, begun, due = note.split() if note else ("", "0", "0")
    return state, int(begun), int(due)


def waiting(reader: Reader, guild: GuildId, channel: ChannelId) -> tuple[str, ...]:
    """The posts that wait for a channel: the series, and "league" for each league whose message is out of date."""
    settings = reader.settings(guild)
    series = tuple(name for name in ("daily", "week") if getattr(settings, name) == channel)
    leagues = reader.leagues(guild, ("open", "live", "finished", "cancelled"))
    owing = [one for one in leagues if one.channel == channel and one.owes]
    return (*series, *("league" for _ in owing))
