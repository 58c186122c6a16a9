"""Scripted faults, and what those who run a server do to it."""

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

# The faults that a request can meet: single ones that wait for their route, and a rota that goes through all of


def route_pattern(route: str) -> str:
    """A route with `*` for each parameter, for comparing."""
    return re.sub(r"\{[^}]*\}", "*", route)


@dataclass
class Fault:
    """One scripted fault on a route, in one channel or all; `times` counts down.

    `applied`: how often the request is carried out before the answer: 0, 1 or 2 times. `late`: a request that waits is
    carried out even if nobody waits for its answer any more. `scope`: whose rate limit it is, `user`, `global` or
    `shared`. `reset`: a connection that is cut is reset (RST). `spares`: so many requests come first that it lets
    through; a rate limit begins with the last of them.
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
        """Seconds that a rate limit asks for, or that are left of one that lasts."""
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
"""Every kind of fault by name, in the order of `Faults.in_turn`."""


@dataclass
class FaultRota:
    """Gives each route every fault in turn; `suffered` counts what has happened to which route."""

    every: int
    spared: Mapping[tuple[str, str], Sequence[str]]
    seldom: Mapping[tuple[str, str], int]
    asked: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    suffered: Counter[tuple[str, str, str]] = field(default_factory=Counter[tuple[str, str, str]])

    def take(self, method: str, route: str) -> Fault | None:
        """The fault that this request meets, if it is its turn."""
        self.asked[method, route] += 1
        number, rest = divmod(self.asked[method, route], self.seldom.get((method, route_pattern(route)), self.every))
        names = self.fault_names(method, route)
        if rest or not names:
            return None
        name = names[(number - 1) % len(names)]
        self.suffered[method, route, name] += 1
        return replace(FAULT_KINDS[name])

    def fault_names(self, method: str, route: str) -> list[str]:
        """The faults of a route."""
        spared = (*self.spared.get((method, "*"), ()), *self.spared.get((method, route_pattern(route)), ()))
        return [name for name in FAULT_KINDS if name not in spared]

    def list_missing_faults(self) -> list[tuple[str, str, str]]:
        """The faults that a requested route has not met yet."""
        asked = [(*which, name) for which in self.asked for name in self.fault_names(*which)]
        return [one for one in asked if not self.suffered[one]]


# Scripted faults: a test arranges what goes wrong between a bot and Discord.


Where = Server | str | None
"""A server, by itself, its number or its name."""


class FaultScript:
    """All scripted faults; those on routes wait for their request, the others happen at once."""

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
        """The fault that hits this request, if any; used up by one."""
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
        """Forget the faults that have not happened yet."""
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
        """Let the client wait before the request is carried out (`applied`: after it; `late`: even if the client has
        given up)."""
        return self._add(Fault(method, route, times, seconds=seconds, applied=int(applied), late=late), channel)

    def drop_connection(
        self, method: str, route: str, times: int = 1, *, applied: bool = False, reset: bool = False,
        channel: str | Json | None = None,
    ) -> Fault:  # fmt: skip
        """Cut the connection without an answer; over sockets, `reset` tells the client so by a reset."""
        return self._add(Fault(method, route, times, drop=True, reset=reset, applied=int(applied)), channel)

    def lose_answer(self, method: str, route: str, *, applied: bool = True, channel: str | Json | None = None) -> Fault:
        """Cut the connection without an answer (`applied`: after carrying the request out), and once more when the
        request is sent again."""
        self.drop_connection(method, route, applied=applied, channel=channel)
        return self.drop_connection(method, route, channel=channel)

    def repeat_requests(self, method: str, route: str, times: int = 1, *, channel: str | Json | None = None) -> Fault:
        """Carry the request out twice, as if it was sent again on the way, and answer with the second result."""
        return self._add(Fault(method, route, times, applied=2), channel)

    def fault_every_route(
        self,
        every: int,
        spared: Mapping[tuple[str, str], Sequence[str]] | None = None,
        seldom: Mapping[tuple[str, str], int] | None = None,
    ) -> FaultRota:
        """From now on every n-th request of each route meets the next of FAULT_KINDS.

        `spared` names the faults that a (method, route) never meets (route "*": all of a method); `seldom` has another
        n for routes that are used often.
        """
        kept = {(method, route_pattern(route)): names for (method, route), names in (spared or {}).items()}
        rarer = {(method, route_pattern(route)): number for (method, route), number in (seldom or {}).items()}
        self.rota = FaultRota(every, kept, rarer)
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

    def deliver_twice(self, times: int = 1) -> None:
        """Deliver the next interactions twice."""
        self.gateway.twice += times

    async def close_gateway(self, code: int = 4000, *, resumable: bool = True, shard: int | None = None) -> None:
        """Close the bot's connections, or those of a shard; without `resumable` their RESUME is answered with
        INVALID_SESSION."""
        await self.gateway.close(code, resumable=resumable, shard=shard)

    def refuse_identify(self, code: int = 4014) -> None:
        """Answer every IDENTIFY by closing with this code; 0 lets the bot in again."""
        self.gateway.refusal = code

    def refuse_connections(self, *ways: Way | None) -> None:
        """Let the next connections to the gateway fail, each in its way (None: not at all); open ones stay."""
        self.gateway.turned_away.extend(ways)

    def shut_gateway(self, way: Way = "refused") -> None:
        """Let every connection fail from now on, until `open_gateway` is called; those that are open stay."""
        self.gateway.shut = way

    def open_gateway(self) -> None:
        """Let connections through again."""
        self.gateway.turned_away.clear()
        self.gateway.shut = None

    def delay_guild(self, seconds: float = math.inf, server: Where = None) -> None:
        """From now on let GUILD_CREATE (of one server, or of all) come so many seconds after READY, or when `introduce`
        is called."""
        self.gateway.delay_introduction(seconds, self._find_server(server))

    def introduce_server(self, server: Where = None) -> None:
        """Let a GUILD_CREATE that is due (of one server, or of all) come now, and later ones at once."""
        self.gateway.introduce(self._find_server(server))

    def delay_members(self, seconds: float) -> None:
        """From now on let members who are asked for by their numbers be told so many seconds later; 0: at once."""
        self.gateway.members_seconds = seconds

    def ignore_member_requests(self) -> None:
        """From now on leave it unanswered when members are asked for."""
        self.gateway.members_seconds = math.inf

    def _find_server(self, server: Where) -> Server | None:
        return self.world.server(server) if server else None

    # --- on a server, by its number or name; where none is named, on the first

    def start_outage(self, server: Where = None) -> None:
        """Take a server away, as Discord does while parts of it are down, until `introduce` is called."""
        gone = self.world.server(server)
        self.gateway.delay_introduction(math.inf, gone)
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
        entered.members[self.world.me] = seed.make_member([role], self.world.timestamp())
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
        self._overwrite(channel, who, server, deny=seed.bits_of(names))

    def allow(self, channel: str | Json | None, *names: str, who: str | None = None, server: Where = None) -> None:
        """Give permissions in a channel (None: in all of a server), to the bot or to a named person."""
        self._overwrite(channel, who, server, allow=seed.bits_of(names))

    def set_bot_role(self, *, allow: Sequence[str] = (), deny: Sequence[str] = (), server: Where = None) -> None:
        """Change what the bot's own role permits everywhere in a server."""
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
        """Let a person leave a server; without the members intent the bot does not hear of it."""
        user, left = self.world.user_named(name), self.world.server(server)
        del left.members[user["id"]]
        self.world.tell("GUILD_MEMBER_REMOVE", {"guild_id": left.id, "user": user})

    def join(self, name: str, server: Where = None) -> None:
        """Let a person join a server, or come back; the bot does not hear of that either."""
        user, entered = self.world.user_named(name), self.world.server(server)
        entered.members[user["id"]] = seed.make_member([], self.world.timestamp())
        joined = self.world.member(user["id"], entered) | {"guild_id": entered.id}
        self.world.tell("GUILD_MEMBER_ADD", joined)


