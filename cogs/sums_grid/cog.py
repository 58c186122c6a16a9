"""The move commands of Sums Grid: `/sums-grid submit grid` and `/sums-grid done`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.sums_grid import GAME


class SumsGridCog(GameCog, group_name=GAME.key):
    """Sums Grid on Discord."""

    game = GAME

    @app_commands.command(description="Submit a grid, as often as you like; your best one counts.")
    @app_commands.describe(grid="Its numbers, row by row, like 2 9 8 / 3 1 10 / 7 6 15", match=MATCH_HELP)
    @app_commands.autocomplete(grid=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def submit(self, interaction: Interaction, grid: str, match: int | None = None) -> None:
        """Submit a grid."""
        await self.enter(interaction, "submit", match, grid=grid)

    @app_commands.command(description="End your match with your best grid.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def done(self, interaction: Interaction, match: int | None = None) -> None:
        """End one's match."""
        await self.enter(interaction, "done", match)


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(SumsGridCog())
