"""The interface of both drivers, time limits, and the watch on commits."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from sqlalchemy import Connection


# The interface of the drivers, and the limits of transactions.


WAIT_SECONDS = 1.8
"""The deadline for beginning a transaction, whatever it waits for: earlier writes, a free connection, another program's
lock. Discord's answer is due in 3 seconds, and takes a while too."""
CONNECTIONS = 8
"""The number of concurrent transactions; with SQLite one of the connections is reserved for writes."""
READING: dict[str, dict[str, Any]] = {
    "sqlite": {"reading": True},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
"""The options of a read-only transaction: one snapshot, which blocks no other."""

T = TypeVar("T")
Work = Callable[["Connection"], T]


class Abandoned(Exception):
    """The task that waited for this transaction was cancelled, so it is rolled back."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The time limits of a transaction on a server, in seconds; on SQLite it is not limited once it has begun."""

    wait: float
    """Until it begins, and for each lock."""
    run: float
    """From its beginning to its end."""


UNHURRIED = TimeLimits(wait=5.0, run=60.0)
"""For background work that no user waits for, such as moving thousands of clocks after an outage."""
HOSTS = TimeLimits(wait=10.0, run=math.inf)
"""For a host's commands, which may run as long as they need."""


class Driver(Protocol):
    """Runs transactions; `TimeoutError` and `OSError` if the database cannot be reached."""

    async def read(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """Run a function in one snapshot."""
        ...

    async def write(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """Run a function in one transaction that may write: committed when it returns, rolled back when it raises."""
        ...

    async def close(self) -> None: ...


async def take_all(slots: tuple[asyncio.Semaphore, ...], seconds: float) -> None:
    """Acquire all semaphores within the time limit, or none."""
    mine: list[asyncio.Semaphore] = []
    try:
        async with asyncio.timeout(seconds):
            for slot in slots:
                await slot.acquire()
                mine.append(slot)
    except BaseException:
        for slot in mine:
            slot.release()
        raise


# The watch on commits: a user whose request timed out is told whether it may have been written.


@dataclass(slots=True)
class CommitWatch:
    """Whether any transaction of some work has reached its commit."""

    reached: bool = False


WATCH: ContextVar[CommitWatch | None] = ContextVar("watch", default=None)
"""The watch on the current work; a task inherits it from its parent."""


@contextmanager
def watch_commits() -> Generator[None]:
    """Watch the transactions of the work in this block."""
    before = WATCH.set(CommitWatch())
    try:
        yield
    finally:
        WATCH.reset(before)


def may_be_written() -> bool:
    """Whether the current work may have written something; True if it is not watched."""
    watch = WATCH.get()
    return watch is None or watch.reached


def watch_commit(work: Work[T]) -> Work[T]:
    """The transaction's function, which also marks the watch at its end, if there is one."""
    watch = WATCH.get()
    if watch is None:
        return work

    def run_and_note(connection: Connection) -> T:
        done = work(connection)
        watch.reached = True
        return done

    return run_and_note
