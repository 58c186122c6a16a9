"""The move commands of Divisor Over Sums: `/divisor-over-sums move square` and `/divisor-over-sums choose d`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.divisor_over_sums import GAME


class DivisorOverSumsCog(GameCog, group_name=GAME.key):
    """Divisor Over Sums on Discord."""

    game = GAME

    @app_commands.command(description="Place the next number in an empty square.")
    @app_commands.describe(square="The empty square that gets the next number, like c4", match=MATCH_HELP)
    @app_commands.autocomplete(square=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, match: int | None = None) -> None:
        """Place a number."""
        await self.enter(interaction, "move", match, square=square)

    @app_commands.command(description="Choose your divisor, when the grid is full.")
    @app_commands.describe(d="A number that divides at least one of your sums", match=MATCH_HELP)
    @app_commands.autocomplete(d=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def choose(self, interaction: Interaction, d: str, match: int | None = None) -> None:
        """Choose a divisor."""
        await self.enter(interaction, "choose", match, d=d)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(DivisorOverSumsCog())
