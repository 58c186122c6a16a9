"""What befalls the database's file in a story: another program holds its lock, or the disk is full."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.support.unwritable import full, locked

if TYPE_CHECKING:
    from tests.simulation.story import Story

SECONDS = (1.0, 10.0)
"""How long it lasts, at least and at most."""


async def locked_file(story: Story) -> None:
    """Another program holds the lock."""
    async with story.disk:
        with locked(story.file):
            await asyncio.sleep(story.rng.uniform(*SECONDS))


async def full_disk(story: Story) -> None:
    """The disk is full."""
    async with story.disk:
        with full(story.file):
            await asyncio.sleep(story.rng.uniform(*SECONDS))
