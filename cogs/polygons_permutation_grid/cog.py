"""The move command of Polygons In Permutation Grid: `/polygons-permutation-grid move square`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.polygons_permutation_grid import GAME


class PolygonsPermutationGridCog(GameCog, group_name=GAME.key):
    """Polygons In Permutation Grid on Discord."""

    game = GAME

    @app_commands.command(description="Place a dot.")
    @app_commands.describe(square="An intersection of two lines that carry no dot yet, like c4", match=MATCH_HELP)
    @app_commands.autocomplete(square=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, match: int | None = None) -> None:
        """Place a dot."""
        await self.enter(interaction, "move", match, square=square)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(PolygonsPermutationGridCog())
