"""The move command of Sum Kind Of Game: `/sum-kind-of-game move square`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.sum_kind_of_game import GAME


class SumKindOfGameCog(GameCog, group_name=GAME.key):
    """Sum Kind Of Game on Discord."""

    game = GAME

    @app_commands.command(description="Put your next number into an empty square.")
    @app_commands.describe(square="The empty square that gets your next number, like c4", match=MATCH_HELP)
    @app_commands.autocomplete(square=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, match: int | None = None) -> None:
        """Place a number."""
        await self.enter(interaction, "move", match, square=square)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(SumKindOfGameCog())
