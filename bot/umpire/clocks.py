"""Clocks and digests in the transaction of an act, and compensation of downtime."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import lcm
from typing import NamedTuple

from bot.play.acts import ClockEffects, has_begun, has_ended
from bot.play.calendars import Calendar
from bot.play.clocks import DAY, SOON, Pace, TurnClock
from bot.play.ids import (
    NOWHERE,
    WHOLE,
    ChannelId,
    GuildId,
    MatchId,
    ShardShare,
    UserId,
    is_computer,
    is_person,
    merge_shares,
)
from bot.play.league_tables import LeagueStanding
from bot.play.rows import (
    MatchRecordRow,
    MatchRow,
    Player,
    Preferences,
    RunningClock,
    ServerSettings,
)
from data.engine.errors import Unavailable
from data.store import Reader, Store, Transaction

# Daily digests: when they are due, and their matches.


ENDLESS = 2**62


def find_next_digest(calendar: Calendar, now: int) -> int:
    """The next end of a user's quiet hours, in epoch seconds."""
    return calendar.find_next_hour(now, calendar.morning)


def reset_digest(chosen: Preferences, settings: ServerSettings, now: int) -> Preferences:
    """A user's preferences after a change of reminders or zone: refused direct messages are tried again, and digests
    start or stop. `settings` are those of the server where the change was made."""
    calendar = Calendar.of(chosen, settings, ())
    due = find_next_digest(calendar, now) if calendar.reminders == "digest" else None
    return replace(chosen, closed=False, digest=due)


def begin_digests(tx: Transaction, user: UserId, calendar: Calendar, now: int) -> None:
    """Start a user's digests if these are the server's default and have not started."""
    if calendar.reminders != "digest" or user <= 0:
        return
    chosen = tx.load_preferences(user)
    if chosen.digest is None and not chosen.closed:
        tx.change_preferences(user, lambda before: replace(before, digest=find_next_digest(calendar, now)))


def waits_for_move(row: MatchRow, player: Player) -> bool:
    """Whether a match waits for a player's move, and is not paused."""
    return row.state == "live" and row.paused is None and is_person(player.user) and player.seat in row.turn


def list_waiting_matches(
    reader: Reader, user: UserId, chosen: Preferences, here: Container[GuildId], now: int
) -> tuple[tuple[MatchRow, ...], Calendar]:
    """The matches in these servers for a user's digest, the most urgent first; and the user's calendar."""
    rows, usual = list[MatchRow](), Calendar.of(chosen, ServerSettings(), ())
    hours = dict[GuildId, Calendar]()
    for row in reader.find_current_matches(user):
        player = row.find_player(user)
        if player is None or row.guild not in here:
            continue
        if row.guild not in hours:
            hours[row.guild] = Calendar.of(
                chosen, reader.load_settings(row.guild), reader.find_absences_of(row.guild, user, now)
            )
        calendar = hours[row.guild]
        waits = waits_for_move(row, player) if row.state == "live" else player.invited
        resting = any(begin <= now < end for begin, end in calendar.list_rests(now))
        if waits and calendar.reminders == "digest" and not resting:
            rows.append(row)
    rows.sort(key=lambda row: make_digest_sort_key(row, user))
    return tuple(rows), hours[rows[0].guild] if rows else usual


def find_wait_end(row: MatchRow, user: UserId) -> int | None:
    """When a user's time in a match ends, in epoch seconds; None without a limit."""
    player = row.find_player(user)
    return row.expires if row.state == "open" else player.deadline if player else None


def make_digest_sort_key(row: MatchRow, user: UserId) -> tuple[int, int, int]:
    """A sort key: by the end of the user's time, then those without one, the oldest first."""
    end = find_wait_end(row, user)
    return (ENDLESS if end is None else end, row.started or row.created, row.id)


# Clocks of a match: updated in the transaction of an act, and started when a board is shown.


PAUSED_WITH = 3 * DAY
"""Seconds that a player gets who had none left when the match was paused."""


def clock_of(player: Player) -> TurnClock | None:
    """A player's clock, or None."""
    if player.seconds_left is None or player.allotted is None:
        return None
    return TurnClock(player.allotted, player.seconds_left, player.since, player.deadline)


def read_calendar(reader: Reader, guild: GuildId, user: UserId, since: int) -> Calendar:
    """A user's calendar in a server, with the absences from a moment on."""
    return Calendar.of(
        reader.load_preferences(user), reader.load_settings(guild), reader.find_absences_of(guild, user, since)
    )


