"""Registers the commands with Discord when they have changed, in the background, and retries until Discord takes them.

Of several processes only the leader does it. Discord may be down, may refuse, or may have reached its daily limit of
new commands. Nobody waits for this: the commands that Discord knows go on working meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.client.runtime.job_queue import Backoff, retry_after
from data.engine.database_errors import Unavailable
from data.store import Reader, Store, Transaction

BACKOFF = Backoff(5.0, 3600.0, factor=4)
FORESEEN = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError, Unavailable)
"""Failures that need no traceback in the log."""

log = logging.getLogger(__name__)


async def registered(register: Callable[[], Awaitable[None]]) -> None:
    """Register the commands, however long it takes."""
    for failures in count(1):
        try:
            await register()
            return
        except Exception as fault:
            wait = max(BACKOFF.pause(failures), retry_after(fault))
            why = " ".join(str(fault).split()) or type(fault).__name__
            text = "Discord has not taken the commands (%s): those it knows go on working. It is asked again in %d s."
            log.warning(text, why, wait, exc_info=not isinstance(fault, FORESEEN))
        await asyncio.sleep(wait)


async def register(tree: app_commands.CommandTree[Any], store: Store, always: bool) -> None:
    """Register the commands; unless `always`, only if they have changed, since Discord counts every registration."""
    name, digest = noted(tree.client.application_id), digest_of(payload(tree))
    if always or await store.ask(Reader.note, name) != digest:
        await tree.sync()
        await store.do(Transaction.set_note, name, digest)


def payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """What Discord is told of all commands."""
    return [command.to_dict(tree) for command in tree.get_commands()]


def digest_of(commands: list[dict[str, Any]]) -> str:
    """A number that is another one for other commands."""
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()


def noted(application: int | None) -> str:
    """The name of the note that keeps the digest of what Discord knows."""
    return f"commands of {application}"
