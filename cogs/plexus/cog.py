"""The move command of Plexus: `/plexus move from to`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.plexus import GAME


class PlexusCog(GameCog, group_name=GAME.key):
    """Plexus on Discord."""

    game = GAME

    @app_commands.command(description="Draw a segment.")
    @app_commands.describe(
        start="The dot it starts from, which has a segment, like d4",
        end="The dot it reaches, which has none, like d5",
        match=MATCH_HELP,
    )
    @app_commands.rename(start="from", end="to")
    @app_commands.autocomplete(start=GameCog.complete, end=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def move(self, interaction: Interaction, start: str, end: str, match: int | None = None) -> None:
        """Draw a segment."""
        await self.enter(interaction, "move", match, **{"from": start, "to": end})


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(PlexusCog())
