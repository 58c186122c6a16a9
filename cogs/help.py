"""`/help`, what this bot is and how a match begins, on one card; and the same card where the bot is invited."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.challenges.handlers import Welcome
from bot.platform.checks import costs
from bot.platform.interactions import Interaction


class HelpCommands(commands.Cog):
    """The card with which everything begins."""

    def __init__(self, welcome: Welcome) -> None:
        self._welcome = welcome

    @costs(1, looks=True)
    @app_commands.command(description="See what this bot does, play a quick game, and find the main commands.")
    async def help(self, interaction: Interaction) -> None:
        """Show the card to the asker alone."""
        await self._welcome.show(interaction)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that has invited the bot."""
        await self._welcome.greet(guild)


async def setup(bot: GraphPaper) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(HelpCommands(bot.handlers.welcome))
