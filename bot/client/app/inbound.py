"""Guards the bot against events that discord.py cannot read.

In discord.py an error while reading one event ends the whole connection, and so the bot. Here such an event is left
out, with a line in the log; if it is an interaction, its author is told.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, MutableMapping
from functools import partial
from typing import Any

import discord
from discord.http import Route

from bot.client.interactions.errors import UNREAD, unanswerable

INTERACTION, READY = "INTERACTION_CREATE", "READY"
"""READY alone is not left out: without it there is nothing to serve."""
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
AUTOCOMPLETE, MESSAGE, CHOICES, EPHEMERAL = 4, 4, 8, 64

Parse = Callable[[Any], Any]

log = logging.getLogger(__name__)


def guard(client: discord.Client, parsers: MutableMapping[str, Parse], within: float) -> None:
    """Let no event end the connection that these parsers serve; an answer is given `within` so many seconds."""
    for name, parse in parsers.items():
        if name == INTERACTION:
            parsers[name] = Interactions(client, parse, within)
        elif name != READY:
            parsers[name] = partial(read, name, parse)


def read(name: str, parse: Parse, data: Any) -> bool:
    """Have an event read; False, and a line in the log, if that cannot be done."""
    try:
        parse(data)
    except Exception as fault:
        log.warning("An event of Discord's cannot be read and is left out: %s (%s).", name, type(fault).__name__)
        return False
    return True


class Interactions:
    """Has interactions read, and answers what cannot be."""

    def __init__(self, client: discord.Client, parse: Parse, within: float) -> None:
        self.client = client
        self.parse = parse
        self.within = within
        self.answers: set[asyncio.Task[None]] = set()

    def __call__(self, data: Any) -> None:
        """Read an interaction, or have somebody told that it could not be."""
        if read(INTERACTION, self.parse, data):
            return
        task = asyncio.create_task(self._answer(data), name="unread")
        self.answers.add(task)
        task.add_done_callback(self.answers.discard)

    async def _answer(self, data: Any) -> None:
        try:
            route = Route("POST", CALLBACK, interaction_id=int(data["id"]), interaction_token=str(data["token"]))
            typing = data.get("type") == AUTOCOMPLETE
        except (AttributeError, KeyError, TypeError, ValueError):
            return  # nobody can be answered
        said: dict[str, Any] = {"choices": []} if typing else {"content": UNREAD, "flags": EPHEMERAL}
        try:
            async with asyncio.timeout(self.within):
                await self.client.http.request(route, json={"type": CHOICES if typing else MESSAGE, "data": said})
        except (discord.HTTPException, OSError, TimeoutError) as late:
            if not unanswerable(late):
                log.warning("A refusal could not be delivered: %s", " ".join(str(late).split()))
