"""`/games`, what can be played here, with a picture of each; and `/play`, a challenge from one short command."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import challenges, texts, views
from bot.client.interaction import Interaction, client_of
from bot.core.catalogue import example, offered
from bot.core.match import Match


class Games(commands.Cog):
    """The front door."""

    @app_commands.command(description="The games that can be played here.")
    async def games(self, interaction: Interaction) -> None:
        """Show every game with its goal and an example, in as many messages as the pictures need."""
        shown = [match for game in offered().values() if (match := example(game))]
        first, *further = (shown[at : at + views.GALLERY] for at in range(0, max(1, len(shown)), views.GALLERY))
        view, files = await self.gallery(interaction, texts.list_of_games(tuple(offered().values())), first)
        await interaction.response.send_message(view=view, files=files, ephemeral=True)
        for matches in further:
            view, files = await self.gallery(interaction, ", ".join(match.game.title for match in matches), matches)
            await interaction.followup.send(view=view, files=files, ephemeral=True)

    async def gallery(
        self, interaction: Interaction, text: str, matches: Sequence[Match]
    ) -> tuple[discord.ui.LayoutView, list[discord.File]]:
        """A message with the pictures of some matches, and their files."""
        renderer = client_of(interaction).renderer
        drawings = await asyncio.gather(*(renderer.draw(match.game, match.position) for match in matches))
        return views.gallery(text, matches, drawings)

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
