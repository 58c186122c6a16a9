"""Looks for servers that the bot is not in any more, ends what goes on there, and a month later deletes their data."""

from __future__ import annotations

import logging

import discord
from discord.ext import commands

from bot.client.publisher.publisher import Publisher
from bot.client.runtime.loop_time import loop_time
from bot.core.values.ids import GuildId
from bot.service.privacy import departures
from bot.service.privacy.forgetting import Forgetting
from bot.service.umpire.umpire import Umpire
from data.store import Reader

EVERY = 3600.0
"""Seconds between two looks."""
DELETED = "Server %d removed the bot %d days ago: all that was kept of it is deleted."

log = logging.getLogger(__name__)


class DepartedServers(commands.Cog):
    """Listens for servers that remove the bot, and looks every hour, since it may have been away when one did."""

    def __init__(self, umpire: Umpire, publisher: Publisher, forgetting: Forgetting) -> None:
        self._store = umpire.store
        self._clock = umpire.clock
        self._publisher = publisher
        self._forgetting = forgetting
        self._next: float | None = None

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Nobody there can act any more: what goes on there ends with the next look."""
        self._publisher.places.removed(GuildId(guild.id))
        self._next = None

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """We are there again."""
        self._publisher.places.invited(GuildId(guild.id))
        self._next = None

    async def look(self) -> None:
        """Note which servers are gone and which are not; end and delete what is due."""
        if self._next is not None and loop_time() < self._next:
            return
        self._next, places = loop_time() + EVERY, self._publisher.places
        servers = [GuildId(guild) for guild in await self._store.ask(Reader.servers)]
        gone = [guild for guild in servers if places.left(guild)]
        here = [guild for guild in servers if places.is_in(guild)]
        for guild in gone:
            await self._publisher.end_departed(guild)
        for guild in await self._store.do(departures.noted, gone, here, self._clock()):
            await self._forgetting.server(guild)
            log.info(DELETED, guild, departures.KEPT_DAYS)
