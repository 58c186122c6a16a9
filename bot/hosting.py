"""The commands of hosts, one function each: serve, migrate, back up, restore, check, health. They print sentences and
give an exit status.
"""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from pathlib import Path

import discord

from bot.catalogue import games
from bot.settings import Settings
from data import ops
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
    from bot.serving import serve, start_logging
    from bot.stage import rehearse

    settings = Settings()
    start_logging(settings)
    if given.sandbox or (settings.token is None and not settings.container):
        try:
            asyncio.run(rehearse(settings))
        except OSError as fault:
            return complain(f"The sandbox cannot use port {settings.port} ({fault.strerror}): set GRAPHPAPER_PORT.")
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


def migrate(given: Namespace) -> int:
    """Bring the database's schema up to date."""
    try:
        revision = asyncio.run(upgraded(Settings().database))
    except (SchemaError, Unavailable) as fault:
        return complain(str(fault))
    print(f"The database is at schema {revision}.")
    return 0


def backup(given: Namespace) -> int:
    """Copy the database to a file while the bot runs."""
    try:
        asyncio.run(ops.backup(Settings().database, Path(given.file)))
    except (ops.Refused, Unavailable, OSError) as fault:
        return complain(str(fault))
    print(f"Copied to {given.file}.")
    return 0


def restore(given: Namespace) -> int:
    """Put a copy in the database's place."""
    try:
        asyncio.run(ops.restore(Path(given.file), Settings().database, given.force))
    except (ops.Refused, SchemaError, Unavailable, OSError) as fault:
        return complain(str(fault))
    print(f"Restored from {given.file}. Start the bot: it shows every board as it stands in the copy.")
    return 0


def check(given: Namespace) -> int:
    """Replay every match of the store and compare, and recompute the ratings."""
    try:
        report = asyncio.run(ops.check(Settings().database, games(), ratings=given.ratings))
    except (SchemaError, Unavailable, OSError) as fault:
        return complain(str(fault))
    print("\n".join(report.lines))
    return 0 if report.sound else 1


def health(given: Namespace) -> int:
    """Whether the database answers."""
    try:
        asyncio.run(ops.health(Settings().database))
    except (SchemaError, Unavailable, OSError) as fault:
        return complain(str(fault))
    return 0
