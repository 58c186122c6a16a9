"""Checks leagues for `integrity`: that their members, their draw and the matches of it fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from sqlalchemy import Connection, func, select

from bot.core.league.stored_league import LeagueState, Loaded
from data.store.reader import Reader
from data.tables.schema import leagues, matches, pairings

IDS = select(leagues.c.id).order_by(leagues.c.id)
TWICE = (
    select(pairings.c.match).where(pairings.c.match.is_not(None)).group_by(pairings.c.match).having(func.count() > 1)
)
ELSEWHERE = (
    select(pairings.c.league, pairings.c.number)
    .join(leagues, leagues.c.id == pairings.c.league)
    .join(matches, matches.c.id == pairings.c.match)
    .where(
        (matches.c.guild != leagues.c.guild) | (matches.c.game != pairings.c.game) | (matches.c.legs != pairings.c.legs)
    )
)


def leagues_odd(connection: Connection) -> list[str]:
    """What is wrong with the leagues, a line each."""
    found = [f"match {match}: it counts twice in leagues" for match in connection.execute(TWICE).scalars()]
    found += [
        f"league {league}: the match of pairing {number} is another one"
        for league, number in connection.execute(ELSEWHERE)
    ]
    for league in connection.execute(IDS).scalars().all():
        try:
            loaded = Reader(connection).league(league)
            found += [f"league {league}: {line}" for line in _told(loaded)] if loaded else []
        except Exception as fault:  # whatever stands there, the others are looked at too
            found.append(f"league {league}: it can't be read ({fault})")
    return found


def _told(loaded: Loaded) -> Iterator[str]:
    row, people = loaded.league, {one.user: one for one in loaded.members}
    if row.state not in get_args(LeagueState):
        yield f"there is no such state: {row.state!r}"
    if (row.state in ("finished", "cancelled")) != (row.ended is not None):
        yield f"it is {row.state}, and its end says otherwise"
    if row.state in ("live", "finished") and (row.ends is None or not loaded.pairings):
        yield f"it is {row.state}, but was never drawn"
    if row.state == "open" and loaded.pairings:
        yield "it is open, but was drawn"
    if row.shown_version > row.version:
        yield f"version {row.shown_version} was shown, but it is at {row.version}"
    met: set[frozenset[int]] = set()
    for one in loaded.pairings:
        divisions = {people[user].division if user in people else None for user in (one.home, one.guest)}
        if divisions != {one.division} or frozenset((one.home, one.guest)) in met:
            yield f"pairing {one.number} can't be one of division {one.division}"
        met.add(frozenset((one.home, one.guest)))
