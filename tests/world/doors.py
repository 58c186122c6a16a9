"""The sandbox with a door for each bot, so that it is known who asks what of Discord.

Bots that are processes are each told another port; those that share a process come from addresses of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from aiohttp import web

from bot.play.ids import ShardShare
from bot.sandbox.rest import RestApi
from bot.sandbox.stand_in import Sandbox
from bot.sandbox.world import World


class Watched(RestApi):
    """Answers as ever, and notes which bot asks for what belongs to a server of another's."""

    def __init__(self, plain: RestApi, world: World, base: str = "") -> None:
        super().__init__(plain.router, plain.faults, plain.token, plain.base, plain.limits)
        self.world = world
        self.shares: dict[int | str, ShardShare] = {}
        """By the port or the address that tells them apart."""
        self.strangers: Counter[str] = Counter()
        self.asked: Counter[int] = Counter()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request."""
        door = int(request.transport.get_extra_info("sockname")[1]) if request.transport else 0
        source = str(request.remote)
        guild = self._server(request.match_info["tail"].split("/"))
        self.asked[door] += 1
        share = self.shares.get(door) or self.shares.get(source)
        # Who acts from direct messages, and in which server, is looked up by the process that gets those.
        looks_up = request.method == "GET" and request.match_info["tail"].startswith("guilds/")
        if share and guild and not share.holds(guild) and not (looks_up and share.holds(0)):
            self.strangers[f"{share} asked for {request.method} {request.match_info['tail']}"] += 1
        return await super().handle(request)

    def _server(self, path: list[str]) -> int:
        """The server that a path is about; 0 where it is about none, or about what is not there."""
        kind, number, token = (*path, "", "", "")[:3]
        if kind == "guilds":
            return int(number)
        if kind == "channels":
            return int(self.world.channels.get(number, {}).get("guild_id", 0))
        if kind in ("interactions", "webhooks"):
            return int(self.world.interactions.get(token, {}).get("guild_id") or 0)
        return 0


class Doors(Sandbox):
    """The stand-in for Discord, with as many doors as there are shares."""

    def __init__(self, shares: Sequence[ShardShare], **about: Any) -> None:
        super().__init__(**about)
        self.watched = Watched(self.rest, self.world)
        self.rest = self.watched
        self.shares = shares
        self.doors: dict[ShardShare, int] = {}

    async def start(self) -> None:
        """Listen, also at every door."""
        await super().start()
        for share in self.shares:
            door = await self._listen_on(None, 0)
            self.doors[share] = door
            self.watched.shares[door] = share

    def heard(self, share: ShardShare) -> bool:
        """Whether a process is connected to all the shards of a share, and has all their servers."""
        return all(self.gateway.serves(one) for one in self.world.servers.values() if share.holds(int(one.id)))

    def silent(self, share: ShardShare) -> bool:
        """Whether nobody listens to any of its shards."""
        return not any(one.wire and one.shard[0] in share.shards for one in self.gateway.sessions.values())
