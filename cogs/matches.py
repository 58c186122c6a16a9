"""`/matches`, everything somebody plays, most urgent first; and `/match …`, what can be done to one of them."""

from __future__ import annotations

import io
import json

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import challenges, handlers, texts
from bot.client.commands import MATCH_HELP
from bot.client.finding import find
from bot.client.interaction import Interaction, client_of
from bot.core.rows import MatchRow
from bot.service.seated import Seated
from data.store import Reader, Transaction

MOST_LISTED = 15
NONE = "You have no match here: /play challenges somebody, /games shows what there is."


async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """The asker's live matches."""
    return await challenges.live_matches(interaction, current)


async def complete_private(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """The asker's matches alone that could be published."""
    return await challenges.private_matches(interaction, current)


async def meant(interaction: Interaction, match: int | None) -> Seated:
    """The match that the asker means."""
    assert interaction.guild_id and interaction.channel_id
    umpire = client_of(interaction).umpire
    return await find(umpire, interaction.guild_id, interaction.channel_id, interaction.user.id, named=match)


def urgency(row: MatchRow, user: int) -> tuple[int, int]:
    """Sorting key: what waits for the asker first, then what waits for others, each by how long it has been waiting."""
    player = row.player(user)
    waiting = row.seat_of(user) in row.turn if row.state == "live" else bool(player and player.invited)
    return (0 if waiting else 1 if row.state == "live" else 2, row.moved or row.started or row.created)


class Matches(commands.GroupCog, group_name="match", group_description="What can be done to a match."):
    """Commands that any match has."""

    @app_commands.command(description="See the board of a match as you may see it.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def board(self, interaction: Interaction, match: int | None = None) -> None:
        """Show the board to the asker alone; a board that was deleted is posted again."""
        client, seated = client_of(interaction), await meant(interaction, match)
        if seated.match is None:
            await interaction.response.send_message(f"It has not begun: {seated.link}", ephemeral=True)
        else:
            parked = f"The board could not be shown in its place: {seated.row.parked}. I try again now."
            text = parked if seated.row.parked else "Only you see this board."
            await handlers.show_own_board(client, interaction, seated, text)
        await client.umpire.store.do(Transaction.park, seated.id, None)
        client.publisher.soon_restored(seated.id)

    @app_commands.command(description="Get the record of a match as a file.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def record(self, interaction: Interaction, match: int | None = None) -> None:
        """Send the record, as far as the asker may see it."""
        seated = await meant(interaction, match)
        line = json.dumps(handlers.record_for(seated, interaction.user.id))
        file = discord.File(io.BytesIO(line.encode() + b"\n"), f"match-{seated.id}.jsonl")
        await interaction.response.send_message(
            f"The record of match {seated.id}: a JSON object that `replay` reads.", file=file, ephemeral=True
        )

    @app_commands.command(description="Give a match up for good.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def resign(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask whether the asker means it; with two players the other wins."""
        await handlers.resign(client_of(interaction), interaction, await meant(interaction, match))

    @app_commands.command(description="Call a match off, unrated, if everybody in it agrees.")
    @app_commands.describe(match=MATCH_HELP)
    @app_commands.autocomplete(match=complete)
    async def abort(self, interaction: Interaction, match: int | None = None) -> None:
        """Ask for a match to be called off, or agree to that."""
        await handlers.call_off(client_of(interaction), interaction, await meant(interaction, match))

    @app_commands.command(description="Show everybody a finished match that you played alone.")
    @app_commands.describe(match="The number of the match")
    @app_commands.autocomplete(match=complete_private)
    async def publish(self, interaction: Interaction, match: int) -> None:
        """Publish a match played alone."""
        client, seated = client_of(interaction), await meant(interaction, match)
        done = await client.umpire.publish(interaction.id, seated.id, interaction.user.id)
        await handlers.answered(client, interaction, done, "Everybody may see that match now")


class MyMatches(commands.Cog):
    """The list of what one plays."""

    @app_commands.command(description="Your matches, those that wait for you first.")
    async def matches(self, interaction: Interaction) -> None:
        """List the asker's open and live matches."""
        client, user = client_of(interaction), interaction.user.id
        assert interaction.guild_id
        rows = sorted(
            await client.umpire.store.ask(Reader.matches_of, interaction.guild_id, user),
            key=lambda row: urgency(row, user),
        )
        known = [row for row in rows if row.game in client.umpire.games]
        lines = [handlers.described(await client.umpire.load(row.id)) for row in known[:MOST_LISTED]]
        text = texts.listed("", lines, total=len(known)) or NONE
        await interaction.response.send_message(text, ephemeral=True, suppress_embeds=True)


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Matches())
    await bot.add_cog(MyMatches())
