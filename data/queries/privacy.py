"""Export and deletion of the data of a user or a server."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    Table,
    Text,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    true,
    union,
    update,
)

from bot.play.columns import NOTHING, Exported, Person, Withheld
from bot.play.ids import NOWHERE, UserId
from bot.play.record import find_holder, format_handovers, parse_handovers
from data.engine.sql import LockSubject, lock_exclusively, lock_tables
from data.tables.rows import METADATA, find_notes
from data.tables.schema import (
    away,
    challenge_requests,
    daily_posts,
    deliveries,
    key_values,
    league_members,
    leagues,
    matches,
    move_losses,
    moves,
    notices,
    pairings,
    pending_edits,
    pending_reminders,
    players,
    preferences,
    puzzle_attempts,
    ratings,
    rewritings,
    weeklies,
)
from data.tables.statements import in_share, is_among

# A user's data: the export, and the replacement of their id by an alias in every table, for `/privacy`.


def _make_forgotten_values(table: Table) -> dict[str, Any]:
    """The values that replace personal data, by column."""
    said = (*find_notes(Exported, table), *find_notes(Withheld, table))
    return {column.name: one.forgotten for column, one in said if one.forgotten is not NOTHING}


TELLS = {table: [column for column, _ in find_notes(Exported, table)] for table in METADATA.sorted_tables}
"""The exported columns of each table."""
PERSON = bindparam("person", type_=BigInteger())
OF_PERSON = {column.table: column for column, _ in find_notes(Person) if column.primary_key}
"""The column with the user's id of each table about users."""
SECTIONS = {
    "puzzle_attempts": "puzzles", "notices": "sendings", "pending_reminders": "sendings", "move_losses": "losses"
}  # fmt: skip
"""The sections of the export that are not named like their table."""
TOLD = or_(
    players.c.mention_version <= matches.c.shown_version, players.c.mention_version <= matches.c.told_version
).label("told")
OF_USER = players.c.user == PERSON
MATCHES = (
    select(*TELLS[matches], *TELLS[players], TOLD)
    .join(players, players.c.match == matches.c.id)
    .where(OF_USER)
    .order_by(matches.c.id)
)
NAMED = bindparam("named", type_=Text())
"""The LIKE pattern of a user in a text with ids, each of which has spaces on both sides."""
HANDED = select(matches.c.id, matches.c.guild, matches.c.game, matches.c.substitutions).where(
    matches.c.substitutions.like(NAMED)
)
DECLINED = select(matches.c.id.label("match"), matches.c.guild, matches.c.game).where(
    matches.c.started.is_(None), matches.c.refused.like(NAMED)
)
THEIRS = select(players.c.match).where(OF_USER)
MOVES = (
    select(moves.c.match, moves.c.seat, moves.c.ply, moves.c.text, moves.c.at, matches.c.substitutions, players.c.user)
    .join(matches, matches.c.id == moves.c.match)
    .join(players, (players.c.match == moves.c.match) & (players.c.seat == moves.c.seat))
    .where(moves.c.ply > matches.c.imported_plies)  # imported lines were played by others
    .where(moves.c.match.in_(THEIRS.union(select(matches.c.id).where(matches.c.substitutions.like(NAMED)))))
    .order_by(moves.c.match, moves.c.ply)
)
ASKS = (
    select(*TELLS[challenge_requests], (challenge_requests.c.asker == PERSON).label("asker"))
    .where(or_(challenge_requests.c.asker == PERSON, challenge_requests.c.asked == PERSON))
    .distinct()
)
LEAGUES = (
    select(*TELLS[leagues], (leagues.c.host == PERSON).label("host"), *TELLS[league_members])
    .join(league_members, league_members.c.league == leagues.c.id)
    .where(league_members.c.user == PERSON)
    .order_by(leagues.c.id)
)
KEPT = [("matches", MATCHES), ("asks", ASKS), ("leagues", LEAGUES)] + [
    (SECTIONS.get(table.name, table.name), select(*TELLS[table]).where(user == PERSON).order_by(*table.primary_key))
    for table, user in OF_PERSON.items()
    if table not in (players, challenge_requests, league_members)
]

