"""Reads matches for commands and the umpire: one match with its record, or a list of them for a person or a server.

It also counts for the limits on challenges: who was asked to play lately, and how many challenges a user has open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Integer, Select, bindparam, exists, func, or_, select

from bot.core.match.record import Entry, read_entry
from bot.core.match.stored import Ask, MatchRow, Origin, Player, State, Stored
from bot.core.values.ids import MatchId, UserId
from data.tables.expressions import among
from data.tables.prepared_statements import Prepared
from data.tables.rows import held
from data.tables.schema import challenge_requests, deliveries, matches, moves, players, reviews

MOVED = (
    select(moves.c.at)
    .where(moves.c.match == matches.c.id)
    .order_by(moves.c.ply.desc())
    .limit(1)
    .scalar_subquery()
    .label("moved")
)
ROWS = select(*matches.c, MOVED)
ROW = Prepared(ROWS.where(matches.c.id == bindparam("match")))
IN_ORDER = (players.c.match, players.c.seat, players.c.joined)
PLAYERS = Prepared(select(*players.c).where(players.c.match == bindparam("match")).order_by(*IN_ORDER))
PLAYERS_OF_MANY = select(*players.c).where(among(players.c.match, "matches")).order_by(*IN_ORDER)
RECORD = Prepared(
    select(moves.c.seat, moves.c.text)
    .where(moves.c.match == bindparam("match"), moves.c.ply > bindparam("ply"))
    .order_by(moves.c.ply)
)
PREPARED = Prepared(
    select(players.c.user, players.c.prepared).where(
        players.c.match == bindparam("match"), players.c.prepared.is_not(None)
    )
)
PLAYED_AT = Prepared(
    select(func.max(moves.c.at)).where(moves.c.match == bindparam("match"), moves.c.seat == bindparam("seat"))
)
BEGUN = ("live", "finished", "aborted")
"""The states of a match that has begun."""
ORIGIN = select(matches.c.guild, matches.c.created).where(matches.c.id == bindparam("match"))
FIRST = select(func.min(matches.c.id)).where(
    matches.c.guild == bindparam("guild"), or_(matches.c.state.not_in(BEGUN), matches.c.lobby_message.is_not(None))
)
SEEN = select(deliveries.c.match).where(deliveries.c.interaction == bindparam("interaction"))

LIVE_OF = (
    ROWS.join(players, players.c.match == matches.c.id)
    .where(matches.c.guild == bindparam("guild"), players.c.user == bindparam("user"))
    .where(matches.c.state == "live")
    .order_by(matches.c.id)
)
LIVE_OF_GAME = LIVE_OF.where(matches.c.game == bindparam("game"))
LISTED = (
    ROWS.where(matches.c.guild == bindparam("guild"), matches.c.state.in_(bindparam("states", expanding=True)))
    .order_by(func.coalesce(matches.c.ended, matches.c.started, matches.c.created).desc(), matches.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
ASKED_IN = ROWS.where(
    matches.c.guild == bindparam("guild"), matches.c.state == "live", matches.c.proposal.like(bindparam("named"))
).order_by(matches.c.id)
CURRENT = (
    ROWS.join(players, players.c.match == matches.c.id)
    .where(players.c.user == bindparam("user"), matches.c.state.in_(("open", "live")))
    .order_by(matches.c.id)
)
ONE, OTHER = players.alias("one"), players.alias("other")
LATEST_FIRST = (matches.c.ended.desc(), matches.c.id.desc())
MET = (
    select(matches.c.id)
    .join(ONE, ONE.c.match == matches.c.id)
    .join(OTHER, OTHER.c.match == matches.c.id)
    .where(ONE.c.user == bindparam("one"), OTHER.c.user == bindparam("other"), ONE.c.rank.is_not(None))
    .where(
        matches.c.guild + 0 == bindparam("guild"), matches.c.substitutions.is_(None)
    )  # so the index of players is used
    .order_by(*LATEST_FIRST)
    .limit(bindparam("most", type_=Integer()))
)
# Only of the last ones all columns are read.
BETWEEN, BETWEEN_AT = (
    ROWS.where(matches.c.id.in_(met)).order_by(*LATEST_FIRST)
    for met in (MET, MET.where(matches.c.game == bindparam("game")))
)
IN_THREAD = (
    ROWS.where(matches.c.thread == bindparam("thread"))
    .order_by(matches.c.state != "live", matches.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
OF_A_MATCH = select(matches.c.id).where(
    or_(
        matches.c.board_message == bindparam("message"),
        matches.c.lobby_message == bindparam("message"),
        matches.c.announcement == bindparam("message"),
    )
)
OF_A_SERVER = OF_A_MATCH.where(matches.c.guild == bindparam("guild"))
COUNTS = select(matches.c.state, func.count()).group_by(matches.c.state)
REVIEW = select(reviews.c.found).where(reviews.c.match == bindparam("match"), reviews.c.version == bindparam("version"))

ASKS = (
    select(*held(challenge_requests))
    .where(
        challenge_requests.c.guild == bindparam("guild"),
        among(challenge_requests.c.asked, "people"),
        challenge_requests.c.at > bindparam("since"),
        challenge_requests.c.at <= bindparam("now"),
    )
    .order_by(challenge_requests.c.at)
)
OPEN_OF = (
    select(func.count())
    .select_from(matches)
    .where(matches.c.guild == bindparam("guild"), matches.c.state == "open", matches.c.host == bindparam("host"))
)
GIVEN = (
    select(matches.c.created, matches.c.imported_plies)
    .select_from(players)
    .join(matches, matches.c.id == players.c.match)
    .where(players.c.user == bindparam("host"), matches.c.host + 0 == bindparam("host"), matches.c.imported_plies > 0)
    .where(matches.c.created > bindparam("since"))
    .order_by(matches.c.created, matches.c.id)
)
REMATCH = (
    select(matches.c.id)
    .where(matches.c.rematch_of == bindparam("match"), matches.c.state.in_(("open", "live", "finished", "aborted")))
    .order_by(matches.c.id.desc())
    .limit(1)
)


def _fields(row: Sequence[Any], *further: object) -> tuple[Any, ...]:
    return (*row, *further)


class MatchQueries:
    """The part of a `Reader` that reads matches, the oldest first unless a method says otherwise."""

    _connection: Connection

    def load(self, match_id: int) -> Stored | None:
        """A match with its players and its whole record; None if there is none."""
        found = ROW.rows(self._connection, {"match": match_id})
        if not found:
            return None
        return Stored(*_fields(found[0], self._players(match_id), self.record_since(match_id, 0)))

    def recorded(self, row: MatchRow) -> Stored:
        """A match that was read in this snapshot, with its record."""
        known: dict[str, Any] = {name: getattr(row, name) for name in MatchRow.__slots__}
        return Stored(**known, record=self.record_since(row.id, 0))

    def row(self, match_id: int) -> MatchRow | None:
        """A match without its record; None if there is none."""
        found = ROW.rows(self._connection, {"match": match_id})
        return MatchRow(*_fields(found[0], self._players(match_id))) if found else None

    def origin(self, match_id: int) -> Origin | None:
        """The server of a match, and when it was made; None if there is no such match."""
        found = self._connection.execute(ORIGIN, {"match": match_id}).first()
        return Origin(*found) if found else None

    def first(self, guild: int) -> MatchId | None:
        """The first match of a server that was asked for, or began with a message that stands; None before that."""
        return self._connection.execute(FIRST, {"guild": guild}).scalar()

    def record_since(self, match_id: int, ply: int) -> tuple[Entry, ...]:
        """The record after its first `ply` lines."""
        rows = RECORD.rows(self._connection, {"match": match_id, "ply": ply})
        return tuple([read_entry(seat, text) for seat, text in rows])

    def played_at(self, match_id: int, seat: int) -> int | None:
        """When the last line of a seat was written; None where it has none."""
        return PLAYED_AT.rows(self._connection, {"match": match_id, "seat": seat})[0][0]

    def prepared(self, match_id: int) -> dict[UserId, str]:
        """The prepared moves of the people in a match who have some."""
        rows = PREPARED.rows(self._connection, {"match": match_id})
        return {row[0]: row[1] for row in rows}

    def review(self, match_id: int, version: int) -> str | None:
        """The computer's stored review of a match, as this version of the reviewer writes it; None if there is none."""
        return self._connection.execute(REVIEW, {"match": match_id, "version": version}).scalar()

    def seen(self, interaction_id: int) -> MatchId | None:
        """The match that an interaction has already acted on, or None."""
        return self._connection.execute(SEEN, {"interaction": interaction_id}).scalar()

    def live_of(self, guild: int, user: int, game: str | None = None) -> tuple[MatchRow, ...]:
        """Somebody's live matches in a server, of one game or of all."""
        if game is None:
            return self._rows(LIVE_OF, {"guild": guild, "user": user})
        return self._rows(LIVE_OF_GAME, {"guild": guild, "user": user, "game": game})

    def listed(
        self, guild: int, states: Sequence[State], users: Collection[int] = (), game: str | None = None, most: int = 200
    ) -> tuple[MatchRow, ...]:
        """The matches of a server in some states, in which all these people take part, of one game or of all: the
        latest first."""
        statement, values = LISTED, {"guild": guild, "states": [*states], "most": most}
        for user in users:
            seats = players.alias()
            statement = statement.where(exists().where(seats.c.match == matches.c.id, seats.c.user == user))
        if game is not None:
            statement = statement.where(matches.c.game == game)
        return self._rows(statement, values)

    def asked_in(self, guild: int, user: int) -> tuple[MatchRow, ...]:
        """The live matches of a server of which somebody is asked to take over a seat."""
        return self._rows(ASKED_IN, {"guild": guild, "named": f"replace % {user} %"})

    def current(self, user: int) -> tuple[MatchRow, ...]:
        """Somebody's open and live matches in all servers."""
        return self._rows(CURRENT, {"user": user})

    def between(self, guild: int, one: int, other: int, game: str = "", most: int = 5) -> tuple[MatchRow, ...]:
        """The last matches that two people finished with each other in a server, at a game or all, the latest first."""
        values = {"guild": guild, "one": one, "other": other, "game": game, "most": most}
        return self._rows(BETWEEN_AT if game else BETWEEN, values)

    def in_thread(self, channel_id: int, most: int = 25) -> tuple[MatchRow, ...]:
        """The matches played in a thread or channel: live ones first, then the latest first."""
        return self._rows(IN_THREAD, {"thread": channel_id, "most": most})

    def match_at(self, guild: int, message_id: int) -> MatchId | None:
        """The match of a server whose board or challenge a message is; None where it is neither."""
        return self._connection.execute(OF_A_SERVER, {"guild": guild, "message": message_id}).scalar()

    def is_of_a_match(self, message_id: int) -> bool:
        """Whether a message is the board or the challenge of any match."""
        return self._connection.execute(OF_A_MATCH, {"message": message_id}).first() is not None

    def asks(self, guild: int, people: Sequence[UserId], since: int, now: int) -> tuple[Ask, ...]:
        """The challenges that some people of a server got since some time, the oldest first; none from after `now`."""
        values = {"guild": guild, "people": [*people], "since": since, "now": now}
        return tuple(Ask(*row) for row in self._connection.execute(ASKS, values))

    def open_of(self, guild: int, host: int) -> int:
        """How many challenges and tables of somebody's are open in a server."""
        return self._connection.execute(OPEN_OF, {"guild": guild, "host": host}).scalar_one()

    def given_to(self, host: int, since: int) -> tuple[tuple[int, int], ...]:
        """When somebody has made matches since a moment, in all servers, that go on from a position, and how many lines
        had been played there."""
        rows = self._connection.execute(GIVEN, {"host": host, "since": since})
        return tuple((created, given) for created, given in rows)

    def rematch(self, match_id: int) -> MatchId | None:
        """The latest match that follows another and was not turned down; None if there is none."""
        return self._connection.execute(REMATCH, {"match": match_id}).scalar()

    def counts(self) -> dict[str, int]:
        """How many matches there are in each state that has any."""
        rows = self._connection.execute(COUNTS)
        return {str(state): int(number) for state, number in rows}

    def _players(self, match_id: int) -> tuple[Player, ...]:
        rows = PLAYERS.rows(self._connection, {"match": match_id})
        return tuple([Player(*player) for _, *player in rows])

    def _rows(self, statement: Select[Any], values: Mapping[str, object]) -> tuple[MatchRow, ...]:
        found = self._connection.execute(statement, values).all()
        players_of: dict[int, list[Player]] = {row.id: [] for row in found}
        if found:
            rows = self._connection.execute(PLAYERS_OF_MANY, {"matches": list(players_of)})
            for match, *player in rows:
                players_of[match].append(Player(*player))
        return tuple(MatchRow(*_fields(row, tuple(players_of[row.id]))) for row in found)
