"""The move command of Sum Of Products: `/sum-of-products move square number`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.sum_of_products import GAME


class SumOfProductsCog(GameCog, group_name=GAME.key):
    """Sum Of Products on Discord."""

    game = GAME

    @app_commands.command(description="Write a number into an empty square.")
    @app_commands.describe(
        square="The empty square to write into, like c4",
        number="The number to write, from 1 to the side of the grid",
        match=MATCH_HELP,
    )
    @app_commands.autocomplete(square=GameCog.complete, number=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, number: str, match: int | None = None) -> None:
        """Write a number."""
        await self.enter(interaction, "move", match, square=square, number=number)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(SumOfProductsCog())
