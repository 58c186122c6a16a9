"""Sends an edit once more that came soon after its message was posted, unless another one follows.

Discord's clients may go back to what was posted when a message is edited right after that: they hear of the edit, and
then of the message. Nobody tells the bot, so every such edit is repeated when all of that has arrived. It is work in
the background, and nothing depends on it: what fails is not tried again. Another process may edit the message while
that is on its way: a `Watch` knows, and makes up for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.client.runtime.loop_time import loop_time

SOON = 2.0
"""Seconds after the post in which an edit comes too early for some clients."""
PAUSE = 5.0
"""Seconds after such an edit until it is sent once more."""
SENT_WITHIN = 10.0
"""Seconds after which a second edit that hangs is given up."""
LET_PASS = 0.5
"""Seconds that an edit waits for a second one of the same message that is on its way already."""
FORGOTTEN = 60.0
"""Seconds after the post after which no edit that came soon is under way any more, and none is sent once more: the
machine has slept meanwhile, and Discord limits edits of old messages."""

Begin = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
"""Runs something for which nobody waits."""

log = logging.getLogger(__name__)


@dataclass
class Young:
    """A message that was posted a moment ago: when, by the loop's time and by the clock, how many edits of it were
    begun, and the second edits that wait or are on their way to Discord."""

    posted: float
    at: int
    edits: int = 0
    waiting: asyncio.Task[None] | None = None
    sending: asyncio.Task[None] | None = None

    def is_forgotten(self, now: float) -> bool:
        """Whether no edit of it is of interest any more."""
        return now - self.posted > FORGOTTEN and (self.waiting is None or self.waiting.done())


class Edit(NamedTuple):
    """An edit of a young message: which of its edits that is, whether it comes soon after the post, and the second edit
    that may arrive after it."""

    message: Young
    number: int
    soon: bool
    crossed: asyncio.Task[None] | None


class Repeat(NamedTuple):
    """How an edit is sent once more: whether the message still shows it, and the request."""

    stands: Callable[[], Awaitable[bool]]
    send: Callable[[], Awaitable[object]]


class Watch:
    """Looks after a message while an edit of it is sent once more; of most messages nobody knows more than Discord."""

    async def begins(self) -> bool:
        """Whether nothing is about to be shown on the message otherwise; to be asked before Discord is."""
        return True

    @asynccontextmanager
    async def sending(self) -> AsyncGenerator[bool]:
        """The edit is sent inside this, where that is still to be done."""
        yield True


class SecondEdits:
    """Knows which messages were posted a moment ago; `begin` runs what sends their edits once more. `clock` is
    Discord's, in epoch seconds."""

    def __init__(self, begin: Begin, clock: Callable[[], int]) -> None:
        self._begin = begin
        self._clock = clock
        self._young: dict[int, Young] = {}

    def posted(self, message: int) -> None:
        """A message was posted."""
        now = loop_time()
        for number in [number for number, one in self._young.items() if one.is_forgotten(now)]:
            del self._young[number]
        self._young.setdefault(message, Young(now, self._clock()))

    async def begun(self, message: int) -> Edit | None:
        """An edit of a message begins, so that no earlier one is sent after it; None where the message is old.

        One that is on its way already may arrive later all the same, unless it is there in a moment.
        """
        young = self._young.get(message)
        if young is None:
            return None
        young.edits += 1
        number, soon = young.edits, loop_time() - young.posted < SOON
        if young.waiting:
            young.waiting.cancel()
            young.waiting = None
        if young.sending:
            await asyncio.wait((young.sending,), timeout=LET_PASS)
        return Edit(young, number, soon, young.sending)

    def done(self, edit: Edit | None, repeat: Repeat | None) -> None:
        """Discord has taken an edit, which can be repeated or not."""
        if edit and repeat and edit.number == edit.message.edits and (edit.soon or edit.crossed):
            edit.message.waiting = self._begin(self._later(edit, repeat))

    async def _later(self, edit: Edit, repeat: Repeat) -> None:
        """Send an edit once more if it still stands; or in any case, where another one may have taken its place."""
        message = edit.message
        if edit.crossed:
            await asyncio.wait((edit.crossed,))
        await asyncio.sleep(PAUSE)
        if not edit.crossed and self._clock() - message.at > FORGOTTEN:
            return
        try:
            async with asyncio.timeout(SENT_WITHIN):
                if edit.crossed or await repeat.stands():
                    message.waiting, message.sending = None, asyncio.current_task()
                    await repeat.send()
        except Exception as fault:  # the message is gone, closed to us or out of reach: its next edit is as good
            log.debug("An edit is not sent once more: %r", fault)
        finally:
            message.sending = None
