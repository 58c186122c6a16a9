"""Runs jobs by key: one at a time for each key, and after a failure only when a backoff is over.

It serves the publisher, the computer player, the outboxes and the command sync. The backoffs of a `JobQueue` are
forgotten at a restart; an outbox keeps its own in the database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

import discord

from bot.client.runtime.error_codes import entry
from bot.client.runtime.loop_time import loop_time

Key = TypeVar("Key", bound=Hashable)

DAY = 86_400.0
DOUBLINGS = 60
"""After so many failures no backoff grows any more."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before a retry: `first` seconds, then `factor` times as long each time, `longest` at most."""

    first: float
    longest: float
    factor: int = 2

    def pause(self, failures: int) -> float:
        """Seconds to wait after so many failures in a row, one at least."""
        return min(self.first * self.factor ** min(failures - 1, DOUBLINGS), self.longest)


def retry_after(fault: Exception) -> float:
    """How many seconds Discord is to be left alone, a day at most: as it asks, or as its code tells; 0 where neither
    says so."""
    if isinstance(fault, discord.RateLimited):
        return min(fault.retry_after, DAY)
    if not isinstance(fault, discord.HTTPException):
        return 0.0
    asked = seconds_in(fault.response.headers.get("Retry-After", ""))
    return min(max(asked, entry(fault).pause), DAY)


def seconds_in(header: str) -> float:
    """The seconds that a header of Discord's says; 0 where it says none."""
    return float(header) if header.replace(".", "", 1).isdecimal() and header.isascii() else 0.0


@dataclass(frozen=True, slots=True)
class Rest:
    """Until when (by the monotonic clock) a key is left alone, and after how many failures in a row. `asked`: Discord
    itself has asked for it."""

    until: float
    failures: int
    asked: bool


class JobQueue(Generic[Key]):
    """Single-flight jobs with backoff. `failed` is told of each failure, and in how many seconds a retry may begin."""

    def __init__(
        self,
        job: Callable[[Key], Awaitable[None]],
        backoff: Backoff,
        failed: Callable[[Key, Exception, float], None],
    ) -> None:
        self.job = job
        self.backoff = backoff
        self.failed = failed
        self.running: dict[Key, asyncio.Task[None]] = {}
        self.rests: dict[Key, Rest] = {}
        self.closed = False
        """Set when all jobs are broken off: what is asked for after that is left to the next start."""
        self._asked: dict[Key, bool] = {}
        """The keys asked for while their job runs, and whether all who asked are `quiet`."""

    def ask(self, key: Key, quiet: bool = False) -> None:
        """Run the job of a key now, or once more if it runs already. This ends a backoff, unless Discord has asked for
        it. A `quiet` ask never changes when a retry begins: it shows nobody that something has happened."""
        rest = self.rests.get(key)
        if self.closed or (rest and (quiet or (rest.asked and self.resting(key)))):
            return
        self.rests.pop(key, None)
        self._asked[key] = quiet and self._asked.get(key, True)
        self.start(key)

    def start(self, key: Key) -> asyncio.Task[None]:
        """The job of a key, begun unless it runs already; a backoff is not looked at."""
        task = self.running.get(key)
        if task is None or task.done():
            task = self.running[key] = asyncio.create_task(self._run(key))
            task.add_done_callback(lambda done: self._ended(key, done))
        return task

    def resting(self, key: Key) -> bool:
        """Whether the backoff of a key goes on."""
        rest = self.rests.get(key)
        return rest is not None and rest.until > loop_time()

    def asked_aloud(self, key: Key) -> bool:
        """Whether somebody who is not quiet has asked for a key since its job began."""
        return not self._asked.get(key, True)

    async def _run(self, key: Key) -> None:
        """Run the job, and again if somebody asks meanwhile; after a failure only if they are not quiet."""
        while True:
            self._asked.pop(key, None)
            try:
                await self.job(key)
            except Exception as fault:
                asked = self._rest(key, fault)
                if asked or not self.asked_aloud(key):
                    return
            else:
                self.rests.pop(key, None)
                if key not in self._asked:
                    return

    def _rest(self, key: Key, fault: Exception) -> bool:
        """Begin a backoff, and say whether Discord has asked for it."""
        before, asked = self.rests.get(key), isinstance(fault, discord.RateLimited)
        failures = 0 if asked else 1 + (before.failures if before else 0)
        seconds = retry_after(fault) if asked else self.backoff.pause(failures)
        self.rests[key] = Rest(loop_time() + seconds, failures, asked)
        self.failed(key, fault, seconds)
        return asked

    def _ended(self, key: Key, task: asyncio.Task[None]) -> None:
        if self.running.get(key) is task:
            del self.running[key]
            self._asked.pop(key, None)

    async def settle(self) -> None:
        """Wait until every job that was begun has ended."""
        while self.running:
            await asyncio.wait(self.running.values())

    def cancel(self) -> list[asyncio.Task[None]]:
        """Break off every job that runs, and return their tasks, which end soon; none is begun for who asks later."""
        self.closed = True
        tasks = [*self.running.values()]
        for task in tasks:
            task.cancel()
        return tasks
