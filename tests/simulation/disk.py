"""What befalls the database's file in a story: another program holds its lock, or the disk is full."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.story import Story

SECONDS = (1.0, 10.0)
"""How long it lasts, at least and at most."""


async def locked_file(story: Story) -> None:
    """Another program holds the lock."""
    async with story.disk:
        with locked(story.file):
            await asyncio.sleep(story.lots.uniform(*SECONDS))


async def full_disk(story: Story) -> None:
    """The disk is full."""
    async with story.disk:
        with full():
            await asyncio.sleep(story.lots.uniform(*SECONDS))


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Another program holds the lock."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


@contextmanager
def full(_: Path | None = None) -> Generator[None]:
    """No file can be written any further, as on a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
