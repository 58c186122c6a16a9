"""The move command of Binary Primes: `/binary-primes move square`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.binary_primes import GAME


class BinaryPrimesCog(GameCog, group_name=GAME.key):
    """Binary Primes on Discord."""

    game = GAME

    @app_commands.command(description="Fill an empty square.")
    @app_commands.describe(square="The square to fill, like c4", match=MATCH_HELP)
    @app_commands.autocomplete(square=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, match: int | None = None) -> None:
        """Fill a square."""
        await self.enter(interaction, "move", match, square=square)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(BinaryPrimesCog())
