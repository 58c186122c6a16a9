"""Reads and writes matches."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Unpack

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    Select,
    Update,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    true,
    update,
)

from bot.games.position import Seat
from bot.play.ids import NOWHERE, GuildId, MatchId, UserId
from bot.play.ratings import PointsLost
from bot.play.record import Entry, read_entry
from bot.play.rows import (
    ChallengeRequest,
    MatchChanges,
    MatchRecordRow,
    MatchRow,
    NewMatch,
    Origin,
    Player,
    PlayerChanges,
    State,
)
from data.engine.sql import LockSubject, lock_shared
from data.queries import standings
from data.tables.rows import list_columns, take_fields
from data.tables.schema import challenge_requests, deliveries, matches, move_losses, moves, players, reviews
from data.tables.statements import CompiledStatement, is_among, make_insert_new, make_upsert

# Queries: one match with its record, or the matches of a user or a server.


MOVED = (
    select(moves.c.at)
    .where(moves.c.match == matches.c.id)
    .order_by(moves.c.ply.desc())
    .limit(1)
    .scalar_subquery()
    .label("moved")
)
ROWS = select(*matches.c, MOVED)
ROW = CompiledStatement(ROWS.where(matches.c.id == bindparam("match")))
IN_ORDER = (players.c.match, players.c.seat, players.c.joined)
PLAYERS = CompiledStatement(select(*players.c).where(players.c.match == bindparam("match")).order_by(*IN_ORDER))
PLAYERS_LOCKED = CompiledStatement(
    select(*players.c).where(players.c.match == bindparam("match")).order_by(*IN_ORDER).with_for_update()
)
PLAYERS_OF_MANY = select(*players.c).where(is_among(players.c.match, "matches")).order_by(*IN_ORDER)
RECORD = CompiledStatement(
    select(moves.c.seat, moves.c.text)
    .where(moves.c.match == bindparam("match"), moves.c.ply > bindparam("ply"))
    .order_by(moves.c.ply)
)
PLAYED_AT = CompiledStatement(
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
    .where(players.c.user == bindparam("user"), matches.c.state == "live")
    .order_by(matches.c.id)
)
IN_SERVER = matches.c.guild == bindparam("guild")
SERVERS_OF = (
    select(matches.c.guild)
    .distinct()
    .join(players, players.c.match == matches.c.id)
    .where(players.c.user == bindparam("user"), matches.c.guild.is_not(None))
)
LISTED = (
    ROWS.where(matches.c.state.in_(bindparam("states", expanding=True)))
    .order_by(func.coalesce(matches.c.ended, matches.c.started, matches.c.created).desc(), matches.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
ASKED_IN = ROWS.where(matches.c.state == "live", matches.c.proposal.like(bindparam("named"))).order_by(matches.c.id)
FINISHED_ONE = CompiledStatement(
    select(
        exists().where(
            players.c.user == bindparam("user"),
            players.c.rank.is_not(None),
            matches.c.id == players.c.match,
            matches.c.game == bindparam("game"),
        )
    )
)
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
# All columns are read only of the last matches.
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
    select(*list_columns(challenge_requests))
    .where(
        challenge_requests.c.guild == bindparam("guild"),
        is_among(challenge_requests.c.asked, "people"),
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


def _fields_of(row: Sequence[Any], *further: object) -> tuple[Any, ...]:
    return (*row, *further)


class MatchQueries:
    """The queries about matches, the oldest first unless stated otherwise."""

    _connection: Connection

    def load_match(self, match_id: int) -> MatchRecordRow | None:
        """A match with its players and its whole record; None if it does not exist."""
        found = ROW.read_rows(self._connection, {"match": match_id})
        if not found:
            return None
        return MatchRecordRow(*_fields_of(found[0], self._load_players(match_id), self.record_since(match_id, 0)))

    def with_record(self, row: MatchRow) -> MatchRecordRow:
        """A match read in the same snapshot, with its record."""
        known: dict[str, Any] = {name: getattr(row, name) for name in MatchRow.__slots__}
        return MatchRecordRow(**known, record=self.record_since(row.id, 0))

    def load_row(self, match_id: int) -> MatchRow | None:
        """A match without its record; None if it does not exist."""
        found = ROW.read_rows(self._connection, {"match": match_id})
        return MatchRow(*_fields_of(found[0], self._load_players(match_id))) if found else None

    def load_origin(self, match_id: int) -> Origin | None:
        """The server and creation time of a match; None if it does not exist."""
        found = self._connection.execute(ORIGIN, {"match": match_id}).first()
        return Origin(*found) if found else None

    def find_first_match(self, guild: int) -> MatchId | None:
        """The first match of a server that was asked for, or began with a message that stands; None before that."""
        return self._connection.execute(FIRST, {"guild": guild}).scalar()

    def record_since(self, match_id: int, ply: int) -> tuple[Entry, ...]:
        """The record after its first `ply` lines."""
        rows = RECORD.read_rows(self._connection, {"match": match_id, "ply": ply})
        return tuple([read_entry(seat, text) for seat, text in rows])

    def played_at(self, match_id: int, seat: int) -> int | None:
        """When the last line of a seat was written; None without one."""
        return PLAYED_AT.read_rows(self._connection, {"match": match_id, "seat": seat})[0][0]

    def load_review(self, match_id: int, version: int) -> str | None:
        """The stored review of a match by this version of the reviewer, or None."""
        return self._connection.execute(REVIEW, {"match": match_id, "version": version}).scalar()

    def find_match_acted_on(self, interaction_id: int) -> MatchId | None:
        """The match that an interaction has acted on, or None."""
        return self._connection.execute(SEEN, {"interaction": interaction_id}).scalar()

    def live_of(self, guild: int | None, user: int, game: str | None = None) -> tuple[MatchRow, ...]:
        """A user's live matches in a server (`NOWHERE`: in direct messages) or everywhere (None), of one game or of
        all."""
        return self._load_in(guild, LIVE_OF, {"user": user}, game)

    def find_servers_of(self, user: int) -> tuple[GuildId, ...]:
        """The servers in which a user has played or been asked to."""
        return tuple(self._connection.execute(SERVERS_OF, {"user": user}).scalars())

    def list_matches(
        self, guild: int | None, states: Sequence[State], users: Collection[int] = (), game: str | None = None,
        most: int = 200,
    ) -> tuple[MatchRow, ...]:  # fmt: skip
        """The matches of a server, or of all (None), in some states with all these users, of one game or of all, the
        latest first."""
        statement, values = LISTED, {"states": [*states], "most": most}
        for user in users:
            seats = players.alias()
            plays = exists().where(seats.c.match == matches.c.id, seats.c.user == user)
            # In all servers there are too many matches to look at each.
            theirs = matches.c.id.in_(select(seats.c.match).where(seats.c.user == user))
            statement = statement.where(theirs if guild is None else plays)
        return self._load_in(guild, statement, values, game)

    def has_finished_one(self, user: int, game: str) -> bool:
        """Whether a user has finished a match of a game, in any server."""
        return bool(FINISHED_ONE.read_rows(self._connection, {"user": user, "game": game})[0][0])

    def asked_in(self, guild: int | None, user: int) -> tuple[MatchRow, ...]:
        """The live matches of a server, or of all (None), in which a user is asked to take over a seat."""
        return self._load_in(guild, ASKED_IN, {"named": f"replace % {user} %"})

    def _load_in(
        self, guild: int | None, statement: Select[Any], values: Mapping[str, object], game: str | None = None
    ) -> tuple[MatchRow, ...]:
        """The matches of a statement that are of one server and one game, where these are given."""
        if guild is not None:
            statement = statement.where(matches.c.guild.is_(None) if guild == NOWHERE else IN_SERVER)
        statement = statement if game is None else statement.where(matches.c.game == bindparam("game"))
        return self._load_rows(statement, {**values, "guild": guild, "game": game})

    def find_current_matches(self, user: int) -> tuple[MatchRow, ...]:
        """A user's open and live matches in all servers."""
        return self._load_rows(CURRENT, {"user": user})

    def find_matches_between(
        self, guild: int, one: int, other: int, game: str = "", most: int = 5
    ) -> tuple[MatchRow, ...]:
        """The last matches that two users finished against each other in a server, at a game or all, the latest
        first."""
        values = {"guild": guild, "one": one, "other": other, "game": game, "most": most}
        return self._load_rows(BETWEEN_AT if game else BETWEEN, values)

    def in_thread(self, channel_id: int, most: int = 25) -> tuple[MatchRow, ...]:
        """The matches played in a thread or channel: live ones first, then the latest first."""
        return self._load_rows(IN_THREAD, {"thread": channel_id, "most": most})

    def match_at(self, guild: int, message_id: int) -> MatchId | None:
        """The match of a server whose board or challenge a message is, or None."""
        return self._connection.execute(OF_A_SERVER, {"guild": guild, "message": message_id}).scalar()

    def is_of_a_match(self, message_id: int) -> bool:
        """Whether a message is the board or the challenge of any match."""
        return self._connection.execute(OF_A_MATCH, {"message": message_id}).first() is not None

    def find_challenge_requests(
        self, guild: int, people: Sequence[UserId], since: int, now: int
    ) -> tuple[ChallengeRequest, ...]:
        """The challenges to some users of a server since some time, the oldest first; none from after `now`."""
        values = {"guild": guild, "people": [*people], "since": since, "now": now}
        return tuple(ChallengeRequest(*row) for row in self._connection.execute(ASKS, values))

    def count_open(self, guild: int, host: int) -> int:
        """The number of a user's open challenges and tables in a server."""
        return self._connection.execute(OPEN_OF, {"guild": guild, "host": host}).scalar_one()

    def given_to(self, host: int, since: int) -> tuple[tuple[int, int], ...]:
        """The creation times of a user's matches since a moment, in all servers, that continue from a position, each
        with the number of imported lines."""
        rows = self._connection.execute(GIVEN, {"host": host, "since": since})
        return tuple((created, given) for created, given in rows)

    def find_rematch_of(self, match_id: int) -> MatchId | None:
        """The latest rematch of a match that was not declined, or None."""
        return self._connection.execute(REMATCH, {"match": match_id}).scalar()

    def count_by_state(self) -> dict[str, int]:
        """The number of matches by state."""
        rows = self._connection.execute(COUNTS)
        return {str(state): int(number) for state, number in rows}

    def _load_players(self, match_id: int) -> tuple[Player, ...]:
        rows = PLAYERS.read_rows(self._connection, {"match": match_id})
        return tuple([Player(*player) for _, *player in rows])

    def _load_rows(self, statement: Select[Any], values: Mapping[str, object]) -> tuple[MatchRow, ...]:
        found = self._connection.execute(statement, values).all()
        players_of: dict[int, list[Player]] = {row.id: [] for row in found}
        if found:
            rows = self._connection.execute(PLAYERS_OF_MANY, {"matches": list(players_of)})
            for match, *player in rows:
                players_of[match].append(Player(*player))
        return tuple(MatchRow(*_fields_of(row, tuple(players_of[row.id]))) for row in found)


