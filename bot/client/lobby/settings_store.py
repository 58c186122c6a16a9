"""Reads and changes what servers and people have chosen, for challenges and for the commands that show and set it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import discord
from discord import app_commands

from bot.client.http.messages import Channels
from bot.client.interactions.context import Interaction, channel_of, guild_of, user_of
from bot.client.interactions.errors import suggesting
from bot.client.runtime.error_codes import TIMED_OUT
from bot.core.game.notation import whole_quoted
from bot.core.match.loaded_match import Refusal
from bot.core.match.stored_settings import Preferences, ServerSettings
from bot.core.values.ids import ChannelId, GuildId
from bot.core.values.plural import together
from bot.service.time import time_preferences
from bot.service.time.calendars import Calendar
from bot.service.time.time_preferences import Absence
from bot.service.time.zone_names import UnknownZone, shown, similar, zone_named
from bot.service.umpire.umpire import Umpire
from data.store import Reader, Transaction


class SettingsStore:
    """The settings of servers, and the preferences and absences of people."""

    def __init__(self, umpire: Umpire, channels: Channels) -> None:
        self._store = umpire.store
        self._clock = umpire.clock
        self._channels = channels
        self.changed: Callable[[GuildId], object] = lambda _: None
        """Hears which server has changed its settings."""

    def now(self) -> int:
        """The time, in epoch seconds."""
        return self._clock()

    # --- of a server

    async def server(self, interaction: Interaction) -> ServerSettings:
        """The settings of this server; channels that were deleted are taken off the list."""
        return await self._existing(interaction, await self._store.ask(Reader.settings, guild_of(interaction)))

    async def change_server(
        self, interaction: Interaction, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change the settings of this server, and return them."""
        settings = await self._store.do(time_preferences.govern, guild_of(interaction), change, self._clock())
        self.changed(guild_of(interaction))
        return settings

    async def expect_channel(self, interaction: Interaction) -> None:
        """Refuse a challenge in a channel where the server's settings allow none."""
        settings = await self._store.ask(Reader.settings, guild_of(interaction))
        channel = interaction.channel
        place = channel.parent_id if isinstance(channel, discord.Thread) else channel_of(interaction)
        if not settings.channels or place in settings.channels:
            return
        if wanted := (await self._existing(interaction, settings)).channels:
            allowed = together([f"<#{channel}>" for channel in wanted], " or ")
            raise Refusal(f"You can't challenge anybody in this channel. Go to {allowed}.")

    async def expect_admitted(self, interaction: Interaction) -> None:
        """Refuse a challenge where the bot is timed out, or in a private thread that it is not in: commands reach it
        there, and its boards would not."""
        guild, place = guild_of(interaction), interaction.channel
        self._expect_heard(guild)
        private = isinstance(place, discord.Thread) and place.is_private()
        managed = interaction.app_permissions.manage_threads
        if private and not managed and await self._channels.shut_out(channel_of(interaction)):
            raise Refusal(
                "I'm not in this private thread, so I can't post boards here. Mention @Graph Paper in it to add me, "
                "and try again."
            )

    def _expect_heard(self, guild: GuildId) -> None:
        if (until := self._channels.timed_out(guild)) > self._clock():
            raise Refusal(
                f"{TIMED_OUT.format(until=until)} Ask somebody who manages the server to end that, or try again then."
            )

    def expect_postable(self, interaction: Interaction, channel: ChannelId | None) -> None:
        """Refuse a channel in which the bot cannot post."""
        guild = guild_of(interaction)
        if channel and self._channels.closed(guild, channel):
            self._expect_heard(guild)
            raise Refusal(f"I can't post in <#{channel}>: I need View Channel, Send Messages and Attach Files there.")

    async def _existing(self, interaction: Interaction, settings: ServerSettings) -> ServerSettings:
        """Take the channels that were deleted off the list: nobody else could."""
        guild = guild_of(interaction)
        places = ("daily", "week", "league")
        named = {*settings.channels, *(one for name in places if (one := getattr(settings, name)))}
        lost = await asyncio.gather(*(self._channels.gone(guild, one) for one in named))
        gone = {one for one, is_lost in zip(named, lost, strict=True) if is_lost}

        def without(now: ServerSettings) -> ServerSettings:
            kept = tuple(one for one in now.channels if one not in gone)
            return replace(now, channels=kept, **{name: None for name in places if getattr(now, name) in gone})

        return await self._store.do(Transaction.change_settings, guild, without) if gone else settings

    # --- of a person

    async def chosen(
        self, interaction: Interaction, change: Callable[[Preferences], Preferences] | None = None
    ) -> tuple[Preferences, ServerSettings]:
        """What somebody has chosen, after a `change` where there is one, and what their server has set."""
        about = guild_of(interaction), user_of(interaction)
        if change is None:
            return await self._store.ask(time_preferences.kept, *about)
        return await self._store.do(time_preferences.preferred, *about, change, self._clock())

    async def absence(self, interaction: Interaction) -> Absence:
        """Whether somebody is away in this server, and how long they can be."""
        about = guild_of(interaction), user_of(interaction)
        return await self._store.ask(time_preferences.absence, *about, self._clock())

    async def leave(self, interaction: Interaction, typed: str) -> Absence:
        """Let somebody be away from now on until the end of the day that they typed."""
        about = guild_of(interaction), user_of(interaction)
        return await self._store.do(time_preferences.leave, *about, typed, self._clock())

    async def come_back(self, interaction: Interaction) -> Absence:
        """End somebody's absence."""
        about = guild_of(interaction), user_of(interaction)
        return await self._store.do(time_preferences.come_back, *about, self._clock())

    @suggesting
    async def days(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the days until which somebody can be away."""
        about = guild_of(interaction), user_of(interaction)
        found = await self._store.ask(time_preferences.possible, *about, current, self._clock())
        return [app_commands.Choice(name=told, value=day) for told, day in found]

    async def zones(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest time zones, each with the time that it is there."""
        now = self._clock()
        found = await asyncio.to_thread(similar, current, now, interaction.locale.value)
        return [
            app_commands.Choice(name=f"{shown(zone)} (it is {Calendar(zone).oclock(now)})", value=shown(zone))
            for zone in found
        ]

    async def zone(self, interaction: Interaction, typed: str) -> str:
        """The time zone that somebody means, or `UnknownZone`; zones are many small files, read in a thread."""
        try:
            return await asyncio.to_thread(zone_named, typed, self._clock(), interaction.locale.value)
        except UnknownZone as fault:
            raise UnknownZone(whole_quoted(typed, str(fault))) from fault
