"""`/leaderboard`, the strongest players of a server at one game or over all, and `/profile`, one person's standing."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot import challenges
from bot.cog import Interaction, client_of
from bot.words import place_name
from data.store import Standing

MOST_LISTED = 20


def line(standing: Standing) -> str:
    """Somebody's line: place, name, rating, matches."""
    place = f"**{place_name(standing.place)}**" if standing.place else "–"
    return f"{place} <@{standing.user}> · **{standing.value:.1f}** · {record(standing)}"


def record(standing: Standing) -> str:
    """How somebody's rated matches ended: "5 matches: 3 won, 1 drawn, 1 lost"."""
    matches = "1 match" if standing.played == 1 else f"{standing.played} matches"
    return f"{matches}: {standing.won} won, {standing.drawn} drawn, {standing.lost} lost"


class Leaderboard(commands.Cog):
    """Who is strong at what."""

    @app_commands.command(description="The strongest players of this server.")
    @app_commands.describe(game="One game; else all games together")
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the leaderboard of a game or of all games."""
        assert interaction.guild_id
        chosen = challenges.named_game(game) if game else None
        standings = await client_of(interaction).umpire.store.leaderboard(
            interaction.guild_id, chosen.key if chosen else ""
        )
        title = f"### Leaderboard: {chosen.title if chosen else 'all games'}"
        rows = [line(standing) for standing in standings[:MOST_LISTED]]
        none = "Nobody has finished a rated match yet: /play begins one."
        foot = "-# By rating, a careful estimate of strength; a place takes three finished rated matches."
        await interaction.response.send_message("\n".join([title, *(rows or [none]), foot])[:2000])

    @app_commands.command(description="How somebody stands at every game they have played here.")
    @app_commands.describe(person="Whose profile; else yours")
    async def profile(self, interaction: Interaction, person: discord.User | None = None) -> None:
        """Show one person's standing, to the asker alone."""
        assert interaction.guild_id
        client, user = client_of(interaction), person or interaction.user
        standings = await client.umpire.store.profile(interaction.guild_id, user.id)
        names = {"": "All games"} | {key: game.title for key, game in client.umpire.games.items()}
        rows = [
            f"{names[key]} · **{standing.value:.1f}**{self.place(standing)} · {record(standing)}"
            for key, standing in sorted(standings.items())
            if key in names
        ]
        text = "\n".join(rows) or "No finished rated match yet."
        await interaction.response.send_message(f"### <@{user.id}>\n{text}"[:2000], ephemeral=True)

    @staticmethod
    def place(standing: Standing) -> str:
        """A place in words, if there is one."""
        return f" ({place_name(standing.place)})" if standing.place else ""

    @leaderboard.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games whose name holds what has been typed."""
        return challenges.game_choices(current)


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Leaderboard())
