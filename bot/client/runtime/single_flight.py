"""What several wait for: it is made once for all of them, and given up when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from bot.client.runtime.thread_pool import Rank

Key = TypeVar("Key")
Result = TypeVar("Result")


@dataclass
class UnderWay(Generic[Result]):
    """Something that is being made, in which turn, and how many wait for it."""

    making: asyncio.Task[Result]
    rank: Rank
    waiting: int = 0


async def awaited(key: Key, found: UnderWay[Result], under_way: MutableMapping[Key, UnderWay[Result]]) -> Result:
    """Wait for something that is being made; whoever leaves last gives it up, and it is under way no more."""
    found.waiting += 1
    try:
        return await asyncio.shield(found.making)
    finally:
        found.waiting -= 1
        if not found.waiting:
            found.making.cancel()
            if under_way.get(key) is found:
                del under_way[key]
