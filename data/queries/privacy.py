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
    Column,
    Connection,
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
from data.engine.advisory_locks import About, go_alone, hold
from data.tables.schema import (
    asks,
    away,
    dailies,
    deliveries,
    league_members,
    leagues,
    leftovers,
    losses,
    matches,
    moves,
    notices,
    pairings,
    players,
    preferences,
    ratings,
    rewritings,
    sendings,
    tries,
    weeklies,
)

SHOWN = (
    matches.c.id, matches.c.guild, matches.c.channel, matches.c.thread, matches.c.game, matches.c.options,
    matches.c.seats, matches.c.rated, matches.c.host, matches.c.state, matches.c.created, matches.c.started,
    matches.c.ended, matches.c.legs, players.c.joined, players.c.seat, players.c.invited, players.c.consent,
    players.c.rank, players.c.score, players.c.wished, matches.c.pace, players.c.agrees, players.c.allotted,
    players.c.left, players.c.since, players.c.deadline, players.c.lapse, players.c.remind, players.c.reminded,
    players.c.gifts, players.c.hints, players.c.weekend, matches.c.origin, matches.c.given, players.c.prepared,
    players.c.gone, players.c.wakes,
    or_(players.c.due <= matches.c.shown_version, players.c.due <= matches.c.told_version).label("told"),
)  # fmt: skip
OF_USER = players.c.user == bindparam("person")
MATCHES = select(*SHOWN).join(players, players.c.match == matches.c.id).where(OF_USER).order_by(matches.c.id)
NAMED = bindparam("named", type_=Text())
"""What finds a person in a text that holds numbers of people: each stands between two spaces there."""
HANDED = select(matches.c.id, matches.c.guild, matches.c.game, matches.c.handed).where(matches.c.handed.like(NAMED))
DECLINED = select(matches.c.id.label("match"), matches.c.guild, matches.c.game).where(
    matches.c.started.is_(None), matches.c.refused.like(NAMED)
)
THEIRS = select(players.c.match).where(OF_USER)
MOVES = (
    select(moves.c.match, moves.c.seat, moves.c.ply, moves.c.text, moves.c.at, matches.c.handed, players.c.user)
    .join(matches, matches.c.id == moves.c.match)
    .join(players, (players.c.match == moves.c.match) & (players.c.seat == moves.c.seat))
    .where(moves.c.ply > matches.c.given)  # what was played before was played by others
    .where(moves.c.match.in_(THEIRS.union(select(matches.c.id).where(matches.c.handed.like(NAMED)))))
    .order_by(moves.c.match, moves.c.ply)
)
RATINGS = (
    select(ratings)
    .where(ratings.c.user == bindparam("person"))
    .order_by(ratings.c.guild, ratings.c.game, ratings.c.season)
)

PREFERENCES = select(preferences).where(preferences.c.user == bindparam("person"))
AWAY = select(away).where(away.c.user == bindparam("person")).order_by(away.c.guild, away.c.begins)
TRIES = select(tries).where(tries.c.user == bindparam("person")).order_by(tries.c.day, tries.c.number)
LOSSES = select(losses).where(losses.c.user == bindparam("person")).order_by(losses.c.match)
SENDINGS = select(sendings).where(sendings.c.user == bindparam("person"))
NOTICES = select(notices).where(notices.c.user == bindparam("person")).order_by(notices.c.match)
BY_OR_OF = or_(asks.c.asker == bindparam("person"), asks.c.asked == bindparam("person"))
ASKS = select(asks.c.match, asks.c.at, (asks.c.asker == bindparam("person")).label("asker")).where(BY_OR_OF).distinct()

