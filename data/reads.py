"""Everything that is asked of the database, as statements made once and a class that runs them in one snapshot."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Integer, Row, Select, bindparam, case, exists, func, select, text

from bot.core.ids import GuildId, MatchId, UserId
from bot.core.record import Entry, read_entry
from bot.core.rows import RANKED_FROM, Best, MatchRow, Places, Player, ServerSettings, Standing, State, Stored
from data import privacy
from data.schema import deliveries, matches, moves, notes, players, ratings, settings
from data.standings import COUNTED

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
PLAYER = (
    players.c.match,
    players.c.user,
    players.c.joined,
    players.c.seat,
    players.c.invited,
    players.c.consent,
    players.c.rank,
    players.c.score,
    players.c.due,
)
PLAYERS = select(*PLAYER).where(players.c.match == bindparam("match")).order_by(*IN_ORDER)
PLAYERS_OF_MANY = select(*PLAYER).where(players.c.match.in_(bindparam("matches", expanding=True))).order_by(*IN_ORDER)
RECORD = (
    select(moves.c.seat, moves.c.text)
    .where(moves.c.match == bindparam("match"), moves.c.ply > bindparam("ply"))
    .order_by(moves.c.ply)
)
NOTE = select(notes.c.value).where(notes.c.name == bindparam("name"))
GUILD = select(matches.c.guild).where(matches.c.id == bindparam("match"))
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
IN_THREAD = (
    ROWS.where(matches.c.thread == bindparam("thread"))
    .order_by(matches.c.state != "live", matches.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
LAGGING = (
    ROWS.where(matches.c.shown_version < matches.c.version, matches.c.parked.is_(None))
    .where(matches.c.id > bindparam("after", 0))
    .order_by(matches.c.id)
    .limit(bindparam("most", type_=Integer()))
)
TO_RENAME = select(matches.c.id).where(text("rename")).order_by(matches.c.id).limit(bindparam("most", type_=Integer()))
EXPIRED = ROWS.where(matches.c.state == "open", matches.c.expires <= bindparam("now")).order_by(matches.c.id)
LIVE = ROWS.where(matches.c.state == "live").order_by(matches.c.id)
COUNTS = select(matches.c.state, func.count()).group_by(matches.c.state)

VALUE = ratings.c.mu - 3 * ratings.c.sigma
RANKED = case((ratings.c.played >= RANKED_FROM, 1), else_=0)
PLACE = case(
    (RANKED == 1, func.rank().over(partition_by=(ratings.c.game, RANKED), order_by=VALUE.desc())),
    else_=None,
)
STANDING = (
    ratings.c.user,
    PLACE.label("place"),
    ratings.c.mu,
    ratings.c.sigma,
    ratings.c.played,
    ratings.c.won,
    ratings.c.drawn,
    ratings.c.lost,
)
LEADERBOARD = (
    select(*STANDING)
    # A former player is rated on, so that ratings can be computed anew, but has no place any more.
    .where(ratings.c.guild == bindparam("guild"), ratings.c.game == bindparam("game"), ratings.c.user > 0)
    .order_by(RANKED.desc(), VALUE.desc(), ratings.c.user)
)
PLACES = select(ratings.c.game, *STANDING).where(ratings.c.guild == bindparam("guild"), ratings.c.user > 0).subquery()
PROFILE = select(PLACES).where(PLACES.c.user == bindparam("user")).order_by(PLACES.c.game)
PLACES_OF = (
    select(players.c.user, matches.c.game, players.c.rank, func.count())
    .join(matches, matches.c.id == players.c.match)
    .where(*COUNTED, matches.c.guild == bindparam("guild"), players.c.user.in_(bindparam("users", expanding=True)))
    .group_by(players.c.user, matches.c.game, players.c.rank)
)
ALONE = (
    select(matches.c.options, players.c.user, players.c.score, matches.c.id)
    .join(matches, matches.c.id == players.c.match)
    .where(
        matches.c.guild == bindparam("guild"),
        matches.c.state == "finished",
        matches.c.game == bindparam("game"),
        matches.c.seats == 1,
        players.c.score.is_not(None),
        players.c.user > 0,
    )
    .order_by(matches.c.options, matches.c.ended, matches.c.id)
)


def _best_of_each(bests: Iterable[Best]) -> tuple[Best, ...]:
    best: dict[UserId, Best] = {}
    # Scores are text of any length, which no database orders as numbers.
    for one in sorted(bests, key=lambda one: -one.score):
        best.setdefault(one.user, one)
    return tuple(best.values())


def _fields(row: Row[Any], *further: object) -> tuple[Any, ...]:
    return (*row, *further)


SETTINGS = select(settings.c.channels, settings.c.threads).where(settings.c.guild == bindparam("guild"))
REMATCH = (
    select(matches.c.id)
    .where(matches.c.rematch_of == bindparam("match"), matches.c.state.in_(("open", "live", "finished", "aborted")))
    .order_by(matches.c.id.desc())
    .limit(1)
)


class Reader:
    """What can be asked within one transaction. Matches come back oldest first unless it says otherwise."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

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

    def record_since(self, match_id: int, ply: int) -> tuple[Entry, ...]:
        """The record after its first `ply` lines."""
        rows = self._connection.execute(RECORD, {"match": match_id, "ply": ply})
        return tuple(read_entry(seat, text) for seat, text in rows)

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

    def current(self, user: int) -> tuple[MatchRow, ...]:
        """Somebody's open and live matches in all servers."""
        return self._rows(CURRENT, {"user": user})

    def ended_of(self, guild: int, user: int, most: int = 25) -> tuple[MatchRow, ...]:
        """Somebody's finished and aborted matches in a server, the latest first."""
        return self._rows(ENDED_OF, {"guild": guild, "user": user, "most": most})

    def in_thread(self, channel_id: int, most: int = 25) -> tuple[MatchRow, ...]:
        """The matches played in a thread or channel: live ones first, then the latest first."""
        return self._rows(IN_THREAD, {"thread": channel_id, "most": most})

    def lagging(self, most: int, after: int = 0) -> tuple[MatchRow, ...]:
        """Matches whose shown version is behind and whose board is not parked, from the one after some match on."""
        return self._rows(LAGGING, {"most": most, "after": after})

    def to_rename(self, most: int) -> tuple[MatchId, ...]:
        """Matches that are over, whose threads do not say so yet."""
        return tuple(self._connection.execute(TO_RENAME, {"most": most}).scalars())

    def expired(self, now: int) -> tuple[MatchRow, ...]:
        """Open challenges whose time is over."""
        return self._rows(EXPIRED, {"now": now})

    def live_matches(self) -> tuple[MatchRow, ...]:
        """All live matches of all servers."""
        return self._rows(LIVE, {})

    def leaderboard(self, guild: int, game: str = "") -> tuple[Standing, ...]:
        """Everybody who has a rating in a game, or over all games (""): best first, those without a place last."""
        rows = self._connection.execute(LEADERBOARD, {"guild": guild, "game": game})
        return tuple(Standing(*row) for row in rows)

    def profile(self, guild: int, user: int) -> dict[str, Standing]:
        """Somebody's standing in every game they have a rating in, and over all games (key "")."""
        rows = self._connection.execute(PROFILE, {"guild": guild, "user": user})
        return {game: Standing(*standing) for game, *standing in rows}

    def places(self, guild: int, users: Sequence[UserId]) -> dict[UserId, Places]:
        """How often some people came out at each place in the matches that count for ratings, by game."""
        found: dict[UserId, dict[str, dict[int, int]]] = {user: {} for user in users}
        for user, game, place, number in self._connection.execute(PLACES_OF, {"guild": guild, "users": [*users]}):
            found[user].setdefault(game, {})[place] = number
        return dict(found)

    def bests(self, guild: int, game: str) -> list[tuple[Mapping[str, int | str], tuple[Best, ...]]]:
        """Everybody's best score alone at a game, highest first, the earlier first, for each choice of options."""
        rows = self._connection.execute(ALONE, {"guild": guild, "game": game})
        grouped = [(options, [Best(*best) for _, *best in group]) for options, group in groupby(rows, itemgetter(0))]
        return [(options, _best_of_each(bests)) for options, bests in grouped]

    def note(self, name: str) -> str | None:
        """A note that the program keeps about itself; None if there is none."""
        return self._connection.execute(NOTE, {"name": name}).scalar()

    def settings(self, guild: int) -> ServerSettings:
        """The settings of a server, its own or the usual ones."""
        row = self._connection.execute(SETTINGS, {"guild": guild}).one_or_none()
        return ServerSettings(*row) if row else ServerSettings()

    def rematch(self, match_id: int) -> MatchId | None:
        """The latest match that follows another and was not turned down; None if there is none."""
        return self._connection.execute(REMATCH, {"match": match_id}).scalar()

    def exported(self, user: int) -> dict[str, Any]:
        """Everything that is kept about a person, as plain values."""
        return privacy.exported(self._connection, user)

    def counts(self) -> dict[str, int]:
        """How many matches there are in each state that has any."""
        rows = self._connection.execute(COUNTS)
        return {str(state): int(number) for state, number in rows}

    def _players(self, match_id: int) -> tuple[Player, ...]:
        rows = self._connection.execute(PLAYERS, {"match": match_id})
        return tuple(Player(*player) for _, *player in rows)

    def _rows(self, statement: Select[Any], values: Mapping[str, object]) -> tuple[MatchRow, ...]:
        found = self._connection.execute(statement, values).all()
        players_of: dict[int, list[Player]] = {row.id: [] for row in found}
        if found:
            rows = self._connection.execute(PLAYERS_OF_MANY, {"matches": list(players_of)})
            for match, *player in rows:
                players_of[match].append(Player(*player))
        return tuple(MatchRow(*_fields(row, tuple(players_of[row.id]))) for row in found)