FORGET_OWN = [delete(column.table).where(column == PERSON) for column, person in find_notes(Person) if person.owns]
"""Deletions of rows that belong to the user alone."""
FORGET_NAME = [
    update(column.table)
    .where(column == PERSON)
    .values({column.name: bindparam("alias"), **(_make_forgotten_values(column.table) if column.primary_key else {})})
    for column, person in find_notes(Person)
    if not person.owns
]
"""An alias is not notified, and has no premoves. Requests still count for the hour, so that deleting one's data does
not evade the caps. Results stay for the others."""
FORGET_DELIVERIES = delete(deliveries).where(deliveries.c.match.in_(THEIRS))
IN_LEAGUES = select(league_members.c.league).where(league_members.c.user == PERSON)
RAISE_LEAGUES = (
    update(leagues)
    .where(or_(leagues.c.id.in_(IN_LEAGUES), leagues.c.host == PERSON))
    .values(version=leagues.c.version + 1, ready=leagues.c.state == "live")
)
"""The user has left all leagues before; their tables are redrawn."""
GOING_ON = matches.c.state.in_(("open", "live"))
STANDS = or_(matches.c.lobby_message.is_not(None), matches.c.board_message.is_not(None))
ASKED_OF_THEM = or_(matches.c.proposal.like(NAMED), matches.c.refused.like(NAMED))
OF_THEM = or_(matches.c.id.in_(THEIRS), matches.c.host == PERSON, matches.c.substitutions.like(NAMED), ASKED_OF_THEM)
FORGET_WISH = (
    update(matches).where(matches.c.proposal.like(NAMED)).values(proposal=None, proposed=None),
    update(matches).where(matches.c.refused.like(NAMED)).values(refused=None),
)
"""A proposal or a refusal that names the user is removed: it cannot be answered under an alias."""
HAND = update(matches).where(matches.c.id == bindparam("of_match")).values(substitutions=bindparam("anonymous"))
RAISE = (
    update(matches)
    .where(OF_THEM, or_(GOING_ON, STANDS))
    # Acts decided on the user's id are decided again; but no new board is posted for the alias.
    .values(
        version=matches.c.version + 1,
        shown_version=matches.c.shown_version + case((matches.c.shown_version == matches.c.version, 1), else_=0),
    )
)
LEFT = ("message", "channel", "match", "version")


def _make_edit_statements(message: Column[int], channel: Any) -> tuple[Any, Any]:
    """Have a message of each of their matches edited, in place of any stored edit of it."""
    theirs = select(message, channel, matches.c.id, matches.c.version).where(OF_THEM, message.is_not(None))
    older = pending_edits.c.message.in_(select(message).where(OF_THEM, message.is_not(None)))
    return delete(pending_edits).where(older), insert(pending_edits).from_select(LEFT, theirs, include_defaults=False)


POSTS = {"daily": daily_posts, "week": weeklies}
THEIR_SERVERS = (
    select(puzzle_attempts.c.guild)
    .where(puzzle_attempts.c.user == PERSON)
    .union(select(matches.c.guild).where(matches.c.id.in_(THEIRS)))
)


def _make_rewrite_statements(place: Column[int], chosen: Any) -> tuple[Any, Any]:
    """Have texts that name them rewritten, by id, server, match and series."""
    names = ("place", "guild", "match", "series")
    return (
        delete(rewritings).where(rewritings.c.place.in_(chosen.with_only_columns(place))),
        insert(rewritings).from_select(names, chosen, include_defaults=False),
    )


