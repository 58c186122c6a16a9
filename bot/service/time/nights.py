"""Delays notifications of what a deadline, not a user's act, has brought about until the quiet hours are over.

What happens at night counts at once, and boards show it; only the message that would notify a user waits. A player
keeps the moment at which they wake up. Then the match is raised by a version that tells them, as an act would have. A
user who acts before that has seen the match, and one whom an act notifies needs no second message.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from bot.core.match.loaded_match import LoadedMatch
from bot.core.match.stored import MatchRow
from bot.core.values.ids import GuildId, MatchId, UserId
from bot.service.rules.decisions import Change
from bot.service.time.calendars import Calendar
from data.store import Reader, Transaction

SLEPT = 0
"""Stands for the moment where somebody is told now of what happened in their quiet hours."""
TRIES = 10
"""So many nights are looked past for a moment at which nobody of several sleeps."""


def wakes(reader: Reader, guild: GuildId, user: UserId, now: int) -> int:
    """From when on a user may be notified of what no user has just done: now, or the end of their quiet hours."""
    return Calendar.of(reader.preferences(user), reader.settings(guild), ()).awake(now)


def all_wake(reader: Reader, guild: GuildId, users: Collection[UserId], now: int) -> int:
    """From when on several people may be told in one line of what nobody has just done: when none of them sleeps, or
    where somebody always does, when the last of those who sleep now has woken up."""
    calendars = [Calendar.of(reader.preferences(user), reader.settings(guild), ()) for user in users]
    moments = [now]
    for _ in range(TRIES):
        moments.append(max((one.awake(moments[-1]) for one in calendars), default=now))
        if moments[-1] == moments[-2]:
            return moments[-1]
    return moments[1]


def sleeps(reader: Reader, guild: GuildId, users: Collection[UserId], now: int) -> bool:
    """Whether it is night for one of some people."""
    return any(wakes(reader, guild, user, now) > now for user in users)


def to_tell(at: int, version: int, now: int) -> Mapping[str, Any]:
    """The columns of a player who is to be told from a moment on of a version that time has brought about."""
    return {"mention_version": version, "wakes": None} if at <= now else {"wakes": at}


def asleep(reader: Reader, row: MatchRow, change: Change, now: int) -> Change:
    """A change that time brings about, which tells those who sleep when they are awake; and where nothing is left to be
    done, all in one line."""
    players = dict(change.players)
    told = [user for user, columns in change.players.items() if columns.get("mention_version")]
    together = all_wake(reader, row.guild, told, now) if change.ends else None
    for user in told:
        columns = change.players[user]
        rest = {name: value for name, value in columns.items() if name != "mention_version"}
        at = wakes(reader, row.guild, user, now) if together is None else together
        players[user] = {**rest, **to_tell(at, columns["mention_version"], now)}
    return replace(change, players=players)


def awoken(tx: Transaction, match: MatchId, now: int) -> bool:
    """Notify the players of a match whose quiet hours are over of what happened meanwhile; False where none is left to
    notify."""
    row = tx.row(match)
    up = [player.user for player in row.players if player.wakes and player.wakes <= now] if row else []
    if row is None or not up or not tx.update(match, row.version):
        return False
    for user in up:
        tx.seat(match, user, mention_version=row.version + 1, wakes=SLEPT)
    return True


def have_slept(seated: LoadedMatch) -> bool:
    """Whether the posted board is current except for the notification of players whose quiet hours are over."""
    row, told = seated.row, seated.untold
    slept = [player.user for player in row.players if player.wakes == SLEPT]
    known = row.shown_version == row.version - 1 and row.board_message is not None
    return known and bool(told) and {*told} <= {*slept}
