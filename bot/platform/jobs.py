"""Threads by rank, work shared by its callers, and queues of jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Any, Generic, NamedTuple, TypeVar

import discord

from bot.platform.error_codes import find_rule
from bot.platform.machine import loop_time
from bot.play.ids import GuildId, UserId

# A pool of threads for work that would hold up the event loop, such as drawing, done in order of its rank.


Result = TypeVar("Result")


class Rank(IntEnum):
    MOVE = 0
    """The boards and answers of a match after a move."""
    LOOK = 1
    """What one user wants to see."""
    TYPING = 2
    """Suggestions, requested at every key."""
    IDLE = 3
    """Work that no user waits for."""


class ThreadPool:
    """A pool of threads, and the work that waits for one."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="worker")
        self._working = 0
        self._waiting: list[tuple[Rank, int, asyncio.Future[None]]] = []
        self._numbers = count()

    async def do(self, work: Callable[[], Result], rank: Rank) -> Result:
        """Do work in a thread when its turn comes; it is dropped if its caller is cancelled before."""
        await self._wait_turn(rank)
        try:
            job = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except RuntimeError:
            self._release_thread()
            raise
        job.add_done_callback(self._on_done)
        # A thread is free when its work is over, even if its caller was cancelled.
        return await asyncio.shield(job)

    async def _wait_turn(self, rank: Rank) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (rank, next(self._numbers), mine))
        self._start_waiting()
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self._release_thread()
            raise

    def _start_waiting(self) -> None:
        """Start waiting work while there is a thread for it."""
        while self._waiting and self._working < self._count_allowed(self._waiting[0][0]):
            mine = heappop(self._waiting)[2]
            if not mine.done():
                self._working += 1
                mine.set_result(None)

    def _count_allowed(self, rank: Rank) -> int:
        """How many may run once another starts: of several threads one is reserved for moves."""
        return self._threads if rank is Rank.MOVE else max(1, self._threads - 1)

    def _on_done(self, job: asyncio.Future[Any]) -> None:
        if not job.cancelled():
            job.exception()  # marked as retrieved: its caller may be cancelled
        self._release_thread()

    def _release_thread(self) -> None:
        self._working -= 1
        self._start_waiting()

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown(wait=False)


# Single-flight work: callers who ask for the same result share one task, which is cancelled when none waits.


FlightKey = TypeVar("FlightKey")


@dataclass
class SingleFlight(Generic[Result]):
    """A running task, its rank, and how many callers wait for it."""

    making: asyncio.Task[Result]
    rank: Rank
    waiting: int = 0


async def wait_for_result(
    key: FlightKey, found: SingleFlight[Result], under_way: MutableMapping[FlightKey, SingleFlight[Result]]
) -> Result:
    """Wait for a running task. When the last caller stops waiting, the task is cancelled and forgotten."""
    found.waiting += 1
    try:
        return await asyncio.shield(found.making)
    finally:
        found.waiting -= 1
        if not found.waiting:
            found.making.cancel()
            if under_way.get(key) is found:
                del under_way[key]


# A fair queue, in which a user with much work does not hold up others: for the computer's searches, and for films.


YIELDS = 4.0
"""An expensive job lets cheaper ones pass for this many times its own duration, then no longer."""


class JobPriority(IntEnum):
    """The order among a user's own jobs; reviews come after anything that a match waits for."""

    HINT = 0
    """A hint about a player's own move."""
    MOVE = 1
    """The computer's own moves."""
    REVIEW = 2
    """An analysis of a finished match."""


class Asker(NamedTuple):
    """The user for whom something is done, and their server."""

    guild: GuildId
    user: UserId


NOBODY = Asker(GuildId(0), UserId(0))
"""The asker of work that no user asked for."""


class WaitEstimate(NamedTuple):
    """How many other users come before, and about how many seconds it takes until it is the caller's turn."""

    others: int
    seconds: float


@dataclass(eq=False, slots=True)
class QueueSlot:
    """A place in the queue; `cost` is the work's estimated seconds, `turn` is set when it may start, and `about` is the
    key under which the wait can be asked for."""

    asker: Asker
    order: JobPriority
    cost: float
    since: float
    turn: asyncio.Future[None]
    about: Hashable = None


