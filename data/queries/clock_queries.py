"""Clocks in bulk: whose time has run out, and what an outage that is given back does to all that run.

Ten thousand clocks may run. What is due is found by indexes that hold nothing else, and whoever has chosen nothing
costs no question of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    and_,
    bindparam,
    case,
    delete,
    exists,
    or_,
    select,
    union_all,
    update,
)

from bot.core.match.proposal import RESUMES_AFTER
from bot.core.match.stored import Away, Player, Preferences, ServerSettings, Ticking
from bot.core.values.ids import GuildId, MatchId, UserId
from data.tables.column_types import among
from data.tables.schema import (
    away,
    matches,
    notes,
    players,
    preferences,
    settings,
)
from data.tables.shares import ours
from data.tables.upsert import unless_there

RUNS = (players.c.deadline.is_not(None), players.c.lapse.is_(None))
"""As the partial index says it."""
SKIPPED = ~among(players.c.match, "skipped")
MOST = bindparam("most", type_=Integer())
HERE = exists().where(matches.c.id == players.c.match, ours(matches.c.guild))
"""Whether a player's match is of the share; what is due is found first, in an index, whatever becomes of a join."""
RUN_OUT = (
    select(players.c.match)
    .where(players.c.deadline <= bindparam("now"), players.c.lapse.is_(None), SKIPPED, HERE)
    .order_by(players.c.deadline)
    .limit(MOST)
)
LAPSED = (
    select(players.c.match)
    .where(players.c.lapse <= bindparam("now"), SKIPPED, HERE)
    .order_by(players.c.lapse)
    .limit(MOST)
)
UNANSWERED = (
    select(matches.c.id)
    .where(matches.c.paused.is_not(None), matches.c.proposed <= bindparam("now", type_=BigInteger()) - RESUMES_AFTER)
    .where(matches.c.proposal.like("resume %"), ~among(matches.c.id, "skipped"))
    .where(ours(matches.c.guild))
    .order_by(matches.c.proposed)
    .limit(MOST)
)
RUNNING = (
    select(matches.c.guild, *players.c)
    .join(matches, players.c.match == matches.c.id)
    .where(*RUNS, ours(matches.c.guild))
)
CHOSEN = select(preferences.c.user, *(preferences.c[field.name] for field in fields(Preferences))).where(
    preferences.c.user.in_(select(players.c.user).where(*RUNS))
)
SETTINGS = select(settings.c.guild, *(settings.c[field.name] for field in fields(ServerSettings)))
AWAY = (
    select(away.c.guild, away.c.user, away.c.begins, away.c.ends)
    .where(away.c.ends > bindparam("since"))
    .order_by(away.c.begins)
)

CHANGED = ("left", "since", "deadline", "remind")
SET = (
    update(players)
    .where(players.c.match == bindparam("of_match"), players.c.user == bindparam("of_user"), *RUNS)
    .values({name: bindparam(f"new_{name}", type_=players.c[name].type) for name in CHANGED})
)
POSTPONE = update(players).where(players.c.lapse.is_not(None), HERE).values(lapse=players.c.lapse + bindparam("by"))
IN_PAUSE = (matches.c.paused.is_not(None), matches.c.proposed.is_not(None))
"""As the partial index says it: a paused match in which somebody asks for something."""
POSTPONE_WISHES = (
    update(matches).where(*IN_PAUSE, ours(matches.c.guild)).values(proposed=matches.c.proposed + bindparam("by"))
)
CONCERNED = matches.c.id.in_(
    union_all(
        select(players.c.match).where(or_(and_(*RUNS), players.c.lapse.is_not(None))),
        select(matches.c.id).where(*IN_PAUSE),
    )
)
RAISE = (
    update(matches)
    .where(CONCERNED, ours(matches.c.guild))
    # Acts decided on the times that were are decided anew; but the new ones are nothing to post a new board for.
    .values(
        version=matches.c.version + 1,
        shown_version=matches.c.shown_version + case((matches.c.shown_version == matches.c.version, 1), else_=0),
    )
)
CONCERNS = select(matches.c.id).where(CONCERNED, ours(matches.c.guild))

