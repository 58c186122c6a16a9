"""`/learn`: a game in a few pictures, and a first move of one's own."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.app.client import GraphPaper
from bot.client.interactions.context import Interaction
from bot.client.interactions.rate_limit import costs
from bot.client.study.lesson_viewer import LessonViewer, game_choices


class Learn(commands.Cog):
    """The lessons."""

    def __init__(self, lessons: LessonViewer) -> None:
        self._lessons = lessons

    @costs(1, looks=True)
    @app_commands.command(description="Learn a game in a few pictures, with a move of your own at the end.")
    @app_commands.describe(game="Which game; leave it out to choose from all")
    async def learn(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the first page of a lesson, or the list of lessons, to the asker alone."""
        if game is None:
            await self._lessons.offer(interaction)
        else:
            await self._lessons.begin(interaction, game)

    @learn.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games that are taught whose name holds what has been typed."""
        return game_choices(current)


async def setup(bot: GraphPaper) -> None:
    """Add this command to the bot."""
    await bot.add_cog(Learn(bot.handlers.lesson_viewer))
