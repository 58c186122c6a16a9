"""How far something has come that takes long, told to whoever asked for it, and how it is ended in the middle.

Who does the work tells; who asked decides whether anything is shown, and how. Work that runs beside the event loop
hears of being given up when it tells the next time, and leaves what it would leave after any error: nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event
from typing import TypeVar

T = TypeVar("T")

Progress = Callable[[str, int, int], None]
"""Takes what is being done ("matches"), how many of them are behind, and how many there are; 0: nobody knows."""


class Stopped(Exception):
    """Nobody waits for the work any more."""


def quiet(_what: str, _done: int, _whole: int) -> None:
    """Show nothing."""


@contextmanager
def stoppable(progress: Progress) -> Generator[Progress]:
    """The same progress, but `Stopped` is raised in whoever tells it after the waiting task was cancelled."""
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
    """Do something on a thread of its own, which ends soon after nobody waits for it."""
    with stoppable(progress) as told:
        return await asyncio.to_thread(work, told)


async def undisturbed(work: Callable[[], T]) -> T:
    """Do something on a thread of its own that is not to be given up half done: whoever tries hears how it ended."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    while True:
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            if running.done():
                raise
