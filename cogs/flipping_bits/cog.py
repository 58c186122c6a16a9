"""The move command of Flipping Bits: `/flipping-bits flip positions`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.flipping_bits import GAME


class FlippingBitsCog(GameCog, group_name=GAME.key):
    """Flipping Bits on Discord."""

    game = GAME

    @app_commands.command(description="Flip squares so that a new pattern arises.")
    @app_commands.describe(
        positions="The squares to flip, from 1 at the left: 3, or 1 4 where it takes two", match=MATCH_HELP
    )
    @app_commands.autocomplete(positions=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def flip(self, interaction: Interaction, positions: str, match: int | None = None) -> None:
        """Flip squares."""
        await self.enter(interaction, "flip", match, positions=positions)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(FlippingBitsCog())
