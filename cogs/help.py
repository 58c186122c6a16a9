"""`/help`, a card on what this bot is and how a match begins; a server that invites the bot gets it, too."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.challenges.handlers import Welcome
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction


class HelpCommands(commands.Cog):
    """The help card, on request and as a greeting."""

    def __init__(self, welcome: Welcome) -> None:
        self._welcome = welcome

    @offered_in_messages
    @costs(1, looks=True)
    @app_commands.command(description="See what this bot does, play a quick game, and find the main commands.")
    async def help(self, interaction: Interaction) -> None:
        """Show the card in an ephemeral message."""
        await self._welcome.show(interaction)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Post the card in a server that the bot has joined."""
        await self._welcome.greet(guild)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(HelpCommands(bot.handlers.welcome))
