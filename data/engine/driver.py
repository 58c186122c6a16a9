"""What both drivers share: time limits, and whether a request may have been written."""

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


# The common part of both database drivers: their interface, the time limits of transactions, and how many run at once.


WAIT_SECONDS = 1.8
"""The deadline for beginning a transaction, whatever it waits for: earlier writes of this program, a free connection,
another program's lock. Discord's answer is due in 3 seconds, and takes a while too."""
CONNECTIONS = 8
"""How many transactions run at once; with SQLite one of these connections is kept for writes."""
READING: dict[str, dict[str, Any]] = {
    "sqlite": {"reading": True},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
"""The options of a transaction that only reads: one snapshot, which holds nobody up."""

T = TypeVar("T")
Work = Callable[["Connection"], T]


class Abandoned(Exception):
    """The task that waited for this transaction was cancelled, so it is rolled back."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a transaction on a server may take, in seconds; on SQLite it runs to its end once it has begun."""

    wait: float
    """Until it begins, and for each lock that others hold."""
    run: float
    """From its beginning to its end."""


UNHURRIED = TimeLimits(wait=5.0, run=60.0)
"""For background work that no person waits for, such as moving thousands of clocks after an outage."""
HOSTS = TimeLimits(wait=10.0, run=math.inf)
"""For a host's commands, which may run as long as they need."""


class Driver(Protocol):
    """Runs transactions; `TimeoutError` and `OSError` where the database cannot be reached."""

    async def read(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """Run a function in one snapshot."""
        ...

    async def write(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """Run a function in one transaction that may write: committed when it returns, rolled back when it raises."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


async def take_all(slots: tuple[asyncio.Semaphore, ...], seconds: float) -> None:
    """Take all of these, or none."""
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


# Knows whether a request may have been written already: a user whose request ran out of time is told so.


@dataclass(slots=True)
class CommitWatch:
    """Whether a transaction of some work has come to its commit."""

    reached: bool = False


WATCH: ContextVar[CommitWatch | None] = ContextVar("watch", default=None)
"""The watch on the work under way; a task inherits it from the one that started it."""


@contextmanager
def watch_commits() -> Generator[None]:
    """Watch the transactions of the work in this block."""
    before = WATCH.set(CommitWatch())
    try:
        yield
    finally:
        WATCH.reset(before)


def may_be_written() -> bool:
    """Whether the work under way may have written something; also where nobody has watched it."""
    watch = WATCH.get()
    return watch is None or watch.reached


def watch_commit(work: Work[T]) -> Work[T]:
    """A transaction's function that notes its end, where it is watched."""
    watch = WATCH.get()
    if watch is None:
        return work

    def noting(connection: Connection) -> T:
        done = work(connection)
        watch.reached = True
        return done

    return noting
