"""A session of the gateway and the socket under it.

A session outlives its sockets: it numbers its events and keeps the last of them, so that a client that comes back by
another socket is sent what it missed. Compression is one zlib stream per socket.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections import deque

from aiohttp import web

from bot.sandbox.protocol.shard_limits import WHOLE, Shard
from bot.sandbox.world.api_errors import Json
from bot.sandbox.world.servers import shard_of

DISPATCH = 0
"""What a frame is that tells of an event."""
KEPT_EVENTS = 1000
"""So many events of a session are there for a client that comes back."""


class Session:
    """What the gateway remembers of one IDENTIFY: its events (for RESUME) and the socket, if one is open.

    `present` are the servers that it has been told of, `absent` those of which it knows that they will come.
    """

    def __init__(self, intents: int, shard: Shard = WHOLE) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.present: set[str] = set()
        self.absent: set[str] = set()
        self.events: deque[Json] = deque(maxlen=KEPT_EVENTS)
        self.wire: Wire | None = None

    def hears_of(self, guild_id: str | None) -> bool:
        """Whether a server is of its shard; what is of no server, direct messages, is the first shard's."""
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
