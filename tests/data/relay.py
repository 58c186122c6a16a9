"""A relay between the program and a PostgreSQL server that loses the messages a test wants lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from enum import Enum
from pathlib import Path

from sqlalchemy import make_url

COMMIT = b"COMMIT;"


class Loss(Enum):
    """What is lost of a commit."""

    NOTHING = "nothing"
    QUESTION = "the server never hears of it"
    ANSWER = "the server does it, and its answer never comes"
    BREAK = "the server does it, and the connection breaks"


class Relay:
    """A server's stand-in on a port of this machine, which hands on what it hears."""

    def __init__(self, url: str) -> None:
        address = make_url(url)
        self.socket = Path(str(address.query["host"])) / ".s.PGSQL.5432"
        self.name = address.database
        self.port = 0
        self.loses = Loss.NOTHING
        """What is lost of the next commit."""
        self.deaf = False
        """Whether nobody else is let in from then on."""
        self.lost = asyncio.Event()
        self.breaks = False
        self.writers: list[asyncio.StreamWriter] = []

    @property
    def url(self) -> str:
        """The address of the database, by way of here."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{self.name}"

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Relay]:
        """Stand there for a while."""
        server = await asyncio.start_server(self._met, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for writer in self.writers:
                writer.close()

    async def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.append(writer)
        if self.deaf:
            await reader.read()
            return
        answers, questions = await asyncio.open_unix_connection(str(self.socket))
        losing = asyncio.Event()
        asking = asyncio.ensure_future(self._asked(reader, questions, losing))
        answering = asyncio.ensure_future(self._answered(answers, writer, losing))
        with suppress(OSError):
            await asyncio.wait((asking, answering), return_when=asyncio.FIRST_COMPLETED)
        for task in (asking, answering):
            task.cancel()
        for end in (questions, writer):
            end.close()

    async def _asked(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, losing: asyncio.Event) -> None:
        while heard := await reader.read(65_536):
            if COMMIT in heard and self.loses is not Loss.NOTHING:
                loss, self.loses = self.loses, Loss.NOTHING
                if loss is Loss.QUESTION:
                    self.lost.set()
                    continue
                losing.set()
                self.breaks = loss is Loss.BREAK
            writer.write(heard)

    async def _answered(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, losing: asyncio.Event
    ) -> None:
        while heard := await reader.read(65_536):
            if not losing.is_set():
                writer.write(heard)
                continue
            self.lost.set()
            if self.breaks:
                return
