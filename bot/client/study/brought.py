"""Finds the match that a button under a replay is about: one that is kept, or the record that somebody has brought.

Such a record is kept nowhere but in the message that shows it, as a file, from which each press reads it again. So it
goes on after a restart, and is gone with the message.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import aiohttp
import discord

from bot.client.interactions.context import Interaction, channel_of, guild_of, is_ephemeral
from bot.client.runtime.thread_pool import Rank
from bot.client.views import edits
from bot.client.views.edits import Upload
from bot.client.views.renderer import Renderer
from bot.client.views.views import BROUGHT
from bot.core.library.imports import IMPORTED, chosen, imported
from bot.core.match.loaded_match import LoadedMatch, Refusal
from bot.core.values.ids import MatchId
from bot.service.umpire.umpire import Umpire

WITHIN = 10.0
"""Seconds in which Discord hands out a file."""
UNREAD = "Discord didn't hand me the file. Try again."
GONE = "The record isn't in this message any more. Use /match import again."


class Brought:
    """Loads matches for what stands under a replay."""

    def __init__(self, umpire: Umpire, renderer: Renderer) -> None:
        self._umpire = umpire
        self._renderer = renderer

    async def load(self, interaction: Interaction, match: MatchId, *, thinking: bool = False) -> LoadedMatch:
        """The match with a number, or the record in the message that was pressed: that press is deferred, with
        `thinking` for an answer of its own."""
        if match != IMPORTED:
            return await self._umpire.load(match)
        shown = edits.files_on(interaction.message.components) if interaction.message else {}
        file = shown.get(BROUGHT) if is_ephemeral(interaction) else None
        if file is None:
            raise Refusal(GONE)
        await interaction.response.defer(ephemeral=True, thinking=thinking)
        return (await self.read(interaction, edits.edits_of(interaction).fetch(file), 1))[1]

    async def read(
        self, interaction: Interaction, contents: Awaitable[bytes], number: int
    ) -> tuple[bytes, LoadedMatch]:
        """A record of a file, as it stands there and as a match."""
        try:
            async with asyncio.timeout(WITHIN):
                data = await contents
        except (discord.HTTPException, aiohttp.ClientError, OSError) as fault:  # OSError: also where it takes too long
            raise Refusal(UNREAD) from fault
        guild, channel = guild_of(interaction), channel_of(interaction)

        def match() -> tuple[bytes, LoadedMatch]:
            record = chosen(data, number)
            return record, imported(record, guild, channel)

        return await self._renderer.run(match, Rank.LOOK)


def file_of(record: bytes) -> Upload:
    """A record as a file of a message."""
    return Upload(record, BROUGHT)
