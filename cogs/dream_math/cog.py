"""The move command of Dream Math: `/dream-math move square`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.dream_math import GAME


class DreamMathCog(GameCog, group_name=GAME.key):
    """Dream Math on Discord."""

    game = GAME

    @app_commands.command(description="Put the next number into an empty square.")
    @app_commands.describe(square="The empty square that gets the next number, like c4", match=MATCH_HELP)
    @app_commands.autocomplete(square=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, match: int | None = None) -> None:
        """Place a number."""
        await self.enter(interaction, "move", match, square=square)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(DreamMathCog())
