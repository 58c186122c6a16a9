"""Clocks of many matches at once: those that have run out, and the compensation of an outage.

Ten thousand clocks may run. Due ones are found by partial indexes, and there is no query per user.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    exists,
    or_,
    select,
    union_all,
    update,
)

from bot.play.ids import GuildId, MatchId
from bot.play.loaded_match import RESUMES_AFTER
from bot.play.rows import Absence, Player, Preferences, RunningClock, ServerSettings
from data.tables.rows import list_columns
from data.tables.schema import away, matches, players, preferences, settings
from data.tables.statements import in_share, is_among

RUNS = (players.c.deadline.is_not(None), players.c.forfeit_at.is_(None))
"""The condition of the partial index."""
SKIPPED = ~is_among(players.c.match, "skipped")
MOST = bindparam("most", type_=Integer())
HERE = exists().where(matches.c.id == players.c.match, in_share(matches.c.guild))
"""Whether a player's match is of the share: a subquery, so that the index of due rows is read first."""
RUN_OUT = (
    select(players.c.match)
    .where(players.c.deadline <= bindparam("now"), players.c.forfeit_at.is_(None), SKIPPED, HERE)
    .order_by(players.c.deadline)
    .limit(MOST)
)
LAPSED = (
    select(players.c.match)
    .where(players.c.forfeit_at <= bindparam("now"), SKIPPED, HERE)
    .order_by(players.c.forfeit_at)
    .limit(MOST)
)
UNANSWERED = (
    select(matches.c.id)
    .where(matches.c.paused.is_not(None), matches.c.proposed <= bindparam("now", type_=BigInteger()) - RESUMES_AFTER)
    .where(matches.c.proposal.like("resume %"), ~is_among(matches.c.id, "skipped"))
    .where(in_share(matches.c.guild))
    .order_by(matches.c.proposed)
    .limit(MOST)
)
RUNNING = (
    select(matches.c.guild, *players.c)
    .join(matches, players.c.match == matches.c.id)
    .where(*RUNS, in_share(matches.c.guild))
)
CHOSEN = select(*preferences.c).where(preferences.c.user.in_(select(players.c.user).where(*RUNS)))
ALL_SETTINGS = select(*settings.c)
ALL_AWAY: Select[*tuple[Any, ...]] = select(*away.c).where(away.c.ends > bindparam("since")).order_by(away.c.begins)

WAKING = (
    select(players.c.match)
    .where(players.c.wakes > 0, players.c.wakes <= bindparam("now", type_=BigInteger()), HERE)
    .order_by(players.c.match)
    .distinct()
    .limit(MOST)
)

CHANGED = ("seconds_left", "since", "deadline", "next_reminder_at")
SET_CLOCKS = (
    update(players)
    .where(players.c.match == bindparam("of_match"), players.c.user == bindparam("of_user"), *RUNS)
    .values({name: bindparam(f"new_{name}", type_=players.c[name].type) for name in CHANGED})
)
POSTPONE = (
    update(players)
    .where(players.c.forfeit_at.is_not(None), HERE)
    .values(forfeit_at=players.c.forfeit_at + bindparam("by"))
)
IN_PAUSE = (matches.c.paused.is_not(None), matches.c.proposed.is_not(None))
"""The condition of the partial index: a paused match with an open proposal."""
POSTPONE_PROPOSALS = (
    update(matches).where(*IN_PAUSE, in_share(matches.c.guild)).values(proposed=matches.c.proposed + bindparam("by"))
)
CONCERNED = matches.c.id.in_(
    union_all(
        select(players.c.match).where(or_(and_(*RUNS), players.c.forfeit_at.is_not(None))),
        select(matches.c.id).where(*IN_PAUSE),
    )
)
RAISE = (
    update(matches)
    .where(CONCERNED, in_share(matches.c.guild))
    # Acts decided on the old times are decided again; but no new board is posted for the new times.
    .values(
        version=matches.c.version + 1,
        shown_version=matches.c.shown_version + case((matches.c.shown_version == matches.c.version, 1), else_=0),
    )
)
CONCERNS = select(matches.c.id).where(CONCERNED, in_share(matches.c.guild))

STILL_RUNNING = (players.c.deadline > bindparam("now", type_=players.c.deadline.type), players.c.forfeit_at.is_(None))
CHOICES = len(list_columns(preferences))
UNDECIDED = or_(preferences.c.user.is_(None), preferences.c.zone.is_(None), preferences.c.reminders.is_(None))
UNDECIDED_IN = (
    select(*preferences.c, *players.c)
    .select_from(players)
    .join(matches, players.c.match == matches.c.id)
    .outerjoin(preferences, preferences.c.user == players.c.user)
    .where(matches.c.guild == bindparam("guild"), matches.c.state == "live", *STILL_RUNNING, UNDECIDED)
    .order_by(players.c.match, players.c.seat)
)
AS_READ = tuple(players.c[name] == bindparam(f"read_{name}") for name in ("match", "user", "since", "deadline"))
CLOCK = ("allotted", "seconds_left", "since", "deadline", "forfeit_at", "next_reminder_at", "reminder_count", "weekend")
SET_CLOCK = (
    update(players)
    .where(players.c.match == bindparam("of_match"), players.c.user == bindparam("of_user"))
    .values({name: bindparam(f"new_{name}", type_=players.c[name].type) for name in CLOCK})
)
RESET = (
    update(players)
    .where(*AS_READ)
    .values({name: bindparam(f"new_{name}", type_=players.c[name].type) for name in CLOCK})
)