def run_clock(player: Player, clock: TurnClock, calendar: Calendar, reminded: int = 0) -> Player:
    """The player with a running clock, of whose reminders some were given."""
    return replace(
        player,
        allotted=clock.allotted,
        seconds_left=clock.left,
        since=clock.since,
        deadline=clock.deadline,
        weekend=calendar.weekend_zone,
        forfeit_at=None,
        next_reminder_at=calendar.find_next_reminder(clock, reminded),
        reminder_count=reminded,
    )


def reschedule_clock(player: Player, before: Calendar, after: Calendar, now: int) -> Player | None:
    """The player with their clock under a new calendar, with the same time left and the same weekends. None if it is
    not running, or has run out.

    Reminders that fell due while reminders were off count as given, so that switching them on sends none at once.
    """
    clock = clock_of(player)
    if clock is None or clock.since is None or player.forfeit_at is not None or (clock.deadline or 0) <= now:
        return None
    before, after = before.adapt_to_clock(player), after.adapt_to_clock(player)
    rests = before.list_rests(clock.since)
    least = -1 if after.reminders == "board" else 0
    behind = clock.count_due_reminders(now, rests) if before.reminders == "off" else least
    started = after.start_clock(clock.stop(now, rests), now)
    return run_clock(player, started, after, max(player.reminder_count, behind))


def update_clocks(
    reader: Reader, before: MatchRow, after: MatchRecordRow, turned: ClockEffects | None, now: int
) -> MatchRecordRow:
    """The row after an act with the effects on the clocks of the match; `turned` are those of new lines."""
    if has_begun(before, after):
        first = Pace.parse(after.pace).first_allotment
        people = [player.user for player in after.players if not is_computer(player.user)]
        after = after.change_players(people, allotted=first, seconds_left=first)
        return _schedule_boards(reader, after, ClockEffects(fresh=after.turn), now) if first is None else after
    if before.state != "live":
        return after
    if before.pace == "none":
        return _schedule_boards(reader, after, turned or ClockEffects(), now)
    if has_ended(before, after):
        return replace(after, players=tuple(player.stop_clock() for player in after.players))
    if turned:
        after = replace(after, players=tuple(_pass_turn(reader, before, one, turned, now) for one in after.players))
    if after.paused and not before.paused:
        after = replace(after, players=tuple(_pause_clock(reader, before.guild, one, now) for one in after.players))
    return after


def _schedule_boards(reader: Reader, row: MatchRecordRow, turned: ClockEffects, now: int) -> MatchRecordRow:
    """The row of a match without clocks, where the board of a turn that has begun is to be sent by direct message; not
    where it stands there already."""
    if row.guild == NOWHERE:
        return row
    for player in row.players:
        if player.next_reminder_at is not None and (player.seat in turned.spent or player.seat not in row.turn):
            row = row.change_player(player.user, next_reminder_at=None)
        if player.seat not in turned.fresh or player.seat not in row.turn or not is_person(player.user):
            continue
        hours = read_calendar(reader, row.guild, player.user, now)
        if hours.reminders == "board":
            at = hours.find_awake_moment(now + SOON, hours.list_rests(now))
            row = row.change_player(player.user, reminder_count=-1, next_reminder_at=at)
    return row


def _pass_turn(reader: Reader, row: MatchRow, player: Player, turned: ClockEffects, now: int) -> Player:
    """A player with their clock, after their turn has begun or ended, if it has."""
    clock = clock_of(player)
    if clock is None or player.seat not in (*turned.fresh, *turned.spent):
        return player
    if player.seat in turned.spent:
        left = Pace.parse(row.pace).compute_next_allotment(_compute_seconds_left(reader, row, player, clock, now))
    else:
        # A turn that ends with a takeback was not used up.
        left = clock.allotted if player.seat in row.turn else clock.left
    return player.fill_clock(left) if player.seat in turned.fresh else player.stop_clock(left)


def _pause_clock(reader: Reader, guild: GuildId, player: Player, now: int) -> Player:
    """A player with a running clock stopped, and the time left on it. A player with none left, who would be out at once
    on resuming, gets `PAUSED_WITH` seconds: all have agreed to the pause."""
    clock = clock_of(player)
    if clock is None or clock.since is None:
        return player
    hours = read_calendar(reader, guild, player.user, clock.since).adapt_to_clock(player)
    left = hours.compute_seconds_left(clock, now)
    if left:
        return player.stop_clock(left)
    return replace(player.stop_clock(PAUSED_WITH), allotted=PAUSED_WITH, reminder_count=0)