REWRITE_THREADS = _make_rewrite_statements(
    matches.c.thread,
    select(matches.c.thread, matches.c.guild, func.max(matches.c.id), null())
    .where(OF_THEM, matches.c.thread.is_not(None), matches.c.thread != matches.c.channel)
    .group_by(matches.c.thread, matches.c.guild),
)
REWRITE_POSTS = tuple(
    _make_rewrite_statements(
        table.c.message,
        select(table.c.message, table.c.guild, null(), literal(series)).where(
            table.c.message > 0, table.c.guild.in_(THEIR_SERVERS)
        ),
    )
    for series, table in POSTS.items()
)
EDIT_BOARDS = _make_edit_statements(matches.c.board_message, func.coalesce(matches.c.board_channel, matches.c.channel))
EDIT_LOBBIES = _make_edit_statements(matches.c.lobby_message, matches.c.channel)
EDIT_ANNOUNCEMENTS = _make_edit_statements(matches.c.announcement, matches.c.channel)
REMINDED = select(
    players.c.reminder, func.coalesce(matches.c.thread, matches.c.channel), matches.c.id, matches.c.version, true()
).join(matches, matches.c.id == players.c.match)
REMOVE_REMINDERS = insert(pending_edits).from_select(
    (*LEFT, "remove"), REMINDED.where(OF_USER, players.c.reminder > 0), include_defaults=False
)
"""Reminders that mention them are deleted."""
HELD = [
    matches, players, challenge_requests, away, deliveries, pending_edits, preferences, ratings, pending_reminders,
    leagues, league_members, pairings, puzzle_attempts, move_losses, notices,
]  # fmt: skip
"""The tables with ids of users, locked in the order in which acts write to them: none joins or is rated meanwhile."""
LEAST_ALIASES = (
    select(func.min(players.c.user)),
    select(func.min(league_members.c.user)),
    select(func.min(leagues.c.host)),
)


def export_person(connection: Connection, person: int) -> dict[str, Any]:
    """All data stored about a user, as plain values."""
    found = dict[str, list[dict[str, Any]]]()
    for name, statement in KEPT:
        rows = connection.execute(statement, {"person": person}).mappings()
        found.setdefault(name, []).extend(dict(row) for row in rows)
    for row in chain.from_iterable(found.values()):
        if row.get("guild") == NOWHERE:
            row["guild"] = None
    declined = [dict(row) for row in connection.execute(DECLINED, _person_values(person)).mappings()]
    found |= {"moves": _moves_of(connection, person), "handed": _handed_seats(connection, person), "declined": declined}
    return {"user": person, **found}


def _person_values(person: int) -> dict[str, Any]:
    return {"person": person, "named": f"% {person} %"}


def _moves_of(connection: Connection, person: int) -> list[dict[str, Any]]:
    """A user's moves, numbered by match, without those of other users on their seat before or after."""
    found, number = list[dict[str, Any]](), 0
    for row in connection.execute(MOVES, _person_values(person)):
        if (find_holder(parse_handovers(row.substitutions), row.seat, row.ply) or row.user) == person:
            number = number + 1 if found and found[-1]["match"] == row.match else 1
            found.append({"match": row.match, "number": number, "text": row.text, "at": row.at})
    return found


def _handed_seats(connection: Connection, person: int) -> list[dict[str, Any]]:
    rows = connection.execute(HANDED, _person_values(person)).all()
    seats = ((row, one.seat) for row in rows for one in parse_handovers(row.substitutions) if one.user == person)
    return [{"match": row.id, "guild": row.guild, "game": row.game, "seat": seat} for row, seat in seats]


def forget_person(connection: Connection, person: int) -> None:
    """Replace a user's id by an alias, and have the messages of their matches edited where possible."""
    lock_exclusively(connection, LockSubject.TIMES)
    lock_tables(connection, HELD)
    least = min(connection.execute(each).scalar() or 0 for each in LEAST_ALIASES)
    values = {**_person_values(person), "alias": min(least, 0) - 1}
    rewritten = (*REWRITE_THREADS, *chain.from_iterable(REWRITE_POSTS))
    edits = (*EDIT_BOARDS, *EDIT_LOBBIES, *EDIT_ANNOUNCEMENTS, REMOVE_REMINDERS, *rewritten)
    for statement in (
        RAISE, *edits, *FORGET_WISH, FORGET_DELIVERIES, RAISE_LEAGUES, *FORGET_OWN, *FORGET_NAME
    ):  # fmt: skip
        connection.execute(statement, values)
    for row in connection.execute(HANDED, values).all():
        nameless = [
            replace(one, user=UserId(-1)) if one.user == person else one for one in parse_handovers(row.substitutions)
        ]
        connection.execute(HAND, {"of_match": row.id, "anonymous": format_handovers(nameless)})