NOTHING_DUE = {
    "due": 0, "remind": None, "reminder": None, "prepared": None, "gone": False, "parted": None, "wakes": None
}  # fmt: skip
FORGET_PLAYER = update(players).where(OF_USER).values(user=bindparam("alias"), **NOTHING_DUE)
"""Nobody is told of anything under an alias, and nothing is played for them."""
FORGET_AWAY = delete(away).where(away.c.user == bindparam("person"))
FORGET_TRIES = delete(tries).where(tries.c.user == bindparam("person"))
FORGET_LOSSES = delete(losses).where(losses.c.user == bindparam("person"))
FORGET_SENDINGS = delete(sendings).where(sendings.c.user == bindparam("person"))
FORGET_NOTICES = delete(notices).where(notices.c.user == bindparam("person"))
FORGET_PREFERENCES = delete(preferences).where(preferences.c.user == bindparam("person"))
FORGET_OWN = FORGET_PREFERENCES, FORGET_SENDINGS, FORGET_NOTICES, FORGET_AWAY, FORGET_TRIES, FORGET_LOSSES
"""What is nobody else's."""
FORGET_HOST = update(matches).where(matches.c.host == bindparam("person")).values(host=bindparam("alias"))
FORGET_RATING = update(ratings).where(ratings.c.user == bindparam("person")).values(user=bindparam("alias"))
FORGET_ASKED = delete(asks).where(asks.c.asked == bindparam("person"))
FORGET_ASKER = update(asks).where(asks.c.asker == bindparam("person")).values(asker=bindparam("alias"))
"""That somebody was asked goes on counting for the hour: nobody gets round the caps by being forgotten."""
FORGET_DELIVERIES = delete(deliveries).where(deliveries.c.match.in_(THEIRS))
LEAGUES = (
    select(
        leagues.c.id, leagues.c.guild, leagues.c.games, leagues.c.season, leagues.c.state, leagues.c.starts,
        leagues.c.ends, (leagues.c.host == bindparam("person")).label("host"), league_members.c.joined,
        league_members.c.division, league_members.c.left_at, league_members.c.struck,
        league_members.c.gone,
    )
    .join(league_members, league_members.c.league == leagues.c.id)
    .where(league_members.c.user == bindparam("person"))
    .order_by(leagues.c.id)
)  # fmt: skip
IN_LEAGUES = select(league_members.c.league).where(league_members.c.user == bindparam("person"))
FORGET_MEMBER = (
    update(leagues)
    .where(or_(leagues.c.id.in_(IN_LEAGUES), leagues.c.host == bindparam("person")))
    .values(version=leagues.c.version + 1, ready=leagues.c.state == "live"),
    *(
        update(table).where(table.c[name] == bindparam("person")).values({name: bindparam("alias")})
        for table, name in ((leagues, "host"), (league_members, "user"), (pairings, "home"), (pairings, "guest"))
    ),
)
"""They have left them all before; their results stay for the others, and tables are shown anew."""
GOING_ON = matches.c.state.in_(("open", "live"))
STANDS = or_(matches.c.lobby_message.is_not(None), matches.c.board_message.is_not(None))
ASKED_OF_THEM = or_(matches.c.proposal.like(NAMED), matches.c.refused.like(NAMED))
OF_THEM = or_(
    matches.c.id.in_(THEIRS), matches.c.host == bindparam("person"), matches.c.handed.like(NAMED), ASKED_OF_THEM
)
FORGET_WISH = (
    update(matches).where(matches.c.proposal.like(NAMED)).values(proposal=None, proposed=None),
    update(matches).where(matches.c.refused.like(NAMED)).values(refused=None),
)
"""Nobody who is not here any more can be asked to take part, or was refused."""
HAND = update(matches).where(matches.c.id == bindparam("of_match")).values(handed=bindparam("anonymous"))
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
    older = leftovers.c.message.in_(select(message).where(OF_THEM, message.is_not(None)))
    return delete(leftovers).where(older), insert(leftovers).from_select(LEFT, theirs, include_defaults=False)


