"""The gateway: sessions, shards, events by intent."""

from __future__ import annotations

import asyncio
import json
import math
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from aiohttp import WSMsgType, web

from bot.sandbox import threads
from bot.sandbox.errors import Json, is_list
from bot.sandbox.posts import copy_for_clients
from bot.sandbox.world import THREADS, Server, World, shard_of

# Discord's limits on shards: which ones a bot may open, how many at once, and how often.


Shard = tuple[int, int]
"""(shard_id, num_shards)."""
WHOLE: Shard = (0, 1)
NOT_A_SHARD, SHARDS_NEEDED, TOKEN_GONE = 4010, 4011, 4004
MOST_SERVERS = 2500
IDENTIFY_SECONDS = 5.0
"""Seconds that Discord requires between two IDENTIFYs of one concurrency key."""
DAY = 86_400.0


def read_shard(data: Json) -> Shard | None:
    """The shard that an IDENTIFY names, else (0, 1); None if it is invalid."""
    given: Any = data.get("shard")
    if given is None:
        return WHOLE
    if not is_list(given) or [type(one) for one in given] != [int, int] or not 0 <= given[0] < given[1]:
        return None
    return given[0], given[1]


def loop_time() -> float:
    """Seconds of the event loop's clock."""
    return asyncio.get_running_loop().time()


@dataclass
class ShardLimits:
    """The limits on shards, and how often the bot broke them.

    recommended: the number of shards that a bot is told to open. required: whether an IDENTIFY without a shard is
    refused. most_servers: the most servers of a shard. total: sessions in a day. concurrency: how many may start at
    once. pause: seconds between two starts with the same key by `clock`, IDENTIFY_SECONDS on Discord, 0 for none.
    hasty: how many starts came too early and were refused.
    """

    recommended: int = 1
    required: bool = False
    most_servers: int = MOST_SERVERS
    total: int = 1000
    concurrency: int = 1
    pause: float = 0.0
    clock: Callable[[], float] = loop_time
    hasty: int = 0
    begun: list[float] = field(default_factory=list[float])
    latest: dict[int, float] = field(default_factory=dict[int, float])

    @property
    def sessions_left(self) -> int:
        """How many sessions may still start within a day of the first."""
        if self.begun and self.clock() - self.begun[0] >= DAY:
            self.begun.clear()
        return self.total - len(self.begun)

    def connection_advice(self) -> Json:
        """The body of GET /gateway/bot without the URL."""
        limit: Json = {
            "total": self.total,
            "remaining": max(0, self.sessions_left),
            "max_concurrency": self.concurrency,
        }
        ends = self.begun[0] + DAY - self.clock() if self.begun else DAY
        return {"shards": self.recommended, "session_start_limit": limit | {"reset_after": round(ends * 1000)}}

    def identify_close_code(self, data: Json, servers: int) -> int:
        """The close code for an IDENTIFY whose shard has this number of servers, or 0."""
        if read_shard(data) is None:
            return NOT_A_SHARD
        if servers > self.most_servers or (self.required and data.get("shard") is None):
            return SHARDS_NEEDED
        return 0 if self.sessions_left > 0 else TOKEN_GONE

    def try_to_begin(self, shard: Shard) -> bool:
        """Start a session if that is allowed now; whether it was."""
        key, now = shard[0] % self.concurrency, self.clock()
        if self.pause and now - self.latest.get(key, -self.pause) < self.pause:
            self.hasty += 1
            return False
        self.latest[key] = now
        self.begun.append(now)
        return True


# A session of the gateway, its socket, and its first events: READY and GUILD_CREATE.


DISPATCH = 0
"""The opcode of a frame with an event."""
KEPT_EVENTS = 1000
"""How many events a session keeps for a client that reconnects."""
MOST_MEMBERS, LONGEST_NONCE = 100, 32
"""How many of the members requested by ID are sent, and how many bytes of the nonce are returned."""


