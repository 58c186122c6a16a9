"""Finds the matches that a process looks for by itself: boards that lag, challenges that expire, computers to move.

Only servers of the process's share are searched, some matches at a time, and each search goes by an index.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Integer, Select, bindparam, case, func, select, text

from bot.core.match.stored import MatchRow, Parked
from bot.core.values.ids import ChannelId, GuildId, MatchId
from data.queries.match_queries import ROWS, MatchQueries
from data.tables import schema
from data.tables.expressions import among, in_share
from data.tables.schema import matches, pending_edits

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
    .where(among(matches.c.thread, "threads"))
    .group_by(matches.c.thread)
    .having(func.max(case((GOES_ON, 1), else_=0)) == 0)
)
OFFERED_IN = select(matches.c.channel).where(
    matches.c.guild == bindparam("guild"), matches.c.state == "open", among(matches.c.channel, "threads")
)
OWED_IN = (
    select(matches.c.thread).where(among(matches.c.thread, "threads"), matches.c.shown_version < matches.c.version),
    select(matches.c.thread)
    .join(pending_edits, pending_edits.c.match == matches.c.id)
    .where(among(matches.c.thread, "threads"), pending_edits.c.channel == matches.c.thread),
)
VERSIONS = select(matches.c.game, matches.c.game_version).where(LIVE, in_share(matches.c.guild)).distinct()
LIVE_OF_VERSION = (
    ROWS.where(LIVE, matches.c.game == bindparam("game"), matches.c.game_version == bindparam("version"))
    .where(in_share(matches.c.guild))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)


class SweepQueries(MatchQueries):
    """The part of a `Reader` that looks for matches on which the bot itself has something to do."""

    _share: dict[str, int]

    def lagging(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Matches whose shown version is behind and whose board is not parked, from the one after some match on, each
        with the channel where it is played."""
        return self._placed(LAGGING, most, after)

    def to_rename(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Matches that are over, whose threads do not say so yet, each with its thread."""
        return self._placed(TO_RENAME, most, after)

    def to_announce(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Matches that are over, whose channels are still to be told how they ended, each with its thread."""
        return self._placed(TO_ANNOUNCE, most, after)

    def thinking(self, most: int, after: int = 0) -> tuple[MatchId, ...]:
        """Live matches in which a computer is to move, those with a number above `after`."""
        return tuple(self._connection.execute(THINKING, {"most": most, "after": after, **self._share}).scalars())

    def parked(self, most: int, after: int = 0, guild: int | None = None) -> tuple[Parked, ...]:
        """Matches whose boards could not be shown, of one server or of all, from the one after some match on."""
        asked = PARKED if guild is None else PARKED_IN
        values = self._share if guild is None else {"guild": guild}
        rows = self._connection.execute(asked, {"most": most, "after": after, **values})
        return tuple(Parked(*row) for row in rows)

    def live_in(self, guild: int, most: int) -> tuple[MatchRow, ...]:
        """Some live matches of a server."""
        return self._rows(LIVE_IN, {"guild": guild, "most": most})

    def in_threads(self, most: int, after: int = 0) -> tuple[tuple[MatchId, GuildId, ChannelId], ...]:
        """Live matches that are played in threads of their own, from the one after some match on, each with its server
        and its thread."""
        rows = self._connection.execute(IN_THREADS, {"most": most, "after": after, **self._share})
        return tuple((match, guild, thread) for match, guild, thread in rows)

    def threads_over(self, guild: int, threads: Sequence[int]) -> dict[ChannelId, int]:
        """Those of some threads of a server in which all matches are over and none is offered, each with when its last
        one ended."""
        values = {"guild": guild, "threads": [*threads]}
        offered = {*self._connection.execute(OFFERED_IN, values).scalars()}
        rows = self._connection.execute(THREADS_OVER, values)
        return {thread: ended for thread, ended in rows if thread not in offered}

    def owed_in(self, threads: Collection[int]) -> frozenset[ChannelId]:
        """Those of some threads in which something of a match is still to be shown, or a message to be edited."""
        values = {"threads": [*threads]}
        return frozenset(one for query in OWED_IN for one in self._connection.execute(query, values).scalars())

    def expired(self, now: int, most: int = 200) -> tuple[MatchRow, ...]:
        """Some open challenges whose time is over."""
        return self._rows(EXPIRED, {"now": now, "most": most, **self._share})

    def outdated(self, versions: Mapping[str, int], most: int) -> tuple[MatchRow, ...]:
        """Some live matches of games that are not among these, or of other versions of theirs."""
        found: tuple[MatchRow, ...] = ()
        for game, version in self._connection.execute(VERSIONS, self._share).all():
            if versions.get(game) != version and len(found) < most:
                values = {"game": game, "version": version, "most": most - len(found), **self._share}
                found += self._rows(LIVE_OF_VERSION, values)
        return found

    def _placed(
        self, statement: Select[MatchId, ChannelId], most: int, after: int
    ) -> tuple[tuple[MatchId, ChannelId], ...]:
        rows = self._connection.execute(statement, {"most": most, "after": after, **self._share})
        return tuple((match, channel) for match, channel in rows)
