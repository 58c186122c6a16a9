"""`/games`, the list of games; and `/play`, a challenge in one command, or a guided start from the list of games or the
card of one."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.challenges import service as challenges_service
from bot.features.challenges.onboarding import Onboarding
from bot.features.challenges.service import Challenges
from bot.platform.checks import costs, offered_in_messages
from bot.platform.interactions import Interaction, is_outside
from bot.play.loaded_match import Refusal


class ChallengeCommands(commands.Cog):
    """The commands that begin a match."""

    def __init__(self, challenges: Challenges, onboarding: Onboarding) -> None:
        self._challenges = challenges
        self._onboarding = onboarding

    @offered_in_messages
    @costs(2, looks=True)
    @app_commands.command(description="See all games, and start one.")
    async def games(self, interaction: Interaction) -> None:
        await self._onboarding.show(interaction)

    @offered_in_messages
    @costs(2, looks_bare=True)
    @app_commands.command(description="Choose a game and who to play with, or challenge somebody right away.")
    @app_commands.describe(
        game="Which game; on its own, /play shows it before anything starts",
        **{name: challenges_service.HELP[name] for name in ("opponent", "level", "seat", "legs", "rated", "pace")},
    )
    @app_commands.choices(level=challenges_service.LEVELED)
    @app_commands.choices(pace=challenges_service.PACED)
    async def play(
        self,
        interaction: Interaction,
        game: str | None = None,
        opponent: discord.User | None = None,
        level: int | None = None,
        seat: Literal["me", "opponent", "lot"] | None = None,
        legs: Literal[1, 2] | None = None,
        rated: bool | None = None,
        pace: str | None = None,
    ) -> None:
        """Challenge a player, open a table, or show the list of games."""
        given: dict[str, Any] = {
            "opponent": opponent, "level": level, "seat": seat, "legs": legs, "rated": rated, "pace": pace,
        }  # fmt: skip
        bare = all(value is None for value in given.values())
        if is_outside(interaction) and opponent is not None:
            raise Refusal(challenges_service.describe_invitation(interaction))
        if bare and not is_outside(interaction):
            await self._challenges.expect_place(interaction)
        if game is not None and bare:
            await self._onboarding.show_card(interaction, challenges_service.find_game(game).key)
        elif game is not None:
            await self._challenges.make(interaction, challenges_service.find_game(game), given)
        elif bare:
            await self._onboarding.show(interaction)
        else:
            raise Refusal("Say which game, too. /play on its own shows all games to choose from.")

    @play.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by a part of their name."""
        return challenges_service.suggest_games(current)


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(ChallengeCommands(bot.handlers.challenges, bot.handlers.onboarding))