SAME_NOTE = (notes.c.name == bindparam("of_name"), notes.c.value == bindparam("expected"))
REPLACE = update(notes).where(*SAME_NOTE).values(value=bindparam("to_value"))
DROP = delete(notes).where(*SAME_NOTE)
BEGIN = unless_there(notes)


def run_out(
    connection: Connection, now: int, most: int, skipped: Collection[int], share: Mapping[str, int]
) -> tuple[MatchId, ...]:
    """Some matches in which somebody's time has run out, the longest ago first, or is to be claimed by itself; and
    paused ones in which nobody has answered for days whoever would go on."""
    values = {"now": now, "most": most, "skipped": list(skipped), **share}
    found = (connection.execute(asked, values).scalars() for asked in (RUN_OUT, LAPSED, UNANSWERED))
    return tuple(dict.fromkeys(MatchId(match) for rows in found for match in rows))


def running(connection: Connection, share: Mapping[str, int]) -> tuple[Ticking, ...]:
    """All clocks of a share that run, with what their owners and servers have chosen and when they are away."""
    rows = connection.execute(RUNNING, dict(share)).all()
    chosen = {user: Preferences(*fields) for user, *fields in connection.execute(CHOSEN)}
    served = {guild: ServerSettings(*fields) for guild, *fields in connection.execute(SETTINGS)}
    since = min((row.since for row in rows), default=0)
    absences: defaultdict[tuple[int, int], list[Away]] = defaultdict(list)
    for guild, user, begins, ends in connection.execute(AWAY, {"since": since}):
        absences[guild, user].append(Away(begins, ends))
    usual, none = ServerSettings(), Preferences()

    def ticking(guild: int, match: int, *player: Any) -> Ticking:
        of = Player(*player)
        rests = tuple(absences.get((guild, of.user), ()))
        return Ticking(MatchId(match), GuildId(guild), of, chosen.get(of.user, none), served.get(guild, usual), rests)

    return tuple(ticking(*row) for row in rows)


def put(connection: Connection, clocks: Sequence[tuple[MatchId, UserId, dict[str, Any]]]) -> None:
    """Set clocks that run: what is left, since when, until when, and the next reminder."""
    if clocks:
        values = [
            {"of_match": match, "of_user": user, **{f"new_{name}": columns[name] for name in CHANGED}}
            for match, user, columns in clocks
        ]
        connection.execute(SET, values)


def postpone(connection: Connection, by: int, share: Mapping[str, int]) -> None:
    """Let all who have run out of time leave so much later."""
    connection.execute(POSTPONE, {"by": by, **share})


def postpone_wishes(connection: Connection, by: int, share: Mapping[str, int]) -> None:
    """Let what is asked in paused matches be answered so much later."""
    connection.execute(POSTPONE_WISHES, {"by": by, **share})


def shift(connection: Connection, share: Mapping[str, int]) -> tuple[MatchId, ...]:
    """Note that the times of all matches of a share with clocks are others; which ones those are."""
    connection.execute(RAISE, dict(share))
    return tuple(connection.execute(CONCERNS, dict(share)).scalars())


def replace_note(connection: Connection, name: str, expected: str | None, value: str) -> bool:
    """Write a note if it is still the one expected; False, and no change, if it is not."""
    if expected is None:
        return BEGIN.say(connection, {"name": name, "value": value}).rowcount == 1
    return connection.execute(REPLACE, {"of_name": name, "expected": expected, "to_value": value}).rowcount == 1


def drop_note(connection: Connection, name: str, expected: str) -> None:
    """Drop a note if it is still the one expected."""
    connection.execute(DROP, {"of_name": name, "expected": expected})
