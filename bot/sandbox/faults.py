"""Scripted faults, and the acts of a server's moderators."""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bot.sandbox import seed, threads
from bot.sandbox.errors import Json
from bot.sandbox.gateway import Gateway, Way
from bot.sandbox.world import ANNOUNCEMENT, FORUM, TEXT, THREADS, VOICE, Server, World

# Faults of requests: single ones that wait for their route, and a rota of all kinds over every route.


def route_pattern(route: str) -> str:
    """A route with `*` for each parameter, for comparisons."""
    return re.sub(r"\{[^}]*\}", "*", route)


@dataclass
class Fault:
    """One scripted fault on a route, in one channel or all; `times` counts down.

    `applied`: how often the request is executed before the answer: 0, 1 or 2 times. `late`: a delayed request is
    executed even if its client has gone. `scope`: whose rate limit it is, `user`, `global` or `shared`. `reset`: the
    connection is reset (RST) rather than closed. `spares`: the number of requests let through before the fault; a rate
    limit starts with the last of them.
    """

    method: str
    route: str
    times: int = 1
    status: int | None = None
    code: int = 0
    applied: int = 0
    seconds: float = 0.0
    late: bool = False
    drop: bool = False
    reset: bool = False
    limits: bool = False
    scope: str = "user"
    until: float | None = None
    channel: str | None = None
    spares: int = 0

    def hits(self, method: str, route: str, channel: str | None) -> bool:
        """Whether the fault hits a request."""
        named = (self.method, self.route) in ((method, route_pattern(route)), ("*", "*"))
        return self.times > 0 and named and self.channel in (None, channel)

    def seconds_to_wait(self, now: float) -> float:
        """Seconds that a rate limit asks to wait, or that are left of a lasting one."""
        return self.seconds if self.until is None else max(0.0, self.until - now)


FAULT_KINDS: Mapping[str, Fault] = {
    "500": Fault("*", "*", status=500),
    "502 though done": Fault("*", "*", status=502, applied=1),
    "429": Fault("*", "*", limits=True, seconds=0.3),
    "400": Fault("*", "*", status=400, code=200001),
    "hangs": Fault("*", "*", seconds=4.0),
    "hangs though done": Fault("*", "*", seconds=4.0, applied=1),
    "cut": Fault("*", "*", drop=True),
    "cut though done": Fault("*", "*", drop=True, applied=1),
    "twice": Fault("*", "*", applied=2),
}
"""Every kind of fault by name, in the order of `FaultRota`."""


@dataclass
class FaultRota:
    """Gives each route every kind of fault in turn; `suffered` counts them by route and kind."""

    every: int
    spared: Mapping[tuple[str, str], Sequence[str]]
    seldom: Mapping[tuple[str, str], int]
    asked: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    suffered: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])

    def take(self, method: str, route: str) -> Fault | None:
        """The fault of this request, if one is due."""
        self.asked[method, route] += 1
        number, rest = divmod(self.asked[method, route], self.seldom.get((method, route_pattern(route)), self.every))
        names = self.fault_names(method, route)
        if rest or not names:
            return None
        name = names[(number - 1) % len(names)]
        self.suffered[method, route, name] += 1
        return replace(FAULT_KINDS[name])

    def fault_names(self, method: str, route: str) -> list[str]:
        """The kinds of faults that a route is not spared."""
        spared = (*self.spared.get((method, "*"), ()), *self.spared.get((method, route_pattern(route)), ()))
        return [name for name in FAULT_KINDS if name not in spared]

    def list_missing_faults(self) -> list[tuple[str, str, str]]:
        """The kinds of faults that requested routes have not had yet, as (method, route, name)."""
        asked = [(*which, name) for which in self.asked for name in self.fault_names(*which)]
        return [one for one in asked if not self.suffered[one]]


# Scripted faults, which a test sets up between a bot and Discord.


Where = Server | str | None
"""A server, or its ID or name; None: the first."""


