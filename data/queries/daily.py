"""The daily puzzle, and what happened in a server in a week."""

from __future__ import annotations

from itertools import groupby

from sqlalchemy import Connection, Table, bindparam, func, select

from bot.play.ids import GuildId, UserId, is_computer
from bot.play.puzzles import DailyChannel, DailyPost, PuzzleTry, Series
from bot.play.record import WITHDRAWALS
from bot.play.week import FinishedMatch, PlayerResult, WeekSolver
from data.engine.sql import LockSubject, lock_exclusively
from data.tables.rows import list_columns, take_fields
from data.tables.schema import daily_posts, matches, moves, players, puzzle_attempts, settings, weeklies
from data.tables.statements import in_share, make_insert_new, make_upsert

# The daily puzzle: users' tries, and the posts in servers.


TRY = list_columns(puzzle_attempts)
OF_USER, OF_DAY, OF_SERVER = (
    puzzle_attempts.c.user == bindparam("person"),
    puzzle_attempts.c.day == bindparam("of_day"),
    puzzle_attempts.c.guild == bindparam("of_guild"),
)
TRIES = select(*TRY).where(OF_USER, OF_DAY).order_by(puzzle_attempts.c.number)
ALL_TRIES = select(*TRY).where(OF_USER).order_by(puzzle_attempts.c.day, puzzle_attempts.c.number)
SOLVERS_OF_DAY = (
    select(puzzle_attempts.c.user, puzzle_attempts.c.number)
    .where(OF_SERVER, OF_DAY, puzzle_attempts.c.solved)
    .order_by(puzzle_attempts.c.number, puzzle_attempts.c.at, puzzle_attempts.c.user)
)
TRIED = select(puzzle_attempts.c.user).where(OF_SERVER, OF_DAY).limit(1)
SOLVED_DAYS = (
    select(puzzle_attempts.c.day)
    .where(OF_SERVER, puzzle_attempts.c.solved)
    .distinct()
    .order_by(puzzle_attempts.c.day.desc())
)
ADD_TRY = make_insert_new(puzzle_attempts)

POSTED: dict[Series, Table] = {"daily": daily_posts, "week": weeklies}
LAST = {
    series: select(*list_columns(table)).where(table.c.guild == bindparam("of_guild"))
    for series, table in POSTED.items()
}
SET_LAST = {series: make_upsert(table) for series, table in POSTED.items()}
CHANNELS = {
    series: select(
        settings.c.guild, settings.c[series], settings.c.daily_hour, settings.c.zone, table.c.day, table.c.message,
        func.coalesce(table.c.due, 0),
    )
    .join(table, table.c.guild == settings.c.guild, isouter=True)
    .where(settings.c[series].is_not(None), in_share(settings.c.guild))
    .order_by(settings.c.guild)
    for series, table in POSTED.items()
}  # fmt: skip


class PuzzleQueries:
    """The queries about the daily puzzle."""

    _connection: Connection
    _share: dict[str, int]

    def puzzle_tries(self, user: UserId, day: int | None = None) -> tuple[PuzzleTry, ...]:
        """A user's tries, of one day or all, in order."""
        statement, asked = (ALL_TRIES, {}) if day is None else (TRIES, {"of_day": day})
        return tuple(PuzzleTry(*row) for row in self._connection.execute(statement, {"person": user, **asked}))

    def puzzle_solvers(self, guild: GuildId, day: int) -> tuple[tuple[UserId, int], ...]:
        """The solvers of a day's puzzle in a server with their number of tries, the fewest first."""
        rows = self._connection.execute(SOLVERS_OF_DAY, {"of_guild": guild, "of_day": day})
        return tuple((UserId(user), number) for user, number in rows)

    def puzzle_tried(self, guild: GuildId, day: int) -> bool:
        """Whether the puzzle of a day was tried in a server."""
        return self._connection.execute(TRIED, {"of_guild": guild, "of_day": day}).first() is not None

    def solved_days(self, guild: GuildId) -> tuple[int, ...]:
        """The days whose puzzle was solved in a server, the latest first."""
        return tuple(self._connection.execute(SOLVED_DAYS, {"of_guild": guild}).scalars())

    def daily(self, guild: GuildId, series: Series = "daily") -> DailyPost | None:
        """The last post of a series in a server, sent or being sent."""
        row = self._connection.execute(LAST[series], {"of_guild": guild}).one_or_none()
        return DailyPost(*row) if row else None

    def daily_channels(self, series: Series = "daily") -> tuple[DailyChannel, ...]:
        """The servers with a channel for a series, and their last posts."""
        return tuple(DailyChannel(*row) for row in self._connection.execute(CHANNELS[series], dict(self._share)))


