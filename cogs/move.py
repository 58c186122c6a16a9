"""`/move`: a move of any game as a line of notation, in the match of the thread where it is used."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.app.game_commands import MATCH_HELP
from bot.features.board.directory import MatchDirectory
from bot.features.pads.handlers import MoveCommands
from bot.platform.checks import MOVES, ROWS, offered_in_messages
from bot.platform.interactions import Interaction

LINE_HELP = "Your move, as you would write it on paper; suggestions appear while you type"


class MoveCog(commands.Cog):
    def __init__(self, moves: MoveCommands, directory: MatchDirectory) -> None:
        self._moves = moves
        self._directory = directory

    @offered_in_messages
    @app_commands.command(
        description="Make a move in this thread's match, or in the one where it is your turn.",
        extras={MOVES: {"line"}, ROWS: {"line"}},
    )
    @app_commands.describe(line=LINE_HELP, match=MATCH_HELP)
    async def move(self, interaction: Interaction, line: str, match: str | None = None) -> None:
        await self._moves.enter_line(interaction, line, match)

    @move.autocomplete("line")
    async def complete_line(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest legal moves."""
        return await self._moves.complete_line(interaction, current)

    @move.autocomplete("match")
    async def complete_match(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the caller's live matches."""
        return await self._directory.suggest_live(interaction, current)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(MoveCog(bot.handlers.move_commands, bot.handlers.directory))
