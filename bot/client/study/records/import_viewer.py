"""Shows a record that somebody brings as a replay, to them alone."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.client.interactions.context import Interaction
from bot.client.study.brought import Brought, file_of
from bot.client.study.replay_viewer import ReplayViewer
from bot.client.views import edits
from bot.client.views.views import BROUGHT
from bot.core.library.imports import MOST_BYTES, NO_FILE
from bot.core.match.loaded_match import Refusal


class ImportViewer:
    """Answers `/match import`."""

    def __init__(self, brought: Brought, replays: ReplayViewer) -> None:
        self._brought = brought
        self._replays = replays

    async def begin(self, interaction: Interaction, file: discord.Attachment, number: int) -> None:
        """Show a record of a file from its beginning; the message keeps it for the presses that follow."""
        if file.size > MOST_BYTES:
            raise Refusal(NO_FILE)
        await interaction.response.defer(ephemeral=True, thinking=True)
        record, seated = await self._brought.read(interaction, file.read(), number)
        view, files = await self._replays.shown(self._replays.replay_for(interaction, seated), 0)
        view.add_item(ui.File[Any](f"attachment://{BROUGHT}"))
        await edits.answer(interaction, view, [file_of(record), *files])
