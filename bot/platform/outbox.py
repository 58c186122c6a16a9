"""When each match is shown, and when what Discord refused is tried again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from math import ceil
from typing import Any

import aiohttp
import discord

from bot.platform.jobs import Backoff, JobQueue, retry_after
from bot.platform.requests import Throttle
from bot.play.ids import ChannelId, MatchId
from data.engine.errors import Unavailable

# Retries the rows of an outbox: edits of old messages and reminders that Discord has not accepted yet.


SEND_WITHIN = 20.0
"""Seconds for one row; a rate limit may take a while."""

UNEXPECTED = "an unexpected error"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often rows of an outbox are tried, and when; `what` names a row in the log."""

    what: str
    backoff: Backoff
    most: int

    def choose_pause(self, match: MatchId, failures: int, fault: Exception) -> int | None:
        """Seconds until a retry after this number of failures, the current one included; None where the row is given
        up."""
        last = failures >= self.most
        pause = max(ceil(self.backoff.seconds_to_wait(failures)), ceil(retry_after(fault)))
        what = "is given up" if last else f"is tried again in {pause} s"
        why = describe_failure(fault)
        # A known failure does not concern the host before the row is given up.
        level = logging.INFO if why and not last else logging.WARNING
        text = "%s of match %d %s: %s."
        log.log(level, text, self.what, match, what, why or UNEXPECTED, exc_info=None if why else fault)
        return None if last else pause


def describe_failure(fault: Exception) -> str | None:
    """Why a request failed, in a few words; None for an unexpected error."""
    match fault:
        case discord.RateLimited():
            return "Discord asked for patience"
        case discord.HTTPException():
            return f"Discord answered {fault.status}, code {fault.code}"
        case TimeoutError():
            return "Discord did not answer in time"
        case aiohttp.ClientError() | OSError():
            return f"Discord could not be reached ({type(fault).__name__})"
        case Unavailable():
            return "the database cannot be used"
        case _:
            return None


# Decides when each match is shown: at once after an act, in turn when its board lags, later after a failure.


LONGEST_TURN = 30.0
"""Seconds after which a job is given up for now. Discord may have accepted a request that it did not answer: the retry
finds that by its nonce."""
LONGEST_PAUSE = 300.0
"""Seconds before a retry, at most."""
PLACES, PLACE_FOR = 12, 2.0
"""How many lagging matches are shown concurrently, and the seconds after which one that hangs frees its place."""
LINE_FOR = 8.0
"""Further seconds after which the next match of the same channel is started, though the one before is still not shown.
A rate-limited channel may take some seconds for a board; one that hangs never ends."""
LAST_TURNS = 2.5
"""Seconds that running jobs are given when the bot stops."""
ENDED_WITHIN = 0.3
"""Seconds for cancelled jobs to end: discord.py may still wait for a rate limit."""

ShowMatch = Callable[[MatchId, bool], Awaitable[None]]
"""Shows a match; if the flag is set, posts its board again where it was deleted."""


