"""Tracks which of the bot's shards are connected, and which servers each has reported.

discord.py reconnects a shard by itself while the others go on. So whether Discord is connected is asked for a server or
a shard, never for the bot. When a shard begins a new session, discord.py keeps servers that have removed the bot
meanwhile; this module drops them.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any

import discord

from bot.core.values.shards import TIME_BITS, Share

BACK, LOST = ("shard_connect", "shard_resumed"), "shard_disconnect"
"""The events with which discord.py says that a shard is there again, and that it is not."""


class ShardStates:
    """Knows which shards are connected."""

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self.client = client
        self._there: set[int] = set()
        self._introduced: set[int] = set()

    def listen(self, parsers: MutableMapping[str, Callable[[Any], Any]]) -> None:
        """Hear which servers a shard has, when it begins."""
        parse = parsers["READY"]

        def ready(data: Any) -> None:
            parse(data)
            self._begun(int(data["shard"][0]), {int(guild["id"]) for guild in data["guilds"]})

        parsers["READY"] = ready

    def heard(self, event: str, shard: Any) -> None:
        """Hear of an event of discord.py's, before anybody else does."""
        if event in BACK:
            self._there.add(shard)
        elif event == LOST:
            self._there.discard(shard)

    @property
    def there(self) -> tuple[Share, ...]:
        """The shards over which Discord tells the bot what happens now, one by one; none before the bot is ready."""
        # The last event may be long ago where little happens; discord.py closes a connection that does not answer it.
        if not self.client.is_ready():
            return ()
        shards = self.client.shards.items()
        open_now = sorted(number for number, shard in shards if number in self._there and not shard.is_closed())
        return tuple(Share(number, number, self.count) for number in open_now)

    def shard_of(self, guild: int) -> Share:
        """The shard to which a server belongs, by itself."""
        number = (guild >> TIME_BITS) % self.count
        return Share(number, number, self.count)

    def reaches(self, guild: int) -> bool:
        """Whether Discord tells at this moment what happens in a server."""
        return any(shard.holds(guild) for shard in self.there)

    def introduced(self, guild: int) -> bool:
        """Whether Discord has ever told in which servers the bot is, of the shard to which this one belongs."""
        return self.shard_of(guild).first in self._introduced

    @property
    def count(self) -> int:
        """How many shards there are in all, of this process and of others; one before Discord was asked for that."""
        return self.client.shard_count or 1

    def _begun(self, shard: int, guilds: set[int]) -> None:
        self._introduced.add(shard)
        state: Any = self.client._connection  # pyright: ignore[reportPrivateUsage]  -- there is no other door to it
        for guild in self.client.guilds:
            if guild.shard_id == shard and guild.id not in guilds:
                state._remove_guild(guild)