# Writes: challenges, moves, players, and what Discord was shown.


CREATE = insert(matches)
APPEND = CompiledStatement(insert(moves))
DELIVER = make_insert_new(deliveries)
SNOWFLAKES_A_SECOND = 1000 << 22
"""The growth of Discord's ids in a second: their upper bits are a timestamp in milliseconds."""
OTHERS = deliveries.alias()
FORGET = delete(deliveries).where(
    deliveries.c.interaction > 0,
    deliveries.c.interaction
    < select(func.max(OTHERS.c.interaction) - bindparam("age", type_=BigInteger())).scalar_subquery(),
    deliveries.c.at < select(func.max(OTHERS.c.at) - bindparam("seconds", type_=BigInteger())).scalar_subquery(),
)
FORGET_TIMED = delete(deliveries).where(
    deliveries.c.interaction < 0,
    ~select(matches.c.id).where(matches.c.id == deliveries.c.match, matches.c.state == "live").exists(),
)

HERE = (players.c.match == bindparam("of_match"), players.c.user == bindparam("of_user"))
JOIN = make_insert_new(
    players,
    ["match", "user", "joined", "invited", "consent", "mention_version"],
    select(
        bindparam("of_match", type_=players.c.match.type),
        bindparam("of_user", type_=players.c.user.type),
        select(func.coalesce(func.max(players.c.joined), 0) + 1)
        .where(players.c.match == bindparam("of_match"))
        .scalar_subquery(),
        bindparam("invited", type_=players.c.invited.type),
        literal(False),
        bindparam("due", type_=players.c.mention_version.type),
    ).where(true()),
)
LEAVE = delete(players).where(*HERE)
HINTED = update(players).where(*HERE).values(hints=players.c.hints + 1)
HAND_ON = update(players).where(*HERE).values(user=bindparam("to_user"), wakes=None, mail=None, mailbox=None)

