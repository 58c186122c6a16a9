"""Single-flight work: callers who ask for the same result share one task, which is cancelled when none waits."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.client.runtime.thread_pool import Rank

Key = TypeVar("Key")
Result = TypeVar("Result")


@dataclass
class SingleFlight(Generic[Result]):
    """A task under way, its rank, and how many callers wait for it."""

    making: asyncio.Task[Result]
    rank: Rank
    waiting: int = 0


async def awaited(
    key: Key, found: SingleFlight[Result], under_way: MutableMapping[Key, SingleFlight[Result]]
) -> Result:
    """Wait for a task under way. When the last caller stops waiting, the task is cancelled and forgotten."""
    found.waiting += 1
    try:
        return await asyncio.shield(found.making)
    finally:
        found.waiting -= 1
        if not found.waiting:
            found.making.cancel()
            if under_way.get(key) is found:
                del under_way[key]
