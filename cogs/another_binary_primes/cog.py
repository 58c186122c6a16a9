"""The move command of Another Binary Primes: `/another-binary-primes move position`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.another_binary_primes import GAME


class AnotherBinaryPrimesCog(GameCog, group_name=GAME.key):
    """Another Binary Primes on Discord."""

    game = GAME

    @app_commands.command(description="Mark an empty square.")
    @app_commands.describe(position="The square to mark, from 1 at the top", match=MATCH_HELP)
    @app_commands.autocomplete(position=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, position: str, match: int | None = None) -> None:
        """Mark a square."""
        await self.enter(interaction, "move", match, position=position)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(AnotherBinaryPrimesCog())
