"""The move command of Multiples/Divisors Blob: `/multiples-divisors-blob move square`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.multiples_divisors_blob import GAME


class MultiplesDivisorsBlobCog(GameCog, group_name=GAME.key):
    """Multiples/Divisors Blob on Discord."""

    game = GAME

    @app_commands.command(description="Fill an empty square next to a filled one; the first goes anywhere.")
    @app_commands.describe(square="The square to fill, like c4", match=MATCH_HELP)
    @app_commands.autocomplete(square=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, match: int | None = None) -> None:
        """Fill a square."""
        await self.enter(interaction, "move", match, square=square)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(MultiplesDivisorsBlobCog())
