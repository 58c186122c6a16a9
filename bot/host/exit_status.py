"""Maps an error that ends the program to a sentence for the host and an exit status.

Status 1 is for what Discord refuses, and for transient causes: a network, a server or a clock that is not up yet.
Status 2 is for faults of the machine or the settings, where a restart is useless until the host has fixed them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import discord

from bot.settings import BadSettings
from data.engine.errors import Absent, Failing, Unavailable, Unusable, explain_error
from data.upkeep.hindrance import SENTENCES, SchemaError, advise_elsewhere, explain_hindrance, name_setting

REFUSED, UNFIT = 1, 2
UPDATE = "Update Graph Paper."
TOKEN = "Discord refused the token. Copy it again from the developer portal into DISCORD_TOKEN."
INTENTS = 4014
CLOSED: Mapping[int, str] = {
    4004: TOKEN,
    4010: "Discord refused the connection, because there is no such shard (4010). Give every process its own shards "
    "in GRAPHPAPER_SHARDS, with the same number of shards in all, like 0-3/16.",
    4011: "Discord refused the connection, because the bot is in too many servers for so few shards (4011). Raise the "
    "number in GRAPHPAPER_SHARDS in every process, or leave it out. Then one process serves as many as Discord "
    "recommends.",
    4012: f"Discord no longer supports this version (4012). {UPDATE}",
    4013: f"Discord doesn't know the intents that the bot asks for (4013). {UPDATE}",
    INTENTS: "Discord doesn't allow the bot the intents that it asks for (4014). Switch them on for the bot in the "
    "developer portal.",
}
"""Gateway close codes after which Discord accepts no reconnection."""


ADDRESS = (
    "Start the server, or put its right address into GRAPHPAPER_DATABASE. In a password write @ : / ? # % as %40 %3A"
    " %2F %3F %23 %25."
)
DISK = "Look at the disk and at the machine's log, or put the database on another disk ({place})."
LATER = "Try again in a moment."
EARLIEST = datetime(2024, 1, 1, tzinfo=UTC).timestamp()
"""Epoch seconds before which the clock must be wrong."""
NO_NETWORK = "Discord can't be reached ({why}): connect this machine to the internet."
CLOCK = "This machine's clock is wrong: it says {now:%Y-%m-%d %H:%M} UTC. Set it."
BEHIND, AHEAD = "certificate is not yet valid", "certificate has expired"
"""OpenSSL's words about a certificate when the clock is behind or ahead."""
CLOCK_BEHIND = (
    "Discord can't be reached, because its certificate is not yet valid by this machine's clock. The clock is behind:"
    " set it."
)
CLOCK_AHEAD = (
    "Discord can't be reached, because its certificate has expired by this machine's clock. If the clock is ahead, set"
    " it."
)


class Unreachable(Exception):
    """Discord cannot be reached from this machine."""


class TooEarly(Exception):
    """This machine's clock shows a `time` long past, as before it is first set."""

    def __init__(self, time: datetime) -> None:
        super().__init__(CLOCK.format(now=time))


UNREACHED = (OSError, aiohttp.ClientError, TimeoutError)
"""The errors of a request that did not reach Discord."""


def complain(text: str, status: int = 1) -> int:
    """Print an error on standard error, and return the exit status."""
    print(text, file=sys.stderr)
    return status


def explain_ending(fault: Exception) -> tuple[str, int] | None:
    """The sentence and the exit status for an error; None for an unforeseen one."""
    match fault:
        case BadSettings():
            return str(fault), UNFIT
        case Unreachable():
            return explain_unreached(error_words(fault)), REFUSED
        case TooEarly():
            return str(fault), REFUSED
        case discord.LoginFailure():
            return TOKEN, REFUSED
        case discord.PrivilegedIntentsRequired():
            return CLOSED[INTENTS], REFUSED
        case discord.ConnectionClosed(code=code):
            return CLOSED.get(code, f"Discord closed the connection permanently ({code})."), REFUSED
        case discord.HTTPException() | discord.RateLimited() | discord.GatewayNotFound():
            return f"Discord did not let the bot in ({error_words(fault)}): start it again in a few minutes.", REFUSED
        case _:
            return explain_local_ending(fault)


def explain_local_ending(fault: Exception) -> tuple[str, int] | None:
    """The same for an error in which Discord has no part."""
    match fault:
        case SchemaError() | Unusable():
            return str(fault), UNFIT
        case Absent():
            return f"The database can't be used: {explain_error(fault)}. {ADDRESS}", REFUSED
        case Failing():
            return f"The database can't be used: {explain_error(fault)}. {DISK.format(place=name_setting())}", UNFIT
        case Unavailable():
            return f"The database can't be used right now: {explain_error(fault)}. {LATER}", REFUSED
        case OSError(filename=str(name)):
            return explain_hindrance(fault, Path(name), advise_elsewhere()), UNFIT
        case OSError(errno=number) if number in SENTENCES:
            return explain_hindrance(fault, Path("a file"), advise_elsewhere()), UNFIT
        case _:
            return None


def explain_unreached(why: str) -> str:
    """The sentence for a Discord that cannot be reached."""
    if BEHIND in why:
        return CLOCK_BEHIND
    return CLOCK_AHEAD if AHEAD in why else NO_NETWORK.format(why=why)


def error_words(fault: Exception) -> str:
    """An error's own message in one line."""
    return " ".join(str(fault).split()) or type(fault).__name__
