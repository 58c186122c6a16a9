"""What can be asked of people's time: what they have chosen, when they are away, whose clocks run and whose have run
out."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sqlalchemy import Connection

from bot.core.match.stored import Away, Player, Preferences, Ticking
from bot.core.values.ids import GuildId, MatchId, UserId
from data.queries import absences, clock_queries, default_clocks, preferences


class Times:
    """The part of a `Reader` that knows of clocks and calendars."""

    _ours: dict[str, int]

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def preferences(self, user: int) -> Preferences:
        """What somebody has chosen for themselves, or the usual."""
        return preferences.of(self._connection, user)

    def away(self, guild: int, user: int, since: int) -> tuple[Away, ...]:
        """Somebody's absences in a server that were not over at a moment, in order."""
        return absences.of(self._connection, guild, user, since)

    def run_out(self, now: int, most: int, skipped: Collection[int] = ()) -> tuple[MatchId, ...]:
        """Some matches, but for those skipped, in which somebody's time has run out, or is to be claimed by itself."""
        return clock_queries.run_out(self._connection, now, most, skipped, self._ours)

    def running(self) -> tuple[Ticking, ...]:
        """All clocks that run, with what is needed to know how far they have run."""
        return clock_queries.running(self._connection, self._ours)

    def absent(self, guild: int, people: Collection[int], now: int) -> Mapping[UserId, int]:
        """Who of some people is away in a server at a moment, and until when."""
        return absences.at(self._connection, guild, people, now)

    def absences(self, guild: int, people: Collection[int], since: int) -> Mapping[UserId, tuple[Away, ...]]:
        """The absences of some people in a server that were not over at a moment; those who have none are left out."""
        return absences.of_many(self._connection, guild, people, since)

    def returned(self, after: int, now: int) -> tuple[tuple[GuildId, UserId], ...]:
        """Whose absences ended between two moments, and where."""
        return absences.ended(self._connection, after, now, self._ours)

    def undecided(self, guild: int, now: int) -> tuple[tuple[MatchId, Player, Preferences], ...]:
        """The running clocks of those in a server who leave their zone or their reminders to it, with what they have
        chosen otherwise."""
        return tuple(default_clocks.of(self._connection, guild, now))