THIS = matches.c.id == bindparam("of_match")
PARK = update(matches).where(THIS).values(publish_error=bindparam("why"))
SET_THREAD = update(matches).where(THIS).values(thread=bindparam("to_thread"), awaits_thread=bindparam("awaits"))
SET_PLACE = (
    update(matches)
    .where(THIS)
    .values(
        channel=bindparam("to_channel"), thread=bindparam("to_thread"), awaits_thread=False, lobby_message=None,
        publish_error=None, told_version=0,
    )
)  # fmt: skip
RENAMED = update(matches).where(THIS).values(rename_pending=False)
ANNOUNCED = update(matches).where(THIS).values(announce_until=None, announcement=bindparam("by_message"))
TOLD = (
    update(matches)
    .where(THIS, matches.c.told_version < bindparam("to_version"))
    .values(told_version=bindparam("to_version"), told_message=bindparam("to_message"))
)
UNTELL = update(matches).where(THIS).values(told_version=0)
SET_LOBBY = update(matches).where(THIS).values(lobby_message=bindparam("to_message"))
SET_REVIEW = make_upsert(reviews)
ON_SEAT = select(players.c.user).where(
    players.c.match == bindparam("of_match"), players.c.seat == bindparam("on_seat"), players.c.user > 0
)
LOST = make_upsert(move_losses)