class Session:
    """The state of one IDENTIFY: its events (for RESUME) and the socket, if one is open.

    `present`: servers whose GUILD_CREATE was sent; `absent`: servers that READY announced, in that order.
    """

    def __init__(self, number: str, intents: int, shard: Shard = WHOLE) -> None:
        self.id = number
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.present: set[str] = set()
        self.absent: dict[str, None] = {}
        self.events: deque[Json] = deque(maxlen=KEPT_EVENTS)
        self.wire: SocketWriter | None = None

    def hears_of(self, guild_id: str | None) -> bool:
        """Whether a server belongs to the session's shard; direct messages (None) belong to the first shard."""
        number, count = self.shard
        return number == (0 if guild_id is None else shard_of(guild_id, count))

    def dispatch(self, event: str, data: Json) -> None:
        """Number an event, keep it for RESUME, and send it if a socket is open."""
        self.sequence += 1
        frame: Json = {"op": DISPATCH, "s": self.sequence, "t": event, "d": data}
        self.events.append(frame)
        if self.wire:
            self.wire.put(frame)


class SocketWriter:
    """One socket: sends frames in order, compressed if the client asked for it."""

    def __init__(self, socket: web.WebSocketResponse, compress: bool) -> None:
        self.socket = socket
        self.stream = zlib.compressobj() if compress else None
        self.frames: asyncio.Queue[Json] = asyncio.Queue()
        self.ended_here = False

    def put(self, frame: Json) -> None:
        self.frames.put_nowait(frame)

    async def pump(self) -> None:
        """Send queued frames until the socket closes."""
        while not self.socket.closed:
            text = json.dumps(await self.frames.get())
            try:
                if self.stream is None:
                    await self.socket.send_str(text)
                else:
                    data = self.stream.compress(text.encode()) + self.stream.flush(zlib.Z_SYNC_FLUSH)
                    await self.socket.send_bytes(data)
            except ConnectionError:
                return


def make_ready_event(world: World, session: Session, host: str) -> Json:
    """READY: the bot's user, the servers that will follow, and the URL for RESUME."""
    loopback = host.split(":")[0] in ("127.0.0.1", "localhost")
    return {
        "v": 10,
        "user": world.users[world.me] | {"verified": True, "mfa_enabled": False, "email": None},
        "guilds": [{"id": one, "unavailable": True} for one in session.absent],
        "session_id": session.id,
        "resume_gateway_url": f"ws://{host}/gateway" if loopback else f"wss://{host}",
        "application": {"id": world.me, "flags": 0},
        "shard": [*session.shard],
        "user_settings": {},
        "private_channels": [],
        "relationships": [],
        "presences": [],
        "_trace": [],
    }


