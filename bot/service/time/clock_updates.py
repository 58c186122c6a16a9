"""Updates the clocks of a match: in the transaction of an act, and when a board is shown, which starts them.

A clock is set when its seat comes to move, runs from when the board that says so was shown, and stops when the turn
ends. In a game with secrets a secret move does not change it, since everybody sees the deadline. A pace of days gives
the whole time for each move; a bank adds to what is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.core.match.clocks import DAY, STILL, Clock, Pace
from bot.core.match.stored import MatchRow, Player, Stored
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import ChannelId, GuildId, MatchId, UserId
from bot.service.rules.decisions import Change, Turned
from bot.service.time import digests
from bot.service.time.calendars import Calendar
from data.store import Reader, Transaction

PAUSED_WITH = 3 * DAY
"""Seconds on the clock of a player who had none left when the match was paused."""


def clock_of(player: Player) -> Clock | None:
    """A player's clock; None where they have none."""
    if player.seconds_left is None or player.allotted is None:
        return None
    return Clock(player.allotted, player.seconds_left, player.since, player.deadline)


def calendar(reader: Reader, guild: GuildId, user: UserId, since: int) -> Calendar:
    """A user's calendar in a server, with the absences from a moment on."""
    return Calendar.of(reader.preferences(user), reader.settings(guild), reader.away(guild, user, since))


def running(clock: Clock, calendar: Calendar, reminded: int = 0) -> dict[str, Any]:
    """The columns of a clock that runs."""
    remind = calendar.next_reminder(clock, reminded)
    kept = {"allotted": clock.allotted, "seconds_left": clock.left, "since": clock.since, "deadline": clock.deadline}
    return {
        **kept,
        "weekend": calendar.weekend,
        "forfeit_at": None,
        "next_reminder_at": remind,
        "reminder_count": reminded,
    }


def rescheduled(player: Player, before: Calendar, after: Calendar, now: int) -> dict[str, Any] | None:
    """The columns of a player's clock under their new calendar: as much is left as by the old one, and its weekends are
    the same. None where it does not run, or has run out.

    Reminders that fell due while they were switched off count as given: who switches them on needs none at once.
    """
    clock = clock_of(player)
    if clock is None or clock.since is None or player.forfeit_at is not None or (clock.deadline or 0) <= now:
        return None
    before, after = before.of_clock(player), after.of_clock(player)
    rests = before.rests(clock.since)
    behind = clock.reminders_behind(now, rests) if before.reminders == "off" else 0
    return running(after.start(clock.stopped(now, rests), now), after, max(player.reminder_count, behind))


def turned(tx: Transaction, row: Stored, change: Change, now: int) -> Change:
    """The change with its effects on the clocks of the match."""
    if change.begins:
        return _with(change, _begun(change))
    if row.pace == "none" or row.state != "live":
        return change
    if change.ends:
        return _with(change, {player.user: dict(STILL) for player in row.players if player.seconds_left is not None})
    if change.turned:
        change = _with(change, _turned(tx, row, change.turned, now))
    return _with(change, _paused(tx, row, change, now)) if change.columns.get("paused") else change


def _turned(tx: Transaction, row: Stored, turned: Turned, now: int) -> dict[UserId, dict[str, Any]]:
    """The clocks of those whose turn begins or ends."""
    pace, columns = Pace.parse(row.pace), dict[UserId, dict[str, Any]]()
    for player in row.players:
        clock = clock_of(player)
        if clock is None or player.seat not in (*turned.fresh, *turned.spent):
            continue
        if player.seat in turned.spent:
            left = pace.next(_left(tx, row, player, clock, now))
        else:
            # A turn that ends with a takeback was not used up.
            left = clock.allotted if player.seat in row.turn else clock.left
        fresh = {"allotted": left, "reminder_count": 0, "extra_time_count": 0} if player.seat in turned.fresh else {}
        columns[player.user] = {**STILL, "seconds_left": left, **fresh}
    return columns


def _paused(tx: Transaction, row: Stored, change: Change, now: int) -> dict[UserId, dict[str, Any]]:
    """Stop the running clocks with what is left. A player with nothing left would be out as soon as the match goes on,
    and gets some time: all have agreed to the pause."""
    columns = dict[UserId, dict[str, Any]]()
    for player in row.players:
        player = replace(player, **change.players.get(player.user, {}))
        clock = clock_of(player)
        if clock is None or clock.since is None:
            continue
        left = calendar(tx, row.guild, player.user, clock.since).of_clock(player).left(clock, now)
        more = (
            {"seconds_left": left}
            if left
            else {"seconds_left": PAUSED_WITH, "allotted": PAUSED_WITH, "reminder_count": 0}
        )
        columns[player.user] = {**STILL, **more}
    return columns


def _begun(change: Change) -> dict[UserId, dict[str, Any]]:
    """Everybody's clock, full, where the match that begins has clocks; the computer has none."""
    pace = Pace.parse(change.columns.get("pace", "none"))
    if pace.first is None:
        return {}
    clock = {"allotted": pace.first, "seconds_left": pace.first}
    return {user: clock for user in change.players if not is_computer(user)}


def _left(tx: Transaction, row: MatchRow, player: Player, clock: Clock, now: int) -> int:
    """What is left of a player's bank. Clocks change without an act on the match, so the clock that was read earlier
    may be out of date."""
    if clock.since is None or row.pace != "bank":
        return clock.left
    kept = tx.row(row.id)
    current = kept.player(player.user) if kept else None
    if current and current.since is not None:
        player, clock = current, clock_of(current) or clock
    return calendar(tx, row.guild, player.user, clock.since or now).of_clock(player).left(clock, now)


