"""Finds whom and which servers a database knows, and takes all that is about a server out of every table."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    bindparam,
    delete,
    func,
    or_,
    select,
    union,
    update,
)

from bot.core.values.rows import Person
from data.engine.advisory_locks import About, go_alone
from data.tables.expressions import among, in_share
from data.tables.rows import said_of
from data.tables.schema import METADATA, key_values, league_members, leagues, matches, pairings, pending_edits

DEPARTED = "departed "
"""How the notes begin that say since when the bot is not in a server any more."""
OF_SERVERS = [table for table in METADATA.sorted_tables if "guild" in table.c]
PEOPLE = union(*(select(column).where(column > 0) for column, _ in said_of(Person)))
HANDED = select(matches.c.substitutions).where(matches.c.substitutions.is_not(None))
WISHES = select(matches.c.proposal, matches.c.refused).where(
    matches.c.proposal.is_not(None) | matches.c.refused.is_not(None)
)
SERVERS = union(*(select(table.c.guild).where(in_share(table.c.guild)) for table in OF_SERVERS))
HERE = bindparam("guild", type_=BigInteger())
THESE = (
    select(matches.c.id).where(matches.c.guild == HERE).order_by(matches.c.id).limit(bindparam("most", type_=Integer()))
)
COUNTED = select(func.count()).select_from(matches).where(matches.c.guild == HERE)
ITS_LEAGUES = select(leagues.c.id).where(leagues.c.guild == HERE)
ERASE_LEAGUES = (
    *(delete(table).where(table.c.league.in_(ITS_LEAGUES)) for table in (pairings, league_members)),
    delete(leagues).where(leagues.c.guild == HERE),
)
ABOUT_MATCHES = [table for table in METADATA.sorted_tables if "match" in table.c and not table.c.match.nullable]
ERASE_MATCHES = (
    *(delete(table).where(among(table.c.match, "these")) for table in ABOUT_MATCHES),
    update(pairings).where(among(pairings.c.match, "these")).values(match=None),
    *(
        update(matches).where(among(matches.c[name], "these")).values({name: None})
        for name in ("source_match", "rematch_of")
    ),
    delete(matches).where(among(matches.c.id, "these")),
)
ERASE_REST = tuple(
    delete(table).where(table.c.guild == HERE) for table in OF_SERVERS if table not in (matches, leagues)
)
LET_BE = (
    delete(pending_edits).where(pending_edits.c.match == bindparam("of_match")),
    update(matches).where(matches.c.id == bindparam("of_match")).values(rename_pending=False),
)
ERASE_NOTES = delete(key_values).where(
    or_(key_values.c.name.startswith(bindparam("closed")), key_values.c.name == bindparam("departed"))
)


class ServerQueries:
    """The part of a `Reader` that knows which people and servers there are."""

    _connection: Connection
    _share: dict[str, int]

    def people(self) -> frozenset[int]:
        """The numbers of all people in every table."""
        found = set(self._connection.execute(PEOPLE).scalars())
        texts = [*self._connection.execute(HANDED).scalars()]
        texts += [text for row in self._connection.execute(WISHES) for text in row if text]
        return frozenset(found | {int(part) for text in texts for part in text.split() if part.isdecimal()})

    def matches_in(self, guild: int) -> int:
        """How many matches of a server there are."""
        return self._connection.execute(COUNTED, {"guild": guild}).scalar_one()

    def servers(self) -> frozenset[int]:
        """The numbers of all servers of the share of which anything is kept."""
        return frozenset(self._connection.execute(SERVERS, self._share).scalars())


class ServerWrites:
    """The part of a `Transaction` that erases a server."""

    _connection: Connection

    def let_be(self, match_id: int) -> None:
        """Leave the messages and the thread of a match as they are: nobody can reach them any more."""
        for statement in LET_BE:
            self._connection.execute(statement, {"of_match": match_id})

    def erase_matches(self, guild: int, most: int) -> int:
        """Delete some matches of a server with all that belongs to them, its leagues first; how many those were."""
        go_alone(self._connection, About.TIMES)
        go_alone(self._connection, About.SERVER, guild)
        for statement in ERASE_LEAGUES:
            self._connection.execute(statement, {"guild": guild})
        these = [*self._connection.execute(THESE, {"guild": guild, "most": most}).scalars()]
        if these:
            for statement in ERASE_MATCHES:
                self._connection.execute(statement, {"these": these})
        return len(these)

    def erase_server(self, guild: int) -> None:
        """Delete what else is kept of a server that has no matches any more."""
        go_alone(self._connection, About.SERVER, guild)
        values: dict[str, Any] = {"guild": guild}
        for statement in ERASE_REST:
            self._connection.execute(statement, values)
        names = {"closed": f"closed {guild} ", "departed": f"{DEPARTED}{guild}"}
        self._connection.execute(ERASE_NOTES, names)