def _compute_seconds_left(reader: Reader, row: MatchRow, player: Player, clock: TurnClock, now: int) -> int:
    """The seconds left on a player's clock, where they count for the next turn."""
    if clock.since is None or row.pace != "bank":
        return clock.left
    hours = read_calendar(reader, row.guild, player.user, clock.since).adapt_to_clock(player)
    return hours.compute_seconds_left(clock, now)


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


def record_shown(
    tx: Transaction,
    match: MatchId,
    version: int,
    now: int,
    board_channel: int | None = None,
    board_message: int | None = None,
    shown_plies: int | None = None,
) -> bool:
    """Note that Discord has accepted this version, and start the clocks of the players whom it notified. False if a
    later act came first, so that the board shown is out of date."""
    tx.lock_clocks_shared()
    row = tx.load_row(match) if tx.mark_shown(match, version, board_channel, board_message, shown_plies) else None
    if row is None or row.shown_version < row.version:
        return False
    start_waiting_clocks(tx, row, now)
    return True


def start_waiting_clocks(tx: Transaction, row: MatchRow, now: int) -> None:
    """Start the clocks that waited for the board, in the order of user ids, so that two transactions about the same
    users cannot deadlock."""
    for player in sorted(waiting_to_start(row), key=lambda player: player.user):
        hours = read_calendar(tx, row.guild, player.user, now)
        if hours.reminders == "digest":
            begin_digests(tx, player.user, hours, now)
        tx.set_clock(row.id, _start_clock(player, hours, now))


def _start_clock(player: Player, hours: Calendar, now: int) -> Player:
    clock = clock_of(player)
    assert clock is not None
    begins = hours.reminders == "board" and not player.reminder_count and clock.left == clock.allotted
    return run_clock(player, hours.start_clock(clock, now), hours, -1 if begins else player.reminder_count)


def freeze_clocks(tx: Transaction, match: MatchId, reason: str, now: int) -> None:
    """Stop the clocks of a match whose board cannot be shown and whose users cannot act, and note the reason. The time
    left is kept, 0 for players who ran out of time, and the clocks start again when the board is shown. If the board
    merely cannot be posted they run on, since commands work in every channel."""
    tx.lock_clocks_shared()
    row = tx.load_row(match)
    if row is None or row.state != "live":
        return
    if any(map(_is_running, row.players)) and tx.update(match, row.version):
        for player in filter(_is_running, row.players):
            clock = clock_of(player)
            assert clock is not None
            hours = read_calendar(tx, row.guild, player.user, clock.since or now).adapt_to_clock(player)
            tx.set_clock(match, player.stop_clock(hours.compute_seconds_left(clock, now)))
    tx.park(match, reason)


def start_notified_clock(tx: Transaction, row: MatchRow, user: UserId, now: int) -> None:
    """Start the clock of a player who has been notified elsewhere that it is their move."""
    start_waiting_clocks(tx, replace(row, players=tuple(player for player in row.players if player.user == user)), now)


def move_to_channel(tx: Transaction, match: MatchId, thread: ChannelId | None) -> bool:
    """Move a live match whose thread is gone to its channel. The players to move are notified there, and their clocks
    run on; so are players whom a message in the thread notified of what no board shows yet. False, and no change, if
    the match is no longer played in that thread."""
    tx.lock_clocks_shared()
    row = tx.load_row(match)
    if row is None or row.state != "live" or row.thread != thread or not tx.update(match, row.version):
        return False
    tx.set_thread(match, row.channel)
    tx.unmark_told(match)
    for player in row.players:
        if player.seat in row.turn and not is_computer(player.user):
            tx.set_player(match, player.user, mention_version=row.version + 1)
    return True


def _is_running(player: Player) -> bool:
    return player.since is not None


def load_as_shown(reader: Reader, match: MatchId, now: int) -> MatchRecordRow | None:
    """A match with the deadlines as they are if its board is shown now."""
    row = reader.load_match(match)
    if row is None:
        return None
    for player in waiting_to_start(row):
        row = row.replace_player(_start_clock(player, read_calendar(reader, row.guild, player.user, now), now))
    return row


def list_absent(reader: Reader, row: MatchRow, now: int) -> tuple[tuple[UserId, int], ...]:
    """The players of an open or live match, or of an expired challenge, who are away, and until when."""
    if row.state not in ("open", "live", "expired") or row.seats == 1:
        return ()
    people = [player.user for player in row.players]
    return tuple(sorted(reader.find_absent_people(row.guild, people, now).items()))


