"""Time preferences: users' absences, zones, weekends and reminders; servers' defaults.

Running clocks change in the same transaction: by the old calendar up to now, and by the new one from now on. They keep
the weekends that they started with, and of all preferences only an absence moves a deadline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from bot.games.notation import quote_whole
from bot.play import calendars
from bot.play.calendars import Calendar, find_current_absence, find_weekend_end
from bot.play.ids import GuildId, UserId
from bot.play.loaded_match import Refusal
from bot.play.rows import Absence, MatchRow, Preferences, RestPeriods, ServerSettings
from bot.umpire import clocks
from bot.umpire.clocks import reschedule_clock
from data.store import Reader, Transaction

NO_DATE = (
    "I can't read that date. Write it like 2026-12-24, 24.12., Dec 24, friday, tomorrow or in 10 days, "
    "or choose one that is offered while you type."
)


class NotADate(Refusal):
    """A typed text that is not a date."""


@dataclass(frozen=True, slots=True)
class AbsenceState:
    """A user's absence from a server. `until`: when it ends; `left`: how many seconds of absence they have left in a
    year after it; `clocks`: how many of their clocks it concerns; `late`: the matches in which their time has run out
    already; `changed`: whether the absence was changed just now."""

    until: int | None
    left: int
    clocks: int
    late: tuple[MatchRow, ...]
    changed: bool = False


def read_absence(reader: Reader, guild: GuildId, user: UserId, now: int) -> AbsenceState:
    """A user's absence from a server, and what is left of their allowance."""
    rows = [row for row in reader.find_current_matches(user) if row.guild == guild]
    return _make_absence_state(rows, user, _read_absences(reader, guild, user, now), now)


def set_away(tx: Transaction, guild: GuildId, user: UserId, typed: str, now: int) -> AbsenceState:
    """Set a user away until the end of a day, from now on; or until another day, if they are away already."""
    tx.lock_clocks()
    tx.lock_guild(guild)
    calendar = Calendar.of(tx.load_preferences(user), tx.load_settings(guild), ())
    days = calendars.read_dates(typed, calendar.find_local_date(now))
    if not days:
        raise NotADate(quote_whole(typed, NO_DATE))
    before = _read_absences(tx, guild, user, now)
    return _store_absence(
        tx, guild, user, before, calendars.make_absence(before, find_day_span(calendar, days[0]), now), now
    )


def end_absence(tx: Transaction, guild: GuildId, user: UserId, now: int) -> AbsenceState:
    """End a user's absence, if they are away. The days not used can be used later."""
    tx.lock_clocks()
    tx.lock_guild(guild)
    before = _read_absences(tx, guild, user, now)
    current = find_current_absence(before, now)
    if current is None:
        return read_absence(tx, guild, user, now)
    return _store_absence(tx, guild, user, before, replace(current, ends=now), now)


def suggest_days(reader: Reader, guild: GuildId, user: UserId, typed: str, now: int) -> tuple[tuple[str, str], ...]:
    """The days until which a user may be away, by the text typed so far: each in words, and as a date."""
    calendar = Calendar.of(reader.load_preferences(user), reader.load_settings(guild), ())
    latest = calendars.compute_allowance(_read_absences(reader, guild, user, now), now).latest_end
    if latest <= now:
        return ()
    today = calendar.find_local_date(now)
    return tuple(
        (calendars.describe_date(day, today), day.isoformat())
        for day in calendars.suggest_dates(typed, today, calendar.find_local_date(latest))
    )


def find_day_span(calendar: Calendar, day: date) -> tuple[int, int]:
    """The first and the last second of a day, so that a date made from either is that day."""
    return calendar.compute_moment(day, 0), calendar.compute_moment(day + timedelta(days=1), 0) - 1


def change_preferences(
    tx: Transaction, guild: GuildId, user: UserId, changing: Callable[[Preferences], Preferences], now: int
) -> Preferences:
    """Change a user's preferences from a server, and with them the reminders of their clocks in all servers."""
    tx.lock_clocks()
    tx.lock_guild(guild)
    before, settings = tx.load_preferences(user), tx.load_settings(guild)

    def apply_change(kept: Preferences) -> Preferences:
        after = changing(kept)
        same = kept.closed == after.closed and _list_reminder_preferences(kept) == _list_reminder_preferences(after)
        return after if same else clocks.reset_digest(after, settings, now)

    chosen = tx.change_preferences(user, apply_change)
    if _list_reminder_preferences(before) == _list_reminder_preferences(chosen):
        return chosen
    calendars: dict[GuildId, tuple[Calendar, Calendar]] = {}
    for row in tx.find_current_matches(user):
        if row.guild not in calendars:
            settings, away = tx.load_settings(row.guild), _read_absences(tx, row.guild, user, now)
            calendars[row.guild] = Calendar.of(before, settings, away), Calendar.of(chosen, settings, away)
        _reschedule_clocks(tx, (row,), user, *calendars[row.guild], now)
    return chosen


