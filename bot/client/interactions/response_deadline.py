"""How long ago somebody did what an interaction tells of, whatever the clocks say.

Discord takes an answer for three seconds. When much comes at once, interactions wait before the bot so much as looks at
them, and whatever is done for those that have waited too long keeps the others waiting. An interaction's number says
when Discord made it, but by Discord's clock, and hosts' clocks are off by seconds or years. So only differences are
believed: the second fastest of late is taken to have come at once, and the others are measured by it, with a clock that
nobody sets. The fastest alone may owe that to a clock that was wrong for once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from heapq import nsmallest
from math import inf
from operator import itemgetter

from bot.client.interactions.context import Interaction

WINDOW = 60.0
"""For how many seconds, up to twice as many, the fastest are remembered: the best of clocks drift apart."""
BORNE_OUT = 2
"""How many must have come as fast before it is believed that one can."""
UNBELIEVABLE = 60.0
"""Nothing waits for so many seconds and comes at last: whichever clock that was, all is measured anew."""
SILENCE = 5.0
"""Where nothing has been in time for so many seconds, it is the clocks, and all is measured anew. What has piled up
while the bot stood still is dropped sooner than that, however much it is."""
FIELD, A_SECOND = 22, 1000
"""Where in a number the time begins, in bits; and how many of it are a second."""


class TooLate(Exception):
    """Nobody can be answered any more: the person has been told that the bot did not respond."""


@dataclass
class Lateness:
    """Measures how late interactions come."""

    clock: Callable[[], float] = time.monotonic
    since: float = -inf
    fastest: dict[int, float] = field(default_factory=dict[int, float])
    before: dict[int, float] = field(default_factory=dict[int, float])
    """The least differences between the clocks in the present window, and in the one before it, by their numbers: what
    is delivered twice bears nobody out."""
    silent: float = inf
    """Since when nothing was in time."""

    def __call__(self, number: int, most: float = inf) -> float:
        """Seconds since Discord made the interaction with this number, less those that the second fastest has taken.

        What is later than `most` is in time for nothing.
        """
        now = self.clock()
        difference = now - (number >> FIELD) / A_SECOND
        self._remember(now, number, difference)
        late = max(0.0, difference - nsmallest(BORNE_OUT, (self.before | self.fastest).values())[-1])
        if late > UNBELIEVABLE or (late > most and now - self.silent > SILENCE):
            self.before, self.fastest, late = {}, {number: difference}, 0.0
        self.silent = min(self.silent, now) if late > most else inf
        return late

    def _remember(self, now: float, number: int, difference: float) -> None:
        if now - self.since > WINDOW:
            self.before = self.fastest if now - self.since <= 2 * WINDOW else {}
            self.since, self.fastest = now, {}
        self.fastest.setdefault(number, difference)
        self.fastest = dict(nsmallest(BORNE_OUT, self.fastest.items(), key=itemgetter(1)))


@asynccontextmanager
async def unanswered_for(interaction: Interaction, seconds: float) -> AsyncGenerator[None]:
    """Let something go on for so long, and longer where it has answered by then: what follows may take its time."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(None) as limit:

        def over() -> None:
            if not interaction.response.is_done():
                limit.reschedule(loop.time())

        waiting = loop.call_later(seconds, over)
        try:
            yield
        finally:
            waiting.cancel()