def find_league_standing(reader: Reader, row: MatchRow) -> LeagueStanding | None:
    """Whether the league of a match counts it; None where it is of none."""
    league = reader.league_of(row.id) if row.round is not None and row.state in ("live", "finished") else None
    loaded = reader.load_league(league) if league is not None else None
    return LeagueStanding.of(loaded, row.id) if loaded else None


class ShownMatch(NamedTuple):
    """The data for a board or a challenge: the match, its absent players with the end of their absence, whether its
    league counts it, and whether all who play it have finished one of its game."""

    row: MatchRecordRow | None
    away: tuple[tuple[UserId, int], ...] = ()
    league: LeagueStanding | None = None
    practised: bool = False


def load_to_show(reader: Reader, match: MatchId, now: int) -> ShownMatch:
    row = load_as_shown(reader, match, now)
    if row is None:
        return ShownMatch(None)
    away, league = list_absent(reader, row, now), find_league_standing(reader, row)
    return ShownMatch(row, away, league, row.state == "live" and have_all_practised(reader, row))


def have_all_practised(reader: Reader, row: MatchRow) -> bool:
    """Whether each person who plays a match has finished one of its game."""
    people = (player.user for player in row.players if is_person(player.user))
    return all(reader.has_finished_one(user, row.game) for user in people)


# Downtime is added to all clocks: no player can move while the bot is not connected to Discord.


NOTE = "clocks"
"""The name of the note of the last connected moment; the shard follows if there are several."""
NOTED_EVERY = 60
"""Seconds after which the note is written again."""
OUTAGE = 90
"""Seconds without a connection that count as downtime. A restart for a new version, or a reconnect, takes less."""
WORTH_TELLING = 600
"""The least downtime in seconds after which all boards are silently edited to show the new deadlines: Discord shows
deadlines in hours or days, and a thousand edits take minutes."""

log = logging.getLogger(__name__)

Moments = Mapping[ShardShare, int]
"""When clocks were last known to run, in epoch seconds, by shard."""


