"""Searches for due work, and figures for metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Integer, Select, bindparam, case, func, or_, select, text

from bot.play.ids import ChannelId, GuildId, MatchId, ShardShare
from bot.play.rows import MatchRow, ParkedMatch
from data.queries.matches import ROWS, MatchQueries
from data.tables import schema
from data.tables.schema import key_values, matches, moves, pending_edits, pending_reminders
from data.tables.statements import in_share, is_among, share_values

# Searches for matches with due work: lagging boards, expired challenges, computers to move.


PLACE = func.coalesce(matches.c.thread, matches.c.channel)
PLACED = (
    select(matches.c.id, PLACE)
    .where(matches.c.id > bindparam("after", 0))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
LAGGING = PLACED.where(
    matches.c.shown_version < matches.c.version, matches.c.publish_error.is_(None), in_share(matches.c.guild)
)
THINKING = (
    select(matches.c.id)
    .where(text(schema.THINKING), matches.c.id > bindparam("after", 0), in_share(matches.c.guild))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
TO_RENAME = PLACED.where(text("rename_pending"), in_share(matches.c.guild))
TO_ANNOUNCE = PLACED.where(text("announce_until IS NOT NULL"), in_share(matches.c.guild))
PARKED_ANYWHERE = (
    select(
        matches.c.id,
        matches.c.guild,
        PLACE,
        matches.c.game,
        matches.c.game_version,
        matches.c.publish_error,
        matches.c.shown_version < matches.c.version,
    )
    .where(matches.c.publish_error.is_not(None), matches.c.id > bindparam("after", 0))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
PARKED = PARKED_ANYWHERE.where(in_share(matches.c.guild))
PARKED_IN = PARKED_ANYWHERE.where(matches.c.guild == bindparam("guild"))
EXPIRED = (
    ROWS.where(matches.c.state == "open", matches.c.expires <= bindparam("now"), in_share(matches.c.guild))
    .order_by(matches.c.expires, matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
LIVE = matches.c.state == "live"
LIVE_IN = (
    ROWS.where(LIVE, matches.c.guild == bindparam("guild"))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
IN_THREADS = (
    select(matches.c.id, matches.c.guild, matches.c.thread)
    .where(LIVE, matches.c.thread != matches.c.channel, matches.c.id > bindparam("after"), in_share(matches.c.guild))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
GOES_ON = matches.c.state.in_(("open", "live"))
THREADS_OVER = (
    select(matches.c.thread, func.max(func.coalesce(matches.c.ended, matches.c.created)))
    .where(is_among(matches.c.thread, "threads"))
    .group_by(matches.c.thread)
    .having(func.max(case((GOES_ON, 1), else_=0)) == 0)
)
OFFERED_IN = select(matches.c.channel).where(
    matches.c.guild == bindparam("guild"), matches.c.state == "open", is_among(matches.c.channel, "threads")
)
OWED_IN = (
    select(matches.c.thread).where(is_among(matches.c.thread, "threads"), matches.c.shown_version < matches.c.version),
    select(matches.c.thread)
    .join(pending_edits, pending_edits.c.match == matches.c.id)
    .where(is_among(matches.c.thread, "threads"), pending_edits.c.channel == matches.c.thread),
)
VERSIONS = select(matches.c.game, matches.c.game_version).where(LIVE, in_share(matches.c.guild)).distinct()
LIVE_OF_VERSION = (
    ROWS.where(LIVE, matches.c.game == bindparam("game"), matches.c.game_version == bindparam("version"))
    .where(in_share(matches.c.guild))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)


class SweepQueries(MatchQueries):
    """The queries for matches with due work of the bot."""

    _share: dict[str, int]

    def find_lagging_matches(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Matches whose board lags and is not parked, with an id above `after`, each with the channel where it is
        played."""
        return self._with_channels(LAGGING, most, after)

    def find_matches_to_rename(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Finished matches whose threads are to be renamed, each with its thread."""
        return self._with_channels(TO_RENAME, most, after)

    def find_matches_to_announce(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Finished matches whose end is to be announced in their channels, each with its thread."""
        return self._with_channels(TO_ANNOUNCE, most, after)

    def find_matches_to_think_on(self, most: int, after: int = 0) -> tuple[MatchId, ...]:
        """Live matches in which a computer is to move, with an id above `after`."""
        return tuple(self._connection.execute(THINKING, {"most": most, "after": after, **self._share}).scalars())

    def find_parked_matches(self, most: int, after: int = 0, guild: int | None = None) -> tuple[ParkedMatch, ...]:
        """Matches whose boards could not be shown, of one server or of all, with an id above `after`."""
        asked = PARKED if guild is None else PARKED_IN
        values = self._share if guild is None else {"guild": guild}
        rows = self._connection.execute(asked, {"most": most, "after": after, **values})
        return tuple(ParkedMatch(*row) for row in rows)

    def find_live_matches_in(self, guild: int, most: int) -> tuple[MatchRow, ...]:
        """Some live matches of a server."""
        return self._load_rows(LIVE_IN, {"guild": guild, "most": most})

    def find_matches_in_threads(self, most: int, after: int = 0) -> tuple[tuple[MatchId, GuildId, ChannelId], ...]:
        """Live matches in threads of their own, with an id above `after`, each with its server and its thread."""
        rows = self._connection.execute(IN_THREADS, {"most": most, "after": after, **self._share})
        return tuple((match, guild, thread) for match, guild, thread in rows)

    def find_finished_threads(self, guild: int, threads: Sequence[int]) -> dict[ChannelId, int]:
        """Those of some threads of a server in which all matches are over and no challenge is open, each with the end
        of its last match."""
        values = {"guild": guild, "threads": [*threads]}
        offered = {*self._connection.execute(OFFERED_IN, values).scalars()}
        rows = self._connection.execute(THREADS_OVER, values)
        return {thread: ended for thread, ended in rows if thread not in offered}

    def owed_in(self, threads: Collection[int]) -> frozenset[ChannelId]:
        """Those of some threads with a board still to be shown, or a message to be edited."""
        values = {"threads": [*threads]}
        return frozenset(one for query in OWED_IN for one in self._connection.execute(query, values).scalars())

    def find_expired_challenges(self, now: int, most: int = 200) -> tuple[MatchRow, ...]:
        """Some open challenges that have expired."""
        return self._load_rows(EXPIRED, {"now": now, "most": most, **self._share})

    def find_outdated_matches(self, versions: Mapping[str, int], most: int) -> tuple[MatchRow, ...]:
        """Some live matches of games, or versions of games, other than these."""
        found: tuple[MatchRow, ...] = ()
        for game, version in self._connection.execute(VERSIONS, self._share).all():
            if versions.get(game) != version and len(found) < most:
                values = {"game": game, "version": version, "most": most - len(found), **self._share}
                found += self._load_rows(LIVE_OF_VERSION, values)
        return found

    def _with_channels(
        self, statement: Select[MatchId, ChannelId], most: int, after: int
    ) -> tuple[tuple[MatchId, ChannelId], ...]:
        rows = self._connection.execute(statement, {"most": most, "after": after, **self._share})
        return tuple((match, channel) for match, channel in rows)


# Counts of matches, lagging boards and the outbox for metrics and `python -m bot status`, in one snapshot.


OURS = in_share(matches.c.guild)
LAGS = matches.c.shown_version < matches.c.version, matches.c.publish_error.is_(None)
OLDEST = 1_000
"""The most lagging boards among which the one that has lagged longest is searched."""


def count_statements(*mine: ColumnElement[bool]) -> dict[str, Select[int]]:
    """The counting statements, with a condition on the servers, or without one for all."""

    def count_matches(*conditions: ColumnElement[bool]) -> Select[int]:
        return select(func.count()).select_from(matches).where(*conditions, *mine)

    # A digest has no match; its share follows from the user.
    sent = pending_reminders.outerjoin(matches, matches.c.id == pending_reminders.c.match)
    theirs = [in_share(func.coalesce(matches.c.guild, pending_reminders.c.user))] if mine else []
    return {
        "live": count_matches(matches.c.state == "live"),
        "open": count_matches(matches.c.state == "open"),
        "lagging": count_matches(*LAGS),
        "parked": count_matches(matches.c.publish_error.is_not(None)),
        "thinking": count_matches(text(schema.THINKING)),  # pyright: ignore[reportArgumentType]  -- a condition, too
        "leftovers": select(func.count()).select_from(pending_edits.join(matches)).where(*mine),
        "reminders": select(func.count()).select_from(sent).where(*theirs),
    }


COUNTS: Mapping[bool, Mapping[str, Select[int]]] = {True: count_statements(), False: count_statements(OURS)}
"""The statements for all servers (True), which an index alone can answer, and for a share."""
LAST = select(func.max(moves.c.at)).where(moves.c.match == matches.c.id).scalar_subquery()
CHANGED = (
    select(func.coalesce(LAST, matches.c.started, matches.c.created).label("at"))
    .where(*LAGS, OURS)
    .order_by(matches.c.id)
    .limit(OLDEST)
    .subquery()
)
LEAST = select(func.min(CHANGED.c.at))
LEADER = "leader"
NOTED = (
    select(key_values.c.name, key_values.c.value)
    .where(or_(key_values.c.name.like("heartbeat%"), key_values.c.name.like("version%"), key_values.c.name == LEADER))
    .order_by(key_values.c.name)
)
SIZE = "SELECT pg_database_size(current_database())"


class Figures(NamedTuple):
    """The counts; `oldest` is when the longest-lagging board was to change, if one lags."""

    live: int
    open: int
    lagging: int
    parked: int
    thinking: int
    leftovers: int
    reminders: int
    oldest: int | None
    bytes: int | None
    """The size of the database on a server, if known."""
    notes: tuple[tuple[str, str], ...]
    """The notes of heartbeats, versions and the leader of all processes, by name."""


def read_figures(connection: Connection, share: ShardShare) -> Figures:
    """The figures of a share."""
    given = share_values(share)
    asked = COUNTS[share.is_whole].items()
    numbers: dict[str, Any] = {name: connection.execute(count, given).scalar_one() for name, count in asked}
    served = connection.dialect.name == "postgresql"
    return Figures(
        **numbers,
        oldest=connection.execute(LEAST, given).scalar(),
        bytes=connection.exec_driver_sql(SIZE).scalar_one() if served else None,
        notes=tuple((name, value) for name, value in connection.execute(NOTED)),
    )
