"""`/leaderboard`, the strongest players of a server; `/profile`, one person's standing; `/records`, the best alone."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.client.interactions.context import Interaction, client_of, guild_of
from bot.client.interactions.custom_ids import PageId
from bot.client.interactions.errors import suggesting
from bot.client.lobby import challenges
from bot.client.study import paged_lists
from bot.client.text import ranking_text
from bot.core.match.loaded_match import Refusal
from bot.core.rating.seasons import ALL_TIME, name_of, read_season, season_of
from data.store import Reader

SEASON_HELP = "A quarter of a year, like 2026 Q3, whose matches alone count; else all time"
EVER = "All time"


def named_season(text: str, now: int) -> int:
    """The season that somebody means, or all time; a refusal where it is neither."""
    typed = text.strip().lower()
    if typed == EVER.lower():
        return ALL_TIME
    season = season_of(now) if typed in ("this", "season", "this season", "now") else read_season(typed)
    if season is None:
        raise Refusal(ranking_text.NO_SEASON)
    return season


@suggesting
async def seasons(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """This season, those before in which something was rated here, and all time."""
    umpire = client_of(interaction).umpire
    now, most = season_of(umpire.clock()), challenges.MOST_CHOICES - 2
    rated = await umpire.store.ask(Reader.seasons, guild_of(interaction), most)
    before = [name_of(season) for season in rated if season != now]
    named = {f"This season: {name_of(now)}": name_of(now), **{name: name for name in before}, EVER: EVER}
    typed = current.strip().lower()
    return [app_commands.Choice(name=name, value=value) for name, value in named.items() if typed in name.lower()]


async def complete_season(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The seasons of this server."""
    return await seasons(interaction, current)


class Leaderboard(commands.Cog):
    """Who is strong at what."""

    @app_commands.command(description="The strongest players of this server.")
    @app_commands.describe(game="One game; else all games together", season=SEASON_HELP)
    @app_commands.autocomplete(season=complete_season)
    async def leaderboard(self, interaction: Interaction, game: str | None = None, season: str | None = None) -> None:
        """Show the leaderboard of a game or of all games, of a season or of all time."""
        key = challenges.named_game(game).key if game else ""
        which = named_season(season, client_of(interaction).umpire.clock()) if season else ALL_TIME
        await paged_lists.show(interaction, PageId("leaderboard", paged_lists.board_of(which, key)))

    @app_commands.command(description="How somebody stands at every game they have played here.")
    @app_commands.describe(person="Whose profile; else yours", game="One game; else all games, each and together")
    async def profile(
        self, interaction: Interaction, person: discord.User | None = None, game: str | None = None
    ) -> None:
        """Show one person's standing, and how their rating went."""
        which = f"-{challenges.named_game(game).key}" if game else ""
        await paged_lists.show(interaction, PageId("profile", f"{(person or interaction.user).id}{which}"))

    @app_commands.command(description="The best results of those who played a game alone.")
    @app_commands.describe(game="Which game")
    async def records(self, interaction: Interaction, game: str) -> None:
        """Show the best results alone at a game."""
        await paged_lists.show(interaction, PageId("records", challenges.solo_game(game).key))

    @leaderboard.autocomplete("game")
    @profile.autocomplete("game")
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
