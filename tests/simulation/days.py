"""Lets days pass in a story: the bot's clock and Discord's are put forward, from one thing that is due to the next.

Nothing can be waited for in simulated days, since the bot looks every few seconds. So the clocks are put forward to the
next moment at which something is due, the bot has some seconds to see it, and people are there or asleep meanwhile.
Where the bot is dead while days pass, they are to be given back.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable

from bot.umpire.clocks import NOTE
from tests.world.clock_findings import Clocks

HOUR, DAY = 3600, 86_400
STRETCHES: tuple[tuple[int, int], ...] = ((8 * HOUR, 16 * HOUR), (8 * HOUR, 16 * HOUR), (DAY, 4 * DAY))
"""How long a stretch of time is: a night, or days."""
SHORTEST = 3 * HOUR
"""Clocks are put forward by so much at least, so that a story does not take long."""
CALM = 4.0
"""Seconds for what people have begun: no answer comes later."""
LOOK = 10.0
"""Seconds for the bot to see what is due."""
AWAKE, DROWSY = 0.5, 0.1
"""How often people are there while the bot looks; the second where they are to be reminded."""


class Days:
    """The time of a story. `ahead` puts its clocks forward, `rests` tells people to do nothing, `looks` has the
    checkers look, and `missed` is told what the bot has not done in time. `settles` waits until no request is under
    way: none takes hours. `next` is when anything is due next; clocks are put forward by `shortest` seconds at least.
    `heard` is called whenever the bot was told that it was there."""

    def __init__(
        self, clocks: Clocks, rng: random.Random, days: int, *, ahead: Callable[[int], None],
        rests: Callable[[bool], None], looks: Callable[[], None], missed: Callable[[Iterable[str]], None],
        settles: Callable[[], Awaitable[None]], awake: float = AWAKE,
    ) -> None:  # fmt: skip
        self.clocks = clocks
        self.rng = rng
        self.left = days * DAY
        self.awake = awake
        self.next, self.shortest = clocks.next, SHORTEST
        self.heard: Callable[[], None] = lambda: None
        self.passed = 0
        self._ahead, self._rests, self._looks, self._missed, self._settles = ahead, rests, looks, missed, settles

    def drawn(self) -> int:
        """How many seconds pass next; 0 where none are left."""
        seconds = min(self.left, self.rng.randint(*self.rng.choice(STRETCHES)))
        self.left -= seconds
        return seconds

    async def run_due_acts(self) -> None:
        """Let a night or some days pass, while the bot is there."""
        seconds = self.drawn()
        while seconds > 0:
            self._rests(True)
            await asyncio.sleep(CALM)
            await self._settles()
            due = self.next()
            step = min(seconds, max(self.shortest, due - int(self.clocks.now()) + 1 if due else seconds))
            self._put_forward(step)
            self.count()
            seconds -= step
            before = int(self.clocks.now())
            self._rests(self.rng.random() >= self.awake)
            await asyncio.sleep(LOOK)
            self._missed(self.clocks.missed(before))
        self._rests(False)

    def pass_dead(self, seconds: int | None = None) -> None:
        """Let some seconds pass at once, or a night or some days, while the bot is not there."""
        self._put_forward(self.drawn() if seconds is None else seconds)

    def _put_forward(self, seconds: int) -> None:
        self._looks()  # the bot forgets with time which interactions it has served
        self._ahead(seconds)
        self.passed += seconds

    def count(self) -> None:
        """Have the bot know that it was there all the time."""
        now = int(self.clocks.now())
        self.clocks.ledger.change(f"update key_values set value = '{now}' where name like '{NOTE}%'")
        self.heard()
