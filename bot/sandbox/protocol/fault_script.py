"""Scripted faults: a test arranges what goes wrong between a bot and Discord.

Routes are written as in Discord's documentation; what stands between braces does not matter:
`faults.fail("POST", "/channels/{channel_id}/messages", 502, applied=True)`.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence

from bot.sandbox.protocol.fault_kinds import Fault, Rota, pattern
from bot.sandbox.protocol.gateway import Gateway, Way
from bot.sandbox.world import permissions, seed, threads
from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.servers import Server
from bot.sandbox.world.world import THREADS, World

Where = Server | str | None
"""A server, by itself, its number or its name."""


class Faults:
    """All scripted faults; those on routes wait for their request, the others happen at once."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.world = world
        self.gateway = gateway
        self.pending: list[Fault] = []
        self.rota: Rota | None = None

    def _add(self, fault: Fault, channel: str | Json | None = None) -> Fault:
        fault.route = pattern(fault.route)
        fault.channel = None if channel is None else self.world.channel_named(channel)["id"]
        self.pending.append(fault)
        return fault

    def take(self, method: str, route: str, channel: str | None = None) -> Fault | None:
        """The fault that hits this request, if any; used up by one."""
        now = asyncio.get_running_loop().time()
        self.pending = [one for one in self.pending if one.until is None or one.wait(now)]
        for fault in self.pending:
            if fault.hits(method, route, channel):
                if fault.spares:
                    fault.spares -= 1
                    fault.until = now + fault.seconds if fault.limits and not fault.spares else fault.until
                    continue
                fault.times -= fault.until is None
                return fault
        return self.rota.take(method, route) if self.rota else None

    def clear(self) -> None:
        """Forget the faults that have not happened yet."""
        self.pending.clear()
        self.rota = None

    # --- on routes; `channel` is a channel or thread by name, id or JSON, and None stands for all

    def fail(
        self,
        method: str,
        route: str,
        status: int = 502,
        times: int = 1,
        *,
        applied: bool = False,
        code: int = 0,
        channel: str | Json | None = None,
    ) -> Fault:
        """Answer with a status of 4xx or 5xx and a code of Discord's; `applied`: after carrying the request out."""
        return self._add(Fault(method, route, times, status=status, code=code, applied=int(applied)), channel)

    def rate_limit(
        self,
        method: str,
        route: str,
        retry_after: float = 1.0,
        times: int = 1,
        *,
        lasting: bool = False,
        everywhere: bool = False,
        scope: str = "user",
        code: int = 0,
        channel: str | Json | None = None,
    ) -> Fault:
        """Answer 429 with so many seconds to wait; `lasting`: an earlier request is refused again; `everywhere`: as the
        limit on all requests of the bot; `scope`: `user`, or `shared` with others."""
        until = asyncio.get_running_loop().time() + retry_after if lasting else None
        fault = Fault(method, route, times, code=code, seconds=retry_after, limits=True, until=until)
        fault.scope = "global" if everywhere else scope
        return self._add(fault, channel)

    def limit_threads(self, seconds: float = 200.0, channel: str | Json | None = None, *, after: int = 0) -> None:
        """Let no thread be made for so many seconds, as Discord does for minutes (136 to 280 were seen) after some:
        now, or when so many more were made in the way of each route."""
        for route in ("/channels/{channel_id}/threads", "/channels/{channel_id}/messages/{message_id}/threads"):
            fault = self.rate_limit("POST", route, seconds, lasting=not after, scope="shared", channel=channel)
            fault.spares = after

    def hang(
        self,
        method: str,
        route: str,
        seconds: float,
        times: int = 1,
        *,
        applied: bool = False,
        late: bool = False,
        channel: str | Json | None = None,
    ) -> Fault:
        """Let the client wait before the request is carried out (`applied`: after it; `late`: even if the client has
        given up)."""
        return self._add(Fault(method, route, times, seconds=seconds, applied=int(applied), late=late), channel)

    def drop(
        self, method: str, route: str, times: int = 1, *, applied: bool = False, reset: bool = False,
        channel: str | Json | None = None,
    ) -> Fault:  # fmt: skip
        """Cut the connection without an answer; over sockets, `reset` tells the client so by a reset."""
        return self._add(Fault(method, route, times, drop=True, reset=reset, applied=int(applied)), channel)

    def lose(self, method: str, route: str, *, applied: bool = True, channel: str | Json | None = None) -> Fault:
        """Cut the connection without an answer (`applied`: after carrying the request out), and once more when the
        request is sent again."""
        self.drop(method, route, applied=applied, channel=channel)
        return self.drop(method, route, channel=channel)

    def repeat(self, method: str, route: str, times: int = 1, *, channel: str | Json | None = None) -> Fault:
        """Carry the request out twice, as if it was sent again on the way, and answer with the second result."""
        return self._add(Fault(method, route, times, applied=2), channel)

    def in_turn(
        self,
        every: int,
        spared: Mapping[tuple[str, str], Sequence[str]] | None = None,
        seldom: Mapping[tuple[str, str], int] | None = None,
    ) -> Rota:
        """From now on every n-th request of each route meets the next of FAULT_KINDS.

        `spared` names the faults that a (method, route) never meets (route "*": all of a method); `seldom` has another
        n for routes that are used often.
        """
        kept = {(method, pattern(route)): names for (method, route), names in (spared or {}).items()}
        rarer = {(method, pattern(route)): number for (method, route), number in (seldom or {}).items()}
        self.rota = Rota(every, kept, rarer)
        return self.rota

    def lose_kept_files(self, times: float = 1) -> None:
        """Let so many edits of messages not find the files that they keep (`math.inf`: all)."""
        self.world.lost_files = times

    def forget_nonces(self, after: float = 0.0) -> None:
        """Forget all nonces of at least `after` seconds ago, as Discord does after some minutes."""
        now = self.world.clock()
        kept = {key: noted for key, noted in self.world.nonces.items() if now - noted[2] < after}
        self.world.nonces.clear()
        self.world.nonces.update(kept)

    # --- on the gateway

    def twice(self, times: int = 1) -> None:
        """Deliver the next interactions twice."""
        self.gateway.twice += times

    async def close_gateway(self, code: int = 4000, *, resumable: bool = True, shard: int | None = None) -> None:
        """Close the bot's connections, or those of a shard; without `resumable` their RESUME is answered with
        INVALID_SESSION."""
        await self.gateway.close(code, resumable=resumable, shard=shard)

    def refuse_identify(self, code: int = 4014) -> None:
        """Answer every IDENTIFY by closing with this code; 0 lets the bot in again."""
        self.gateway.refusal = code

    def turn_away(self, *ways: Way | None) -> None:
        """Let the next connections to the gateway fail, each in its way (None: not at all); open ones stay."""
        self.gateway.turned_away.extend(ways)

    def shut_gateway(self, way: Way = "refused") -> None:
        """Let every connection fail from now on, until `open_gateway` is called; those that are open stay."""
        self.gateway.shut = way

    def open_gateway(self) -> None:
        """Let connections through again."""
        self.gateway.turned_away.clear()
        self.gateway.shut = None

    def hush_members(self, hushed: bool = True) -> None:
        """From now on leave requests for members without an answer, or answer them again."""
        self.gateway.members_told = not hushed

    def delay_guild(self, seconds: float = math.inf, server: Where = None) -> None:
        """From now on let GUILD_CREATE (of one server, or of all) come so many seconds after READY, or when `introduce`
        is called."""
        self.gateway.delay(seconds, self._named(server))

    def introduce(self, server: Where = None) -> None:
        """Let a GUILD_CREATE that is due (of one server, or of all) come now, and later ones at once."""
        self.gateway.introduce(self._named(server))

    def _named(self, server: Where) -> Server | None:
        return self.world.server(server) if server else None

    # --- on a server, by its number or name; where none is named, on the first

    def outage(self, server: Where = None) -> None:
        """Take a server away, as Discord does while parts of it are down, until `introduce` is called."""
        gone = self.world.server(server)
        self.gateway.delay(math.inf, gone)
        self.gateway.dismiss(gone, outage=True)

    def kick(self, server: Where = None) -> None:
        """Take the bot out of a server."""
        left = self.world.server(server)
        del left.members[self.world.me]
        self.gateway.dismiss(left)

    def invite(self, server: Where = None) -> None:
        """Let the bot into a server again; what was allowed or denied to it in single channels stays."""
        entered = self.world.server(server)
        role = next(one["id"] for one in entered.guild["roles"] if one.get("managed"))
        entered.members[self.world.me] = seed.member([role], self.world.now())
        self.gateway.introduce(entered)

    # --- behind the bot's back

    def delete_message(self, message: Json) -> None:
        """Delete a message; without the intent the bot does not hear of it."""
        self.world.remove_message(self.world.message(message["channel_id"], message["id"]))

    def delete_channel(self, channel: str | Json) -> None:
        """Delete a channel or thread."""
        self.world.remove_channel(self.world.channel_named(channel)["id"])

    def archive(self, thread: str | Json, *, locked: bool = False) -> None:
        """Archive a thread, and lock it if asked."""
        threads.set_archived(self.world, self.world.channel_named(thread), True, locked=locked)

    def deny(self, channel: str | Json | None, *names: str, who: str | None = None, server: Where = None) -> None:
        """Take permissions away in a channel (None: in all of a server), from the bot or from a named person."""
        self._overwrite(channel, who, server, deny=permissions.bits(names))

    def allow(self, channel: str | Json | None, *names: str, who: str | None = None, server: Where = None) -> None:
        """Give permissions in a channel (None: in all of a server), to the bot or to a named person."""
        self._overwrite(channel, who, server, allow=permissions.bits(names))

    def role(self, *, allow: Sequence[str] = (), deny: Sequence[str] = (), server: Where = None) -> None:
        """Change what the bot's own role permits everywhere in a server."""
        where = self.world.server(server).guild
        role = next(one for one in where["roles"] if one.get("managed"))
        role["permissions"] = str((int(role["permissions"]) | permissions.bits(allow)) & ~permissions.bits(deny))
        self.world.tell("GUILD_ROLE_UPDATE", {"guild_id": where["id"], "role": role})

    def _overwrite(
        self, channel: str | Json | None, who: str | None, server: Where, *, allow: int = 0, deny: int = 0
    ) -> None:
        world = self.world
        target = world.user_named(who)["id"] if who else world.me
        where = world.server(server)
        places = [world.channel_named(channel, where)] if channel is not None else world.places(where)
        for place in places:
            if place["type"] in THREADS:
                place = world.channels[place["parent_id"]] if channel is not None else {}
            if place:
                permissions.set_overwrite(place["permission_overwrites"], target, 1, allow=allow, deny=deny)
                world.channel_changed(place)

    def leave(self, name: str, server: Where = None) -> None:
        """Let a person leave a server; without the members intent the bot does not hear of it."""
        user, left = self.world.user_named(name), self.world.server(server)
        del left.members[user["id"]]
        self.world.tell("GUILD_MEMBER_REMOVE", {"guild_id": left.id, "user": user})

    def join(self, name: str, server: Where = None) -> None:
        """Let a person join a server, or come back; the bot does not hear of that either."""
        user, entered = self.world.user_named(name), self.world.server(server)
        entered.members[user["id"]] = seed.member([], self.world.now())
        joined = self.world.member(user["id"], entered) | {"guild_id": entered.id}
        self.world.tell("GUILD_MEMBER_ADD", joined)
