"""Telling Discord of the commands when they have changed: beside everything else, and again until it takes them.

Of several processes the one that leads does it; whichever leads next finds that it is done. Discord may be down, may
not let us, or may have taken enough new commands for a day. The commands that it knows go on working meanwhile, so
nobody waits for this.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
from discord import app_commands

from data.engine.database_errors import Unavailable
from data.store import Reader, Store, Transaction

FIRST_PAUSE, LONGEST_PAUSE = 5.0, 3600.0
"""Seconds before Discord is asked a second time, four times as many before each further time, and at most how many."""
DAY = 86_400.0
FORESEEN = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, Unavailable)
"""What may stand in the way without a fault of the program."""

log = logging.getLogger(__name__)


async def registered(register: Callable[[], Awaitable[None]]) -> None:
    """Register the commands, however long it takes."""
    pause = FIRST_PAUSE
    while True:
        try:
            return await register()
        except Exception as fault:
            wait = max(pause, asked_for(fault))
            why = " ".join(str(fault).split()) or type(fault).__name__
            text = "Discord has not taken the commands (%s): those it knows go on working. It is asked again in %d s."
            log.warning(text, why, wait, exc_info=not isinstance(fault, FORESEEN))
        await asyncio.sleep(wait)
        pause = min(4 * pause, LONGEST_PAUSE)


async def register(tree: app_commands.CommandTree[Any], store: Store, always: bool) -> None:
    """Register the commands; unless `always`, only if they have changed, since Discord counts every registration."""
    payload = json.dumps([command.to_dict(tree) for command in tree.get_commands()], sort_keys=True)
    digest = hashlib.sha256(payload.encode()).hexdigest()
    name = f"commands of {tree.client.application_id}"
    if always or await store.ask(Reader.note, name) != digest:
        await tree.sync()
        await store.do(Transaction.set_note, name, digest)


def asked_for(fault: Exception) -> float:
    """How many seconds Discord asks to be left alone, a day at most."""
    if isinstance(fault, discord.RateLimited):
        return min(fault.retry_after, DAY)
    if not isinstance(fault, discord.HTTPException):
        return 0.0
    seconds = fault.response.headers.get("Retry-After", "")
    return min(float(seconds), DAY) if seconds.replace(".", "", 1).isdecimal() and seconds.isascii() else 0.0
