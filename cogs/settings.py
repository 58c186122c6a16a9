"""`/settings`, a server's settings for its managers: channels, caps on challenges, threads, takebacks, what is posted
where, and the default pace, time zone and reminders."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import discord
from discord import app_commands
from discord.ext import commands

from bot.app.client import GraphPaper
from bot.features.challenges.service import PACED, expect_pace
from bot.features.settings.handlers import LIMITS, SettingsCard
from bot.features.settings.service import SettingsStore
from bot.games.wording import join_words
from bot.platform.interactions import Interaction
from bot.platform.ui import PLAYABLE
from bot.play.acts import MOST, MOST_FROM_ALL, MOST_FROM_ONE, MOST_OPEN
from bot.play.loaded_match import Refusal
from bot.play.rows import Reminders, ServerSettings

Cap = app_commands.Range[int, 1, MOST]
"""An option for a cap on challenges."""


OFFERED = {"thread": "thread", "message": "direct message", "digest": "daily digest", "off": "off"}


class PlayChannelOption(app_commands.Transformer):
    """An option for a channel in which, or in whose posts, matches can be played."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel of the server."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Types with messages or posts."""
        return [*PLAYABLE]

    async def transform(self, interaction: Interaction, value: Any, /) -> app_commands.AppCommandChannel:
        return value


@app_commands.default_permissions(manage_guild=True)
class SettingsCommands(
    commands.GroupCog, group_name="settings", group_description="See and change the settings of this server."
):
    """The settings of a server."""

    def __init__(self, settings: SettingsStore, card: SettingsCard) -> None:
        self._settings = settings
        self._card = card

    @app_commands.command(description="See the settings of this server, and change them.")
    async def show(self, interaction: Interaction) -> None:
        await self._card.show(interaction)

    @app_commands.command(description="Where the daily puzzle, the week and leagues are posted, or that they are not.")
    async def posts(self, interaction: Interaction) -> None:
        """Show which posts go to which channels."""
        await self._card.show_posts(interaction)

    @app_commands.command(description="Choose the channels for challenges. Choose none, and every channel is allowed.")
    @app_commands.describe(channel="Which channel", allowed="Whether challenges are allowed there")
    async def channel(
        self,
        interaction: Interaction,
        channel: app_commands.Transform[app_commands.AppCommandChannel, PlayChannelOption],
        allowed: bool,
    ) -> None:
        """Add a channel to the list of play channels, or remove it."""

        def change(settings: ServerSettings) -> ServerSettings:
            others = tuple(one for one in settings.channels if one != channel.id)
            return replace(settings, channels=(*others, channel.id) if allowed else others)

        await self._card.change(interaction, change)

    @app_commands.command(description="Choose whether each match gets a thread of its own.")
    @app_commands.describe(on="Threads on or off")
    async def threads(self, interaction: Interaction, on: bool) -> None:
        """Turn threads on or off for new matches."""
        await self._card.change(interaction, lambda settings: replace(settings, threads=on))

    @app_commands.command(description="Choose how often people can be challenged; what you leave out stays as it is.")
    @app_commands.describe(
        open=f"How many open challenges and tables one person can have at a time (at first {MOST_OPEN})",
        from_one=f"How many challenges one person can send another in an hour (at first {MOST_FROM_ONE})",
        from_everybody=f"How many challenges one person can get here in an hour (at first {MOST_FROM_ALL})",
    )
    async def challenges(
        self,
        interaction: Interaction,
        open: Cap | None = None,
        from_one: Cap | None = None,
        from_everybody: Cap | None = None,
    ) -> None:
        given = {"most_open": open, "most_from_one": from_one, "most_from_all": from_everybody}
        chosen = {name: cap for name, cap in given.items() if cap is not None}
        await self._card.change(interaction, lambda settings: replace(settings, **chosen), LIMITS)

    @app_commands.command(description="Choose the usual time for a move; a challenge can say otherwise.")
    @app_commands.describe(pace="How much time there is for a move")
    @app_commands.choices(pace=PACED)
    async def pace(self, interaction: Interaction, pace: str) -> None:
        """Set the default pace of new challenges."""
        chosen = expect_pace(pace)
        await self._card.change(interaction, lambda settings: replace(settings, pace=chosen))

    @app_commands.command(description="Choose the time zone for people who haven't chosen one.")
    @app_commands.describe(zone="Like Europe/Berlin")
    async def zone(self, interaction: Interaction, zone: str) -> None:
        chosen = await self._settings.find_zone(interaction, zone)
        await self._card.change(interaction, lambda settings: replace(settings, zone=chosen))

    @zone.autocomplete("zone")
    async def complete_zone(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones, each with the local time."""
        return await self._settings.suggest_zones(interaction, current)

    @app_commands.command(description="Choose how people are reminded who haven't chosen for themselves.")
    @app_commands.describe(kind="How they are reminded")
    @app_commands.choices(kind=[app_commands.Choice(name=name, value=kind) for kind, name in OFFERED.items()])
    async def reminders(self, interaction: Interaction, kind: str) -> None:
        """Set the default reminders."""
        chosen: Reminders | None = next((one for one in get_args(Reminders) if one == kind and one in OFFERED), None)
        if chosen is None:
            raise Refusal(f"Nothing was changed. “reminders” can be {join_words(OFFERED.values(), ' or ')}.")
        await self._card.change(interaction, lambda settings: replace(settings, reminders=chosen))

    @app_commands.command(description="Choose whether this server's matches are played in direct messages, too.")
    @app_commands.describe(on="Direct messages on or off")
    async def messages(self, interaction: Interaction, on: bool) -> None:
        await self._card.change(interaction, lambda settings: replace(settings, mail=on))

    @app_commands.command(description="Choose whether a move can be taken back if everybody agrees.")
    @app_commands.describe(on="Takebacks on or off")
    async def takebacks(self, interaction: Interaction, on: bool) -> None:
        await self._card.change(interaction, lambda settings: replace(settings, takebacks=on))


async def setup(bot: GraphPaper) -> None:
    await bot.add_cog(SettingsCommands(bot.handlers.settings_store, bot.handlers.settings_card))
