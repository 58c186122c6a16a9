"""The agenda of events by true seconds, and the bot's clock, which may be set wrong."""

from __future__ import annotations

import heapq
from collections.abc import Awaitable, Callable
from typing import Any

Work = Callable[..., Awaitable[None]]


class Agenda:
    """The future. `passed` seconds have really passed since the start; `clock` says what the bot's machine shows."""

    def __init__(self, start: int) -> None:
        self.passed = 0
        self.ahead = start
        self._heap: list[tuple[int, int, Work, tuple[Any, ...]]] = []
        self._number = 0

    def clock(self) -> int:
        """The moment, on the bot's machine."""
        return self.passed + self.ahead

    def in_(self, seconds: int, work: Work, *args: Any) -> None:
        """Do something later."""
        self._number += 1
        heapq.heappush(self._heap, (self.passed + max(0, seconds), self._number, work, args))

    @property
    def next(self) -> int | None:
        """After how many seconds, from the start, something happens."""
        return self._heap[0][0] if self._heap else None

    async def go_on(self) -> None:
        """Have the next thing happen."""
        at, _, work, args = heapq.heappop(self._heap)
        self.passed = max(self.passed, at)
        await work(*args)
