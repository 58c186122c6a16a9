"""`/games`, what can be played here, with a picture of each; and `/play`, a challenge from one short command."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot import challenges, views
from bot.catalogue import example, offered
from bot.cog import Interaction, client_of

PICTURES = 10
"""As many as one gallery of Discord's holds."""


class Games(commands.Cog):
    """The front door."""

    @app_commands.command(description="The games that can be played here.")
    async def games(self, interaction: Interaction) -> None:
        """Show every game with its goal and an example."""
        client = client_of(interaction)
        shown = [match for game in offered().values() if (match := example(game))][:PICTURES]
        drawings = [await client.studio.draw(match.game, match.position) for match in shown]
        view, files = views.gallery_of_games(tuple(offered().values()), shown, drawings)
        await interaction.response.send_message(view=view, files=files, ephemeral=True)

    @app_commands.command(description="Challenge somebody to a game, with its usual options.")
    @app_commands.describe(game="Which game", **{name: challenges.HELP[name] for name in ("opponent", "seat", "rated")})
    async def play(
        self,
        interaction: Interaction,
        game: str,
        opponent: discord.User | None = None,
        seat: Literal["me", "opponent", "lot"] | None = None,
        rated: bool | None = None,
    ) -> None:
        """Challenge somebody, or open a table."""
        given: dict[str, Any] = {"opponent": opponent, "seat": seat, "rated": rated}
        await challenges.make(interaction, challenges.named_game(game), given)

    @play.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games whose name holds what has been typed."""
        return challenges.game_choices(current)


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Games())
