"""`/leaderboard`, the strongest players of a server; `/profile`, one person's standing; `/records`, the best alone."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.board.outside import SERVER_HELP, Admissions
from bot.features.challenges import service as challenges_service
from bot.features.ranking import words as ranking_words
from bot.features.ranking.handlers import EVER, BoardButton, PagedLists, ProfileButton, RecordsButton
from bot.games.notation import quote_whole
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction, is_outside
from bot.play.ids import UserId
from bot.play.loaded_match import Refusal
from bot.play.ratings import ALL_TIME, read_season, season_of

SEASON_HELP = "Only matches of this quarter, like 2026 Q3; normally of all time"


OWN_ALONE = "Here you can see only your own profile. Other people's are in the servers where you play with them."
SHOWN_NOW = "this season:"
"""Precedes the current season among the suggestions."""


def parse_season(text: str, now: int) -> int:
    """Parse a season, or all time; raises `Refusal`. `now` is in epoch seconds."""
    typed = text.strip().lower().removeprefix(SHOWN_NOW).strip()
    if typed == EVER.lower():
        return ALL_TIME
    season = season_of(now) if typed in ("this", "season", "this season", "now") else read_season(typed)
    if season is None:
        raise Refusal(quote_whole(text, ranking_words.NO_SEASON))
    return season


class LeaderboardCommands(commands.Cog):
    """The commands of ratings and records."""

    def __init__(self, lists: PagedLists, admissions: Admissions) -> None:
        self._lists = lists
        self._admissions = admissions

    @costs(3, looks=True)
    @app_commands.command(description="See the strongest players of this server.")
    @app_commands.describe(game="Only this game; normally all games together", season=SEASON_HELP)
    async def leaderboard(self, interaction: Interaction, game: str | None = None, season: str | None = None) -> None:
        """Show the leaderboard of a game or of all games, for a season or for all time."""
        key = challenges_service.find_game(game).key if game else ""
        which = parse_season(season, self._lists.now()) if season else ALL_TIME
        await self._lists.show(interaction, BoardButton("leaderboard", which, key))

    @offered_in_messages
    @costs(4, looks=True)
    @app_commands.command(description="See somebody's results at every game they have played here.")
    @app_commands.describe(
        person="Whose profile; normally yours",
        game="Only this game; normally all games, each and together",
        server=SERVER_HELP,
    )
    async def profile(
        self,
        interaction: Interaction,
        person: discord.User | None = None,
        game: str | None = None,
        server: str | None = None,
    ) -> None:
        """Show a player's ratings and their history; in direct messages only the user's own."""
        if is_outside(interaction) and person not in (None, interaction.user):
            raise Refusal(OWN_ALONE)
        await self._admissions.choose_server(interaction, server)
        key = challenges_service.find_game(game).key if game else ""
        await self._lists.show(interaction, ProfileButton(UserId((person or interaction.user).id), key))

    @costs(2, looks=True)
    @app_commands.command(description="See the best results of people who played a game alone.")
    @app_commands.describe(game="Which game")
    async def records(self, interaction: Interaction, game: str) -> None:
        """Show the best solo results of a game."""
        await self._lists.show(interaction, RecordsButton(challenges_service.find_solo_game(game).key))

    @profile.autocomplete("server")
    async def complete_server(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the servers in which the user has played, in direct messages."""
        return await self._admissions.suggest_servers(interaction, current)

    @leaderboard.autocomplete("season")
    async def complete_season(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest seasons of this server."""
        return await self._lists.suggest_seasons(interaction, current)

    @leaderboard.autocomplete("game")
    @profile.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by a part of their name."""
        return challenges_service.suggest_games(current)

    @records.autocomplete("game")
    async def complete_solo(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games that can be played alone."""
        return challenges_service.suggest_games(current, alone=True)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(LeaderboardCommands(bot.handlers.paged_lists, bot.handlers.admissions))
