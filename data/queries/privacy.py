"""Exports what is kept about a person, and takes their id out of every table, for `/privacy`.

What they get counts nobody else's moves, which may be a secret: their own are numbered for each match, and of the
versions that a match counts it says only whether they have been told of the last one that concerned them.

Matches stay for those who played them too. In place of the person's number stands an alias, a negative number, the same
in all their matches, so that the ratings of the others can still be computed from the results.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
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
    update,
)

from bot.core.match.handover import handings, holder, written
from bot.core.values.ids import UserId
from bot.core.values.rows import NOTHING, Person, Told, Withheld
from data.engine.advisory_locks import About, go_alone, hold
from data.tables.rows import said_of
from data.tables.schema import (
    METADATA,
    away,
    challenge_requests,
    daily_posts,
    deliveries,
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


def _forgotten(table: Table) -> dict[str, Any]:
    """What is written in place of what is kept about somebody, by columns."""
    said = (*said_of(Told, table), *said_of(Withheld, table))
    return {column.name: one.forgotten for column, one in said if one.forgotten is not NOTHING}


TELLS = {table: [column for column, _ in said_of(Told, table)] for table in METADATA.sorted_tables}
"""What people get of each table."""
PERSON = bindparam("person", type_=BigInteger())
OF_PERSON = {column.table: column for column, _ in said_of(Person) if column.primary_key}
"""The tables about people, by the columns that say whom a row is about."""
SECTIONS = {
    "puzzle_attempts": "puzzles", "notices": "sendings", "pending_reminders": "sendings", "move_losses": "losses"
}  # fmt: skip
"""Where a table's rows stand in what people get, if not under its name."""
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
"""What finds a person in a text that holds numbers of people: each stands between two spaces there."""
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
    .where(moves.c.ply > matches.c.imported_plies)  # what was played before was played by others
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

FORGET_OWN = [delete(column.table).where(column == PERSON) for column, person in said_of(Person) if person.owns]
"""What is nobody else's; and who is asked by nobody any more."""
FORGET_NAME = [
    update(column.table)
    .where(column == PERSON)
    .values({column.name: bindparam("alias"), **(_forgotten(column.table) if column.primary_key else {})})
    for column, person in said_of(Person)
    if not person.owns
]
"""Nobody is told of anything under an alias, and nothing is played for them. That somebody was asked goes on counting
for the hour: nobody gets round the caps by being forgotten. Results stay for the others."""
FORGET_DELIVERIES = delete(deliveries).where(deliveries.c.match.in_(THEIRS))
IN_LEAGUES = select(league_members.c.league).where(league_members.c.user == PERSON)
RAISE_LEAGUES = (
    update(leagues)
    .where(or_(leagues.c.id.in_(IN_LEAGUES), leagues.c.host == PERSON))
    .values(version=leagues.c.version + 1, ready=leagues.c.state == "live")
)
"""They have left them all before; tables are shown anew."""
GOING_ON = matches.c.state.in_(("open", "live"))
STANDS = or_(matches.c.lobby_message.is_not(None), matches.c.board_message.is_not(None))
ASKED_OF_THEM = or_(matches.c.proposal.like(NAMED), matches.c.refused.like(NAMED))
OF_THEM = or_(matches.c.id.in_(THEIRS), matches.c.host == PERSON, matches.c.substitutions.like(NAMED), ASKED_OF_THEM)
FORGET_WISH = (
    update(matches).where(matches.c.proposal.like(NAMED)).values(proposal=None, proposed=None),
    update(matches).where(matches.c.refused.like(NAMED)).values(refused=None),
)
"""Nobody who is not here any more can be asked to take part, or was refused."""
HAND = update(matches).where(matches.c.id == bindparam("of_match")).values(substitutions=bindparam("anonymous"))
RAISE = (
    update(matches)
    .where(OF_THEM, or_(GOING_ON, STANDS))
    # Acts decided on the person's number are decided anew; but that it is gone is nothing to post a new board for.
    .values(
        version=matches.c.version + 1,
        shown_version=matches.c.shown_version + case((matches.c.shown_version == matches.c.version, 1), else_=0),
    )
)
LEFT = ("message", "channel", "match", "version")


def _edited(message: Column[int], channel: Any) -> tuple[Any, Any]:
    """Have a message of each of their matches edited where it stands, whatever was to be done to it before."""
    theirs = select(message, channel, matches.c.id, matches.c.version).where(OF_THEM, message.is_not(None))
    older = pending_edits.c.message.in_(select(message).where(OF_THEM, message.is_not(None)))
    return delete(pending_edits).where(older), insert(pending_edits).from_select(LEFT, theirs, include_defaults=False)


POSTS = {"daily": daily_posts, "week": weeklies}
THEIR_SERVERS = (
    select(puzzle_attempts.c.guild)
    .where(puzzle_attempts.c.user == PERSON)
    .union(select(matches.c.guild).where(matches.c.id.in_(THEIRS)))
)


