"""`/privacy`: a user's export of what is stored about them, and its deletion."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.settings.service import ForgettingService
from bot.platform import edits
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction, key_of, user_of
from bot.play.ids import UserId
from bot.play.loaded_match import Refusal
from bot.umpire.umpire import Umpire

WORDS = "forget me"
FORGOTTEN = (
    "I have forgotten you. Your live matches are given up, and I keep nothing of yours. Within hours your name goes"
    " from each match's last board, challenge, result and thread, from leagues, and from the latest daily and weekly"
    " posts. Other messages stay as they are. People who manage messages there can delete them."
)

Forgets = Callable[[UserId], None]
"""Drops what the process has cached about a user outside of the store."""


@offered_in_messages
class PrivacyCommands(
    commands.GroupCog, group_name="privacy", group_description="See or delete what is kept about you."
):
    """A person's own data."""

    def __init__(self, umpire: Umpire, forgetting: ForgettingService, drop: Forgets) -> None:
        self._umpire = umpire
        self._forgetting = forgetting
        self._drop = drop

    @costs(5, looks=True)
    @app_commands.command(description="Get everything that is kept about you, as a file.")
    async def export(self, interaction: Interaction) -> None:
        """Send the caller what is stored about them."""
        kept = await self._umpire.export_user(user_of(interaction))
        file = discord.File(io.BytesIO(json.dumps(kept, indent=1).encode()), "graph-paper.json")
        text = "This is everything I keep about you, in every server. It is all numbers and moves."
        await edits.answer_anew(interaction, text, [file])

    @costs(5)
    @app_commands.command(description="Leave every match and delete everything about you, in every server, for good.")
    @app_commands.describe(confirm=f"Type “{WORDS}”; you can't undo it")
    async def forget(self, interaction: Interaction, confirm: str) -> None:
        """Delete what is stored about the caller."""
        if confirm.strip().lower() != WORDS:
            raise Refusal(f"Nothing was changed. Type “{WORDS}” to confirm if you mean it.")
        await interaction.response.defer(ephemeral=True)
        await self._forgetting.forget_person(key_of(interaction), user_of(interaction))
        self._drop(user_of(interaction))
        await edits.answer_anew(interaction, FORGOTTEN)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(PrivacyCommands(bot.umpire, bot.forgetting, bot.publisher.members.forget))
