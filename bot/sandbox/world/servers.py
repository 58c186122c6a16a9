"""One server of the stand-in: its own object, and its members with roles and names.

Channels and messages lie in the world, by number, whichever server they belong to; people may be in several servers.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox.world.api_errors import Json

MILLISECOND = 1 << 22
"""The numbers of two servers founded a millisecond apart differ by this; they lie in neighbouring shards."""


@dataclass(frozen=True)
class Server:
    """A server: the object that Discord shows, and its members by user id."""

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
        """The shard, of so many, that hears of it."""
        return shard_of(self.id, count)


def shard_of(guild_id: str | int, count: int) -> int:
    """The shard, of so many, that hears of a server."""
    return int(guild_id) // MILLISECOND % count


def number(first: int, taken: dict[str, Server], shard: tuple[int, int] | None) -> str:
    """A free number for one more server; `shard`: (which, of how many) it must belong to.

    Each server is numbered as if founded a millisecond before the last, so that servers spread evenly over shards. It
    has the last number of that millisecond, while everything else takes the first ones.
    """
    found = (first // MILLISECOND - len(taken) + 1) * MILLISECOND - 1
    while str(found) in taken or (shard and shard_of(found, shard[1]) != shard[0]):
        found -= MILLISECOND
    return str(found)
