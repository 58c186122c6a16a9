"""Times an interaction: how late it came, how long there is to answer it, and its outcome for the metrics.

Discord takes an answer for three seconds. When much comes at once, interactions wait before the bot looks at them, and
work for those that have waited too long keeps the others waiting. An interaction's number says when Discord made it,
but by Discord's clock, and hosts' clocks are off by seconds or years. So only differences are used: the second fastest
of late is taken to have come at once, and the others are measured by it, with a monotonic clock. The fastest alone may
owe its speed to a clock that was wrong once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from heapq import nsmallest
from math import inf
from operator import itemgetter
from typing import Any

import discord

from bot.client.interactions.context import Interaction, used_of
from bot.client.runtime.loop_time import loop_time
from bot.client.runtime.metrics import Kind, Metrics, Outcome, outcome_of

WINDOW = 60.0
"""Seconds for which the fastest are remembered, twice as long at most: the best of clocks drift apart."""
BORNE_OUT = 2
"""How many must have come as fast before that speed is believed."""
UNBELIEVABLE = 60.0
"""Nothing comes so many seconds late: one of the clocks was set, and measuring begins anew."""
SILENCE = 5.0
"""Where nothing has been in time for so many seconds, a clock is wrong, and measuring begins anew. What has piled up
while the bot stood still is dropped sooner than that."""
FIELD, A_SECOND = 22, 1000
"""The bit of an interaction's number at which its time begins, and the units of that time in a second."""
FAULT, LATE = "the first error", "how late it came, in seconds"
"""What an interaction carries in its `extras`."""
PRESSED: Mapping[str, Kind] = {
    "m": "button", "k": "pad", "q": "pad", "p": "page", "t": "lesson", "r": "replay", "a": "replay", "d": "replay",
    "o": "replay",
}  # fmt: skip
"""By the letter with which an id begins."""


class TooLate(Exception):
    """Nobody can be answered any more: the person has been told that the bot did not respond."""


@dataclass
class Lateness:
    """Measures how late interactions come."""

    clock: Callable[[], float] = loop_time
    since: float = -inf
    fastest: dict[int, float] = field(default_factory=dict[int, float])
    before: dict[int, float] = field(default_factory=dict[int, float])
    """The least differences between the clocks in the present window and in the one before it, by the interactions'
    numbers: the same one delivered twice counts once."""
    silent: float = inf
    """Since when nothing was in time."""

    def __call__(self, number: int, most: float = inf) -> float:
        """Seconds since Discord made the interaction with this number, less those that the second fastest took.

        More than `most` is too late for an answer.
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
    """Cancel the work in this block after so many seconds, unless it has answered by then."""
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


@dataclass(slots=True)
class Act:
    """One interaction for the figures: its kind, when it came, and how late it was then."""

    kind: Kind
    extras: dict[Any, Any]
    began: float = field(default_factory=loop_time)

    def seconds(self) -> float:
        """Seconds since somebody acted."""
        late: float = self.extras.get(LATE, 0.0)
        return late + loop_time() - self.began


answering: ContextVar[Act | None] = ContextVar("answering", default=None)
"""The interaction being answered; a task inherits it from the one that started it."""


def kind_of(interaction: Interaction) -> Kind:
    """The kind of an interaction, as the figures count it."""
    match interaction.type:
        case discord.InteractionType.application_command:
            return "command"
        case discord.InteractionType.autocomplete:
            return "autocompletion"
        case discord.InteractionType.modal_submit:
            return "form"
        case discord.InteractionType.component:
            pressed = used_of(interaction)
            return PRESSED[str(pressed)[0]] if pressed else "other"
        case _:
            return "other"


def mark(interaction: Interaction, fault: BaseException) -> None:
    """Note the error of an interaction; the first one counts."""
    interaction.extras.setdefault(FAULT, fault)


@contextmanager
def counted(metrics: Metrics, interaction: Interaction) -> Generator[None]:
    """Count the work in this block as one interaction: done, unless an error was marked or escapes."""
    act = Act(kind_of(interaction), interaction.extras)
    before = answering.set(act)
    found: Outcome = "failed"
    try:
        yield
        found = "done"
    finally:
        answering.reset(before)
        fault = interaction.extras.pop(FAULT, None)
        metrics.act(act.kind, found if fault is None else came_of(fault))


def came_of(fault: BaseException) -> Outcome:
    """What an error comes to in the figures."""
    return "too late" if isinstance(fault, TooLate) else outcome_of(fault)