def make_guild_create_event(world: World, server: Server) -> Json:
    """GUILD_CREATE: a server with its channels, active threads and the members a bot gets."""
    channels = world.channels_of(server)
    threads = [one for one in channels if one["type"] in THREADS and not one["thread_metadata"]["archived"]]
    extra: dict[str, Any] = {
        "joined_at": server.members[world.me]["joined_at"],
        "large": False,
        "member_count": len(server.members),
        "members": [world.member(world.me, server)],
        "channels": [one for one in channels if one["type"] not in THREADS],
        "threads": [one for one in threads if world.has_permissions(world.me, one["id"], "view_channel")],
    }
    nothing = ("voice_states", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds")
    return server.guild | extra | {key: [] for key in nothing}


class MembersRequest(NamedTuple):
    """A request for members by ID: the server, and the users."""

    server: str
    people: list[str]

    @classmethod
    def from_payload(cls, data: Json) -> MembersRequest:
        """Parse Request Guild Members; without user IDs it asks for nobody."""
        given: Any = data.get("user_ids") or []
        people: list[Any] = given if is_list(given) else [given]
        return cls(str(data.get("guild_id")), [str(one) for one in people])


def make_members_chunk_event(world: World, server: Server, asked: MembersRequest, data: Json) -> Json:
    """GUILD_MEMBERS_CHUNK: those of the requested users who are members of a server, the others in `not_found`. That
    `limit` applies to requests by ID is not documented."""
    people = asked.people[:MOST_MEMBERS]
    found = [world.member(one, server) for one in people if one in server.members]
    limit = int(data.get("limit") or MOST_MEMBERS) if world.strict else MOST_MEMBERS
    made: Json = {
        "guild_id": server.id,
        "members": found[:limit],
        "chunk_index": 0,
        "chunk_count": 1,
        "not_found": [one for one in people if one not in server.members],
    }
    nonce = str(data.get("nonce") or "")
    return made | ({"nonce": nonce} if 0 < len(nonce.encode()) <= LONGEST_NONCE else {})


# The gateway: the WebSocket over which a bot receives events.


HEARTBEAT, IDENTIFY, RESUME, RECONNECT, REQUEST_MEMBERS, INVALID, HELLO, ACK = 1, 2, 6, 7, 8, 9, 10, 11
# Opcodes that are ignored: presence, voice state, soundboard.
IGNORED = (3, 4, 31)
HEARTBEAT_MS, MOST_BYTES, KEPT_SESSIONS = 41_250, 4096, 8
# discord.py notes a heartbeat only after sending it; to an answer that is faster it attributes a latency of 41 s.
ACK_SECONDS = 0.02
GUILDS, MEMBERS, MESSAGES, PRIVATE, CONTENT = 1 << 0, 1 << 1, 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = MEMBERS | 1 << 8 | CONTENT
INTENT = {
    **dict.fromkeys(("CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE"), GUILDS),
    **dict.fromkeys(("GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE", "THREAD_LIST_SYNC"), GUILDS),
    **dict.fromkeys(("THREAD_CREATE", "THREAD_UPDATE", "THREAD_DELETE", "THREAD_MEMBERS_UPDATE"), GUILDS),
    **dict.fromkeys(("GUILD_MEMBER_ADD", "GUILD_MEMBER_REMOVE", "GUILD_MEMBER_UPDATE"), MEMBERS),
    **dict.fromkeys(("MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE"), MESSAGES),
}
# Events after which the bot may see more channels.
OPENING = ("CHANNEL_CREATE", "CHANNEL_UPDATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE", "GUILD_MEMBER_UPDATE")

Way = Literal["refused", "closed"]
"""How a connection fails: refused before the upgrade to a WebSocket, or closed before HELLO."""


class Gateway:
    """All sessions of the bot; `address` returns the base URL for RESUME and for files."""

    def __init__(self, world: World, token: str, base: Callable[[], str], allow_privileged: bool = False) -> None:
        self.world = world
        self.token = token
        self.base = base
        self.allow_privileged = allow_privileged
        self.sessions: dict[str, Session] = {}
        self.sharding = ShardLimits()
        self.twice = 0
        self.greeted = 0
        """How many connections have been sent HELLO."""
        self.identified = 0
        self.resumed = 0
        self.guild_seconds = 0.0
        self.members_seconds = 0.0
        """The delay of answers to requests for members by ID; `inf`: no answer."""
        self.asked_members: list[MembersRequest] = []
        self.late: dict[str, float] = {}
        """Delays of GUILD_CREATE by server, where they differ from `guild_seconds`."""
        self.refusal = 0
        self.seen: dict[str, set[str]] = {}
        """For each server, the channels that the bot could see after the last event."""
        self.turned_away: deque[Way | None] = deque()
        """How the next connections fail, in order (None: not at all)."""
        self.shut: Way | None = None
        """How all later connections fail (None: not at all)."""
        world.listeners.append(self.hear)

    @property
    def is_online(self) -> bool:
        """Whether a bot is connected."""
        return any(session.wire for session in self.sessions.values())

    def serves(self, server: Server) -> bool:
        """Whether a connected bot has been sent a server's GUILD_CREATE."""
        return any(session.wire and server.id in session.present for session in self.sessions.values())

    # --- from the world to the bot

    def hear(self, event: str, data: Json) -> None:
        """Forward a world event to the sessions whose shards, intents and permissions cover it."""
        if event == "SERVER":
            self._introduce_everywhere(self.world.servers[data["guild_id"]])
        need = INTENT.get(event)
        if need is None or not self._sees(event, data):
            return
        place: str | None = data.get("guild_id")
        if data.get("ephemeral_for") or data.get("channel_id") in self.world.private:
            need, place = PRIVATE, None
        shown = copy_for_clients(data, self.base())
        own = event == "GUILD_MEMBER_UPDATE" and data["user"]["id"] == self.world.me
        for session in self.sessions.values():
            known = place in session.present if place else session.hears_of(None)
            # A bot is told of changes of its own member whatever its intents are.
            if (own or session.intents & need) and known:
                session.dispatch(event, self._strip(shown, session, need))
        if event in OPENING and place in self.seen:
            self._sync_threads(self.world.servers[place], event)

    def _visible_channels(self, server: Server) -> set[str]:
        """The IDs of the channels that the bot can see."""
        places = (one for one in self.world.channels_of(server) if one["type"] not in THREADS)
        return {one["id"] for one in places if self.world.has_permissions(self.world.me, one["id"], "view_channel")}

    def _sync_threads(self, server: Server, event: str) -> None:
        """Send THREAD_LIST_SYNC for the channels that an event has made visible to the bot."""
        before, now = self.seen[server.id], self._visible_channels(server)
        self.seen[server.id] = now
        if now <= before or event == "CHANNEL_CREATE":
            return
        found = [one for one in self.world.channels_of(server) if one["parent_id"] in now - before]
        found = [one for one in found if one["type"] in THREADS and not one["thread_metadata"]["archived"]]
        found = [one for one in found if self.world.has_permissions(self.world.me, one["id"], "view_channel")]
        mine = [one for one in found if self.world.me in one["thread_members"]]
        members = [threads.make_thread_member(self.world, one, self.world.me) for one in mine]
        gained: Json = {"guild_id": server.id, "channel_ids": sorted(now - before), "threads": found}
        self.hear("THREAD_LIST_SYNC", gained | {"members": members})

    def _sees(self, event: str, data: Json) -> bool:
        channel = data.get("channel_id") if event.startswith("MESSAGE") else data.get("id")
        if event.startswith(("MESSAGE", "THREAD")) and channel in self.world.channels:
            return self.world.has_permissions(self.world.me, str(channel), "view_channel")
        return True

    def _strip(self, data: Json, session: Session, need: int) -> Json:
        """Remove what the intents do not cover: the content of others' messages, and the server of ephemeral ones."""
        if need == PRIVATE:
            return {key: value for key, value in data.items() if key != "guild_id"}
        author = data.get("author", {}).get("id")
        told = [user["id"] for user in data.get("mentions", [])]
        if author and not session.intents & CONTENT and self.world.me not in (author, *told):
            return data | {"content": "", "embeds": [], "attachments": [], "components": []}
        return data

    def send_interaction(self, payload: Json) -> None:
        """Send INTERACTION_CREATE to every connected or resumable session of its server's shard, twice after
        `deliver_twice`."""
        times = 2 if self.twice else 1
        self.twice = max(0, self.twice - 1)
        shown = copy_for_clients(payload, self.base())
        for session in [one for one in self.sessions.values() if one.hears_of(payload.get("guild_id"))]:
            for _ in range(times):
                session.dispatch("INTERACTION_CREATE", shown)

    # --- the socket

    async def handle(self, request: web.Request) -> web.StreamResponse:
        way = self.turned_away.popleft() if self.turned_away else self.shut
        if way == "refused":
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=64 * 1024, timeout=2)
        await socket.prepare(request)
        if way == "closed":
            await socket.close(code=1001)
            return socket
        wire = SocketWriter(socket, request.query.get("compress") == "zlib-stream")
        pump = asyncio.create_task(wire.pump())
        self.greeted += 1
        wire.put({"op": HELLO, "s": None, "t": None, "d": {"heartbeat_interval": HEARTBEAT_MS, "_trace": []}})
        session: Session | None = None
        try:
            async for message in socket:
                if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                session = await self._handle_frame(wire, session, message.data, str(request.host))
        finally:
            pump.cancel()
            if session and session.wire is wire:
                session.wire = None
                # The client's close codes 1000 and 1001 end the session.
                if socket.close_code in (1000, 1001) and not wire.ended_here:
                    self.sessions.pop(session.id, None)
                self.world.tell("BOT", {"online": self.is_online})
        return socket

    async def _handle_frame(
        self, wire: SocketWriter, session: Session | None, raw: str | bytes, host: str
    ) -> Session | None:
        if len(raw) > MOST_BYTES:
            await wire.socket.close(code=4002)
            return session
        try:
            frame: Json = json.loads(raw)
            op = frame["op"]
        except (ValueError, KeyError, TypeError):
            await wire.socket.close(code=4002)
            return session
        if op == HEARTBEAT:
            ack: Json = {"op": ACK, "s": None, "t": None, "d": None}
            asyncio.get_running_loop().call_later(ACK_SECONDS, wire.put, ack)
        elif op == IDENTIFY:
            return await self._identify(wire, session, frame["d"], host)
        elif op == RESUME:
            return await self._resume(wire, frame["d"])
        elif session is None:
            await wire.socket.close(code=4003)
        elif op == REQUEST_MEMBERS:
            self._answer_member_request(session, frame["d"])
        elif op not in IGNORED:
            await wire.socket.close(code=4001)
        return session

    def _identify_close_code(self, session: Session | None, data: Json) -> int:
        if session is not None:
            return 4005
        if self.refusal:
            return self.refusal
        if data.get("token", "").removeprefix("Bot ") != self.token:
            return 4004
        intents = data.get("intents")
        if not isinstance(intents, int) or intents < 0:
            return 4013
        if intents & PRIVILEGED and not self.allow_privileged:
            return 4014
        number, count = read_shard(data) or WHOLE
        return self.sharding.identify_close_code(
            data, sum(one.shard_among(count) == number for one in self._joined_servers())
        )

    def _joined_servers(self) -> list[Server]:
        return [one for one in self.world.servers.values() if self.world.me in one.members]

    async def _identify(self, wire: SocketWriter, session: Session | None, data: Json, host: str) -> Session | None:
        if code := self._identify_close_code(session, data):
            await wire.socket.close(code=code)
            return session
        shard = read_shard(data) or WHOLE
        if not self.sharding.try_to_begin(shard):
            wire.put({"op": INVALID, "s": None, "t": None, "d": False})
            return None
        for old in [one for one in self.sessions.values() if (one.wire, one.shard) == (None, shard)][
            : 1 - KEPT_SESSIONS
        ]:
            del self.sessions[old.id]
        session = Session(self.world.secret(), int(data["intents"]), shard)
        session.wire = wire
        session.absent |= {one.id: None for one in self._joined_servers() if session.hears_of(one.id)}
        self.sessions[session.id] = session
        self.identified += 1
        session.dispatch("READY", make_ready_event(self.world, session, host))
        for server in self._joined_servers():
            self._introduce_in_time(session, server)
        self.world.tell("BOT", {"online": True})
        return session

    def introduction_delay(self, server: Server) -> float:
        """Seconds from READY to a server's GUILD_CREATE."""
        return self.late.get(server.id, self.guild_seconds)

    def _introduce_in_time(self, session: Session, server: Server) -> None:
        seconds = self.introduction_delay(server)
        if not seconds:
            self._introduce(session, server)
        elif seconds < math.inf:
            asyncio.get_running_loop().call_later(seconds, self._introduce_late, session, server)

    def _introduce_late(self, session: Session, server: Server) -> None:
        if self.introduction_delay(server) < math.inf:  # an outage may have begun meanwhile
            self._introduce(session, server)

    def delay_introduction(self, seconds: float, server: Server | None = None) -> None:
        """From now on send GUILD_CREATE, of one server or of all, `seconds` after READY."""
        if server:
            self.late[server.id] = seconds
        else:
            self.late.clear()
            self.guild_seconds = seconds

    def introduce(self, server: Server | None = None) -> None:
        """Send GUILD_CREATE, of one server or of all, to every session that lacks it, and end the delay."""
        self.delay_introduction(0.0, server)
        for one in [server] if server else self._joined_servers():
            self._introduce_everywhere(one)

    def _introduce_everywhere(self, server: Server) -> None:
        for session in self.sessions.values():
            self._introduce(session, server)

    def _introduce(self, session: Session, server: Server) -> None:
        if server.id in session.present or not session.hears_of(server.id) or self.world.me not in server.members:
            return
        about = make_guild_create_event(self.world, server)
        self.seen[server.id] = self._visible_channels(server)
        # Set for a server that was unavailable, not for one that the bot has just joined.
        about |= {"unavailable": False} if server.id in session.absent else {}
        session.present.add(server.id)
        session.absent.pop(server.id, None)
        session.dispatch("GUILD_CREATE", copy_for_clients(about, self.base()))

    def dismiss(self, server: Server | None = None, *, outage: bool = False) -> None:
        """Send GUILD_DELETE of a server (None: the first): the bot was removed, or there is an `outage`. None of its
        events is sent until it is introduced again."""
        gone = server or self.world.home
        for session in [one for one in self.sessions.values() if one.hears_of(gone.id)]:
            session.dispatch("GUILD_DELETE", {"id": gone.id} | ({"unavailable": True} if outage else {}))
            session.present.discard(gone.id)
            session.absent.pop(gone.id, None)
            if outage:
                session.absent[gone.id] = None

    def _answer_member_request(self, session: Session, data: Json) -> None:
        """Answer a request for members by ID, which needs only the guilds intent; any other needs the members intent,
        and is left unanswered."""
        asked = MembersRequest.from_payload(data)
        if not asked.people:
            return
        self.asked_members.append(asked)
        if not self.members_seconds:
            self._tell_members(session, asked, data)
        elif self.members_seconds < math.inf:
            loop = asyncio.get_running_loop()
            loop.call_later(self.members_seconds, self._tell_members, session, asked, data)

    def _tell_members(self, session: Session, asked: MembersRequest, data: Json) -> None:
        server = self.world.servers.get(asked.server)
        if server and server.id in session.present and session.intents & GUILDS:
            about = make_members_chunk_event(self.world, server, asked, data)
            session.dispatch("GUILD_MEMBERS_CHUNK", copy_for_clients(about, self.base()))

    async def _resume(self, wire: SocketWriter, data: Json) -> Session | None:
        session = self.sessions.get(str(data.get("session_id")))
        seen = int(data.get("seq") or 0)
        first = session.events[0]["s"] if session and session.events else 1
        if session is None or data.get("token", "").removeprefix("Bot ") != self.token or seen < first - 1:
            wire.put({"op": INVALID, "s": None, "t": None, "d": False})
            return None
        session.wire = wire
        self.resumed += 1
        for frame in [one for one in session.events if one["s"] > seen]:
            wire.put(frame)
        session.dispatch("RESUMED", {"_trace": []})
        self.world.tell("BOT", {"online": True})
        return session

    # --- ending

    async def close(self, code: int = 4000, *, resumable: bool = True, shard: int | None = None) -> None:
        """Close every connection, or those of a shard, with this code; sessions that are not resumable are deleted."""
        ended = [one for one in self.sessions.values() if shard in (None, one.shard[0])]
        for session in [] if resumable else ended:
            del self.sessions[session.id]
        for wire in [session.wire for session in ended if session.wire]:
            wire.ended_here = True
            await wire.socket.close(code=code)