# The users and servers in a database, and the deletion of a server's data.


DEPARTED = "departed "
"""The prefix of the notes since when the bot is not in a server any more."""
OF_SERVERS = [table for table in METADATA.sorted_tables if "guild" in table.c]
PEOPLE = union(*(select(column).where(column > 0) for column, _ in find_notes(Person)))
ALL_HANDED = select(matches.c.substitutions).where(matches.c.substitutions.is_not(None))
WISHES = select(matches.c.proposal, matches.c.refused).where(
    matches.c.proposal.is_not(None) | matches.c.refused.is_not(None)
)
SERVERS = union(
    *(select(table.c.guild).where(table.c.guild.is_not(None), in_share(table.c.guild)) for table in OF_SERVERS)
)
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
    *(delete(table).where(is_among(table.c.match, "these")) for table in ABOUT_MATCHES),
    update(pairings).where(is_among(pairings.c.match, "these")).values(match=None),
    *(
        update(matches).where(is_among(matches.c[name], "these")).values({name: None})
        for name in ("source_match", "rematch_of")
    ),
    delete(matches).where(is_among(matches.c.id, "these")),
)
ERASE_REST = tuple(
    delete(table).where(table.c.guild == HERE) for table in OF_SERVERS if table not in (matches, leagues)
)
LET_BE = (
    delete(pending_edits).where(pending_edits.c.match == bindparam("of_match")),
    update(matches).where(matches.c.id == bindparam("of_match")).values(rename_pending=False),
)
ERASE_NOTES = delete(key_values).where(
    or_(
        key_values.c.name.startswith(bindparam("closed")),
        key_values.c.name.startswith(bindparam("asked")),
        key_values.c.name == bindparam("departed"),
    )
)


class ServerQueries:
    """The queries about users and servers."""

    _connection: Connection
    _share: dict[str, int]

    def list_people(self) -> frozenset[int]:
        """The ids of all users in every table."""
        found = set(self._connection.execute(PEOPLE).scalars())
        texts = [*self._connection.execute(ALL_HANDED).scalars()]
        texts += [text for row in self._connection.execute(WISHES) for text in row if text]
        return frozenset(found | {int(part) for text in texts for part in text.split() if part.isdecimal()})

    def count_matches_in(self, guild: int) -> int:
        """The number of matches of a server."""
        return self._connection.execute(COUNTED, {"guild": guild}).scalar_one()

    def list_servers(self) -> frozenset[int]:
        """The ids of all servers of the share with stored data."""
        return frozenset(self._connection.execute(SERVERS, self._share).scalars())


class ServerWrites:
    """The writes that delete a server's data."""

    _connection: Connection

    def leave_messages(self, match_id: int) -> None:
        """Give up the messages and the thread of a match, which the bot can no longer reach."""
        for statement in LET_BE:
            self._connection.execute(statement, {"of_match": match_id})

    def erase_matches(self, guild: int, most: int) -> int:
        """Delete some matches of a server with all their rows, its leagues first; returns the number of matches."""
        lock_exclusively(self._connection, LockSubject.TIMES)
        lock_exclusively(self._connection, LockSubject.SERVER, guild)
        for statement in ERASE_LEAGUES:
            self._connection.execute(statement, {"guild": guild})
        these = [*self._connection.execute(THESE, {"guild": guild, "most": most}).scalars()]
        if these:
            for statement in ERASE_MATCHES:
                self._connection.execute(statement, {"these": these})
        return len(these)

    def erase_server(self, guild: int) -> None:
        """Delete the other data of a server without matches."""
        lock_exclusively(self._connection, LockSubject.SERVER, guild)
        values: dict[str, Any] = {"guild": guild}
        for statement in ERASE_REST:
            self._connection.execute(statement, values)
        names = {"closed": f"closed {guild} ", "asked": f"asked {guild} ", "departed": f"{DEPARTED}{guild}"}
        self._connection.execute(ERASE_NOTES, names)
