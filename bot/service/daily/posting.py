"""When a server gets the message of the day, and of the week: once each, from its hour on, decided in the store.

The row of a server says which day's message it had last. A process that finds one due writes the day into it before it
posts, and has it to itself for a while; where it dies, another goes on. No day before that in the row is posted any
more, whatever the clock says; a day on which the bot was away as a whole is left out. A week's message has its Monday
for a day, and may come a day late. One that was refused is owed until the next one is due.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from bot.core.game.game import Game
from bot.core.puzzle import streaks
from bot.core.puzzle.stored_puzzles import Daily, DailyChannel, Series
from bot.core.rating.stored_standings import Best
from bot.core.values.ids import ChannelId, GuildId, MessageId, UserId
from bot.service.time.calendars import Calendar
from data.store import Reader, Transaction

LEASE, LONGEST = 120, 3600
"""Seconds that a process has a message to itself at first, and after many failures."""
UNSENT = MessageId(0)
OWED = 0
"""The lease of a message that has surely not arrived, and that no process is sending."""
LATE = 1
"""The days after a Monday on which the week before is still posted."""


class Yesterday(NamedTuple):
    """What a server's message says of the day before: who solved the puzzle, each with the number of tries, the
    number of consecutive days with a solver, and whether anybody tried it."""

    solvers: tuple[tuple[UserId, int], ...]
    streak: int
    tried: bool = False


class Post(NamedTuple):
    """A message to be sent: its series, server, day and channel; since when it may have been sent, in epoch seconds;
    whether it was tried before; and what it says of the day before, None in the first message."""

    series: Series
    guild: GuildId
    day: int
    channel: ChannelId
    since: int
    again: bool
    yesterday: Yesterday | None


def begins(series: Series, today: date) -> date:
    """The day that a series' message of today has."""
    return today - timedelta(days=today.weekday() if series == "week" else 0)


def due(row: DailyChannel, now: int, series: Series = "daily") -> int | None:
    """The day whose message is due in a server; None for none."""
    calendar = Calendar(row.zone)
    today = calendar.today(now)
    first = begins(series, today)
    day = first.toordinal()
    if today.toordinal() > day + LATE and day != row.day:
        return None
    if now < calendar.moment(first, row.hour) or (row.day is not None and day < row.day):
        return None
    if day == row.day and (row.message is not None or now < row.due):
        return None
    return day


def claimed(tx: Transaction, row: DailyChannel, now: int, series: Series = "daily") -> Post | None:
    """Claim a message that is due with a lease; None where another process has it."""
    tx.go_alone(row.guild)
    before = tx.daily(row.guild, series)
    if before:
        row = row._replace(day=before.day, message=before.message, due=before.due)
    day = due(row, now, series)
    if day is None:
        return None
    again = before is not None and before.day == day and before.due != OWED
    tries = before.tries + 1 if before and again else 1
    channel = before.channel if before and again else row.channel
    first = before.first if before else day
    until = now + min(LEASE * 2 ** (tries - 1), LONGEST)
    tx.set_daily(row.guild, Daily(first, day, channel, None, until, tries), series)
    since = Calendar(row.zone).moment(date.fromordinal(day), 0)
    told = _told(tx, row.guild, day - 1) if first < day and series == "daily" else None
    return Post(series, row.guild, day, channel, since, again, told)


def last(reader: Reader, guild: GuildId, series: Series, message: MessageId) -> Post | None:
    """The last message of a series in a server; None where that is another one by now."""
    daily = reader.daily(guild, series)
    if daily is None or daily.message != message:
        return None
    told = _told(reader, guild, daily.day - 1) if daily.first < daily.day and series == "daily" else None
    return Post(series, guild, daily.day, daily.channel, 0, True, told)


def sent(tx: Transaction, post: Post, message: MessageId) -> None:
    """Note the message of a day, `UNSENT` where there is none; nothing where a later day has come since."""
    tx.go_alone(post.guild)
    daily = tx.daily(post.guild, post.series)
    if daily and daily.day == post.day and not daily.message:
        tx.set_daily(post.guild, replace(daily, message=message), post.series)


def refused(tx: Transaction, post: Post, now: int) -> None:
    """Note that the message of a day is owed: Discord takes none in its place. One that may have arrived by an earlier
    try is still looked for."""
    tx.go_alone(post.guild)
    daily = tx.daily(post.guild, post.series)
    if daily and daily.day == post.day and daily.message is None:
        tx.set_daily(post.guild, replace(daily, due=now if post.again else OWED), post.series)


def marks(
    reader: Reader, guild: GuildId, game: Game, options: Mapping[str, Any], seen: Collection[int]
) -> tuple[Best, ...]:
    """Everybody's best result in a server at a game alone, with some options, the best first; of matches in channels
    that are `seen`."""
    chosen = game.configure(options, 1).record()
    return next((bests for found, bests in reader.bests(guild, game.key, seen) if found == chosen), ())


def _told(reader: Reader, guild: GuildId, day: int) -> Yesterday:
    solvers = reader.puzzle_solvers(guild, day)
    tried = bool(solvers) or reader.puzzle_tried(guild, day)
    return Yesterday(solvers, streaks.of_server(reader.solved_days(guild), day), tried)