# What the people who run a server do to it, for tests: timeouts, roles, channels that are slow or for adults.


KINDS = {"text": TEXT, "voice": VOICE, "announcement": ANNOUNCEMENT, "forum": FORUM}


class Moderation:
    """The acts of those who run servers; `who` is a person by name, and None stands for the bot."""

    def __init__(self, world: World) -> None:
        self.world = world

    def _user_id(self, who: str | None) -> str:
        return self.world.user_named(who)["id"] if who else self.world.me

    # --- members

    def time_out(self, who: str | None = None, seconds: float = 600.0, server: Where = None) -> None:
        """Disable a member's communication for so many seconds; 0 ends that now. Nobody is told when it ends."""
        until = datetime.fromtimestamp(self.world.clock() + seconds, UTC).isoformat() if seconds else None
        self.world.change_member(self._user_id(who), self.world.server(server), communication_disabled_until=until)

    def set_nickname(self, who: str | None, nick: str | None, server: Where = None) -> None:
        """Let a member be called something in a server; None takes that away. Of others the bot is not told."""
        self.world.change_member(self._user_id(who), self.world.server(server), nick=nick)

    def create_role(self, name: str, *allowed: str, who: str | None = None, server: Where = None) -> Json:
        """Create a role that permits something, and give it to a member."""
        where = self.world.server(server)
        role = seed.make_role(self.world.new_id(), name, len(where.guild["roles"]), allowed)
        where.guild["roles"].append(role)
        self.world.tell("GUILD_ROLE_CREATE", {"guild_id": where.id, "role": role})
        member = self._user_id(who)
        self.world.change_member(member, where, roles=[*where.members[member]["roles"], role["id"]])
        return role

    def delete_role(self, name: str, server: Where = None) -> None:
        """Delete a role; its members are told nothing but that."""
        where = self.world.server(server)
        role = next(one for one in where.guild["roles"] if one["name"] == name)
        where.guild["roles"].remove(role)
        for member in where.members.values():
            member["roles"] = [one for one in member["roles"] if one != role["id"]]
        self.world.tell("GUILD_ROLE_DELETE", {"guild_id": where.id, "role_id": role["id"]})

    def set_everyone_permissions(
        self, *, allow: tuple[str, ...] = (), deny: tuple[str, ...] = (), server: Where = None
    ) -> None:
        """Change what @everyone may do in a server."""
        where = self.world.server(server)
        role = next(one for one in where.guild["roles"] if one["id"] == where.id)
        role["permissions"] = str((int(role["permissions"]) | seed.bits_of(allow)) & ~seed.bits_of(deny))
        self.world.tell("GUILD_ROLE_UPDATE", {"guild_id": where.id, "role": role})

    # --- channels

    def open_channel(self, name: str, kind: str = "text", server: Where = None) -> Json:
        """Make a channel: `text`, `voice`, `announcement` or `forum`."""
        where = self.world.server(server)
        place = len(self.world.channels_of(where))
        made = seed.make_channel(self.world.new_id(), where.id, name, KINDS[kind], None, place)
        self.world.add_channel(made)
        return made

    def set_slow_mode(self, channel: str | Json, seconds: int) -> None:
        """Let people wait so many seconds between two messages of theirs in a channel or thread; bots never do."""
        self._change_channel(channel, rate_limit_per_user=seconds)

    def restrict_age(self, channel: str | Json, restricted: bool = True) -> None:
        """Make a channel, with its threads, one for adults, or one for all."""
        self._change_channel(channel, nsfw=restricted)

    def _change_channel(self, channel: str | Json, **changes: object) -> None:
        found = self.world.channel_named(channel)
        found.update(changes)
        self.world.tell_channel_changed(found)

    def filter_links(self, *links: str) -> None:
        """From now on refuse names of threads that hold one of these, with 240000."""
        self.world.harmful = [*links]
