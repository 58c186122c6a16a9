"""The move command of Palindromes/Antipalindromes: `/palindromes-antipalindromes move position digit`."""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.palindromes_antipalindromes import GAME


class PalindromesCog(GameCog, group_name=GAME.key):
    """Palindromes/Antipalindromes on Discord."""

    game = GAME

    @app_commands.command(description="Write 0 or 1 into an empty square.")
    @app_commands.describe(
        position="The square to write into, from 1 at the left", digit="The digit to write: 0 or 1", match=MATCH_HELP
    )
    @app_commands.autocomplete(position=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(
        self, interaction: Interaction, position: str, digit: Literal["0", "1"], match: int | None = None
    ) -> None:
        """Write a digit."""
        await self.enter(interaction, "move", match, position=position, digit=digit)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(PalindromesCog())
