"""`/matches`, lists of matches; and `/tables`, free seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.board import directory as match_directory
from bot.features.board import views as board_views
from bot.features.board import words as board_words
from bot.features.board.directory import NONE_OUTSIDE, MatchDirectory
from bot.features.challenges import service as challenges_service
from bot.platform import edits
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import IN_SERVERS, Interaction, is_outside, user_of
from bot.play.ids import UserId
from bot.play.loaded_match import Refusal
from bot.play.rows import State

STATES: Mapping[str, tuple[State, ...]] = {
    "mine": ("open", "live"), "finished": ("finished", "aborted"), "all here": ("live",),
}  # fmt: skip
HEADS = {"mine": "### Your matches", "finished": "### Finished matches", "all here": "### What is played here"}
NONE = {
    "mine": "You have no open matches here. Use /play to challenge somebody, or /tables to find a free seat.",
    "finished": "You haven't finished a match here yet. /matches shows the ones you are playing.",
    "all here": "Nobody is playing here right now. Use /play to begin a match.",
}
NO_TABLE = "There are no free seats here right now. Use /play to open a table."


class MatchListCommands(commands.Cog):
    """The lists of matches and of open tables."""

    def __init__(self, directory: MatchDirectory) -> None:
        self._directory = directory

    @offered_in_messages
    @costs(2, looks=True)
    @app_commands.command(description="See your matches, the ones that wait for you first; or what is played here.")
    @app_commands.describe(
        which="Yours, your finished ones, or all that are being played here; normally yours",
        person="Only matches of this person; with finished, theirs instead of yours",
        game="Only matches of this game",
    )
    async def matches(
        self,
        interaction: Interaction,
        which: Literal["mine", "finished", "all here"] = "mine",
        person: discord.User | None = None,
        game: str | None = None,
    ) -> None:
        """List matches with links to them."""
        user = user_of(interaction)
        key = challenges_service.find_game(game).key if game else None
        other = UserId(person.id) if person else None
        if is_outside(interaction):
            await self._list_own(interaction, which, other, key)
            return
        users = {user, other or user} if which == "mine" else {other} if other else set[UserId]()
        if which == "finished" and not users:
            users = {user}
        directory = self._directory
        rows = await directory.find_visible(interaction, STATES[which], users, key)
        if which == "mine" and not other:
            rows += await directory.find_asked(interaction, key)
        if which == "mine":
            rows = directory.sort_by_urgency(rows, user)
        apart = await directory.find_absences(interaction, rows)
        lines = [match_directory.format_line(row, directory.game_of(row), user, apart) for row in rows]
        narrowed = person is not None or game is not None
        text = (
            board_words.format_list(HEADS[which], lines, total=len(lines))
            if lines
            else describe_empty_list(which, narrowed)
        )
        await edits.answer_anew(interaction, text)

    async def _list_own(self, interaction: Interaction, which: str, other: UserId | None, game: str | None) -> None:
        """List the user's own matches in all servers, with the button to each."""
        if which == "all here":
            raise Refusal(IN_SERVERS)
        lines = await self._directory.list_own(interaction, STATES[which], {other} if other else set(), game)
        if not lines:
            raise Refusal(NONE_OUTSIDE if other is None and game is None else describe_empty_list(which, True))
        await edits.answer_anew(interaction, board_views.build_match_list(HEADS[which], lines, user_of(interaction)))

    @costs(2, looks=True)
    @app_commands.command(description="See the tables in this server with a free seat.")
    async def tables(self, interaction: Interaction) -> None:
        """List open tables with links to them."""
        directory = self._directory
        found = await directory.find_visible(interaction, ("open",))
        rows = [row for row in found if match_directory.count_free_seats(row) and (row.expires or 0) > directory.now]
        deleted = await directory.find_deleted(rows)
        rows = [row for row in rows if row.id not in deleted]
        lines = [match_directory.format_table(row, directory.game_of(row)) for row in rows]
        text = (
            board_words.format_list("### Free seats", lines, "-# Follow a link and press Join.") if lines else NO_TABLE
        )
        await edits.answer_anew(interaction, text)

    @matches.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by a part of their name."""
        return challenges_service.suggest_games(current)


def describe_empty_list(which: str, narrowed: bool) -> str:
    if narrowed:
        return "No match here fits. Use /matches with fewer options to see more."
    return NONE[which]


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(MatchListCommands(bot.handlers.directory))