class FairQueue:
    """Lets a bounded number of jobs run, fairly among servers and their users."""

    def __init__(self, capacity: Callable[[], int]) -> None:
        self._capacity = capacity
        self._waiting: list[QueueSlot] = []
        self._working: list[QueueSlot] = []
        self._left: dict[UserId, float] = {}
        """When a user's last job ended; their other jobs do not count as waiting before that."""
        self._served: dict[GuildId, float] = {}
        """When the last job of a server started or ended."""

    @asynccontextmanager
    async def hold_turn(self, asker: Asker, *, cost: float = 0.0, about: Hashable = None) -> AsyncGenerator[None]:
        """Run this block when it is the user's turn."""
        place = await self.enter(asker, JobPriority.MOVE, cost, about)
        try:
            yield
        finally:
            self.leave(place)

    async def enter(self, asker: Asker, order: JobPriority, cost: float, about: Hashable = None) -> QueueSlot:
        """Wait until it is the user's turn; `leave` must follow when the work is over."""
        place = QueueSlot(asker, order, cost, loop_time(), asyncio.get_running_loop().create_future(), about)
        self._waiting.append(place)
        self._start_waiting()
        try:
            await place.turn
        except asyncio.CancelledError:
            if place in self._working:
                self.leave(place)
            else:
                self._waiting.remove(place)
            raise
        return place

    def leave(self, place: QueueSlot) -> None:
        """Give the place back: the work is over."""
        self._working.remove(place)
        self._left[place.asker.user] = self._served[place.asker.guild] = loop_time()
        self._start_waiting()

    def estimate_wait(self, about: Hashable) -> WaitEstimate | None:
        """How long the job of this key waits, or None where it does not wait."""
        mine = next((place for place in self._waiting if place.about == about), None)
        if mine is None:
            return None
        before = [*self._working, *self._iterate_earlier(mine)]
        others = {place.asker.user for place in before} - {mine.asker.user}
        return WaitEstimate(len(others), sum(place.cost for place in before) / max(1, self._capacity()))

    def _iterate_earlier(self, mine: QueueSlot) -> Iterator[QueueSlot]:
        """The jobs that run before `mine`, as estimated now: one of each other user, which may be running, and of their
        own all that come first."""
        seen = {place.asker.user for place in self._working}
        for place in sorted(self._waiting, key=self._person_key):
            if place is mine or (place.order is JobPriority.REVIEW and mine.order is not JobPriority.REVIEW):
                continue
            user = place.asker.user
            if user == mine.asker.user:
                if self._own_key(place) < self._own_key(mine):
                    yield place
            elif user not in seen and self._person_key(place) <= self._person_key(mine):
                seen.add(user)
                yield place

    def _start_waiting(self) -> None:
        """Start waiting jobs while there is capacity."""
        while len(self._working) < self._capacity() and (place := self._choose_next()):
            self._waiting.remove(place)
            self._working.append(place)
            self._served[place.asker.guild] = loop_time()
            place.turn.set_result(None)
        if not self._waiting:
            # Jobs that arrive from now on have waited for less long than this.
            self._left.clear()
            self._served.clear()

    def _choose_next(self) -> QueueSlot | None:
        """The next job: of the server that has waited longest, the user who has."""
        busy = {place.asker.user for place in self._working}
        free = [place for place in self._waiting if place.asker.user not in busy and not place.turn.done()]
        own: dict[Asker, QueueSlot] = {}
        for place in sorted(free, key=self._own_key):
            own.setdefault(place.asker, place)
        heads: dict[GuildId, QueueSlot] = {}
        for place in sorted(own.values(), key=self._person_key):
            heads.setdefault(place.asker.guild, place)
        return min(heads.values(), key=self._server_key, default=None)

    def _own_key(self, place: QueueSlot) -> tuple[JobPriority, float, float]:
        """The order among one user's jobs."""
        return place.order, compute_yield_seconds(place), place.since

    def _person_key(self, place: QueueSlot) -> tuple[bool, float]:
        """The order among the users of a server."""
        since = max(place.since, self._left.get(place.asker.user, 0.0))
        return place.order is JobPriority.REVIEW, since + compute_yield_seconds(place)

    def _server_key(self, place: QueueSlot) -> tuple[bool, float]:
        """The order among servers."""
        since = max(place.since, self._served.get(place.asker.guild, 0.0))
        return place.order is JobPriority.REVIEW, since + compute_yield_seconds(place)


def compute_yield_seconds(place: QueueSlot) -> float:
    """For how many seconds a job lets cheaper ones pass. A hint lets none pass, since a user waits for it and has only
    one at a time; nor do the questions of a review, which are all parts of one job."""
    return YIELDS * place.cost if place.order is JobPriority.MOVE else 0.0


