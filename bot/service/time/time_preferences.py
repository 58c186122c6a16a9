"""Time preferences: people say when they are away, and choose their zone, weekends and reminders; servers set defaults.

Running clocks change in the same transaction: by the old calendar up to now, and by the new one from now on. They keep
the weekends that they started with, and nothing that people choose but an absence moves a deadline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bot.core.game.notation import whole_quoted
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored import MatchRow
from bot.core.match.stored_settings import Away, Preferences, Rest, ServerSettings
from bot.core.values.ids import GuildId, UserId
from bot.core.values.shards import Share
from bot.service.time import away_allowance, dates, digests
from bot.service.time.calendars import Calendar, away_now, weekend_ends
from bot.service.time.clock_updates import rescheduled
from data.store import Reader, Transaction

NO_DATE = (
    "I can't read that date. Write it like 2026-12-24, 24.12., Dec 24, friday, tomorrow or in 10 days, "
    "or choose one that is offered while you type."
)


class NoDate(Refusal):
    """A typed text that is not a date."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A user's absence from a server. `until`: when it ends; `left`: how many seconds of absence they have left in a
    year after it; `clocks`: how many of their clocks it concerns; `late`: the matches in which their time has run out
    already; `changed`: whether the absence was changed just now."""

    until: int | None
    left: int
    clocks: int
    late: tuple[MatchRow, ...]
    changed: bool = False


def absence(reader: Reader, guild: GuildId, user: UserId, now: int) -> Absence:
    """A user's absence from a server, and what is left of their allowance."""
    rows = [row for row in reader.current(user) if row.guild == guild]
    return _standing(rows, user, _absences(reader, guild, user, now), now)


def leave(tx: Transaction, guild: GuildId, user: UserId, typed: str, now: int) -> Absence:
    """Set a user away until the end of a day, from now on; or until another day, if they are away already."""
    tx.change_times()
    tx.go_alone(guild)
    calendar = Calendar.of(tx.preferences(user), tx.settings(guild), ())
    days = dates.readings(typed, calendar.today(now))
    if not days:
        raise NoDate(whole_quoted(typed, NO_DATE))
    before = _absences(tx, guild, user, now)
    return _changed(tx, guild, user, before, away_allowance.until(before, span(calendar, days[0]), now), now)


def come_back(tx: Transaction, guild: GuildId, user: UserId, now: int) -> Absence:
    """End a user's absence, if they are away. The days not used can be used later."""
    tx.change_times()
    tx.go_alone(guild)
    before = _absences(tx, guild, user, now)
    current = away_now(before, now)
    if current is None:
        return absence(tx, guild, user, now)
    return _changed(tx, guild, user, before, replace(current, ends=now), now)


def possible(reader: Reader, guild: GuildId, user: UserId, typed: str, now: int) -> tuple[tuple[str, str], ...]:
    """The days until which a user may be away, by the text typed so far: each in words, and as a date."""
    calendar = Calendar.of(reader.preferences(user), reader.settings(guild), ())
    latest = away_allowance.allowance(_absences(reader, guild, user, now), now).latest
    if latest <= now:
        return ()
    today = calendar.today(now)
    return tuple(
        (dates.told(day, today), day.isoformat()) for day in dates.offered(typed, today, calendar.today(latest))
    )


def span(calendar: Calendar, day: date) -> tuple[int, int]:
    """The first and the last second of a day, so that a date made from either is that day."""
    return calendar.moment(day, 0), calendar.moment(day + timedelta(days=1), 0) - 1


def prefer(
    tx: Transaction, guild: GuildId, user: UserId, changing: Callable[[Preferences], Preferences], now: int
) -> Preferences:
    """Change a user's preferences from a server, and with them the reminders of their clocks in all servers."""
    tx.change_times()
    tx.go_alone(guild)
    before, settings = tx.preferences(user), tx.settings(guild)

    def changed(kept: Preferences) -> Preferences:
        after = changing(kept)
        same = kept.closed == after.closed and _hours(kept) == _hours(after)
        return after if same else digests.reminded_anew(after, settings, now)

    chosen = tx.change_preferences(user, changed)
    if _hours(before) == _hours(chosen):
        return chosen
    calendars: dict[GuildId, tuple[Calendar, Calendar]] = {}
    for row in tx.current(user):
        if row.guild not in calendars:
            settings, away = tx.settings(row.guild), _absences(tx, row.guild, user, now)
            calendars[row.guild] = Calendar.of(before, settings, away), Calendar.of(chosen, settings, away)
        _reset(tx, (row,), user, *calendars[row.guild], now)
    return chosen


def _hours(chosen: Preferences) -> tuple[object, ...]:
    """The preferences that decide when a user is reminded."""
    return chosen.zone, chosen.reminders, chosen.night, chosen.morning


