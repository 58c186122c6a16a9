"""The least that any bot does: a slash command answered in a line, then a ready picture posted to the channel."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from pathlib import Path
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route


class Plain(discord.Client):
    """A bot with one command."""

    def __init__(self, picture: bytes) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.05)
        self.picture = picture
        self.tree = app_commands.CommandTree(self)
        self.tree.command(name="picture", description="Post a picture.")(self.post)

    async def setup_hook(self) -> None:
        """Register the command."""
        await self.tree.sync()

    async def post(self, interaction: discord.Interaction[Any]) -> None:
        """Answer, then post."""
        await interaction.response.send_message("Here it comes.", ephemeral=True)
        channel = interaction.channel
        assert isinstance(channel, discord.abc.Messageable)
        await channel.send(file=discord.File(io.BytesIO(self.picture), "board-1.png"))


async def main(picture: bytes) -> None:
    """Serve until killed."""
    Route.BASE = os.environ["GRAPHPAPER_API"]
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["GRAPHPAPER_GATEWAY"])
    await Plain(picture).start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).read_bytes()))
