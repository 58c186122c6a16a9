"""The commands of hosts, one function each: serve, migrate, back up, restore, check, health. They print sentences and
give an exit status.
"""

from __future__ import annotations

import asyncio
import errno
import sys
from argparse import Namespace
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import discord

from bot.core.catalogue import games
from bot.settings import Settings
from data import backup as copy
from data import check as inspection
from data.backup import Refused
from data.engine import Unavailable
from data.migrate import SchemaError
from data.migrate import migrate as upgraded

NO_TOKEN = (
    "There is no DISCORD_TOKEN: set it to the bot's token from Discord's developer portal, "
    "or add --sandbox to try the bot without Discord."
)


def complain(text: str) -> int:
    """Say what is wrong, on standard error; the exit status for it."""
    print(text, file=sys.stderr)
    return 1


def run(given: Namespace) -> int:
    """Serve Discord, or the sandbox where there is no token."""
    from bot.host.serving import serve, start_logging
    from bot.host.supervisor import serve_sandbox

    settings = Settings()
    start_logging(settings)
    if given.sandbox or (settings.token is None and not settings.container):
        try:
            asyncio.run(serve_sandbox(settings))
        except OSError as fault:
            if fault.errno == errno.EADDRINUSE:
                return complain(f"Port {settings.port} is taken: set GRAPHPAPER_PORT to another, or to 0 for any.")
            return complain(f"The sandbox cannot be kept in {settings.sandbox_folder}: {fault}.")
        return 0
    if settings.token is None:
        return complain(NO_TOKEN)
    try:
        asyncio.run(serve(settings))
    except discord.LoginFailure:
        return complain("Discord refused the token: copy it anew from the developer portal into DISCORD_TOKEN.")
    except (SchemaError, Unavailable) as fault:
        return complain(str(fault))
    return 0


def told(work: Coroutine[Any, Any, str]) -> int:
    """Do something to the database and print the sentence about it; what went wrong is a sentence too."""
    try:
        print(asyncio.run(work))
    except (Refused, SchemaError, Unavailable, OSError, ValueError) as fault:
        return complain(str(fault))
    return 0


def migrate(given: Namespace) -> int:
    """Bring the database's schema up to date."""

    async def work() -> str:
        return f"The database is at schema {await upgraded(Settings().database)}."

    return told(work())


def backup(given: Namespace) -> int:
    """Copy the database to a file while the bot runs."""
    return told(copy.backup(Settings().database, Path(given.file)))


def restore(given: Namespace) -> int:
    """Put a copy in the database's place, while the bot is stopped."""
    return told(copy.restore(Path(given.file), Settings().database, given.force))


def check(given: Namespace) -> int:
    """Replay every match of the store and compare, and recompute the ratings."""
    sound = True

    async def work() -> str:
        nonlocal sound
        report = await inspection.check(Settings().database, games(), ratings=given.ratings)
        sound = report.sound
        return "\n".join(report.lines)

    return told(work()) or int(not sound)


def health(given: Namespace) -> int:
    """Whether the database answers."""
    return told(inspection.health(Settings().database))
