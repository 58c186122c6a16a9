"""`/settings`, what those who manage a server choose for it: where challenges are allowed, and threads on or off."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import challenges
from bot.client.interaction import Interaction, client_of, guild_of
from bot.core.rows import ServerSettings
from bot.service.seated import Refusal
from data.store import Reader, Transaction


class Place(app_commands.Transformer):
    """An option for a channel that people can play in, or in whose posts they can."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel of the server."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Those with messages or posts."""
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.voice, kinds.forum]

    async def transform(self, interaction: Interaction, value: Any, /) -> app_commands.AppCommandChannel:
        """Take the channel as Discord gives it."""
        return value


@app_commands.default_permissions(manage_guild=True)
class Settings(commands.GroupCog, group_name="settings", group_description="What holds for this server."):
    """The settings of a server."""

    @app_commands.command(description="See the settings of this server.")
    async def show(self, interaction: Interaction) -> None:
        """Show the settings."""
        await interaction.response.send_message(described(await self._settings(interaction)), ephemeral=True)

    @app_commands.command(description="Allow challenges in a channel, or no longer; with none allowed, all are.")
    @app_commands.describe(channel="Which channel", allowed="Whether challenges are allowed in it")
    async def channel(
        self,
        interaction: Interaction,
        channel: app_commands.Transform[app_commands.AppCommandChannel, Place],
        allowed: bool,
    ) -> None:
        """Put a channel on the list, or take it off."""
        settings = await self._settings(interaction)
        others = tuple(one for one in settings.channels if one != channel.id)
        await self._change(interaction, replace(settings, channels=(*others, channel.id) if allowed else others))

    @app_commands.command(description="Whether a match gets a thread of its own, or is played in the channel.")
    @app_commands.describe(on="Threads on or off")
    async def threads(self, interaction: Interaction, on: bool) -> None:
        """Turn threads on or off, for matches that begin from now on."""
        await self._change(interaction, replace(await self._settings(interaction), threads=on))

    async def _settings(self, interaction: Interaction) -> ServerSettings:
        """The settings, for those who may manage the server, whatever Discord's own permissions for commands say."""
        if not interaction.permissions.manage_guild:
            raise Refusal("Only those who may manage this server can see and change its settings.")
        settings = await client_of(interaction).umpire.store.ask(Reader.settings, guild_of(interaction))
        return challenges.existing(interaction, settings)

    async def _change(self, interaction: Interaction, settings: ServerSettings) -> None:
        await client_of(interaction).umpire.store.do(Transaction.set_settings, guild_of(interaction), settings)
        await interaction.response.send_message(described(settings), ephemeral=True)


def described(settings: ServerSettings) -> str:
    """The settings in two sentences."""
    channels = ", ".join(f"<#{channel}>" for channel in settings.channels)
    where = f"Challenges are allowed in {channels}." if channels else "Challenges are allowed in every channel."
    threads = "Every match gets a thread of its own." if settings.threads else "Matches are played in the channel."
    return f"{where} {threads}"


async def setup(bot: commands.Bot) -> None:
    """Add these commands to the bot."""
    await bot.add_cog(Settings())
