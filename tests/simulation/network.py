"""Connections in memory between the clients and servers of a simulated loop: bytes arrive in order, after a while."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from typing import Any

FIRST_PORT = 40_000
LOOPBACK = "127.0.0.1"


class Network:
    """The servers that listen, by port. `delay` says how many seconds the next bytes are on their way, `source` from
    which address a client connects."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.servers: dict[int, Server] = {}
        self.delay: Callable[[], float] = lambda: 0.0
        self.source: Callable[[], str] = lambda: LOOPBACK
        self._ports = iter(range(FIRST_PORT, 65_536))
        self._reached: dict[socket.socket, int] = {}

    def listen(self, protocol: Callable[[], asyncio.Protocol], port: int | None) -> Server:
        """A server on a port (0: a free one); `OSError` where another listens there."""
        if port in self.servers:
            raise OSError(98, f"port {port} is taken")
        server = Server(self, protocol, port or next(self._ports))
        self.servers[server.port] = server
        return server

    def reach(self, sock: socket.socket, port: int) -> None:
        """Note which server a socket has reached; `ConnectionRefusedError` where none listens."""
        if port not in self.servers:
            raise ConnectionRefusedError(111, f"nobody listens on port {port}")
        self._reached[sock] = port

    def connect(self, protocol: Callable[[], asyncio.Protocol], sock: socket.socket) -> tuple[End, asyncio.Protocol]:
        """The client's end of a connection to the server that a socket has reached."""
        port = self._reached.pop(sock)
        sock.close()
        server = self.servers.get(port)
        if server is None:
            raise ConnectionRefusedError(111, f"nobody listens on port {port}")
        here, there = End(self, protocol(), port, LOOPBACK), End(self, server.protocol(), port, self.source())
        here.peer, there.peer = there, here
        there.protocol.connection_made(there)
        here.protocol.connection_made(here)
        return here, here.protocol


class Server:
    """What `create_server` gives: enough of asyncio's server for aiohttp."""

    def __init__(self, network: Network, protocol: Callable[[], asyncio.Protocol], port: int) -> None:
        self.network = network
        self.protocol = protocol
        self.port = port

    @property
    def sockets(self) -> list[Any]:
        """Something that knows its name, as a socket does."""
        return [self]

    def getsockname(self) -> tuple[str, int]:
        """Host and port."""
        return LOOPBACK, self.port

    def is_serving(self) -> bool:
        """Whether it still listens."""
        return self.network.servers.get(self.port) is self

    def close(self) -> None:
        """Listen no more; connections stay."""
        if self.is_serving():
            del self.network.servers[self.port]

    async def wait_closed(self) -> None:
        """It is closed at once."""


class End(asyncio.Transport):
    """One end of a connection. What it is given arrives at its peer in order; a closed end sends what it still has."""

    def __init__(self, network: Network, protocol: asyncio.Protocol, port: int, peer: str) -> None:
        super().__init__({"peername": (peer, port), "sockname": (LOOPBACK, port)})
        self.network = network
        self.loop = network.loop
        self.protocol = protocol
        self.peer: End
        self.closing = False
        self.lost = False
        self._arriving: deque[tuple[float, bytes | None]] = deque()
        """What arrives here, and when; None is the end."""
        self._held = False
        self._arrives = 0.0

    # --- sending

    def write(self, data: Any) -> None:
        """Send bytes."""
        if data and not self.closing:
            self.peer._comes(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        """Send several at once."""
        self.write(b"".join(list_of_data))

    def can_write_eof(self) -> bool:
        """One end is not closed alone."""
        return False

    def get_write_buffer_size(self) -> int:
        """All that was given is on its way."""
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """There is no buffer."""

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.closing

    def close(self) -> None:
        """Say good-bye: the peer gets what was sent, then the end."""
        if not self.closing:
            self.closing = True
            self.peer._comes(None)
            self.loop.call_soon(self._lost, None)

    def abort(self) -> None:
        """Cut the connection."""
        self.close()

    # --- receiving

    def pause_reading(self) -> None:
        """Let nothing arrive for a while."""
        self._held = True

    def resume_reading(self) -> None:
        """Let it arrive again."""
        if self._held:
            self._held = False
            self.loop.call_soon(self._deliver)

    def is_reading(self) -> bool:
        """Whether bytes may arrive."""
        return not self._held and not self.closing

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Who is told of what arrives."""
        return self.protocol

    def set_protocol(self, protocol: Any) -> None:
        """Pass what comes to another protocol from now on."""
        self.protocol = protocol

    def _comes(self, data: bytes | None) -> None:
        # Never earlier than what was sent before.
        self._arrives = max(self._arrives, self.loop.time() + self.network.delay())
        self._arriving.append((self._arrives, data))
        self.loop.call_at(self._arrives, self._deliver)

    def _deliver(self) -> None:
        """Hand over what came first; the next comes a round later, as it would be read from a socket."""
        if not self._arriving or self._arriving[0][0] > self.loop.time() or self._held or self.closing:
            return
        _, data = self._arriving.popleft()
        if data is not None:
            self.protocol.data_received(data)
            self.loop.call_soon(self._deliver)
        else:
            self.closing = True
            self.protocol.eof_received()
            self._lost(None)

    def _lost(self, fault: Exception | None) -> None:
        if not self.lost:
            self.lost = True
            self.protocol.connection_lost(fault)
