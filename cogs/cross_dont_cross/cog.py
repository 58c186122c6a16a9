"""The move commands of Cross, Don't Cross: `/cross-dont-cross chord from to` and `… segment from to`."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.commands import MATCH_HELP, GameCog, Interaction
from cogs.cross_dont_cross import GAME


class CrossDontCrossCog(GameCog, group_name=GAME.key):
    """Cross, Don't Cross on Discord."""

    game = GAME

    @app_commands.command(description="Draw a chord of the circle.")
    @app_commands.describe(
        start="Where it starts: degrees clockwise from the top, 0 to 359",
        end="Where it ends: degrees clockwise from the top, 0 to 359",
        match=MATCH_HELP,
    )
    @app_commands.rename(start="from", end="to")
    @app_commands.autocomplete(start=GameCog.complete, end=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def chord(self, interaction: Interaction, start: str, end: str, match: int | None = None) -> None:
        """Draw a chord as the defence."""
        await self.enter(interaction, "chord", match, **{"from": start, "to": end})

    @app_commands.command(description="Draw a segment between two intersections.")
    @app_commands.describe(
        start="The number of the intersection where it starts",
        end="The number of the intersection where it ends",
        match=MATCH_HELP,
    )
    @app_commands.rename(start="from", end="to")
    @app_commands.autocomplete(start=GameCog.complete, end=GameCog.complete)
    @app_commands.autocomplete(match=GameCog.complete_match)
    async def segment(self, interaction: Interaction, start: str, end: str, match: int | None = None) -> None:
        """Draw a segment as the offence."""
        await self.enter(interaction, "segment", match, **{"from": start, "to": end})


async def setup(bot: commands.Bot) -> None:
    """Add the game to the bot."""
    await bot.add_cog(CrossDontCrossCog())