ASK = make_upsert(challenge_requests)
UNASK = delete(challenge_requests).where(
    challenge_requests.c.match == bindparam("of_match"), is_among(challenge_requests.c.asked, "people")
)
FORGET_ASKS = delete(challenge_requests).where(challenge_requests.c.at < bindparam("before"))


@cache
def _make_update_statement(columns: tuple[str, ...]) -> CompiledStatement:
    changes = {name: bindparam(f"new_{name}", type_=matches.c[name].type) for name in columns}
    unchanged = matches.c.version == bindparam("expected")
    return CompiledStatement(update(matches).where(THIS, unchanged).values(version=matches.c.version + 1, **changes))


@cache
def _make_shown_statement(columns: tuple[str, ...]) -> Update:
    changes = {name: bindparam(f"new_{name}", type_=matches.c[name].type) for name in columns}
    forward = matches.c.shown_version <= bindparam("new_shown_version")
    return update(matches).where(THIS, forward).values(publish_error=None, **changes)


@cache
def _make_seat_statement(columns: tuple[str, ...]) -> CompiledStatement:
    changes = {name: bindparam(f"new_{name}", type_=players.c[name].type) for name in columns}
    return CompiledStatement(update(players).where(*HERE).values(**changes))


def _new_values(columns: Mapping[str, object]) -> dict[str, object]:
    return {f"new_{name}": value for name, value in columns.items()}