class DowntimeKeeper:
    """Tracks when the bot was connected; up to `longest` seconds between two notes are no downtime. `shard_of` finds
    the shard of a server."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        longest: int = OUTAGE,
        shard_of: Callable[[int], ShardShare] = lambda _: WHOLE,
    ) -> None:
        self.longest = longest
        self.shard_of = shard_of
        self.store = store
        self.clock = clock
        self._counted: dict[ShardShare, int] = {}
        self._noted: dict[ShardShare, int] = {}
        self._looking = asyncio.Lock()

    def is_steady(self, shard: ShardShare = WHOLE) -> bool:
        """Whether a shard was connected a moment ago, so that there is no downtime to give back."""
        counted = self._counted.get(shard)
        return counted is not None and 0 <= self.clock() - counted <= self.longest

    async def catch_up_before_act(self, guild: GuildId) -> None:
        """Give back downtime before an interaction in a server is handled, in case the shard has just reconnected."""
        if not any(shard.holds(guild) and self.is_steady(shard) for shard in self._counted):
            with suppress(Unavailable):  # then the act fails, too
                await self.note_connected((self.shard_of(guild),))

    async def note_connected(self, shards: Sequence[ShardShare] = (WHOLE,)) -> int:
        """Note that these shards are connected now, and return the seconds given back, the most over the shards, mostly
        0. Afterwards their due acts may be carried out."""
        async with self._looking:
            now, given = self.clock(), 0
            due = [
                one for one in shards if not self.is_steady(one) or not 0 <= now - self._noted.get(one, 0) < NOTED_EVERY
            ]
            if due:
                remembered = {shard: self._counted.get(shard) for shard in due}
                given = await self.store.for_long_work.do(catch_up, remembered, now, self.longest)
                self._noted |= dict.fromkeys(due, now)
            self._counted |= dict.fromkeys(shards, now)
        if given:
            told = ", ".join(map(str, merge_shares(shards)))
            log.info("%d seconds without Discord were given back to all who are to move (shards %s).", given, told)
        return given


# The notes.


def name_note(shard: ShardShare) -> str:
    return NOTE if shard.count == 1 else f"{NOTE} {shard}"


def read_notes(notes: Mapping[str, str]) -> Moments:
    """The moments in these notes; a note that cannot be read is left out."""
    found: dict[ShardShare, int] = {}
    for called, value in notes.items():
        try:
            shard = WHOLE if called == NOTE else ShardShare.parse(called.removeprefix(NOTE))
        except ValueError:
            continue
        if value.isdecimal():
            found[shard] = int(value)
    return found


def find_stopped_shares(
    moments: Moments, remembered: Mapping[ShardShare, int | None], now: int, longest: int
) -> list[tuple[ShardShare, int]]:
    """The servers of some shards that were not connected for more than `longest` seconds until now, and since when.

    `remembered` is what this process itself knows of its shards. A note for a future moment was written by a process
    whose clock is a few seconds ahead, or before this clock was set back. It counts as now, or not at all.

    >>> notes = read_notes({"clocks 0/2": "100", "clocks 1/2": "900"})
    >>> quarter = {ShardShare(1, 1, 4): None}
    >>> [(str(share), since) for share, since in find_stopped_shares(notes, quarter, 1000, 90)]
    [('1/4', 900)]
    >>> [(str(share), since) for share, since in find_stopped_shares(notes, {WHOLE: None}, 1000, 90)]
    [('0/2', 100), ('1/2', 900)]
    >>> find_stopped_shares(notes, {WHOLE: 950}, 1000, 90)
    []
    """
    noted = {shard: min(now, at) for shard, at in moments.items() if at <= now + longest}
    found: defaultdict[int, list[ShardShare]] = defaultdict(list)
    for shard, known in remembered.items():
        mine = [at for at in (known, noted.get(shard)) if at is not None and at <= now]
        if mine and now - max(mine) <= longest:
            continue
        about = {other: at for other, at in noted.items() if other.overlaps(shard)}
        for part in shard.split_into(lcm(shard.count, *(other.count for other in about))):
            since = max(
                [*mine, *(at for other, at in about.items() if part.first % other.count in other.shards)], default=now
            )
            if now - since > longest:
                found[since].append(part)
    return [(share, since) for since in sorted(found) for share in merge_shares(found[since])]


def find_superseded_notes(moments: Moments, now: int) -> list[ShardShare]:
    """The notes that are superseded: each of their servers has a later note, for another number of shards."""
    counts = {shard.count for shard in moments}
    whole = lcm(*counts) if len(counts) > 1 else 0
    past = {shard: at if at <= now else 0 for shard, at in moments.items()}

    def later(shard: ShardShare, part: ShardShare) -> bool:
        return any(
            at > past[shard] and part.first % other.count in other.shards
            for other, at in past.items()
            if other.count != shard.count
        )

    return [shard for shard in moments if whole and all(later(shard, part) for part in shard.split_into(whole))]


# Giving time back.


def catch_up(tx: Transaction, counted: Mapping[ShardShare, int | None], now: int, longest: int) -> int:
    """Note that the clocks of some shards run now, and give back the downtime before; returns the most seconds given
    back. `counted`: the last connected moments that this process remembers."""
    found = tx.read_notes(NOTE)
    if find_stopped_shares(read_notes(found), counted, now, longest):
        tx.lock_clocks()  # excludes other processes; notes written until then are read below
        found = tx.read_notes(NOTE)
    known = read_notes(found)
    outages = find_stopped_shares(known, counted, now, longest)
    for share, since in outages:
        give_back(tx.within_share(share), since, now)
    for shard in counted:
        if not now <= known.get(shard, 0) <= now + longest:
            tx.replace_note(name_note(shard), found.get(name_note(shard)), str(now))
    for shard in find_superseded_notes({**known, **dict.fromkeys(counted, now)}, now):
        tx.drop_note(name_note(shard), found.get(name_note(shard), ""))
    return max((now - since for _, since in outages), default=0)


def give_back(tx: Transaction, since: int, now: int) -> None:
    """Shift all clocks of a share by the downtime from `since` until now. Their matches are changed first, so that on
    PostgreSQL no clock is stopped between being read and being written."""
    tx.lock_clocks()
    matches = tx.note_times_changed()
    tx.put_clocks([resume_clock(one, since, now) for one in tx.find_running_clocks()])
    tx.postpone_forfeits(now - since)
    if now - since >= WORTH_TELLING:
        tx.postpone_proposals(now - since)
        tx.redraw_messages(matches, now)


def resume_clock(one: RunningClock, since: int, now: int) -> tuple[MatchId, Player]:
    """A match and a player in it with their clock, and its next reminder, after a stop from `since` until now."""
    player = one.player
    assert player.allotted is not None and player.seconds_left is not None and player.since is not None
    hours = Calendar.of(one.chosen, one.settings, one.away).adapt_to_clock(player)
    stood = TurnClock(player.allotted, player.seconds_left, player.since, player.deadline)
    clock = stood.give_back(since, now, hours.list_rests(player.since))
    remind = hours.find_next_reminder(clock, player.reminder_count)
    resumed = replace(player, seconds_left=clock.left, since=clock.since, deadline=clock.deadline)
    return one.match, replace(resumed, next_reminder_at=remind)
