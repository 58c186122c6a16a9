"""What happened in a server between two moments: matches that were finished, and puzzles that were solved."""

from __future__ import annotations

from itertools import groupby

from sqlalchemy import Connection, bindparam, func, select

from bot.core.league.week import Came, Finished, Solver
from bot.core.match.record import WITHDRAWALS
from bot.core.values.computer_users import is_computer
from bot.core.values.ids import GuildId
from data.tables.schema import matches, moves, players, puzzle_attempts

MOST = 5_000
"""No more people's results are looked at."""
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
    """The part of a `Reader` that looks back on a week."""

    _connection: Connection

    def finished_between(self, guild: GuildId, since: int, until: int) -> tuple[tuple[Finished, bool], ...]:
        """The matches between people that ended in a time, in order, and whether each is the result of those who began
        it: where a seat was handed on two people made one, which says nothing about either."""
        rows = self._connection.execute(FINISHED, {"guild": guild, "since": since, "until": until})
        found = list[tuple[Finished, bool]]()
        for _, group in groupby(rows, key=lambda row: row[0]):
            lines = [*group]
            people = tuple(Came(*row[5:]) for row in lines)
            match, channel, game, early, own = lines[0][:5]
            if len(people) > 1 and not any(is_computer(one.user) for one in people):
                found.append((Finished(match, channel, game, people, bool(early)), bool(own)))
        return tuple(found)

    def solved_between(self, guild: GuildId, first: int, last: int) -> tuple[Solver, ...]:
        """Who solved puzzles of days from the first to before the last."""
        rows = self._connection.execute(SOLVERS, {"guild": guild, "first": first, "last": last})
        return tuple(Solver(user, count, int(number)) for user, count, number in rows)