class MatchWrites:
    """The writes about matches."""

    _connection: Connection

    def create(self, new: NewMatch) -> MatchId:
        """Store a challenge, with its host as the first who has joined, and return its id."""
        fields = {name: getattr(new, name) for name in new.__slots__ if name != "lines"}
        start = {"state": "open", "version": 1, "shown_version": 0, "turn": (), "shown_plies": 0}
        start |= {"plies": len(new.lines), "imported_plies": len(new.lines)}
        result = self._connection.execute(CREATE, {**fields, **start, "published": False})
        match_id = MatchId(result.inserted_primary_key[0] if result.inserted_primary_key else 0)
        for ply, line in enumerate(new.lines, 1):
            self.append(match_id, ply, line.seat, line.text, new.created)
        self.join(match_id, new.host)
        return match_id

    def update(self, match_id: int, expected_version: int, **columns: Unpack[MatchChanges]) -> bool:
        """Set columns and raise the version by one, if it is the expected one; False, and no change, if it is not."""
        values = {"of_match": match_id, "expected": expected_version, **_new_values(columns)}
        return _make_update_statement(tuple(columns)).write(self._connection, values) == 1

    def lock_players(self, match_id: int) -> tuple[Player, ...]:
        """Lock the players of a match, and return them by seat, before it has begun in order of joining."""
        rows = PLAYERS_LOCKED.read_rows(self._connection, {"match": match_id})
        return tuple([Player(*player) for _, *player in rows])

    def append(self, match_id: int, ply: int, seat: int, text: str, now: int) -> None:
        """Add line `ply` (1, 2, …) to a record; a second line with this number is an error."""
        values = {"match": match_id, "ply": ply, "seat": seat, "text": text, "at": now}
        APPEND.write(self._connection, values)

    def join(self, match_id: int, user_id: int, invited: bool = False) -> bool:
        """Add a user to a match; False, and no change, if they are in it already. `invited`: they are to be
        notified."""
        values = {"of_match": match_id, "of_user": user_id, "invited": invited, "due": int(invited)}
        return JOIN.write(self._connection, values) == 1

    def leave(self, match_id: int, user_id: int) -> bool:
        """Remove a user from a match; False if they were not in it."""
        return self._connection.execute(LEAVE, {"of_match": match_id, "of_user": user_id}).rowcount == 1

    def hand_on(self, match_id: int, user_id: int, to_user: int) -> bool:
        """Replace a user in a match by another; False if they are not in it."""
        values = {"of_match": match_id, "of_user": user_id, "to_user": to_user}
        return self._connection.execute(HAND_ON, values).rowcount == 1

    def set_player(self, match_id: int, user_id: int, **columns: Unpack[PlayerChanges]) -> bool:
        """Set columns of a player (seat, rank, score, consent …); False if they are not in the match."""
        values = {"of_match": match_id, "of_user": user_id, **_new_values(columns)}
        return _make_seat_statement(tuple(columns)).write(self._connection, values) == 1

    def set_players(self, match_id: int, players: Mapping[UserId, Mapping[str, Any]]) -> None:
        """Set columns of several players, in one statement for those with the same columns."""
        alike: dict[tuple[str, ...], list[dict[str, object]]] = {}
        for user, columns in players.items():
            values = {"of_match": match_id, "of_user": user, **_new_values(columns)}
            alike.setdefault(tuple(columns), []).append(values)
        for names, rows in alike.items():
            _make_seat_statement(names).write_each(self._connection, rows)

    def mark_acted(self, interaction_id: int, match_id: int, now: int) -> bool:
        """Store that an interaction has acted on a match, for `find_match_acted_on`; False if it has acted already."""
        values = {"interaction": interaction_id, "match": match_id, "at": now}
        return DELIVER.write(self._connection, values) == 1

    def add_challenge_request(self, match_id: int, guild: int, ask: ChallengeRequest) -> None:
        """Store that a match asks a user to play, in place of an older such row.

        It is kept for an hour, independent of the match: a user who declines is not in its players any more.
        """
        ASK.write(self._connection, {"match": match_id, "guild": guild, **take_fields(challenge_requests, ask)})

    def drop_challenge_requests(self, match_id: int, people: Collection[int]) -> None:
        """Delete the requests of a match to some users: once they play, these do not count against the caps."""
        self._connection.execute(UNASK, {"of_match": match_id, "people": [*people]})

    def forget_asks(self, before: int) -> None:
        """Delete the requests before a time."""
        self._connection.execute(FORGET_ASKS, {"before": before})

    def forget_deliveries(self, seconds: int) -> int:
        """Delete the keys of interactions older by this than the newest that has acted, and return their number.

        By Discord's timestamps in their ids, so that a wrong local clock does not delete the key of an interaction that
        may be delivered again; and also by the local clock, since a card acts under its own id, which may be old. Keys
        of deadlines are negative and without a timestamp: they are kept as long as their match is live, and could be
        repeated.
        """
        self._connection.execute(FORGET_TIMED)
        return self._connection.execute(FORGET, {"age": seconds * SNOWFLAKES_A_SECOND, "seconds": seconds}).rowcount

    def rate(self, match_id: int) -> int | None:
        """Rate a match that this transaction has just finished, and return when it ended.

        Called once for every finished match, after its state, `ended`, ranks and record are written. Within a server
        the times of ends are strictly ascending, and results count in that order. A match that does not count (unrated,
        solo, a seat without a move) changes no rating.
        """
        return standings.count_match(self._connection, match_id)

    def mark_shown(
        self,
        match_id: int,
        version: int,
        board_channel: int | None = None,
        board_message: int | None = None,
        shown_plies: int | None = None,
    ) -> bool:
        """Store that Discord has accepted this version, its message, and how much of the record it shows.

        This is not an act: it neither raises the version nor depends on it. False, and no change, if a later version
        has been shown. The match is no longer parked.
        """
        given = {"board_channel": board_channel, "board_message": board_message, "shown_plies": shown_plies}
        columns = {"shown_version": version, **{name: value for name, value in given.items() if value is not None}}
        values = {"of_match": match_id, **_new_values(columns)}
        return self._connection.execute(_make_shown_statement(tuple(columns)), values).rowcount == 1

    def mark_told(self, match_id: int, version: int, message: int) -> None:
        """Store the line that has notified all users concerned up to this version, unless a later one is stored."""
        self._connection.execute(TOLD, {"of_match": match_id, "to_version": version, "to_message": message})

    def unmark_told(self, match_id: int) -> None:
        """Clear the lines about versions that no board shows yet, as their channel is gone."""
        self._connection.execute(UNTELL, {"of_match": match_id})

    def keep_review(self, match_id: int, version: int, found: str, lost: Mapping[Seat, PointsLost]) -> None:
        """Store the review of a match, in place of one by another version of the reviewer, and the losses of the
        players' moves, except of users who have deleted their data."""
        lock_shared(self._connection, LockSubject.TIMES)  # excludes deletions of users' data
        SET_REVIEW.write(self._connection, {"match": match_id, "version": version, "found": found})
        for seat, one in lost.items():
            user = self._connection.execute(ON_SEAT, {"of_match": match_id, "on_seat": seat}).scalar()
            if user:
                LOST.write(self._connection, {"match": match_id, "user": user, **take_fields(move_losses, one)})

    def count_hint(self, act: int, match_id: int, user_id: int, now: int) -> bool:
        """Count a hint of a user, once for each act; False, and no change, if this act was counted before."""
        if not self.mark_acted(act, match_id, now):
            return False
        self._connection.execute(HINTED, {"of_match": match_id, "of_user": user_id})
        return True

    def park(self, match_id: int, reason: str | None) -> None:
        """Store why the board cannot be shown, or None if it can be again."""
        self._connection.execute(PARK, {"of_match": match_id, "why": reason})

    def set_thread(self, match_id: int, thread: int | None, awaits: bool = False) -> None:
        """Store where a match is played; one that `awaits` a thread leaves that channel when it gets one."""
        self._connection.execute(SET_THREAD, {"of_match": match_id, "to_thread": thread, "awaits": awaits})

    def set_place(self, match_id: int, channel: int, thread: int) -> None:
        """Move a match to another channel, and a thread in it, where none of its messages are yet."""
        self._connection.execute(SET_PLACE, {"of_match": match_id, "to_channel": channel, "to_thread": thread})

    def mark_renamed(self, match_id: int) -> None:
        """Mark the thread of a finished match as renamed, or as impossible to rename."""
        self._connection.execute(RENAMED, {"of_match": match_id})

    def mark_announced(self, match_id: int, message: int | None) -> None:
        """Store the message that announced the end of a match in its channel, or that there is none."""
        self._connection.execute(ANNOUNCED, {"of_match": match_id, "by_message": message})

    def set_lobby_message(self, match_id: int, message: int | None) -> None:
        """Store the message that shows the challenge."""
        self._connection.execute(SET_LOBBY, {"of_match": match_id, "to_message": message})
