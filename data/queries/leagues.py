"""Reads and writes leagues: their members, pairings and results, due work, and what Discord was shown of them.

Callers that change a league take `lock_guild` first, so that what was read stays valid. Only `note_league_match`, part
of the end of a match, does without; it raises the version, so that no other process settles the league meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict, Unpack

from sqlalchemy import Connection, Integer, and_, bindparam, case, delete, func, insert, or_, select, update

from bot.play import league_tables
from bot.play.ids import GuildId, LeagueId, MatchId, MessageId, UserId
from bot.play.league_tables import League, LeagueRound, LeagueState, LoadedLeague, Member, Pairing
from data.tables.rows import list_columns, take_fields
from data.tables.schema import league_members, leagues, matches, pairings, players
from data.tables.statements import in_share, is_among, make_insert_new

LEAGUE = select(*leagues.c).where(leagues.c.id == bindparam("league"))
OF_SERVER = (
    select(*leagues.c)
    .where(leagues.c.guild == bindparam("guild"), leagues.c.state.in_(bindparam("states", expanding=True)))
    .order_by(leagues.c.created.desc(), leagues.c.id.desc())
    .limit(bindparam("most", type_=Integer()))
)
OPENED = (
    select(leagues.c.host, leagues.c.created)
    .where(leagues.c.guild == bindparam("guild"), leagues.c.created > bindparam("since"))
    .order_by(leagues.c.created, leagues.c.id)
)
FOLLOWING = select(leagues.c.id).where(leagues.c.previous == bindparam("league"))
MEMBERS = (
    select(*list_columns(league_members))
    .where(league_members.c.league == bindparam("league"))
    .order_by(league_members.c.joined)
)
HOME, GUEST = players.alias("home_player"), players.alias("guest_player")
PAIRINGS = (
    select(
        pairings.c.number, pairings.c.division, pairings.c.round, pairings.c.home, pairings.c.guest, pairings.c.game,
        pairings.c.legs, pairings.c.match, pairings.c.void, matches.c.state,
        HOME.c.rank, GUEST.c.rank.label("guest_rank"), HOME.c.score, GUEST.c.score.label("guest_score"),
        matches.c.thread, matches.c.started, pairings.c.home_untold, pairings.c.guest_untold,
    )
    .select_from(pairings)
    .outerjoin(matches, matches.c.id == pairings.c.match)
    # The present player of a seat that was handed on played for the member.
    .outerjoin(HOME, and_(HOME.c.match == pairings.c.match, HOME.c.seat == 1))
    .outerjoin(GUEST, and_(GUEST.c.match == pairings.c.match, GUEST.c.seat == 2))
    .where(pairings.c.league == bindparam("league"))
    .order_by(pairings.c.number)
)  # fmt: skip
OF_MATCH = select(pairings.c.league).where(pairings.c.match == bindparam("of_match"))
NOW = bindparam("now", type_=leagues.c.starts.type)
IS_DUE = or_(
    and_(leagues.c.state == "open", leagues.c.starts <= NOW),
    and_(leagues.c.state == "live", or_(leagues.c.ready, leagues.c.ends <= NOW)),
)
DUE = select(leagues.c.id, leagues.c.guild).where(IS_DUE, in_share(leagues.c.guild)).order_by(leagues.c.id)
ENDED_UNTOLD = and_(leagues.c.state == "finished", leagues.c.farewell.is_(None))
LAGGING = (
    select(leagues.c.id)
    .where(or_(leagues.c.shown_version < leagues.c.version, ENDED_UNTOLD), in_share(leagues.c.guild))
    .order_by(leagues.c.id)
)
OF_USER = (
    select(leagues.c.id, leagues.c.guild)
    .join(league_members, league_members.c.league == leagues.c.id)
    .where(league_members.c.user == bindparam("person"), league_members.c.left_at.is_(None))
    .where(leagues.c.state.in_(("open", "live")))
    .order_by(leagues.c.guild, leagues.c.id)
)
JOINED = select(league_members.c.league).where(league_members.c.user == bindparam("person"))

THIS = leagues.c.id == bindparam("of_league")
HERE = (league_members.c.league == bindparam("of_league"), league_members.c.user == bindparam("of_user"))
FOUND, JOIN = insert(leagues), make_insert_new(league_members)
GO = delete(league_members).where(*HERE)
LEAVE = update(league_members).where(*HERE).values(left_at=NOW, struck=bindparam("strikes"))
GONE = update(league_members).where(*HERE, league_members.c.gone.is_(None)).values(gone=bindparam("since"))
BACK = update(league_members).where(*HERE, league_members.c.gone.is_not(None)).values(gone=bindparam("since"))
SEAT = update(league_members).where(*HERE).values(division=bindparam("to_division"), place=bindparam("to_place"))
DRAW = insert(pairings)
BEGIN = (
    update(pairings)
    .where(pairings.c.league == bindparam("of_league"), pairings.c.number == bindparam("of_number"))
    .values(match=bindparam("of_match"), home_untold=True, guest_untold=True)
)
UNTOLD = (
    select(pairings.c.league)
    .join(leagues, leagues.c.id == pairings.c.league)
    .where(or_(pairings.c.home_untold, pairings.c.guest_untold), in_share(leagues.c.guild))
    .order_by(pairings.c.league)
    .distinct()
)
TOLD_OF = tuple(
    update(pairings)
    .where(
        pairings.c.league == bindparam("of_league"), who == bindparam("of_user"), is_among(pairings.c.number, "numbers")
    )
    .values({untold: False})
    for who, untold in ((pairings.c.home, pairings.c.home_untold), (pairings.c.guest, pairings.c.guest_untold))
)
OVER = select(matches.c.id).where(matches.c.id == pairings.c.match, matches.c.state != "live")
VOID = update(pairings).where(pairings.c.league == bindparam("of_league"), ~OVER.exists()).values(void=True)
STIR = (
    update(leagues)
    .where(
        leagues.c.id.in_(OF_MATCH),
        leagues.c.state == "live",
    )
    .values(version=leagues.c.version + 1, ready=True)
)
SETTLE = update(leagues).where(THIS, leagues.c.version == bindparam("seen")).values(ready=False)
TO_VERSION = bindparam("to_version", type_=leagues.c.version.type)
SHOWN = (
    update(leagues)
    .where(THIS)
    .values(
        shown_version=case((leagues.c.shown_version < TO_VERSION, TO_VERSION), else_=leagues.c.shown_version),
        message=bindparam("to_message"),
        farewell=func.coalesce(bindparam("to_farewell", type_=leagues.c.farewell.type), leagues.c.farewell),
    )
)


RELINK = update(matches).where(matches.c.id == bindparam("of_match")).values(round=bindparam("to_round"))
MOVE = (
    update(leagues)
    .where(THIS, leagues.c.channel == bindparam("of_channel"))
    .values(channel=bindparam("to_channel"), message=None, version=leagues.c.version + 1)
)


class LeagueChanges(TypedDict, total=False):
    """The columns of a league that `LeagueWrites.change_league` may set."""

    state: LeagueState
    games: tuple[str, ...]
    ready: bool
    ends: int
    ended: int


class LeagueQueries:
    """The queries about leagues."""

    _connection: Connection
    _share: dict[str, int]

    def load_league(self, league: int) -> LoadedLeague | None:
        """A league with its members and pairings; None if it does not exist."""
        row = self._connection.execute(LEAGUE, {"league": league}).one_or_none()
        if row is None:
            return None
        members = self._connection.execute(MEMBERS, {"league": league})
        drawn = self._connection.execute(PAIRINGS, {"league": league})
        loaded = LoadedLeague(
            League(*row), tuple(Member(*one) for one in members), tuple(_read_pairing(*one) for one in drawn)
        )
        return league_tables.treat_gone_as_left(loaded)

    def list_leagues(self, guild: int, states: Sequence[LeagueState], most: int = 25) -> tuple[League, ...]:
        """The leagues of a server in some states, the latest first."""
        rows = self._connection.execute(OF_SERVER, {"guild": guild, "states": [*states], "most": most})
        return tuple(League(*row) for row in rows)

    def leagues_opened(self, guild: int, since: int) -> tuple[tuple[UserId, int], ...]:
        """The hosts of leagues opened in a server after a moment, and when, the oldest first."""
        rows = self._connection.execute(OPENED, {"guild": guild, "since": since})
        return tuple((host, at) for host, at in rows)

    def following_league(self, league: int) -> LeagueId | None:
        """The next season of a league; None before it was opened."""
        return self._connection.execute(FOLLOWING, {"league": league}).scalar()

    def league_of(self, match: int) -> LeagueId | None:
        return self._connection.execute(OF_MATCH, {"of_match": match}).scalar()

    def leagues_due(self, now: int) -> tuple[tuple[LeagueId, GuildId], ...]:
        """The leagues that are to begin, to continue or to end, each with its server."""
        return tuple((league, guild) for league, guild in self._connection.execute(DUE, {"now": now, **self._share}))

    def leagues_lagging(self) -> tuple[LeagueId, ...]:
        """The leagues whose message lags, or whose end was not announced."""
        return tuple(self._connection.execute(LAGGING, self._share).scalars())

    def leagues_untold(self) -> tuple[LeagueId, ...]:
        """The leagues with a member to be notified that a match of theirs has begun."""
        return tuple(self._connection.execute(UNTOLD, self._share).scalars())

    def leagues_joined(self, user: int) -> frozenset[LeagueId]:
        """All leagues that a user has ever taken part in, except those that they left before the draw."""
        return frozenset(self._connection.execute(JOINED, {"person": user}).scalars())

    def leagues_of(self, user: int) -> tuple[tuple[LeagueId, GuildId], ...]:
        """The leagues that a user takes part in, in all servers, each with its server."""
        return tuple((league, guild) for league, guild in self._connection.execute(OF_USER, {"person": user}))


class LeagueWrites(LeagueQueries):
    """The writes about leagues."""

    def found_league(self, new: League) -> None:
        self._connection.execute(FOUND, take_fields(leagues, new))

    def join_league(self, league: int, member: Member) -> None:
        """Add a user to a league; no change if they are in it."""
        JOIN.write(self._connection, {"league": league, **take_fields(league_members, member)})

    def leave_league(self, league: int, user: int, now: int | None, struck: bool = False) -> None:
        """Mark a user as having left a live league; without a time, remove them from an open one."""
        about = {"of_league": league, "of_user": user}
        if now is None:
            self._connection.execute(GO, about)
        else:
            self._connection.execute(LEAVE, {**about, "now": now, "strikes": struck})

    def note_gone_from_league(self, league: int, user: int, since: int | None) -> bool:
        """Store since when a member is gone from the server, or None if they are there; False if that is unchanged."""
        about = {"of_league": league, "of_user": user, "since": since}
        if self._connection.execute(GONE if since is not None else BACK, about).rowcount != 1:
            return False
        self.change_league(league, ready=True)
        return True

    def draw_league(self, league: int, divisions: Sequence[Sequence[UserId]], drawn: Iterable[Pairing]) -> None:
        for division, people in enumerate(divisions, 1):
            for place, user in enumerate(people, 1):
                about = {"of_league": league, "of_user": user}
                self._connection.execute(SEAT, {**about, "to_division": division, "to_place": place})
        self._connection.execute(DRAW, [{"league": league, **take_fields(pairings, one)} for one in drawn])

    def begin_pairing(self, league: int, number: int, match: MatchId) -> None:
        """Store the match of a pairing, of which both members are to be notified."""
        self._connection.execute(BEGIN, {"of_league": league, "of_number": number, "of_match": match})

    def mark_told_of_pairings(self, league: int, user: int, numbers: Sequence[int]) -> None:
        """Mark a user as notified of some of their matches, or as not to be notified."""
        for told in TOLD_OF:
            self._connection.execute(told, {"of_league": league, "of_user": user, "numbers": [*numbers]})

    def void_rest(self, league: int) -> None:
        """Mark the pairings that are not over as void."""
        self._connection.execute(VOID, {"of_league": league})

    def change_league(self, league: int, **changes: Unpack[LeagueChanges]) -> None:
        """Change a league, and have its message redrawn."""
        raised = update(leagues).where(THIS).values(version=leagues.c.version + 1, **changes)
        self._connection.execute(raised, {"of_league": league})

    def move_league(self, league: int, channel: int, to: int) -> None:
        """Move a league to another channel, where it gets a new message and its matches begin."""
        self._connection.execute(MOVE, {"of_league": league, "of_channel": channel, "to_channel": to})

    def note_league_match(self, match: int) -> None:
        """Mark the league of a match, if any, as changed, when the match is over or has its channel."""
        self._connection.execute(STIR, {"of_match": match})

    def settle_league(self, league: int, seen: int) -> None:
        """Mark that no further match can begin now, unless the league has changed since version `seen`."""
        self._connection.execute(SETTLE, {"of_league": league, "seen": seen})

    def relink_rounds(self, league: int) -> None:
        """Store the new link to a league's message with its live matches."""
        loaded = self.load_league(league)
        for one in loaded.pairings if loaded else ():
            if loaded and one.state == "live":
                about = {"of_match": one.match, "to_round": str(LeagueRound.of(loaded, one))}
                self._connection.execute(RELINK, about)

    def mark_league_shown(
        self, league: int, version: int, message: MessageId | None, farewell: MessageId | None
    ) -> None:
        """Store what Discord has accepted of a league: a version, its message, and the announcement of its end."""
        values = {"to_version": version, "to_message": message, "to_farewell": farewell}
        self._connection.execute(SHOWN, {"of_league": league, **values})


def _read_pairing(*row: Any) -> Pairing:
    known: tuple[Any, ...] = row[:-8]
    home, guest, score, other, place, *further = row[-8:]
    ranks = (home, guest) if home is not None and guest is not None else None
    scores = (score, other) if score is not None and other is not None else None
    values: tuple[Any, ...] = (*known, ranks, scores, place, *further)
    return Pairing(*values)