class PublishQueue:
    """Runs the jobs that show matches."""

    def __init__(self, show: ShowMatch, throttle: Throttle, first_pause: float) -> None:
        self.show = show
        self.throttle = throttle
        self.jobs = JobQueue(self._run_job, Backoff(first_pause, LONGEST_PAUSE), log_showing_failure)
        self.stopping = False
        """Set when the bot stops: the next start shows what is not shown by then."""
        self._wanted: dict[MatchId, bool] = {}
        """The matches that users are waiting for, and whether their board is to be restored."""
        self._places = asyncio.Semaphore(PLACES)
        self._lines: dict[ChannelId, asyncio.Task[None]] = {}
        self._beside: dict[asyncio.Task[None], None] = {}

    def ask(self, match: MatchId, restore: bool = False, quiet: bool = False) -> None:
        """Show a match now, after an act. A `quiet` act is secret: no retry starts sooner for it."""
        if self.stopping or (quiet and match in self.jobs.rests):
            return
        self._wanted[match] = restore or self._wanted.get(match, False)
        self.jobs.ask(match, quiet)

    def spawn_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task that holds up no match; it handles its failures itself."""
        if self.stopping:
            work.close()
            return
        task = asyncio.create_task(work)
        self._beside[task] = None
        task.add_done_callback(self._beside.pop)

    async def wait_for(self, match: MatchId, within: float) -> None:
        """Wait for the job of a match, if one runs, `within` seconds at most."""
        if job := self.jobs.running.get(match):
            await asyncio.wait((job,), timeout=within)

    def retry_failed(self) -> None:
        """Retry the matches that users are waiting for, where the backoff is over."""
        for match in tuple(self._wanted):
            self._begin(match)

    def _begin(self, match: MatchId) -> asyncio.Task[None] | None:
        """The job of a match, started unless it runs or is in backoff."""
        return None if self.stopping or self.jobs.is_resting(match) else self.jobs.start(match)

    async def publish_due(self, due: Iterable[tuple[MatchId, ChannelId]]) -> None:
        """Show matches whose boards lag, those of one channel in sequence. Returns when each of these channels has
        started; the next poll takes what runs or is in backoff now."""
        lines: dict[ChannelId, list[MatchId]] = {}
        for match, channel in due:
            if channel not in self._lines and match not in self.jobs.running and not self.jobs.is_resting(match):
                lines.setdefault(channel, []).append(match)
        for channel, matches in lines.items():
            await self._places.acquire()
            line = self._lines[channel] = asyncio.create_task(self._drain_channel(channel, matches))
            line.add_done_callback(lambda _, channel=channel: self._lines.pop(channel, None))

    async def _drain_channel(self, channel: ChannelId, matches: list[MatchId]) -> None:
        """Show matches of one channel in sequence; the place of the first is taken already."""
        for index, match in enumerate(matches):
            if index:
                await self._places.acquire()
            try:
                await self.throttle.wait_for_capacity()
                if job := self._begin(match):
                    await asyncio.wait((job,), timeout=PLACE_FOR)
            finally:
                self._places.release()
            if job:
                await asyncio.wait((job,), timeout=LINE_FOR)

    async def _run_job(self, match: MatchId) -> None:
        """Show a match; after a failure remember that users still wait for it."""
        restore = self._wanted.pop(match, None)
        try:
            async with asyncio.timeout(LONGEST_TURN):
                await self.show(match, bool(restore))
        except Exception:
            if restore is not None:
                self._wanted[match] = restore or self._wanted.get(match, False)
            elif not self.jobs.was_asked_openly(match):
                self._wanted.pop(match, None)
            raise

    async def settle(self) -> None:
        """Wait until everything that was started has been tried."""
        while under_way := (*self.jobs.running.values(), *self._lines.values(), *self._beside):
            await asyncio.wait(under_way)

    async def stop(self) -> None:
        """Let running jobs finish if that takes moments, and cancel the others."""
        for line in self._lines.values():
            line.cancel()
        try:
            async with asyncio.timeout(LAST_TURNS):
                await self.settle()
        except TimeoutError:
            log.info("%d matches are left to the next start.", len(self.jobs.running))
        self.stopping = True
        for task in self._beside:
            task.cancel()
        if left := (*self.jobs.cancel(), *self._beside):
            await asyncio.wait(left, timeout=ENDED_WITHIN)


def log_showing_failure(match: MatchId, fault: Exception, seconds: float) -> None:
    why = describe_failure(fault)
    text = "Match %d could not be shown and will be tried again in %g s: %s."
    # A rate limit of Discord's needs no warning.
    level = logging.INFO if isinstance(fault, discord.RateLimited) else logging.WARNING
    log.log(level, text, match, seconds, why or UNEXPECTED, exc_info=None if why else fault)
