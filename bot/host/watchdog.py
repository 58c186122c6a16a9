"""Ends a process that serves nobody any more, so that Docker or systemd starts another.

Docker starts a container again when it ends, not when it is merely unhealthy. Ending is safe: committed moves are kept,
and the next process shows what is not shown yet. So the watchdog ends the process when the event loop hangs, when there
is no heartbeat any more, or when Discord has been away for so long that a new start is worth a try. It does not when
the database can't be written: a new process could not write it either.

A thread watches the loop, which feeds the watchdog twice a second. The thread counts its own looks, not seconds: while
the whole process sleeps nothing is missed.
"""

from __future__ import annotations

import asyncio
import faulthandler
import os
import sys
import threading
from collections.abc import Callable

from bot.client.runtime.loop_time import loop_time

FEED = 0.5
"""Seconds between two feedings by the event loop."""
LOOK = 1.0
"""Seconds between two looks of the thread's."""
STUCK = 3
"""The exit status of a process that its watchdog has ended."""
LAST_WORDS = 5.0
"""Seconds for saying why; the reader may hang too."""
SILENT, APART = 180.0, 1800.0
"""Seconds of the event loop's without a heartbeat, and without Discord, after which there is no hope."""

HELD_UP = "The event loop hasn't run for {:.0f} s, so nobody is served. This process ends so that it is restarted."
NO_HEARTBEAT = "There has been no heartbeat for {:.0f} s. This process ends so that it is restarted."
NO_DISCORD = "Discord hasn't been connected for {:.0f} s. This process ends so that it is restarted."


def end(sentence: str) -> None:
    """Write why and where every thread is, and end at once, without waiting for what hangs."""
    force = threading.Timer(LAST_WORDS, os._exit, (STUCK,))
    force.daemon = True
    force.start()
    # Not by the log: the loop may have been held up while it wrote there.
    os.write(sys.stderr.fileno(), f"{sentence}\n".encode())
    faulthandler.dump_traceback(sys.stderr.fileno())
    os._exit(STUCK)


class Watchdog:
    """Ends the process where it is not fed for `within` seconds, or where heartbeats or Discord are away for longer."""

    def __init__(self, within: float, end: Callable[[str], None] = end) -> None:
        self.within = within
        self.end = end
        self._fed = True
        self._missed = 0
        self._without_heartbeat = self._without_discord = 0.0
        self._over = threading.Event()

    # --- in the event loop

    def feed(self, seconds: float) -> None:
        """The loop runs, and has run for so many seconds since the last feeding."""
        self._fed = True
        self._without_heartbeat += seconds
        self._without_discord += seconds
        if self._over.is_set():
            return
        if self._without_heartbeat > SILENT:
            self.end(NO_HEARTBEAT.format(self._without_heartbeat))
        elif self._without_discord > APART:
            self.end(NO_DISCORD.format(self._without_discord))

    def beaten(self, connected: bool) -> None:
        """There was a heartbeat, whether it could be noted or not."""
        self._without_heartbeat = 0.0
        self._without_discord = 0.0 if connected else self._without_discord

    # --- in a thread

    def watch(self) -> None:
        """Begin to watch, unless the host wants no watchdog."""
        if not self.within:
            self._over.set()
            return
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def _watch(self) -> None:
        while not self._over.wait(LOOK):
            self.look()

    def look(self) -> None:
        """Look once whether the loop has run since the last look."""
        self._missed = 0 if self._fed else self._missed + 1
        self._fed = False
        if self._missed * LOOK >= self.within:
            self.end(HELD_UP.format(self._missed * LOOK))

    def close(self) -> None:
        """Watch no more."""
        self._over.set()


async def measure_lag(lagged: Callable[[float], None], feed: Callable[[float], None]) -> None:
    """For ever: tell how late the event loop came to this, and that it has run for so many seconds since."""
    while True:
        due = loop_time() + FEED
        await asyncio.sleep(FEED)
        lagged(loop_time() - due)
        feed(FEED)
