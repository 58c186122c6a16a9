"""Handles servers that the bot is not in any more: their matches end, and a month later their data is deleted.

Users there can neither act nor be notified. That a server is missing may also mean that a host has given the bot
another account's token by mistake: then nothing ends at once, and a month is left to notice it.
"""

from __future__ import annotations

from collections.abc import Collection

from bot.core.match.clocks import DAY
from bot.core.values.ids import GuildId, MatchId
from bot.service.umpire.expiry import CLOSED_AT_ONCE, close
from data.queries.server_erasure import DEPARTED
from data.store import Transaction

KEPT_DAYS = 30
KEPT_FOR = KEPT_DAYS * DAY
"""Seconds for which the data of a server is kept that has removed the bot."""
KNOWN_AFTER = DAY
"""Seconds after which an account counts as the bot's own."""
ACCOUNT = "account"
"""The note of which account the bot has, and since when."""
CLOSED = "This match was closed, unrated: I was removed from its server."


def is_known(tx: Transaction, account: int, now: int) -> bool:
    """Note the bot's account, and return whether it has been the same for a day: then a server that is missing has
    removed the bot, and does not belong to another account."""
    noted, _, since = (tx.note(ACCOUNT) or "").partition(" ")
    if noted != str(account):
        tx.set_note(ACCOUNT, f"{account} {now}")
        return False
    return now - int(since) >= KNOWN_AFTER


def ended(tx: Transaction, guild: GuildId, reason: str, now: int) -> list[MatchId]:
    """Close some live matches of a server that has removed the bot, for which there is no place any more; and call its
    leagues off, so that none begins."""
    tx.keep_times()
    tx.go_alone(guild)
    for league in tx.leagues(guild, ("open", "live")):
        tx.void_rest(league.id)
        tx.change_league(league.id, state="cancelled", ended=now, ready=False)
    closed = [row for row in tx.live_in(guild, CLOSED_AT_ONCE) if close(tx, row, "aborted", CLOSED, now)]
    for row in closed:
        tx.drop_notices(row.id)
        tx.let_be(row.id)
        tx.park(row.id, reason)
    return [row.id for row in closed]


def noted(tx: Transaction, gone: Collection[GuildId], here: Collection[GuildId], now: int) -> list[GuildId]:
    """Note of servers since when the bot is not there, and of others that it is; those that have been without it for a
    month."""
    since = {int(name.removeprefix(DEPARTED)): int(value) for name, value in tx.notes(DEPARTED).items()}
    for guild in here:
        if guild in since:
            tx.drop_note(f"{DEPARTED}{guild}", str(since[guild]))
    for guild in gone:
        if guild not in since:
            tx.set_note(f"{DEPARTED}{guild}", str(now))
    return [guild for guild in gone if now - since.get(guild, now) >= KEPT_FOR]
