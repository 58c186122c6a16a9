"""`/move`, the one command for moves of every game: a line of notation, in the match of the thread where it is used."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.client.app.client import GraphPaper
from bot.client.app.game_commands import MATCH_HELP
from bot.client.interactions.context import Interaction
from bot.client.interactions.typed_options import MOVES, ROWS
from bot.client.lobby.match_directory import MatchDirectory
from bot.client.moves.move_command import MoveCommands

LINE_HELP = "Your move, as you would write it on paper; suggestions appear while you type"


class Moves(commands.Cog):
    """Moves of every game."""

    def __init__(self, moves: MoveCommands, directory: MatchDirectory) -> None:
        self._moves = moves
        self._directory = directory

    @app_commands.command(
        description="Make a move in this thread's match, or in the one where it is your turn.",
        extras={MOVES: {"line"}, ROWS: {"line"}},
    )
    @app_commands.describe(line=LINE_HELP, match=MATCH_HELP)
    async def move(self, interaction: Interaction, line: str, match: str | None = None) -> None:
        """Play a move."""
        await self._moves.enter_line(interaction, line, match)

    @move.autocomplete("line")
    async def complete_line(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Moves that can be made."""
        return await self._moves.complete_line(interaction, current)

    @move.autocomplete("match")
    async def complete_match(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The asker's live matches."""
        return await self._directory.live(interaction, current)


async def setup(bot: GraphPaper) -> None:
    """Add this command to the bot."""
    await bot.add_cog(Moves(bot.handlers.move_commands, bot.handlers.directory))
