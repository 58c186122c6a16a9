"""`/learn`: a lesson on a game in a few pictures, with a move to try."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.study.lessons import LessonViewer, suggest_lessons
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction


class LearnCommands(commands.Cog):
    def __init__(self, lessons: LessonViewer) -> None:
        self._lessons = lessons

    @offered_in_messages
    @costs(1, looks=True)
    @app_commands.command(description="Learn a game in a few pictures, with a move of your own at the end.")
    @app_commands.describe(game="Which game; leave it out to choose from all")
    async def learn(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the first page of a lesson, or the list of lessons, in an ephemeral message."""
        if game is None:
            await self._lessons.offer(interaction)
        else:
            await self._lessons.begin(interaction, game)

    @learn.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games that have a lesson, by a part of their name."""
        return suggest_lessons(current)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(LearnCommands(bot.handlers.lesson_viewer))
