"""`/leaderboard`, the strongest players of a server at one game or over all, and `/profile`, one person's standing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import challenges, texts
from bot.client.interaction import Interaction, client_of
from bot.client.texts import place_name
from bot.core.rows import Best, Standing
from data.store import Reader

MOST_LISTED, MOST_BESTS = 20, 5


def line(standing: Standing) -> str:
    """Somebody's line: place, name, rating, matches."""
    place = f"**{place_name(standing.place)}**" if standing.place else "–"
    return f"{place} <@{standing.user}> · **{standing.value:.1f}** · {record(standing)}"


def record(standing: Standing) -> str:
    """How somebody's rated matches ended: "5 matches: 3 won, 1 drawn, 1 lost"."""
    matches = "1 match" if standing.played == 1 else f"{standing.played} matches"
    return f"{matches}: {standing.won} won, {standing.drawn} drawn, {standing.lost} lost"


def best_of(options: Mapping[str, int | str], bests: Sequence[Best]) -> str:
    """A table of the best results alone with some options: highest first, the earlier first."""
    title = ", ".join(f"{name} {value}" for name, value in options.items())
    rows = [f"{number}. <@{best.user}> · **{best.score}**" for number, best in enumerate(bests[:MOST_BESTS], 1)]
    return "\n".join([f"**{title}**", *rows])


class Leaderboard(commands.Cog):
    """Who is strong at what."""

    @app_commands.command(description="The strongest players of this server.")
    @app_commands.describe(game="One game; else all games together")
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the leaderboard of a game or of all games."""
        assert interaction.guild_id
        chosen = challenges.named_game(game) if game else None
        standings = await client_of(interaction).umpire.store.ask(
            Reader.leaderboard, interaction.guild_id, chosen.key if chosen else ""
        )
        title = f"### Leaderboard: {chosen.title if chosen else 'all games'}"
        rows = [line(standing) for standing in standings[:MOST_LISTED]]
        none = "Nobody has finished a rated match yet: /play begins one."
        foot = "-# By rating, a careful estimate of strength; a place takes three finished rated matches."
        await interaction.response.send_message(texts.listed(title, rows or [none], foot))

    @app_commands.command(description="The best results of those who played a game alone.")
    @app_commands.describe(game="Which game")
    async def records(self, interaction: Interaction, game: str) -> None:
        """Show the best results alone at a game, a table for each choice of options."""
        assert interaction.guild_id
        store, guild = client_of(interaction).umpire.store, interaction.guild_id
        chosen = challenges.named_game(game)
        tables = [
            best_of(options, await store.ask(Reader.bests, guild, chosen.key, options))
            for options in await store.ask(Reader.solo_options, guild, chosen.key)
        ]
        none = f"Nobody has finished {chosen.title} alone yet."
        if 1 in chosen.seats:
            none += f" /{chosen.key} challenge with seats 1 is such a match."
        await interaction.response.send_message(texts.listed(f"### Alone at {chosen.title}", tables or [none]))

    @app_commands.command(description="How somebody stands at every game they have played here.")
    @app_commands.describe(person="Whose profile; else yours")
    async def profile(self, interaction: Interaction, person: discord.User | None = None) -> None:
        """Show one person's standing, to the asker alone."""
        assert interaction.guild_id
        client, user = client_of(interaction), person or interaction.user
        standings = await client.umpire.store.ask(Reader.profile, interaction.guild_id, user.id)
        names = {"": "All games"} | {key: game.title for key, game in client.umpire.games.items()}
        rows = [
            f"{names[key]} · **{standing.value:.1f}**{self.place(standing)} · {record(standing)}"
            for key, standing in sorted(standings.items())
            if key in names
        ]
        text = texts.listed(f"### <@{user.id}>", rows or ["No finished rated match yet."])
        await interaction.response.send_message(text, ephemeral=True)

    @staticmethod
    def place(standing: Standing) -> str:
        """A place in words, if there is one."""
        return f" ({place_name(standing.place)})" if standing.place else ""

    @leaderboard.autocomplete("game")
    @records.autocomplete("game")
    async def complete_game(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The games whose name holds what has been typed."""
        return challenges.game_choices(current)


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Leaderboard())
