"""Knows whether a request may have been written already: a user whose request ran out of time is told so.

A transaction's function that has run to its end is committed next, unless nobody waits for it any more. If the task
that waits is cancelled before that end, the transaction is undone or never begins. So until one has come so far,
nothing was written for certain.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from data.engine.driver import T, Work

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(slots=True)
class CommitWatch:
    """Whether a transaction of some work has come to its commit."""

    reached: bool = False


WATCH: ContextVar[CommitWatch | None] = ContextVar("watch", default=None)
"""The watch on the work under way; a task inherits it from the one that started it."""


@contextmanager
def watching_commits() -> Generator[None]:
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


def watched(work: Work[T]) -> Work[T]:
    """A transaction's function that notes its end, where it is watched."""
    watch = WATCH.get()
    if watch is None:
        return work

    def noting(connection: Connection) -> T:
        done = work(connection)
        watch.reached = True
        return done

    return noting
