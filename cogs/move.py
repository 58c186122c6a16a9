"""`/move`, the one command for moves of every game: a line of notation, in the match of the thread where it is used."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.app.game_commands import MATCH_HELP
from bot.client.interactions.context import Interaction
from bot.client.lobby import challenges
from bot.client.moves import move_command

LINE_HELP = "Your move as you would write it on paper, like c4; what is possible is offered while you type"


class Moves(commands.Cog):
    """Moves of every game."""

    @app_commands.command(description="Make a move in the match of this thread, or in the one where it is your turn.")
    @app_commands.describe(line=LINE_HELP, match=MATCH_HELP)
    async def move(self, interaction: Interaction, line: str, match: int | None = None) -> None:
        """Play a move."""
        await move_command.enter_line(interaction, line, match)

    @move.autocomplete("line")
    async def complete_line(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Moves that can be made."""
        return await move_command.complete_line(interaction, current)

    @move.autocomplete("match")
    async def complete_match(self, interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
        """The asker's live matches."""
        return await challenges.live_matches(interaction, current)


async def setup(bot: commands.Bot) -> None:
    """Add this command to the bot."""
    await bot.add_cog(Moves())
