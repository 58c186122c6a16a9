"""Runs a PostgreSQL server for a benchmark alone, in a folder on a disk; every commit waits for the disk.

The server that the tests share is another: it lives in memory, and forgets what it has committed when it is killed.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from data.upkeep.upgrade import migrate
from tests.support.postgres import Postgres


@contextmanager
def on_disk(folder: Path) -> Generator[Postgres]:
    """A server, stopped and removed at the end."""
    started = Postgres(folder)
    try:
        yield started
    finally:
        started.server.cleanup()


async def database(server: Postgres, name: str) -> str:
    """The address of a new database at the program's schema."""
    await server.tell(f"CREATE DATABASE {name}")
    await migrate(server.url(name))
    return server.url(name)