class PuzzleWrites(PuzzleQueries):
    """The writes about the daily puzzle."""

    def add_try(self, user: UserId, one: PuzzleTry) -> None:
        """Store a try; the caller holds `lock_user`."""
        ADD_TRY.write(self._connection, {"user": user, **take_fields(puzzle_attempts, one)})

    def set_daily(self, guild: GuildId, daily: DailyPost, series: Series = "daily") -> None:
        """Store the last post of a series in a server."""
        lock_exclusively(self._connection, LockSubject.SERVER, guild)
        SET_LAST[series].write(self._connection, {"guild": guild, **take_fields(POSTED[series], daily)})


# The matches finished and puzzles solved in a server between two moments.


MOST = 5_000
"""The most players whose results are read."""
ENDINGS = (*WITHDRAWALS, "draw")
ENDED_EARLY = select(moves.c.match).where(moves.c.match == matches.c.id, moves.c.text.in_(ENDINGS)).exists()
FINISHED = (
    select(
        matches.c.id, matches.c.channel, matches.c.game, ENDED_EARLY, matches.c.substitutions.is_(None), players.c.user,
        players.c.rank, players.c.score,
    )
    .join(players, players.c.match == matches.c.id)
    .where(
        matches.c.guild == bindparam("guild"),
        matches.c.state == "finished",
        matches.c.ended >= bindparam("since"),
        matches.c.ended < bindparam("until"),
        matches.c.seats > 1,
        players.c.rank.is_not(None),
    )
    .order_by(matches.c.ended, matches.c.id, players.c.rank, players.c.seat)
    .limit(MOST)
)  # fmt: skip
SOLVERS = (
    select(puzzle_attempts.c.user, func.count(), func.sum(puzzle_attempts.c.number))
    .where(puzzle_attempts.c.guild == bindparam("guild"), puzzle_attempts.c.solved, puzzle_attempts.c.user > 0)
    .where(puzzle_attempts.c.day >= bindparam("first"), puzzle_attempts.c.day < bindparam("last"))
    .group_by(puzzle_attempts.c.user)
    .order_by(func.min(puzzle_attempts.c.at), puzzle_attempts.c.user)
)


class WeekQueries:
    """The queries about a week."""

    _connection: Connection

    def finished_between(self, guild: GuildId, since: int, until: int) -> tuple[tuple[FinishedMatch, bool], ...]:
        """The matches between human players that ended in a period, in order, and whether each has its original
        players: the result of a match with a substitution says nothing about either player of the seat."""
        rows = self._connection.execute(FINISHED, {"guild": guild, "since": since, "until": until})
        found = list[tuple[FinishedMatch, bool]]()
        for _, group in groupby(rows, key=lambda row: row[0]):
            lines = [*group]
            people = tuple(PlayerResult(*row[5:]) for row in lines)
            match, channel, game, early, own = lines[0][:5]
            if len(people) > 1 and not any(is_computer(one.user) for one in people):
                found.append((FinishedMatch(match, channel, game, people, bool(early)), bool(own)))
        return tuple(found)

    def solved_between(self, guild: GuildId, first: int, last: int) -> tuple[WeekSolver, ...]:
        """The solvers of puzzles of the days from `first` to before `last`."""
        rows = self._connection.execute(SOLVERS, {"guild": guild, "first": first, "last": last})
        return tuple(WeekSolver(user, count, int(number)) for user, count, number in rows)
