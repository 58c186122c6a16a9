"""A session of the gateway, its socket, and the first events it sends: READY and GUILD_CREATE.

A session outlives its sockets. It numbers its events and keeps the last ones, so a client that reconnects is sent what
it missed. Compression is one zlib stream per socket.
"""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import deque
from typing import Any, NamedTuple

from aiohttp import web

from bot.sandbox.protocol.shard_limits import WHOLE, Shard
from bot.sandbox.world.api_errors import Json, is_list
from bot.sandbox.world.servers import Server, shard_of
from bot.sandbox.world.world import THREADS, World

DISPATCH = 0
"""The opcode of a frame that carries an event."""
KEPT_EVENTS = 1000
"""How many events a session keeps for a client that reconnects."""
MOST_MEMBERS, LONGEST_NONCE = 100, 32
"""How many of the members that are asked for by their numbers are told, and how many bytes of a nonce are repeated."""


class Session:
    """What the gateway remembers of one IDENTIFY: its events (for RESUME) and the socket, if one is open.

    `present`: servers whose GUILD_CREATE was sent; `absent`: servers that READY announced, in its order.
    """

    def __init__(self, number: str, intents: int, shard: Shard = WHOLE) -> None:
        self.id = number
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.present: set[str] = set()
        self.absent: dict[str, None] = {}
        self.events: deque[Json] = deque(maxlen=KEPT_EVENTS)
        self.wire: Wire | None = None

    def hears_of(self, guild_id: str | None) -> bool:
        """Whether a server belongs to its shard; direct messages (None) belong to the first shard."""
        number, count = self.shard
        return number == (0 if guild_id is None else shard_of(guild_id, count))

    def dispatch(self, event: str, data: Json) -> None:
        """Number an event, keep it, and send it if somebody listens."""
        self.sequence += 1
        frame: Json = {"op": DISPATCH, "s": self.sequence, "t": event, "d": data}
        self.events.append(frame)
        if self.wire:
            self.wire.put(frame)


class Wire:
    """One socket: frames go out in order, compressed when the client asked for it."""

    def __init__(self, socket: web.WebSocketResponse, compress: bool) -> None:
        self.socket = socket
        self.stream = zlib.compressobj() if compress else None
        self.frames: asyncio.Queue[Json] = asyncio.Queue()
        self.ended_here = False

    def put(self, frame: Json) -> None:
        """Queue a frame."""
        self.frames.put_nowait(frame)

    async def pump(self) -> None:
        """Send queued frames until the socket is gone."""
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


def ready(world: World, session: Session, host: str) -> Json:
    """READY: who the bot is, which servers will follow, and where the session resumes."""
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


def guild_create(world: World, server: Server) -> Json:
    """GUILD_CREATE: a server with its channels, active threads and the members a bot gets."""
    channels = world.places(server)
    threads = [one for one in channels if one["type"] in THREADS and not one["thread_metadata"]["archived"]]
    extra: dict[str, Any] = {
        "joined_at": server.members[world.me]["joined_at"],
        "large": False,
        "member_count": len(server.members),
        "members": [world.member(world.me, server)],
        "channels": [one for one in channels if one["type"] not in THREADS],
        "threads": [one for one in threads if world.may(world.me, one["id"], "view_channel")],
    }
    nothing = ("voice_states", "presences", "stage_instances", "guild_scheduled_events", "soundboard_sounds")
    return server.guild | extra | {key: [] for key in nothing}


class Asked(NamedTuple):
    """A request for members by their numbers: of which server, and for whom."""

    server: str
    people: list[str]

    @classmethod
    def of(cls, data: Json) -> Asked:
        """What Request Guild Members asks for; nobody where it names no numbers."""
        given: Any = data.get("user_ids") or []
        people: list[Any] = given if is_list(given) else [given]
        return cls(str(data.get("guild_id")), [str(one) for one in people])


def members_chunk(world: World, server: Server, asked: Asked, data: Json) -> Json:
    """GUILD_MEMBERS_CHUNK: those of some users who are members of a server; who is none stands in `not_found`. That a
    `limit` holds for numbers too is not documented."""
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
