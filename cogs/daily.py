"""`/daily`: the puzzle of the day, one's own statistics, and past puzzles."""

from __future__ import annotations

from typing import Literal

from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.daily.handlers import DailyViewer
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction


class DailyCommands(commands.Cog):
    def __init__(self, viewer: DailyViewer) -> None:
        self._viewer = viewer

    @offered_in_messages
    @costs(2, looks=True)
    @app_commands.command(description="Solve today's puzzle: find the one move that keeps the best result.")
    @app_commands.describe(show="Today's puzzle; or how you are doing, or the puzzles of other days")
    async def daily(self, interaction: Interaction, show: Literal["today", "stats", "past"] = "today") -> None:
        """Show today's puzzle, the caller's statistics or past puzzles in an ephemeral message."""
        shown = {"today": self._viewer.show, "stats": self._viewer.show_stats, "past": self._viewer.show_past}
        await shown[show](interaction)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(DailyCommands(bot.handlers.daily_viewer))
