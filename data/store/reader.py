"""`Reader` has all queries that a transaction can run: one class over all subjects of `data.queries`."""

from __future__ import annotations

from typing import Any, Self

from sqlalchemy import Connection

from bot.core.values.shards import WHOLE, Share
from data.queries import privacy
from data.queries.clock_queries import ClockQueries
from data.queries.daily.puzzle_try_queries import PuzzleQueries
from data.queries.daily.week_queries import WeekQueries
from data.queries.figures import Figures, read_figures
from data.queries.leaderboards import Leaderboards
from data.queries.league_queries import LeagueQueries
from data.queries.notice_queries import NoticeQueries
from data.queries.outbox_queries import OutboxQueries
from data.queries.rewriting_queries import RewritingQueries
from data.queries.server_erasure import ServerQueries
from data.queries.settings_queries import SettingsQueries
from data.queries.sweep_queries import SweepQueries
from data.tables.expressions import share_values


class Reader(
    SweepQueries, ClockQueries, OutboxQueries, NoticeQueries, SettingsQueries, PuzzleQueries, WeekQueries,
    LeagueQueries, Leaderboards, ServerQueries, RewritingQueries,
):  # fmt: skip
    """What can be asked within one transaction.

    Work that is due is looked for among the servers of `share`; other servers belong to other processes.
    """

    def __init__(self, connection: Connection, share: Share = WHOLE) -> None:
        self._connection = connection
        self.share = share
        self._share = share_values(share)

    def within(self, share: Share) -> Self:
        """The same transaction, looking for what is due among fewer servers."""
        return type(self)(self._connection, share)

    def exported(self, user: int) -> dict[str, Any]:
        """Everything that is kept about a person, as plain values."""
        return privacy.exported(self._connection, user)

    def figures(self) -> Figures:
        """How people are served, in figures."""
        return read_figures(self._connection, self.share)