def preferred(
    tx: Transaction, guild: GuildId, user: UserId, changing: Callable[[Preferences], Preferences], now: int
) -> tuple[Preferences, ServerSettings]:
    """`prefer`, and the server's settings, which replace missing preferences."""
    return prefer(tx, guild, user, changing, now), tx.settings(guild)


def kept(reader: Reader, guild: GuildId, user: UserId) -> tuple[Preferences, ServerSettings]:
    """A person's own choices, with those of their server in place of missing ones."""
    return reader.preferences(user), reader.settings(guild)


def govern(
    tx: Transaction, guild: GuildId, changing: Callable[[ServerSettings], ServerSettings], now: int
) -> ServerSettings:
    """Change a server's settings, and with them the reminders of those in it who use its zone or reminders."""
    tx.change_times()
    tx.go_alone(guild)
    before = tx.settings(guild)
    after = tx.change_settings(guild, changing)
    if (before.zone, before.reminders) == (after.zone, after.reminders):
        return after
    running = tx.undecided(guild, now)
    people = sorted({player.user for _, player, _ in running})
    away = tx.absences(guild, people, now - away_allowance.REMEMBERED)
    for match, player, chosen in running:
        then, from_now = (Calendar.of(chosen, one, away.get(player.user, ())) for one in (before, after))
        columns = rescheduled(player, then, from_now, now)
        if columns is not None:
            tx.reset(match, player, columns)
            digests.begin(tx, player.user, from_now, now)
    return after


def returned(tx: Transaction, after: int, now: int) -> None:
    """Have the boards drawn again of those whose absences ended between two moments, and note the later one."""
    for guild, user in tx.returned(after, now):
        tx.redraw([row.id for row in tx.current(user) if row.guild == guild], now)
    tx.set_note(_returned(tx.share), str(now))


def known_returned(reader: Reader) -> int:
    """The moment up to which ended absences have left the boards. For a share that has no note yet, the earliest of all
    notes: then some boards are drawn twice, and none is missed."""
    if own := reader.note(_returned(reader.share)):
        return int(own)
    return min(map(int, reader.notes(RETURNED).values()), default=0)


RETURNED = "absences over until"
"""The note of that moment, of a process that serves a part of all servers with its share behind it."""


def _returned(share: Share) -> str:
    return RETURNED if share.whole else f"{RETURNED} {share}"


def rest(reader: Reader, guild: GuildId, user: UserId, now: int) -> Rest:
    """When a user's absence ends, and when the weekend ends in which their clocks stand still."""
    zone = Calendar.of(reader.preferences(user), reader.settings(guild), ()).weekend
    return Rest(reader.absent(guild, (user,), now).get(user), weekend_ends(zone, now) if zone else None)


def _absences(reader: Reader, guild: GuildId, user: UserId, now: int) -> tuple[Away, ...]:
    return reader.away(guild, user, now - away_allowance.REMEMBERED)


def _changed(tx: Transaction, guild: GuildId, user: UserId, before: tuple[Away, ...], one: Away, now: int) -> Absence:
    """Store an absence, with its effects on clocks and boards."""
    after = tuple(kept for kept in before if kept.begins != one.begins) + ((one,) if one.begins < one.ends else ())
    rows = [row for row in tx.current(user) if row.guild == guild]
    if set(after) != set(before):
        tx.keep_away(guild, user, one)
        chosen, settings = tx.preferences(user), tx.settings(guild)
        _reset(tx, rows, user, Calendar.of(chosen, settings, before), Calendar.of(chosen, settings, after), now)
        tx.redraw([row.id for row in rows], now)
    return replace(_standing(rows, user, after, now), changed=set(after) != set(before))


def _reset(
    tx: Transaction, rows: Iterable[MatchRow], user: UserId, before: Calendar, after: Calendar, now: int
) -> None:
    """Reschedule a user's running clocks."""
    for row in rows:
        player = row.player(user)
        columns = rescheduled(player, before, after, now) if player else None
        if player and columns is not None:
            tx.reset(row.id, player, columns)
            digests.begin(tx, user, after, now)


def _standing(rows: Iterable[MatchRow], user: UserId, absences: tuple[Away, ...], now: int) -> Absence:
    mine = [(row, player) for row in rows if row.state == "live" and (player := row.player(user))]
    late = [row for row, player in mine if player.forfeit_at is not None or (player.deadline or now + 1) <= now]
    running = sum(player.deadline is not None and row not in late for row, player in mine)
    current = away_now(absences, now)
    left = away_allowance.IN_A_YEAR - away_allowance.used(absences, current.ends if current else now)
    return Absence(current.ends if current else None, max(0, left), running, tuple(late))