# Runs jobs by key: one at a time for each key, and after a failure only when a backoff is over.


Key = TypeVar("Key", bound=Hashable)

DAY = 86_400.0
DOUBLINGS = 60
"""The number of failures after which no backoff grows any more."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait before a retry: `first` seconds, then `factor` times as long each time, `longest` at most."""

    first: float
    longest: float
    factor: int = 2

    def seconds_to_wait(self, failures: int) -> float:
        """Seconds to wait after this number of failures in a row, which is one at least."""
        return min(self.first * self.factor ** min(failures - 1, DOUBLINGS), self.longest)


def retry_after(fault: Exception) -> float:
    """For how many seconds to make no request, a day at most: `Retry-After`, or the pause of the error code; 0 where
    neither is known."""
    if isinstance(fault, discord.RateLimited):
        return min(fault.retry_after, DAY)
    if not isinstance(fault, discord.HTTPException):
        return 0.0
    asked = parse_seconds(fault.response.headers.get("Retry-After", ""))
    return min(max(asked, find_rule(fault).pause), DAY)


def parse_seconds(header: str) -> float:
    """The seconds in a header of Discord's; 0 where there are none."""
    return float(header) if header.replace(".", "", 1).isdecimal() and header.isascii() else 0.0


@dataclass(frozen=True, slots=True)
class BackoffState:
    """Until when (by the monotonic clock) a key is not retried, and after how many failures in a row. `asked`: Discord
    asked for the pause."""

    until: float
    failures: int
    asked: bool


class JobQueue(Generic[Key]):
    """Single-flight jobs with backoff. `failed` is called at each failure, with the seconds until a retry may start."""

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
        self.rests: dict[Key, BackoffState] = {}
        self.closed = False
        """Set when all jobs are cancelled: later requests are left to the next start."""
        self._asked: dict[Key, bool] = {}
        """The keys requested while their job runs, and whether all these requests are `quiet`."""

    def ask(self, key: Key, quiet: bool = False) -> None:
        """Run the job of a key now, or once more if it runs already. This ends a backoff, unless Discord asked for it.
        A `quiet` request never changes when a retry starts: it does not mean that something has happened."""
        rest = self.rests.get(key)
        if self.closed or (rest and (quiet or (rest.asked and self.is_resting(key)))):
            return
        self.rests.pop(key, None)
        self._asked[key] = quiet and self._asked.get(key, True)
        self.start(key)

    def start(self, key: Key) -> asyncio.Task[None]:
        """The job's task, started unless it runs already; a backoff is ignored."""
        task = self.running.get(key)
        if task is None or task.done():
            task = self.running[key] = asyncio.create_task(self._run(key))
            task.add_done_callback(lambda done: self._forget_task(key, done))
        return task

    def is_resting(self, key: Key) -> bool:
        rest = self.rests.get(key)
        return rest is not None and rest.until > loop_time()

    def was_asked_openly(self, key: Key) -> bool:
        """Whether a request that is not quiet came since the key's job started."""
        return not self._asked.get(key, True)

    async def _run(self, key: Key) -> None:
        """Run the job, and again if requested meanwhile; after a failure only if that request is not quiet."""
        while True:
            self._asked.pop(key, None)
            try:
                await self.job(key)
            except Exception as fault:
                asked = self._begin_backoff(key, fault)
                if asked or not self.was_asked_openly(key):
                    return
            else:
                self.rests.pop(key, None)
                if key not in self._asked:
                    return

    def _begin_backoff(self, key: Key, fault: Exception) -> bool:
        """Begin a backoff; returns whether Discord asked for it."""
        before, asked = self.rests.get(key), isinstance(fault, discord.RateLimited)
        failures = 0 if asked else 1 + (before.failures if before else 0)
        seconds = retry_after(fault) if asked else self.backoff.seconds_to_wait(failures)
        self.rests[key] = BackoffState(loop_time() + seconds, failures, asked)
        self.failed(key, fault, seconds)
        return asked

    def _forget_task(self, key: Key, task: asyncio.Task[None]) -> None:
        if self.running.get(key) is task:
            del self.running[key]
            self._asked.pop(key, None)

    async def settle(self) -> None:
        """Wait until every job that was started has ended."""
        while self.running:
            await asyncio.wait(self.running.values())

    def cancel(self) -> list[asyncio.Task[None]]:
        """Cancel every running job, and return their tasks, which end soon; later requests start none."""
        self.closed = True
        tasks = [*self.running.values()]
        for task in tasks:
            task.cancel()
        return tasks
