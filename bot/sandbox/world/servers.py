"""One server of the stand-in: its own object, and who is in it with which roles and names.

Channels and messages lie in the world, by number, whichever server they belong to; people may be in several servers.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox.world.api_errors import Json

MILLISECOND = 1 << 22
"""By so much the numbers of two servers differ founded a millisecond apart, which are of neighbouring shards."""


@dataclass(frozen=True)
class Server:
    """A server: the object that Discord shows of it, and its members, by the ids of their users."""

    guild: Json
    members: dict[str, Json]

    def __repr__(self) -> str:
        return f"<Server {self.id} {self.name}>"

    @property
    def id(self) -> str:
        """Its number."""
        return self.guild["id"]

    @property
    def name(self) -> str:
        """What it is called."""
        return self.guild["name"]

    def shard(self, count: int) -> int:
        """Which of so many shards hears of it."""
        return shard_of(self.id, count)


def shard_of(guild_id: str | int, count: int) -> int:
    """Which of so many shards hears of a server."""
    return int(guild_id) // MILLISECOND % count


def number(first: int, taken: dict[str, Server], shard: tuple[int, int] | None) -> str:
    """A free number for one more server, of a shard (which, of how many) where one is asked for.

    It is that of a server founded before the `first`, a millisecond each, so that any count of shards is served evenly,
    and no number of anything else is met.
    """
    found = first - len(taken) * MILLISECOND
    while str(found) in taken or (shard and shard_of(found, shard[1]) != shard[0]):
        found -= MILLISECOND
    return str(found)
