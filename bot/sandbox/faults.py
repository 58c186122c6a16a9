"""Scripted misfortune: what can go wrong between a bot and Discord, arranged by a test.

Routes are written as in Discord's documentation; what stands between braces does not matter:
`faults.fail("POST", "/channels/{channel_id}/messages", 502, applied=True)`.
"""

import re
from dataclasses import dataclass

from bot.sandbox import permissions, threads
from bot.sandbox.errors import Json
from bot.sandbox.gateway import Gateway
from bot.sandbox.world import THREADS, World


def pattern(route: str) -> str:
    """A route with the names of its parameters blotted out, for comparing."""
    return re.sub(r"\{[^}]*\}", "*", route)


@dataclass
class Fault:
    """One scripted fault on a route; `times` counts down."""

    method: str
    route: str
    times: int
    status: int | None = None
    code: int = 0
    applied: bool = False
    seconds: float = 0.0
    drop: bool = False


class Faults:
    """All scripted faults; those on routes wait for their request, the others happen at once."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.world = world
        self.gateway = gateway
        self.pending: list[Fault] = []

    def _add(self, fault: Fault) -> Fault:
        fault.route = pattern(fault.route)
        self.pending.append(fault)
        return fault

    def take(self, method: str, route: str) -> Fault | None:
        """The fault that hits this request, if any; used up by one."""
        for fault in self.pending:
            if (fault.method, fault.route) in ((method, pattern(route)), ("*", "*")) and fault.times > 0:
                fault.times -= 1
                return fault
        return None

    def clear(self) -> None:
        """Forget the faults that have not happened yet."""
        self.pending.clear()

    # --- on routes

    def fail(self, method: str, route: str, status: int = 502, times: int = 1, *, applied: bool = False) -> Fault:
        """Answer with a status of 4xx or 5xx; `applied`: after having done what was asked."""
        return self._add(Fault(method, route, times, status=status, applied=applied))

    def rate_limit(self, method: str, route: str, retry_after: float = 1.0, times: int = 1) -> Fault:
        """Answer 429 and ask to come back after so many seconds."""
        return self._add(Fault(method, route, times, status=429, seconds=retry_after))

    def hang(self, method: str, route: str, seconds: float, times: int = 1, *, applied: bool = False) -> Fault:
        """Let the client wait before doing what it asked (`applied`: after doing it)."""
        return self._add(Fault(method, route, times, seconds=seconds, applied=applied))

    def drop(self, method: str, route: str, times: int = 1, *, applied: bool = False) -> Fault:
        """Cut the connection without an answer."""
        return self._add(Fault(method, route, times, drop=True, applied=applied))

    # --- on the gateway

    def twice(self, times: int = 1) -> None:
        """Deliver the next interactions twice."""
        self.gateway.twice += times

    async def close_gateway(self, code: int = 4000, *, resumable: bool = True) -> None:
        """Close the bot's connection; without `resumable` its RESUME is answered with INVALID_SESSION."""
        await self.gateway.close(code, resumable=resumable)

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

    def deny(self, channel: str | Json | None, *names: str, who: str | None = None) -> None:
        """Take permissions away in a channel (None: in all of them), from the bot or from a named person."""
        self._overwrite(channel, who, deny=permissions.bits(names))

    def allow(self, channel: str | Json | None, *names: str, who: str | None = None) -> None:
        """Give permissions in a channel (None: in all of them), to the bot or to a named person."""
        self._overwrite(channel, who, allow=permissions.bits(names))

    def _overwrite(self, channel: str | Json | None, who: str | None, *, allow: int = 0, deny: int = 0) -> None:
        world = self.world
        target = world.user_named(who)["id"] if who else world.me
        places = [world.channel_named(channel)] if channel is not None else list(world.channels.values())
        for place in places:
            if place["type"] in THREADS:
                place = world.channels[place["parent_id"]] if channel is not None else {}
            if place:
                permissions.set_overwrite(place["permission_overwrites"], target, 1, allow=allow, deny=deny)
                world.channel_changed(place)

    def leave(self, name: str) -> None:
        """Let a person leave the server; without the members intent the bot does not hear of it."""
        user = self.world.user_named(name)
        del self.world.members[user["id"]]
        self.world.tell("GUILD_MEMBER_REMOVE", {"guild_id": self.world.guild["id"], "user": user})