class FaultScript:
    """All scripted faults; those of routes wait for their request, the others happen at once."""

    def __init__(self, world: World, gateway: Gateway) -> None:
        self.world = world
        self.gateway = gateway
        self.pending: list[Fault] = []
        self.rota: FaultRota | None = None

    def _add(self, fault: Fault, channel: str | Json | None = None) -> Fault:
        fault.route = route_pattern(fault.route)
        fault.channel = None if channel is None else self.world.channel_named(channel)["id"]
        self.pending.append(fault)
        return fault

    def next_fault(self, method: str, route: str, channel: str | None = None) -> Fault | None:
        """The fault that hits this request, if any; its count is reduced."""
        now = asyncio.get_running_loop().time()
        self.pending = [one for one in self.pending if one.until is None or one.seconds_to_wait(now)]
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
        """Drop the faults that have not happened yet."""
        self.pending.clear()
        self.rota = None
        self.gateway.members_seconds = 0.0

    # --- on routes; `channel` is a channel or thread by name, id or JSON, and None stands for all

    def fail_requests(
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
        """Answer with a 4xx or 5xx status and a code of Discord's; `applied`: after executing the request."""
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
        """Answer 429 with `retry_after` seconds to wait; `lasting`: a request before their end is refused again;
        `everywhere`: as the global limit of the bot; `scope`: `user`, or `shared` with others."""
        until = asyncio.get_running_loop().time() + retry_after if lasting else None
        fault = Fault(method, route, times, code=code, seconds=retry_after, limits=True, until=until)
        fault.scope = "global" if everywhere else scope
        return self._add(fault, channel)

    def limit_threads(self, seconds: float = 200.0, channel: str | Json | None = None, *, after: int = 0) -> None:
        """Refuse new threads for `seconds`, as Discord does for minutes (136 to 280 s were seen) when many are made:
        now, or on each route after `after` more of them."""
        for route in ("/channels/{channel_id}/threads", "/channels/{channel_id}/messages/{message_id}/threads"):
            fault = self.rate_limit("POST", route, seconds, lasting=not after, scope="shared", channel=channel)
            fault.spares = after

    def delay_requests(
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
        """Delay a request before it is executed (`applied`: after it; `late`: execute it even if the client has given
        up)."""
        return self._add(Fault(method, route, times, seconds=seconds, applied=int(applied), late=late), channel)

    def drop_connection(
        self, method: str, route: str, times: int = 1, *, applied: bool = False, reset: bool = False,
        channel: str | Json | None = None,
    ) -> Fault:  # fmt: skip
        """Close the connection without an answer; on sockets, `reset` sends RST."""
        return self._add(Fault(method, route, times, drop=True, reset=reset, applied=int(applied)), channel)

    def lose_answer(self, method: str, route: str, *, applied: bool = True, channel: str | Json | None = None) -> Fault:
        """Close the connection without an answer (`applied`: after executing the request), and again when the request
        is retried."""
        self.drop_connection(method, route, applied=applied, channel=channel)
        return self.drop_connection(method, route, channel=channel)

    def repeat_requests(self, method: str, route: str, times: int = 1, *, channel: str | Json | None = None) -> Fault:
        """Execute the request twice, as if it were duplicated on the way, and answer with the second result."""
        return self._add(Fault(method, route, times, applied=2), channel)

    def fault_every_route(
        self,
        every: int,
        spared: Mapping[tuple[str, str], Sequence[str]] | None = None,
        seldom: Mapping[tuple[str, str], int] | None = None,
    ) -> FaultRota:
        """From now on every n-th request of each route has the next fault of FAULT_KINDS.

        `spared` names the faults that a (method, route) never has (route "*": all routes of the method); `seldom` has
        another n for routes that are used often.
        """
        kept = {(method, route_pattern(route)): names for (method, route), names in (spared or {}).items()}
        rarer = {(method, route_pattern(route)): number for (method, route), number in (seldom or {}).items()}
        self.rota = FaultRota(every, kept, rarer)
        return self.rota

    def lose_kept_files(self, times: float = 1) -> None:
        """Let the next edits of messages not find the files that they keep (`times` of them, `math.inf`: all)."""
        self.world.lost_files = times

    def forget_nonces(self, after: float = 0.0) -> None:
        """Forget all nonces at least `after` seconds old, as Discord does after some minutes."""
        now = self.world.clock()
        kept = {key: noted for key, noted in self.world.nonces.items() if now - noted[2] < after}
        self.world.nonces.clear()
        self.world.nonces.update(kept)

    # --- on the gateway

    def deliver_twice(self, times: int = 1) -> None:
        """Deliver the next interactions twice."""
        self.gateway.twice += times

    async def close_gateway(self, code: int = 4000, *, resumable: bool = True, shard: int | None = None) -> None:
        """Close the bot's connections, or a shard's; without `resumable`, RESUME is answered with INVALID_SESSION."""
        await self.gateway.close(code, resumable=resumable, shard=shard)

    def refuse_identify(self, code: int = 4014) -> None:
        """Close with this code on every IDENTIFY; 0 ends that."""
        self.gateway.refusal = code

    def refuse_connections(self, *ways: Way | None) -> None:
        """Let the next connections to the gateway fail, each in the given way (None: not at all); open ones stay."""
        self.gateway.turned_away.extend(ways)

    def shut_gateway(self, way: Way = "refused") -> None:
        """Let every new connection fail until `open_gateway` is called; open ones stay."""
        self.gateway.shut = way

    def open_gateway(self) -> None:
        """End `shut_gateway`."""
        self.gateway.turned_away.clear()
        self.gateway.shut = None

    def delay_guild(self, seconds: float = math.inf, server: Where = None) -> None:
        """From now on send GUILD_CREATE (of one server, or of all) `seconds` after READY, or when `introduce_server` is
        called."""
        self.gateway.delay_introduction(seconds, self._find_server(server))

    def introduce_server(self, server: Where = None) -> None:
        """Send a delayed GUILD_CREATE (of one server, or of all) now, and later ones at once."""
        self.gateway.introduce(self._find_server(server))

    def delay_members(self, seconds: float) -> None:
        """From now on answer requests for members by ID `seconds` later; 0: at once."""
        self.gateway.members_seconds = seconds

    def ignore_member_requests(self) -> None:
        """From now on leave requests for members unanswered."""
        self.gateway.members_seconds = math.inf

    def _find_server(self, server: Where) -> Server | None:
        return self.world.server(server) if server else None

    # --- on a server, by its ID or name (None: the first)

    def start_outage(self, server: Where = None) -> None:
        """Make a server unavailable, as in an outage of Discord, until `introduce_server` is called."""
        gone = self.world.server(server)
        self.gateway.delay_introduction(math.inf, gone)
        self.gateway.dismiss(gone, outage=True)

    def kick(self, server: Where = None) -> None:
        """Remove the bot from a server."""
        left = self.world.server(server)
        del left.members[self.world.me]
        self.gateway.dismiss(left)

    def invite(self, server: Where = None) -> None:
        """Add the bot to a server again; its permission overwrites in channels stay."""
        entered = self.world.server(server)
        role = next(one["id"] for one in entered.guild["roles"] if one.get("managed"))
        entered.members[self.world.me] = seed.make_member([role], self.world.timestamp())
        self.gateway.introduce(entered)

    # --- unseen by the bot

    def delete_message(self, message: Json) -> None:
        """Delete a message; without the intent the bot is not told."""
        self.world.remove_message(self.world.message(message["channel_id"], message["id"]))

    def delete_channel(self, channel: str | Json) -> None:
        self.world.remove_channel(self.world.channel_named(channel)["id"])

    def archive(self, thread: str | Json, *, locked: bool = False) -> None:
        """Archive a thread, and lock it if `locked`."""
        threads.set_archived(self.world, self.world.channel_named(thread), True, locked=locked)

    def deny(self, channel: str | Json | None, *names: str, who: str | None = None, server: Where = None) -> None:
        """Deny permissions in a channel (None: in all of a server) to the bot or to a named user."""
        self._overwrite(channel, who, server, deny=seed.bits_of(names))

    def allow(self, channel: str | Json | None, *names: str, who: str | None = None, server: Where = None) -> None:
        """Grant permissions in a channel (None: in all of a server) to the bot or to a named user."""
        self._overwrite(channel, who, server, allow=seed.bits_of(names))

    def set_bot_role(self, *, allow: Sequence[str] = (), deny: Sequence[str] = (), server: Where = None) -> None:
        """Change the permissions of the bot's own role in a server."""
        where = self.world.server(server).guild
        role = next(one for one in where["roles"] if one.get("managed"))
        role["permissions"] = str((int(role["permissions"]) | seed.bits_of(allow)) & ~seed.bits_of(deny))
        self.world.tell("GUILD_ROLE_UPDATE", {"guild_id": where["id"], "role": role})

    def _overwrite(
        self, channel: str | Json | None, who: str | None, server: Where, *, allow: int = 0, deny: int = 0
    ) -> None:
        world = self.world
        target = world.user_named(who)["id"] if who else world.me
        where = world.server(server)
        places = [world.channel_named(channel, where)] if channel is not None else world.channels_of(where)
        for place in places:
            if place["type"] in THREADS:
                place = world.channels[place["parent_id"]] if channel is not None else {}
            if place:
                seed.set_overwrite(place["permission_overwrites"], target, 1, allow=allow, deny=deny)
                world.tell_channel_changed(place)

    def leave(self, name: str, server: Where = None) -> None:
        """Let a user leave a server; without the members intent the bot is not told."""
        user, left = self.world.user_named(name), self.world.server(server)
        del left.members[user["id"]]
        self.world.tell("GUILD_MEMBER_REMOVE", {"guild_id": left.id, "user": user})

    def join(self, name: str, server: Where = None) -> None:
        """Let a user join a server, or rejoin it; without the members intent the bot is not told."""
        user, entered = self.world.user_named(name), self.world.server(server)
        entered.members[user["id"]] = seed.make_member([], self.world.timestamp())
        joined = self.world.member(user["id"], entered) | {"guild_id": entered.id}
        self.world.tell("GUILD_MEMBER_ADD", joined)


# Acts of moderators, for tests: timeouts, roles, slow mode, age restriction.


KINDS = {"text": TEXT, "voice": VOICE, "announcement": ANNOUNCEMENT, "forum": FORUM}


class Moderation:
    """The acts of a server's moderators; `who` is a user's name (None: the bot)."""

    def __init__(self, world: World) -> None:
        self.world = world

    def _user_id(self, who: str | None) -> str:
        return self.world.user_named(who)["id"] if who else self.world.me

    # --- members

    def time_out(self, who: str | None = None, seconds: float = 600.0, server: Where = None) -> None:
        """Disable a member's communication for `seconds`; 0 ends that now. No event tells when it ends."""
        until = datetime.fromtimestamp(self.world.clock() + seconds, UTC).isoformat() if seconds else None
        self.world.change_member(self._user_id(who), self.world.server(server), communication_disabled_until=until)

    def set_nickname(self, who: str | None, nick: str | None, server: Where = None) -> None:
        """Set a member's nickname in a server; None removes it. The bot is told of its own only."""
        self.world.change_member(self._user_id(who), self.world.server(server), nick=nick)

    def create_role(self, name: str, *allowed: str, who: str | None = None, server: Where = None) -> Json:
        """Create a role with the permissions `allowed`, and give it to a member."""
        where = self.world.server(server)
        role = seed.make_role(self.world.new_id(), name, len(where.guild["roles"]), allowed)
        where.guild["roles"].append(role)
        self.world.tell("GUILD_ROLE_CREATE", {"guild_id": where.id, "role": role})
        member = self._user_id(who)
        self.world.change_member(member, where, roles=[*where.members[member]["roles"], role["id"]])
        return role

    def delete_role(self, name: str, server: Where = None) -> None:
        """Delete a role; no member update is sent."""
        where = self.world.server(server)
        role = next(one for one in where.guild["roles"] if one["name"] == name)
        where.guild["roles"].remove(role)
        for member in where.members.values():
            member["roles"] = [one for one in member["roles"] if one != role["id"]]
        self.world.tell("GUILD_ROLE_DELETE", {"guild_id": where.id, "role_id": role["id"]})

    def set_everyone_permissions(
        self, *, allow: tuple[str, ...] = (), deny: tuple[str, ...] = (), server: Where = None
    ) -> None:
        """Change the permissions of @everyone in a server."""
        where = self.world.server(server)
        role = next(one for one in where.guild["roles"] if one["id"] == where.id)
        role["permissions"] = str((int(role["permissions"]) | seed.bits_of(allow)) & ~seed.bits_of(deny))
        self.world.tell("GUILD_ROLE_UPDATE", {"guild_id": where.id, "role": role})

    # --- channels

    def open_channel(self, name: str, kind: str = "text", server: Where = None) -> Json:
        """Create a channel of the kind `text`, `voice`, `announcement` or `forum`."""
        where = self.world.server(server)
        place = len(self.world.channels_of(where))
        made = seed.make_channel(self.world.new_id(), where.id, name, KINDS[kind], None, place)
        self.world.add_channel(made)
        return made

    def set_slow_mode(self, channel: str | Json, seconds: int) -> None:
        """Set the seconds that a user must wait between two messages in a channel or thread; bots need not wait."""
        self._change_channel(channel, rate_limit_per_user=seconds)

    def restrict_age(self, channel: str | Json, restricted: bool = True) -> None:
        """Set whether a channel, with its threads, is age-restricted."""
        self._change_channel(channel, nsfw=restricted)

    def _change_channel(self, channel: str | Json, **changes: object) -> None:
        found = self.world.channel_named(channel)
        found.update(changes)
        self.world.tell_channel_changed(found)

    def filter_links(self, *links: str) -> None:
        """From now on refuse thread names that contain one of these, with 240000."""
        self.world.harmful = [*links]
