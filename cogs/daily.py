"""`/daily`: the puzzle of the day, one's own figures, and the puzzles of days that are over."""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.daily.handlers import DailyViewer
from bot.platform.checks import costs
from bot.platform.interactions import Interaction


class DailyCommands(commands.Cog):
    """The daily puzzle."""

    def __init__(self, viewer: DailyViewer) -> None:
        self._viewer = viewer

    @costs(2, looks=True)
    @app_commands.command(description="Solve today's puzzle: find the one move that keeps the best result.")
    @app_commands.describe(show="Today's puzzle; or how you are doing, or the puzzles of other days")
    async def daily(self, interaction: Interaction, show: Literal["today", "stats", "past"] = "today") -> None:
        """Show the puzzle, the asker's figures or past puzzles, to the asker alone."""
        shown = {"today": self._viewer.show, "stats": self._viewer.show_stats, "past": self._viewer.show_past}
        await shown[show](interaction)


async def setup(bot: GraphPaper) -> None:
    """Add this command to the bot."""
    await bot.add_cog(DailyCommands(bot.handlers.daily_viewer))
