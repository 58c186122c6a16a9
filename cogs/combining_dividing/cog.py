"""The move commands of Combining And Dividing Integers: `/combining-dividing append`, `split` and `add`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.combining_dividing import GAME


class CombiningDividingCog(GameCog, group_name=GAME.key):
    """Combining And Dividing Integers on Discord."""

    game = GAME

    @app_commands.command(description="Write the next integer of the list.")
    @app_commands.describe(number="The integer to write at the right end", match=MATCH_HELP)
    @app_commands.autocomplete(number=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def append(self, interaction: Interaction, number: str, match: int | None = None) -> None:
        """Write an integer."""
        await self.enter(interaction, "append", match, number=number)

    @app_commands.command(description="Replace an integer by two or more divisors of it.")
    @app_commands.describe(
        position="The position of the integer to split, from 1 at the left",
        factors="Its divisors in order, like 2 5; their product is the integer",
        match=MATCH_HELP,
    )
    @app_commands.autocomplete(position=GameCog.complete, factors=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def split(self, interaction: Interaction, position: str, factors: str, match: int | None = None) -> None:
        """Split an integer."""
        await self.enter(interaction, "split", match, position=position, factors=factors)

    @app_commands.command(description="Replace two neighbours by their sum.")
    @app_commands.describe(position="The position of the left one of the two, from 1 at the left", match=MATCH_HELP)
    @app_commands.autocomplete(position=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def add(self, interaction: Interaction, position: str, match: int | None = None) -> None:
        """Add two neighbours."""
        await self.enter(interaction, "add", match, position=position)


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(CombiningDividingCog())
