"""A fake PostgreSQL server that refuses every client, and remembers what each sent at the start."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

SSL_WANTED = 80877103
PASSWORD_PLEASE = b"R" + struct.pack("!ii", 8, 3)


class Porter:
    """Asks for the password if it is to, and turns everybody away with an error of this SQLSTATE."""

    def __init__(self, state: str, asks: bool = False, words: str = "the words of the server") -> None:
        self.state = state
        self.words = words
        self.asks = asks
        self.port = 0
        self.passwords: list[str] = []
        self.settings: list[dict[str, str]] = []
        self.encryptions = 0

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Porter]:
        """Stand at a port of this machine for a while."""
        server = await asyncio.start_server(self._met, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()

    async def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = await self._message(reader)
        if struct.unpack("!i", said[:4])[0] == SSL_WANTED:
            self.encryptions += 1
            writer.write(b"N")
            said = await self._message(reader)
        if said:
            words = said[4:].decode().rstrip("\0").split("\0")
            self.settings.append(dict(zip(words[::2], words[1::2], strict=True)))
            if self.asks:
                writer.write(PASSWORD_PLEASE)
                assert await reader.readexactly(1) == b"p"
                self.passwords.append((await self._message(reader)).rstrip(b"\0").decode())
            fields = f"SFATAL\0VFATAL\0C{self.state}\0M{self.words}\0\0".encode()
            writer.write(b"E" + struct.pack("!i", len(fields) + 4) + fields)
        writer.close()

    async def _message(self, reader: asyncio.StreamReader) -> bytes:
        try:
            (length,) = struct.unpack("!i", await reader.readexactly(4))
            return await reader.readexactly(length - 4)
        except asyncio.IncompleteReadError:  # the client wanted it encrypted, and has gone
            return b""