def _take_new_values(player: Player, names: Iterable[str]) -> dict[str, int | str | None]:
    """The values of some columns of a player, for the parameters that set them."""
    return {f"new_{name}": getattr(player, name) for name in names}


class ClockQueries:
    """The part of a `Reader` that finds clocks."""

    _connection: Connection
    _share: dict[str, int]

    def find_matches_run_out(self, now: int, most: int, skipped: Collection[int] = ()) -> tuple[MatchId, ...]:
        """Some matches, except those skipped, in which a player's time has run out or their seat is to be claimed, the
        longest overdue first; and paused ones in which a request to resume has been open for days."""
        values = {"now": now, "most": most, "skipped": list(skipped), **self._share}
        found = (self._connection.execute(asked, values).scalars() for asked in (RUN_OUT, LAPSED, UNANSWERED))
        return tuple(dict.fromkeys(MatchId(match) for rows in found for match in rows))

    def find_matches_to_wake(self, now: int, most: int) -> tuple[MatchId, ...]:
        """Some matches with a player to be notified now of what happened in their quiet hours."""
        rows = self._connection.execute(WAKING, {"now": now, "most": most, **self._share})
        return tuple(MatchId(match) for match in rows.scalars())

    def find_running_clocks(self) -> tuple[RunningClock, ...]:
        """All running clocks, with the preferences, server settings and absences of their owners."""
        rows = self._connection.execute(RUNNING, self._share).all()
        chosen = {user: Preferences(*row) for user, *row in self._connection.execute(CHOSEN)}
        served = {guild: ServerSettings(*row) for guild, *row in self._connection.execute(ALL_SETTINGS)}
        since = min((row.since for row in rows), default=0)
        absences: defaultdict[tuple[int, int], list[Absence]] = defaultdict(list)
        for guild, user, begins, ends in self._connection.execute(ALL_AWAY, {"since": since}):
            absences[guild, user].append(Absence(begins, ends))
        usual, none = ServerSettings(), Preferences()

        def make_clock(guild: int, match: int, *player: Any) -> RunningClock:
            of = Player(*player)
            rests = tuple(absences.get((guild, of.user), ()))
            choices, settings = chosen.get(of.user, none), served.get(guild, usual)
            return RunningClock(MatchId(match), GuildId(guild), of, choices, settings, rests)

        return tuple(make_clock(*row) for row in rows)

    def find_undecided_clocks(self, guild: int, now: int) -> tuple[tuple[MatchId, Player, Preferences], ...]:
        """The running clocks in a server of users who use its default zone or reminders, with their other preferences;
        without clocks that have run out."""
        return tuple(self._iter_undecided(guild, now))

    def _iter_undecided(self, guild: int, now: int) -> Iterator[tuple[MatchId, Player, Preferences]]:
        for user, *row in self._connection.execute(UNDECIDED_IN, {"guild": guild, "now": now}):
            chosen, (match, *player) = row[:CHOICES], row[CHOICES:]
            yield match, Player(*player), Preferences() if user is None else Preferences(*chosen)


class ClockWrites:
    """The part of a `Transaction` that sets clocks."""

    _connection: Connection
    _share: dict[str, int]

    def put_clocks(self, clocks: Sequence[tuple[MatchId, Player]]) -> None:
        """Set the columns `CHANGED` of many running clocks, each of a player in a match."""
        if clocks:
            values = [
                {"of_match": match, "of_user": player.user, **_take_new_values(player, CHANGED)}
                for match, player in clocks
            ]
            self._connection.execute(SET_CLOCKS, values)

    def set_clock(self, match_id: int, player: Player) -> None:
        """Start or stop a player's clock."""
        self._connection.execute(
            SET_CLOCK, {"of_match": match_id, "of_user": player.user, **_take_new_values(player, CLOCK)}
        )

    def reset_clock(self, match_id: int, player: Player, after: Player) -> None:
        """Set a player's clock if it is still running as it was read."""
        as_read = {"match": match_id, "user": player.user, "since": player.since, "deadline": player.deadline}
        read = {f"read_{name}": value for name, value in as_read.items()}
        self._connection.execute(RESET, {**read, **_take_new_values(after, CLOCK)})

    def postpone_forfeits(self, by: int) -> None:
        """Postpone the withdrawal of all late players by some seconds."""
        self._connection.execute(POSTPONE, {"by": by, **self._share})

    def postpone_proposals(self, by: int) -> None:
        """Postpone the deadline of open proposals in paused matches by some seconds, and have their boards redrawn,
        since the marks on their buttons depend on the moment of the proposal."""
        self._connection.execute(POSTPONE_PROPOSALS, {"by": by, **self._share})

    def note_times_changed(self) -> tuple[MatchId, ...]:
        """Raise the versions of all matches with clocks, and return those matches: acts decided on the old times are
        decided again, and no board lags because of it."""
        self._connection.execute(RAISE, self._share)
        return tuple(self._connection.execute(CONCERNS, self._share).scalars())
