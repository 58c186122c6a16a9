"""Who may join a league, leave it, or decide about it; for the transactions of `leagues`."""

from __future__ import annotations

from bot.core.league import draw
from bot.core.league.stored_league import Loaded, Member
from bot.core.match.loaded_match import Refusal
from bot.core.values.ids import GuildId, UserId
from bot.core.values.plural import Plural
from data.store import Reader, Transaction

MOST_LEAGUES = 4
"""Leagues of a server at a time that are open or live."""
MOST_FROM_ONE, MOST_FROM_ALL = 5, 10
"""Leagues that one person opens in a server within an hour, and everybody: each is a message, also when it is called
off at once."""
HOUR = 3600
BY_ONE = Plural(
    "You have opened one league here in the last hour, which is the limit. Open another <t:{then}:R>.",
    "You have opened {number} leagues here in the last hour, which is the limit. Open another <t:{then}:R>.",
)
BY_ALL = Plural(
    "One league was opened here in the last hour, which is the limit. Open another <t:{then}:R>.",
    "{number} leagues were opened here in the last hour, which is the limit. Open another <t:{then}:R>.",
)
GONE = "There is no such league here. /league table shows those there are."
STARTED = "This league has already started, so nobody can join it any more."
OVER = "This league is over."
OFF = "Leagues are switched off in this server. Whoever manages it can switch them on with /settings posts."
NOT_HOST = "Only {host} and people who can manage this server can do that."
TOO_FEW = "A league needs at least {least} people. So far it has {number}."


def expected(loaded: Loaded | None, guild: GuildId) -> Loaded:
    """A league that there is in this server, or a refusal."""
    if loaded is None or loaded.league.guild != guild:
        raise Refusal(GONE)
    return loaded


def expect_room(reader: Reader, guild: GuildId, host: UserId, now: int) -> None:
    """Refuse a league where there are many, where many were opened lately, or the server wants none."""
    if not reader.settings(guild).leagues:
        raise Refusal(OFF)
    if len(reader.leagues(guild, ("open", "live"))) >= MOST_LEAGUES:
        raise Refusal(f"This server already has {MOST_LEAGUES} leagues. Wait until one of them is over.")
    opened = reader.leagues_opened(guild, now - HOUR)
    own = [at for by, at in opened if by == host]
    if len(own) >= MOST_FROM_ONE:
        raise Refusal(BY_ONE.of(len(own), then=own[-MOST_FROM_ONE] + HOUR))
    if len(opened) >= MOST_FROM_ALL:
        raise Refusal(BY_ALL.of(len(opened), then=opened[-MOST_FROM_ALL][1] + HOUR))


def expect_host(loaded: Loaded, user: UserId, manager: bool) -> None:
    """Refuse what only a league's host may do, and those who manage the server."""
    host = loaded.league.host
    if user != host and not manager:
        raise Refusal(NOT_HOST.format(host=f"<@{host}>" if host > 0 else "the league's host"))


def entered(tx: Transaction, loaded: Loaded, user: UserId) -> Loaded:
    """An open league after a user has joined it."""
    league = loaded.league
    if loaded.member(user):
        return loaded
    if len(loaded.members) >= draw.MOST * draw.MOST_DIVISIONS:
        raise Refusal(f"This league is full: {draw.MOST * draw.MOST_DIVISIONS} people have joined.")
    tx.join_league(league.id, Member(user, 1 + max((one.joined for one in loaded.members), default=0)))
    tx.change_league(league.id)
    return expected(tx.league(league.id), league.guild)


def gone(tx: Transaction, loaded: Loaded, user: UserId, now: int) -> Loaded:
    """A league after a user has left it; unchanged if they are not in it any more."""
    league = loaded.league
    if not loaded.active(user) or league.state not in ("open", "live"):
        return loaded
    if league.state == "open":
        tx.leave_league(league.id, user, None)
        tx.change_league(league.id)
    else:
        tx.leave_league(league.id, user, now, draw.strikes(loaded, user))
        tx.change_league(league.id, ready=True)
    return expected(tx.league(league.id), league.guild)


def left_all(tx: Transaction, user: UserId, now: int) -> None:
    """Remove a user from all their leagues, in all servers."""
    for league, guild in tx.leagues_of(user):
        tx.go_alone(guild)
        gone(tx, expected(tx.league(league), guild), user, now)
