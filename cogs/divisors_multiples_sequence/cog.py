"""The move command of Divisors/Multiples Sequence: `/divisors-multiples-sequence walk numbers`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.divisors_multiples_sequence import GAME


class DivisorsMultiplesSequenceCog(GameCog, group_name=GAME.key):
    """Divisors/Multiples Sequence on Discord."""

    game = GAME

    @app_commands.command(description="Walk on and claim the number where you stop.")
    @app_commands.describe(numbers="The numbers you step to, in order, like 2 6", match=MATCH_HELP)
    @app_commands.autocomplete(numbers=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def walk(self, interaction: Interaction, numbers: str, match: int | None = None) -> None:
        """Walk on."""
        await self.enter(interaction, "walk", match, numbers=numbers)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(DivisorsMultiplesSequenceCog())
