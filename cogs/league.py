"""`/league`, seasons in which every player meets every other: opening, reading, leaving and managing them."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.challenges import service as challenges_service
from bot.features.leagues.handlers import LeagueActions
from bot.platform.checks import costs
from bot.platform.interactions import Interaction
from bot.play.ids import UserId

WHICH = "Which league, if there are several"

PACED = [choice for choice in challenges_service.PACED if choice.value not in ("none", "14")]
"""The paces of a league: a round takes a week or so."""


class LeagueCommands(
    commands.GroupCog, group_name="league", group_description="Seasons in which everybody plays everybody."
):
    def __init__(self, actions: LeagueActions) -> None:
        self._actions = actions

    @costs(3)
    @app_commands.command(description="Open a league in this channel for people to join.")
    @app_commands.describe(
        game="Which game; leave it out for a different one in every round",
        weeks="How many weeks it lasts; 4 if you leave it out",
        pace="How much time there is for a move; 2 days if you leave it out",
        days="In how many days it starts, unless you start it earlier; 7 if you leave it out",
    )
    @app_commands.choices(pace=PACED)
    async def create(
        self,
        interaction: Interaction,
        game: str | None = None,
        weeks: app_commands.Range[int, 3, 6] = 4,
        pace: str = "2",
        days: app_commands.Range[int, 1, 14] = 7,
    ) -> None:
        named = challenges_service.find_game(game) if game else None
        chosen = challenges_service.expect_pace(pace, [choice.value for choice in PACED])
        await self._actions.create(interaction, named, chosen, weeks, days)

    @create.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by a part of their name."""
        return challenges_service.suggest_games(current)

    @costs(3, looks=True)
    @app_commands.command(description="See the table of a league.")
    @app_commands.describe(league=WHICH)
    async def table(self, interaction: Interaction, league: str | None = None) -> None:
        await self._actions.show_table(interaction, league)

    @costs(2)
    @app_commands.command(description="Leave a league. Your open matches go on.")
    @app_commands.describe(league=WHICH)
    async def leave(self, interaction: Interaction, league: str | None = None) -> None:
        await self._actions.leave(interaction, league)

    @costs(2)
    @app_commands.command(description="Take somebody out of your league.")
    @app_commands.describe(person="Who leaves your league", league=WHICH)
    async def remove(self, interaction: Interaction, person: discord.User, league: str | None = None) -> None:
        await self._actions.remove(interaction, UserId(person.id), league)

    @costs(2)
    @app_commands.command(description="Call your league off. Open matches go on.")
    @app_commands.describe(league=WHICH)
    async def cancel(self, interaction: Interaction, league: str | None = None) -> None:
        await self._actions.cancel(interaction, league)

    @table.autocomplete("league")
    @leave.autocomplete("league")
    @remove.autocomplete("league")
    @cancel.autocomplete("league")
    async def complete_league(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest leagues of this server."""
        return await self._actions.suggest_leagues(interaction, current)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(LeagueCommands(bot.handlers.league_actions))
