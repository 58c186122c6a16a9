"""The move commands of Binary Scramble: `/binary-scramble append digit` and `/binary-scramble flip position`."""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.binary_scramble import GAME


class BinaryScrambleCog(GameCog, group_name=GAME.key):
    """Binary Scramble on Discord."""

    game = GAME

    @app_commands.command(description="Write the next digit of the list.")
    @app_commands.describe(digit="The digit to write at the right end: 0 or 1", match=MATCH_HELP)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def append(self, interaction: Interaction, digit: Literal["0", "1"], match: int | None = None) -> None:
        """Write a digit."""
        await self.enter(interaction, "append", match, digit=digit)

    @app_commands.command(description="Flip one digit of the full list.")
    @app_commands.describe(position="The position of the digit to flip, from 1 at the left", match=MATCH_HELP)
    @app_commands.autocomplete(position=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def flip(self, interaction: Interaction, position: str, match: int | None = None) -> None:
        """Flip a digit."""
        await self.enter(interaction, "flip", match, position=position)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(BinaryScrambleCog())
