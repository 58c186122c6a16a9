"""The move command of (Not)Divisors Or (Not)Multiples: `/not-divisors-not-multiples move square number`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.not_divisors_not_multiples import GAME


class NotDivisorsNotMultiplesCog(GameCog, group_name=GAME.key):
    """(Not)Divisors Or (Not)Multiples on Discord."""

    game = GAME

    @app_commands.command(description="Write a number into an empty square.")
    @app_commands.describe(
        square="An empty square beside a number, like c4",
        number="The number to write, from 2; or least, the smallest that fits",
        match=MATCH_HELP,
    )
    @app_commands.autocomplete(square=GameCog.complete, number=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, square: str, number: str, match: int | None = None) -> None:
        """Write a number. It is a text, since Discord's own whole numbers end at 2^53."""
        await self.enter(interaction, "move", match, square=square, number=number)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(NotDivisorsNotMultiplesCog())