POSTS = {"daily": dailies, "week": weeklies}
THEIR_SERVERS = (
    select(tries.c.guild)
    .where(tries.c.user == bindparam("person"))
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
REMOVE_REMINDERS = insert(leftovers).from_select(
    (*LEFT, "remove"), REMINDED.where(OF_USER, players.c.reminder > 0), include_defaults=False
)
"""What reminds them by name is deleted."""
HELD = [
    matches, players, asks, away, deliveries, leftovers, preferences, ratings, sendings, leagues, league_members,
    pairings, tries, losses, notices,
]  # fmt: skip
"""Whatever holds numbers of people, in the order in which acts write into it: nobody comes or is rated meanwhile."""
LEAST_ALIASES = (
    select(func.min(players.c.user)),
    select(func.min(league_members.c.user)),
    select(func.min(leagues.c.host)),
)


def exported(connection: Connection, person: int) -> dict[str, Any]:
    """Everything that is kept about a person, as plain values."""
    kept = {
        "matches": MATCHES,
        "ratings": RATINGS,
        "asks": ASKS,
        "preferences": PREFERENCES,
        "sendings": SENDINGS,
        "away": AWAY,
        "puzzles": TRIES,
        "losses": LOSSES,
        "leagues": LEAGUES,
    }
    found = {
        name: [dict(row) for row in connection.execute(statement, {"person": person}).mappings()]
        for name, statement in kept.items()
    }
    found["sendings"] += [dict(row) for row in connection.execute(NOTICES, {"person": person}).mappings()]
    declined = [dict(row) for row in connection.execute(DECLINED, _named(person)).mappings()]
    found |= {"moves": _moves(connection, person), "handed": _handed(connection, person), "declined": declined}
    return {"user": person, **found}


def _named(person: int) -> dict[str, Any]:
    return {"person": person, "named": f"% {person} %"}


def _moves(connection: Connection, person: int) -> list[dict[str, Any]]:
    """The moves of a person, numbered for each match, without those of others on their seat before or after."""
    found, number = list[dict[str, Any]](), 0
    for row in connection.execute(MOVES, _named(person)):
        if (holder(handings(row.handed), row.seat, row.ply) or row.user) == person:
            number = number + 1 if found and found[-1]["match"] == row.match else 1
            found.append({"match": row.match, "number": number, "text": row.text, "at": row.at})
    return found


def _handed(connection: Connection, person: int) -> list[dict[str, Any]]:
    """The seats that somebody has handed on."""
    rows = connection.execute(HANDED, _named(person)).all()
    seats = ((row, one.seat) for row in rows for one in handings(row.handed) if one.user == person)
    return [{"match": row.id, "guild": row.guild, "game": row.game, "seat": seat} for row, seat in seats]


def forget(connection: Connection, person: int) -> None:
    """Put an alias in place of a person, and have the messages of their matches edited where that can be done."""
    go_alone(connection, About.TIMES)
    hold(connection, HELD)
    least = min(connection.execute(each).scalar() or 0 for each in LEAST_ALIASES)
    values = {**_named(person), "alias": min(least, 0) - 1}
    rewritten = (*REWRITE_THREADS, *chain.from_iterable(REWRITE_POSTS))
    edits = (*EDIT_BOARDS, *EDIT_LOBBIES, *EDIT_ANNOUNCEMENTS, REMOVE_REMINDERS, *rewritten)
    asks_of_them = (*FORGET_WISH, FORGET_ASKED, FORGET_ASKER)
    for statement in (
        RAISE,
        *edits,
        *asks_of_them,
        *FORGET_OWN,
        FORGET_DELIVERIES,
        FORGET_HOST,
        FORGET_RATING,
        FORGET_PLAYER,
        *FORGET_MEMBER,
    ):
        connection.execute(statement, values)
    for row in connection.execute(HANDED, values).all():
        nameless = [replace(one, user=UserId(-1)) if one.user == person else one for one in handings(row.handed)]
        connection.execute(HAND, {"of_match": row.id, "anonymous": written(nameless)})
