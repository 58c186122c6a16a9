"""`/leaderboard`, the strongest players of a server; `/profile`, one person's standing; `/records`, the best alone."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import challenges, pages
from bot.client.ids import PageId
from bot.client.interaction import Interaction


class Leaderboard(commands.Cog):
    """Who is strong at what."""

    @app_commands.command(description="The strongest players of this server.")
    @app_commands.describe(game="One game; else all games together")
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the leaderboard of a game or of all games."""
        await pages.show(interaction, PageId("leaderboard", challenges.named_game(game).key if game else ""))

    @app_commands.command(description="How somebody stands at every game they have played here.")
    @app_commands.describe(person="Whose profile; else yours")
    async def profile(self, interaction: Interaction, person: discord.User | None = None) -> None:
        """Show one person's standing."""
        await pages.show(interaction, PageId("profile", str((person or interaction.user).id)))

    @app_commands.command(description="The best results of those who played a game alone.")
    @app_commands.describe(game="Which game")
    async def records(self, interaction: Interaction, game: str) -> None:
        """Show the best results alone at a game."""
        await pages.show(interaction, PageId("records", challenges.solo_game(game).key))

    @leaderboard.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games whose name holds what has been typed."""
        return challenges.game_choices(current)

    @records.autocomplete("game")
    async def complete_solo(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games that can be played alone."""
        return challenges.game_choices(current, alone=True)


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Leaderboard())