def _list_reminder_preferences(chosen: Preferences) -> tuple[object, ...]:
    """The preferences that decide when a user is reminded."""
    return chosen.zone, chosen.reminders, chosen.night, chosen.morning


def change_and_read(
    tx: Transaction, guild: GuildId, user: UserId, changing: Callable[[Preferences], Preferences], now: int
) -> tuple[Preferences, ServerSettings]:
    """As `change_preferences`; also returns the server's settings, which replace missing preferences."""
    return change_preferences(tx, guild, user, changing, now), tx.load_settings(guild)


def read_preferences(reader: Reader, guild: GuildId, user: UserId) -> tuple[Preferences, ServerSettings]:
    """A user's own preferences, with the settings of their server, which replace missing ones."""
    return reader.load_preferences(user), reader.load_settings(guild)


def change_settings(
    tx: Transaction, guild: GuildId, changing: Callable[[ServerSettings], ServerSettings], now: int
) -> ServerSettings:
    """Change a server's settings, and with them the reminders of those in it who use its zone or reminders."""
    tx.lock_clocks()
    tx.lock_guild(guild)
    before = tx.load_settings(guild)
    after = tx.change_settings(guild, changing)
    if (before.zone, before.reminders) == (after.zone, after.reminders):
        return after
    running = tx.find_undecided_clocks(guild, now)
    people = sorted({player.user for _, player, _ in running})
    away = tx.absences(guild, people, now - calendars.REMEMBERED)
    for match, player, chosen in running:
        then, from_now = (Calendar.of(chosen, one, away.get(player.user, ())) for one in (before, after))
        changed = reschedule_clock(player, then, from_now, now)
        if changed is not None:
            tx.reset_clock(match, player, changed)
            clocks.begin_digests(tx, player.user, from_now, now)
    return after


def read_rest(reader: Reader, guild: GuildId, user: UserId, now: int) -> RestPeriods:
    """When a user's absence ends, and when the weekend ends in which their clocks stand still."""
    zone = Calendar.of(reader.load_preferences(user), reader.load_settings(guild), ()).weekend_zone
    return RestPeriods(
        reader.find_absent_people(guild, (user,), now).get(user), find_weekend_end(zone, now) if zone else None
    )


def _read_absences(reader: Reader, guild: GuildId, user: UserId, now: int) -> tuple[Absence, ...]:
    return reader.find_absences_of(guild, user, now - calendars.REMEMBERED)


def _store_absence(
    tx: Transaction, guild: GuildId, user: UserId, before: tuple[Absence, ...], one: Absence, now: int
) -> AbsenceState:
    """Store an absence, with its effects on clocks and boards."""
    after = tuple(kept for kept in before if kept.begins != one.begins) + ((one,) if one.begins < one.ends else ())
    rows = [row for row in tx.find_current_matches(user) if row.guild == guild]
    if set(after) != set(before):
        tx.add_absence(guild, user, one)
        chosen, settings = tx.load_preferences(user), tx.load_settings(guild)
        _reschedule_clocks(
            tx, rows, user, Calendar.of(chosen, settings, before), Calendar.of(chosen, settings, after), now
        )
        tx.redraw_messages([row.id for row in rows], now)
    return replace(_make_absence_state(rows, user, after, now), changed=set(after) != set(before))


def _reschedule_clocks(
    tx: Transaction, rows: Iterable[MatchRow], user: UserId, before: Calendar, after: Calendar, now: int
) -> None:
    """Reschedule a user's running clocks."""
    for row in rows:
        player = row.find_player(user)
        changed = reschedule_clock(player, before, after, now) if player else None
        if player and changed is not None:
            tx.reset_clock(row.id, player, changed)
            clocks.begin_digests(tx, user, after, now)


def _make_absence_state(
    rows: Iterable[MatchRow], user: UserId, absences: tuple[Absence, ...], now: int
) -> AbsenceState:
    mine = [(row, player) for row in rows if row.state == "live" and (player := row.find_player(user))]
    late = [row for row, player in mine if player.forfeit_at is not None or (player.deadline or now + 1) <= now]
    running = sum(player.deadline is not None and row not in late for row, player in mine)
    current = find_current_absence(absences, now)
    left = calendars.IN_A_YEAR - calendars.count_used_seconds(absences, current.ends if current else now)
    return AbsenceState(current.ends if current else None, max(0, left), running, tuple(late))