def _with(change: Change, columns: Mapping[UserId, Mapping[str, Any]]) -> Change:
    players = {user: {**change.players.get(user, {}), **more} for user, more in columns.items()}
    return replace(change, players={**change.players, **players}) if columns else change


def waiting_to_start(row: MatchRow) -> tuple[Player, ...]:
    """The players whose clocks start when the board is shown."""
    if row.pace == "none" or row.state != "live" or row.paused is not None:
        return ()
    return tuple(
        player
        for player in row.players
        if player.seat in row.turn
        and player.seconds_left is not None
        and player.since is None
        and player.forfeit_at is None
    )


def shown(
    tx: Transaction,
    match: MatchId,
    version: int,
    now: int,
    board_channel: int | None = None,
    board_message: int | None = None,
    shown_plies: int | None = None,
) -> bool:
    """Note that Discord has accepted this version, and start the clocks of those whom it notified. Returns False where
    a later act came first, so that the match is not shown as it is stored."""
    tx.keep_times()
    row = tx.row(match) if tx.shown(match, version, board_channel, board_message, shown_plies) else None
    if row is None or row.shown_version < row.version:
        return False
    start(tx, row, now)
    return True


def start(tx: Transaction, row: MatchRow, now: int) -> None:
    """Start the clocks that waited for the board. In the order of user ids, so that two transactions about the same
    people cannot deadlock."""
    for player in sorted(waiting_to_start(row), key=lambda player: player.user):
        hours = calendar(tx, row.guild, player.user, now)
        if hours.reminders == "digest":
            digests.begin(tx, player.user, hours, now)
        tx.seat(row.id, player.user, **_started(player, hours, now))


def _started(player: Player, hours: Calendar, now: int) -> dict[str, Any]:
    clock = clock_of(player)
    assert clock is not None
    return running(hours.start(clock, now), hours, player.reminder_count)


def freeze(tx: Transaction, match: MatchId, reason: str, now: int) -> None:
    """Stop the clocks of a match whose board cannot be shown where users cannot act either, and note the reason: what
    is left stays, 0 for players who ran out of time, and the clocks start again when the board is shown. If the board
    only cannot be posted they run on, since commands reach the bot from every channel."""
    tx.keep_times()
    row = tx.row(match)
    if row is None or row.state != "live":
        return
    if any(map(_runs, row.players)) and tx.update(match, row.version):
        for player in filter(_runs, row.players):
            clock = clock_of(player)
            assert clock is not None
            hours = calendar(tx, row.guild, player.user, clock.since or now).of_clock(player)
            columns: dict[str, Any] = {**STILL, "seconds_left": hours.left(clock, now)}
            tx.seat(match, player.user, **columns)
    tx.park(match, reason)


def start_of(tx: Transaction, row: MatchRow, user: UserId, now: int) -> None:
    """Start the clock of a player who has been notified elsewhere that it is their move."""
    start(tx, replace(row, players=tuple(player for player in row.players if player.user == user)), now)


def moved(tx: Transaction, match: MatchId, thread: ChannelId | None) -> bool:
    """Move a live match whose thread is gone to its channel. Those who are to move are notified there, and their clocks
    run on; so are those whom a message in that thread told what no board shows yet. False, and no change, if it is no
    longer played in that thread."""
    tx.keep_times()
    row = tx.row(match)
    if row is None or row.state != "live" or row.thread != thread or not tx.update(match, row.version):
        return False
    tx.set_thread(match, row.channel)
    tx.untell(match)
    for player in row.players:
        if player.seat in row.turn and not is_computer(player.user):
            tx.seat(match, player.user, mention_version=row.version + 1)
    return True


def _runs(player: Player) -> bool:
    return player.since is not None


def expected(reader: Reader, match: MatchId, now: int) -> Stored | None:
    """A match with the deadlines that hold if its board is shown now."""
    row = reader.load(match)
    if row is None:
        return None
    starting = {
        player.user: _started(player, calendar(reader, row.guild, player.user, now), now)
        for player in waiting_to_start(row)
    }
    players = tuple(replace(player, **starting.get(player.user, {})) for player in row.players)
    return replace(row, players=players)


def absent(reader: Reader, row: MatchRow, now: int) -> tuple[tuple[UserId, int], ...]:
    """The people of an open or live match, or of a challenge that expired, who are away, and until when."""
    if row.state not in ("open", "live", "expired") or row.seats == 1:
        return ()
    people = [player.user for player in row.players]
    return tuple(sorted(reader.absent(row.guild, people, now).items()))


def struck(reader: Reader, row: MatchRow) -> tuple[UserId, ...]:
    """The people of a live match who were struck out of its league, in which it no longer counts."""
    league = reader.league_of(row.id) if row.state == "live" and row.rated and row.seats == 2 else None
    loaded = reader.league(league) if league is not None else None
    return tuple(one.user for one in loaded.members if one.struck and row.player(one.user)) if loaded else ()


def to_show(
    reader: Reader, match: MatchId, now: int
) -> tuple[Stored | None, tuple[tuple[UserId, int], ...], tuple[UserId, ...]]:
    """The data of a match's board or challenge: the match, who is away until when, and who was struck out of its
    league."""
    row = expected(reader, match, now)
    return (row, absent(reader, row, now), struck(reader, row)) if row else (None, (), ())
