"""Everything that is asked of the database, as statements made once and a class that runs them in one snapshot."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any, Self

from sqlalchemy import Connection, Integer, Row, Select, bindparam, exists, func, select, text

from bot.core.match.record import Entry, read_entry
from bot.core.match.stored import (
    Ask,
    Leftover,
    MatchRow,
    Parked,
    Player,
    ServerSettings,
    State,
    Stored,
)
from bot.core.values.ids import ChannelId, GuildId, MatchId, UserId
from bot.core.values.shards import WHOLE, Share
from data.queries import asking, cleanup_outbox, figures, kept_reviews, privacy
from data.queries.outbox import Outbox
from data.store.ranks import Ranks
from data.store.times import Times
from data.tables import schema, shares
from data.tables.column_types import among
from data.tables.schema import (
    deliveries,
    matches,
    moves,
    notes,
    players,
    settings,
)
from data.tables.shares import ours

MOVED = (
    select(moves.c.at)
    .where(moves.c.match == matches.c.id)
    .order_by(moves.c.ply.desc())
    .limit(1)
    .scalar_subquery()
    .label("moved")
)
ROWS = select(*matches.c, MOVED)
ROW = ROWS.where(matches.c.id == bindparam("match"))
IN_ORDER = (players.c.match, players.c.seat, players.c.joined)
PLAYERS = select(*players.c).where(players.c.match == bindparam("match")).order_by(*IN_ORDER)
PLAYERS_OF_MANY = select(*players.c).where(among(players.c.match, "matches")).order_by(*IN_ORDER)
RECORD = (
    select(moves.c.seat, moves.c.text)
    .where(moves.c.match == bindparam("match"), moves.c.ply > bindparam("ply"))
    .order_by(moves.c.ply)
)
NOTE = select(notes.c.value).where(notes.c.name == bindparam("name"))
NOTES = select(notes.c.name, notes.c.value).where(notes.c.name.startswith(bindparam("beginning")))
GUILD = select(matches.c.guild).where(matches.c.id == bindparam("match"))
FIRST = select(func.min(matches.c.id)).where(matches.c.guild == bindparam("guild"))
SEEN = select(deliveries.c.match).where(deliveries.c.interaction == bindparam("interaction"))

OF_USER = ROWS.join(players, players.c.match == matches.c.id).where(
    matches.c.guild == bindparam("guild"), players.c.user == bindparam("user")
)
LIVE_OF = OF_USER.where(matches.c.state == "live").order_by(matches.c.id)
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
ENDED_OF = (
    OF_USER.where(matches.c.state.in_(("finished", "aborted")))
    .order_by(matches.c.ended.desc(), matches.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
ONE, OTHER = players.alias("one"), players.alias("other")
BETWEEN = (
    ROWS.join(ONE, ONE.c.match == matches.c.id)
    .join(OTHER, OTHER.c.match == matches.c.id)
    .where(ONE.c.user == bindparam("one"), OTHER.c.user == bindparam("other"), ONE.c.rank.is_not(None))
    .where(matches.c.guild + 0 == bindparam("guild"), matches.c.handed.is_(None))  # so the index of players is used
    .order_by(matches.c.ended.desc(), matches.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
BETWEEN_AT = BETWEEN.where(matches.c.game == bindparam("game"))
IN_THREAD = (
    ROWS.where(matches.c.thread == bindparam("thread"))
    .order_by(matches.c.state != "live", matches.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
PLACE = func.coalesce(matches.c.thread, matches.c.channel)
PLACED = (
    select(matches.c.id, PLACE)
    .where(matches.c.id > bindparam("after", 0))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
LAGGING = PLACED.where(matches.c.shown_version < matches.c.version, matches.c.parked.is_(None), ours(matches.c.guild))
THINKING = (
    select(matches.c.id)
    .where(text(schema.THINKING), matches.c.id > bindparam("after", 0), ours(matches.c.guild))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
TO_RENAME = PLACED.where(text("rename"), ours(matches.c.guild))
PARKED_ANYWHERE = (
    select(matches.c.id, matches.c.guild, PLACE, matches.c.game, matches.c.game_version)
    .where(matches.c.parked.is_not(None), matches.c.id > bindparam("after", 0))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
PARKED = PARKED_ANYWHERE.where(ours(matches.c.guild))
PARKED_IN = PARKED_ANYWHERE.where(matches.c.guild == bindparam("guild"))
EXPIRED = (
    ROWS.where(matches.c.state == "open", matches.c.expires <= bindparam("now"), ours(matches.c.guild))
    .order_by(matches.c.expires, matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
LIVE = matches.c.state == "live"
VERSIONS = select(matches.c.game, matches.c.game_version).where(LIVE, ours(matches.c.guild)).distinct()
LIVE_OF_VERSION = (
    ROWS.where(LIVE, matches.c.game == bindparam("game"), matches.c.game_version == bindparam("version"))
    .where(ours(matches.c.guild))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
COUNTS = select(matches.c.state, func.count()).group_by(matches.c.state)

SETTINGS = select(*(settings.c[field.name] for field in fields(ServerSettings))).where(
    settings.c.guild == bindparam("guild")
)


def _fields(row: Row[Any], *further: object) -> tuple[Any, ...]:
    return (*row, *further)


class Reader(Ranks, Times, Outbox):
    """What can be asked within one transaction. Matches come back oldest first unless it says otherwise.

    What is due is asked for without anybody's being named: that is found among the servers of `share`.
    """

    def __init__(self, connection: Connection, share: Share = WHOLE) -> None:
        super().__init__(connection)
        self.share = share
        self._ours = shares.values(share)

    def within(self, share: Share) -> Self:
        """The same transaction, for whatever is looked for among fewer servers."""
        return type(self)(self._connection, share)

    def load(self, match_id: int) -> Stored | None:
        """A match with its players and its whole record; None if there is none."""
        row = self._connection.execute(ROW, {"match": match_id}).one_or_none()
        if row is None:
            return None
        return Stored(*_fields(row, self._players(match_id), self.record_since(match_id, 0)))

    def recorded(self, row: MatchRow) -> Stored:
        """A match that was read in this snapshot, with its record."""
        known: dict[str, Any] = {name: getattr(row, name) for name in MatchRow.__slots__}
        return Stored(**known, record=self.record_since(row.id, 0))

    def row(self, match_id: int) -> MatchRow | None:
        """A match without its record; None if there is none."""
        row = self._connection.execute(ROW, {"match": match_id}).one_or_none()
        return None if row is None else MatchRow(*_fields(row, self._players(match_id)))

    def guild(self, match_id: int) -> GuildId | None:
        """The server of a match; None if there is no such match."""
        return self._connection.execute(GUILD, {"match": match_id}).scalar()

    def first(self, guild: int) -> MatchId | None:
        """The first match that was ever begun or asked for in a server; None before that."""
        return self._connection.execute(FIRST, {"guild": guild}).scalar()

    def record_since(self, match_id: int, ply: int) -> tuple[Entry, ...]:
        """The record after its first `ply` lines."""
        rows = self._connection.execute(RECORD, {"match": match_id, "ply": ply})
        return tuple(read_entry(seat, text) for seat, text in rows)

    def review(self, match_id: int, version: int) -> str | None:
        """What the computer found in a match, by this version of what finds it; None if that is not kept."""
        return kept_reviews.kept(self._connection, match_id, version)

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

    def ended_of(self, guild: int, user: int, most: int = 25) -> tuple[MatchRow, ...]:
        """Somebody's finished and aborted matches in a server, the latest first."""
        return self._rows(ENDED_OF, {"guild": guild, "user": user, "most": most})

    def between(self, guild: int, one: int, other: int, game: str = "", most: int = 5) -> tuple[MatchRow, ...]:
        """The last matches that two people finished with each other in a server, at a game or all, the latest first."""
        values = {"guild": guild, "one": one, "other": other, "game": game, "most": most}
        return self._rows(BETWEEN_AT if game else BETWEEN, values)

    def in_thread(self, channel_id: int, most: int = 25) -> tuple[MatchRow, ...]:
        """The matches played in a thread or channel: live ones first, then the latest first."""
        return self._rows(IN_THREAD, {"thread": channel_id, "most": most})

    def lagging(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Matches whose shown version is behind and whose board is not parked, from the one after some match on, each
        with the channel where it is played."""
        return self._placed(LAGGING, most, after)

    def to_rename(self, most: int, after: int = 0) -> tuple[tuple[MatchId, ChannelId], ...]:
        """Matches that are over, whose threads do not say so yet, each with its thread."""
        return self._placed(TO_RENAME, most, after)

    def thinking(self, most: int, after: int = 0) -> tuple[MatchId, ...]:
        """Live matches in which a computer is to move, those with a number above `after`."""
        return tuple(self._connection.execute(THINKING, {"most": most, "after": after, **self._ours}).scalars())

    def parked(self, most: int, after: int = 0, guild: int | None = None) -> tuple[Parked, ...]:
        """Matches whose boards could not be shown, of one server or of all, from the one after some match on."""
        asked = PARKED if guild is None else PARKED_IN
        values = self._ours if guild is None else {"guild": guild}
        rows = self._connection.execute(asked, {"most": most, "after": after, **values})
        return tuple(Parked(*row) for row in rows)

    def expired(self, now: int, most: int = 200) -> tuple[MatchRow, ...]:
        """Some open challenges whose time is over."""
        return self._rows(EXPIRED, {"now": now, "most": most, **self._ours})

    def left_over(self, now: int, most: int, match_id: int | None = None) -> tuple[Leftover, ...]:
        """Edits that are still to be made, of one match or all, and may be tried now; the longest overdue first."""
        if match_id is None:
            return cleanup_outbox.due(self._connection, now, most, self._ours)
        return cleanup_outbox.due_of(self._connection, now, most, match_id)

    def outdated(self, versions: Mapping[str, int], most: int) -> tuple[MatchRow, ...]:
        """Some live matches of games that are not among these, or of other versions of theirs."""
        found: tuple[MatchRow, ...] = ()
        for game, version in self._connection.execute(VERSIONS, self._ours).all():
            if versions.get(game) != version and len(found) < most:
                values = {"game": game, "version": version, "most": most - len(found), **self._ours}
                found += self._rows(LIVE_OF_VERSION, values)
        return found

    def note(self, name: str) -> str | None:
        """A note that the program keeps about itself; None if there is none."""
        return self._connection.execute(NOTE, {"name": name}).scalar()

    def notes(self, beginning: str) -> dict[str, str]:
        """All such notes whose names begin with a word."""
        return {str(name): str(value) for name, value in self._connection.execute(NOTES, {"beginning": beginning})}

    def settings(self, guild: int) -> ServerSettings:
        """The settings of a server, its own or the usual ones."""
        row = self._connection.execute(SETTINGS, {"guild": guild}).one_or_none()
        return ServerSettings(*row) if row else ServerSettings()

    def asks(self, guild: int, people: Sequence[UserId], since: int, now: int) -> tuple[Ask, ...]:
        """The challenges that some people of a server got since some time, the oldest first; none of those that a clock
        set wrong has put into the future."""
        return asking.of(self._connection, guild, people, since, now)

    def open_of(self, guild: int, host: int) -> int:
        """How many challenges and tables of somebody's are open in a server."""
        return asking.open_of(self._connection, guild, host)

    def rematch(self, match_id: int) -> MatchId | None:
        """The latest match that follows another and was not turned down; None if there is none."""
        return asking.rematch(self._connection, match_id)

    def exported(self, user: int) -> dict[str, Any]:
        """Everything that is kept about a person, as plain values."""
        return privacy.exported(self._connection, user)

    def counts(self) -> dict[str, int]:
        """How many matches there are in each state that has any."""
        rows = self._connection.execute(COUNTS)
        return {str(state): int(number) for state, number in rows}

    def figures(self) -> figures.Figures:
        """How people are served, in figures."""
        return figures.found(self._connection, self.share)

    def _players(self, match_id: int) -> tuple[Player, ...]:
        rows = self._connection.execute(PLAYERS, {"match": match_id})
        return tuple(Player(*player) for _, *player in rows)

    def _placed(
        self, statement: Select[MatchId, ChannelId], most: int, after: int
    ) -> tuple[tuple[MatchId, ChannelId], ...]:
        rows = self._connection.execute(statement, {"most": most, "after": after, **self._ours})
        return tuple((match, channel) for match, channel in rows)

    def _rows(self, statement: Select[Any], values: Mapping[str, object]) -> tuple[MatchRow, ...]:
        found = self._connection.execute(statement, values).all()
        players_of: dict[int, list[Player]] = {row.id: [] for row in found}
        if found:
            rows = self._connection.execute(PLAYERS_OF_MANY, {"matches": list(players_of)})
            for match, *player in rows:
                players_of[match].append(Player(*player))
        return tuple(MatchRow(*_fields(row, tuple(players_of[row.id]))) for row in found)