def _rewritten(place: Column[int], chosen: Any) -> tuple[Any, Any]:
    """Have something written anew that names them, by place, server, match and series."""
    names = ("place", "guild", "match", "series")
    return (
        delete(rewritings).where(rewritings.c.place.in_(chosen.with_only_columns(place))),
        insert(rewritings).from_select(names, chosen, include_defaults=False),
    )


REWRITE_THREADS = _rewritten(
    matches.c.thread,
    select(matches.c.thread, matches.c.guild, func.max(matches.c.id), null())
    .where(OF_THEM, matches.c.thread.is_not(None), matches.c.thread != matches.c.channel)
    .group_by(matches.c.thread, matches.c.guild),
)
REWRITE_POSTS = tuple(
    _rewritten(
        table.c.message,
        select(table.c.message, table.c.guild, null(), literal(series)).where(
            table.c.message > 0, table.c.guild.in_(THEIR_SERVERS)
        ),
    )
    for series, table in POSTS.items()
)
EDIT_BOARDS = _edited(matches.c.board_message, func.coalesce(matches.c.board_channel, matches.c.channel))
EDIT_LOBBIES = _edited(matches.c.lobby_message, matches.c.channel)
EDIT_ANNOUNCEMENTS = _edited(matches.c.announcement, matches.c.channel)
REMINDED = select(
    players.c.reminder, func.coalesce(matches.c.thread, matches.c.channel), matches.c.id, matches.c.version, true()
).join(matches, matches.c.id == players.c.match)
REMOVE_REMINDERS = insert(pending_edits).from_select(
    (*LEFT, "remove"), REMINDED.where(OF_USER, players.c.reminder > 0), include_defaults=False
)
"""What reminds them by name is deleted."""
HELD = [
    matches, players, challenge_requests, away, deliveries, pending_edits, preferences, ratings, pending_reminders,
    leagues, league_members, pairings, puzzle_attempts, move_losses, notices,
]  # fmt: skip
"""Whatever holds numbers of people, in the order in which acts write into it: nobody comes or is rated meanwhile."""
LEAST_ALIASES = (
    select(func.min(players.c.user)),
    select(func.min(league_members.c.user)),
    select(func.min(leagues.c.host)),
)


def exported(connection: Connection, person: int) -> dict[str, Any]:
    """Everything that is kept about a person, as plain values."""
    found = dict[str, list[dict[str, Any]]]()
    for name, statement in KEPT:
        rows = connection.execute(statement, {"person": person}).mappings()
        found.setdefault(name, []).extend(dict(row) for row in rows)
    declined = [dict(row) for row in connection.execute(DECLINED, _named(person)).mappings()]
    found |= {"moves": _moves(connection, person), "handed": _handed(connection, person), "declined": declined}
    return {"user": person, **found}


def _named(person: int) -> dict[str, Any]:
    return {"person": person, "named": f"% {person} %"}


def _moves(connection: Connection, person: int) -> list[dict[str, Any]]:
    """The moves of a person, numbered for each match, without those of others on their seat before or after."""
    found, number = list[dict[str, Any]](), 0
    for row in connection.execute(MOVES, _named(person)):
        if (holder(handings(row.substitutions), row.seat, row.ply) or row.user) == person:
            number = number + 1 if found and found[-1]["match"] == row.match else 1
            found.append({"match": row.match, "number": number, "text": row.text, "at": row.at})
    return found


def _handed(connection: Connection, person: int) -> list[dict[str, Any]]:
    """The seats that somebody has handed on."""
    rows = connection.execute(HANDED, _named(person)).all()
    seats = ((row, one.seat) for row in rows for one in handings(row.substitutions) if one.user == person)
    return [{"match": row.id, "guild": row.guild, "game": row.game, "seat": seat} for row, seat in seats]


def forget(connection: Connection, person: int) -> None:
    """Put an alias in place of a person, and have the messages of their matches edited where that can be done."""
    go_alone(connection, About.TIMES)
    hold(connection, HELD)
    least = min(connection.execute(each).scalar() or 0 for each in LEAST_ALIASES)
    values = {**_named(person), "alias": min(least, 0) - 1}
    rewritten = (*REWRITE_THREADS, *chain.from_iterable(REWRITE_POSTS))
    edits = (*EDIT_BOARDS, *EDIT_LOBBIES, *EDIT_ANNOUNCEMENTS, REMOVE_REMINDERS, *rewritten)
    for statement in (
        RAISE, *edits, *FORGET_WISH, FORGET_DELIVERIES, RAISE_LEAGUES, *FORGET_OWN, *FORGET_NAME
    ):  # fmt: skip
        connection.execute(statement, values)
    for row in connection.execute(HANDED, values).all():
        nameless = [replace(one, user=UserId(-1)) if one.user == person else one for one in handings(row.substitutions)]
        connection.execute(HAND, {"of_match": row.id, "anonymous": written(nameless)})
