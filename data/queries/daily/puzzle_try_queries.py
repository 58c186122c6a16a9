"""The daily puzzle in the store: what people have tried, and which server has had which day's message."""

from __future__ import annotations

from sqlalchemy import Connection, Table, bindparam, func, select

from bot.core.puzzle.stored_puzzles import Daily, DailyChannel, PuzzleTry, Series
from bot.core.values.ids import GuildId, UserId
from data.engine.advisory_locks import About, go_alone
from data.tables.expressions import in_share, insert_new, upsert
from data.tables.rows import fields_of, held
from data.tables.schema import daily_posts, puzzle_attempts, settings, weeklies

TRY = held(puzzle_attempts)
OF_USER, OF_DAY, OF_SERVER = (
    puzzle_attempts.c.user == bindparam("person"),
    puzzle_attempts.c.day == bindparam("of_day"),
    puzzle_attempts.c.guild == bindparam("of_guild"),
)
TRIES = select(*TRY).where(OF_USER, OF_DAY).order_by(puzzle_attempts.c.number)
ALL_TRIES = select(*TRY).where(OF_USER).order_by(puzzle_attempts.c.day, puzzle_attempts.c.number)
SOLVERS = (
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
ADD_TRY = insert_new(puzzle_attempts)

POSTED: dict[Series, Table] = {"daily": daily_posts, "week": weeklies}
LAST = {series: select(*held(table)).where(table.c.guild == bindparam("of_guild")) for series, table in POSTED.items()}
SET_LAST = {series: upsert(table) for series, table in POSTED.items()}
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
    """The part of a `Reader` that knows the daily puzzle."""

    _connection: Connection
    _share: dict[str, int]

    def puzzle_tries(self, user: UserId, day: int | None = None) -> tuple[PuzzleTry, ...]:
        """What somebody has tried, on one day or on all, in order."""
        statement, asked = (ALL_TRIES, {}) if day is None else (TRIES, {"of_day": day})
        return tuple(PuzzleTry(*row) for row in self._connection.execute(statement, {"person": user, **asked}))

    def puzzle_solvers(self, guild: GuildId, day: int) -> tuple[tuple[UserId, int], ...]:
        """Who solved the puzzle of a day in a server, and in how many tries, the fewest first."""
        rows = self._connection.execute(SOLVERS, {"of_guild": guild, "of_day": day})
        return tuple((UserId(user), number) for user, number in rows)

    def puzzle_tried(self, guild: GuildId, day: int) -> bool:
        """Whether anybody tried the puzzle of a day in a server."""
        return self._connection.execute(TRIED, {"of_guild": guild, "of_day": day}).first() is not None

    def solved_days(self, guild: GuildId) -> tuple[int, ...]:
        """The days whose puzzle somebody solved in a server, the latest first."""
        return tuple(self._connection.execute(SOLVED_DAYS, {"of_guild": guild}).scalars())

    def daily(self, guild: GuildId, series: Series = "daily") -> Daily | None:
        """The last message of a series in a server, sent or on its way."""
        row = self._connection.execute(LAST[series], {"of_guild": guild}).one_or_none()
        return Daily(*row) if row else None

    def daily_channels(self, series: Series = "daily") -> tuple[DailyChannel, ...]:
        """The servers with a channel for a series, and what was last posted there."""
        return tuple(DailyChannel(*row) for row in self._connection.execute(CHANNELS[series], dict(self._share)))


class PuzzleWrites(PuzzleQueries):
    """The part of a `Transaction` that changes it."""

    def add_try(self, user: UserId, one: PuzzleTry) -> None:
        """Note a try; `go_alone_for` the person comes first."""
        ADD_TRY.write(self._connection, {"user": user, **fields_of(puzzle_attempts, one)})

    def set_daily(self, guild: GuildId, daily: Daily, series: Series = "daily") -> None:
        """Note which day's message of a series a server has."""
        go_alone(self._connection, About.SERVER, guild)
        SET_LAST[series].write(self._connection, {"guild": guild, **fields_of(POSTED[series], daily)})
