"""Runs the slow work of hosts' commands on a thread, with its progress told and with cancellation.

The work reports its progress; the caller decides whether and how that is shown. Cancelled work stops at its next report
and leaves nothing behind, as after any error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event
from typing import TypeVar

T = TypeVar("T")

Progress = Callable[[str, int, int], None]
"""Takes what is being done ("matches"), how many of them are done, and how many there are; 0: unknown."""


class Stopped(Exception):
    """The work was cancelled."""


def quiet(_what: str, _done: int, _whole: int) -> None:
    """Show nothing."""


@contextmanager
def stoppable(progress: Progress) -> Generator[Progress]:
    """The same progress, but a report raises `Stopped` after the waiting task was cancelled."""
    ended = Event()

    def told(what: str, done: int, whole: int) -> None:
        progress(what, done, whole)
        if ended.is_set():
            raise Stopped

    try:
        yield told
    except asyncio.CancelledError:
        ended.set()
        raise


async def beside(work: Callable[[Progress], T], progress: Progress) -> T:
    """Run something on a thread, which ends soon after it is cancelled."""
    with stoppable(progress) as told:
        return await asyncio.to_thread(work, told)


async def undisturbed(work: Callable[[], T]) -> T:
    """Run something on a thread that must not stop in the middle: a cancellation waits until it has ended."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    while True:
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            if running.done():
                raise
