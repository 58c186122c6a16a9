"""How often people were refused because the database could not be used, and how often nobody could be answered any
more, for whoever runs the bot: they alone can help.

The first of a kind is in the log at once; whatever follows within a minute is told together, with the latest cause.
"""

from __future__ import annotations

import asyncio
import logging

from data.engine.database_errors import Unusable, reason

REFUSED = "The database could not be used, and %d requests were refused: %s."
DROPPED = "%d requests came too late for an answer and were dropped, the last one %s."
"""A line for each kind, with the number of requests and the latest cause."""

EVERY = 60.0
"""Seconds between two lines."""

log = logging.getLogger(__name__)


class Tally:
    """Counts what befell requests, and tells of it."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.count = 0
        self.cause = ""
        self.next: asyncio.TimerHandle | None = None

    def note(self, fault: Exception) -> None:
        """Count a request."""
        self.count += 1
        self.cause = (str(fault) if isinstance(fault, Unusable) else reason(fault)).rstrip(".")
        if self.next is None:
            self._tell()

    def _tell(self) -> None:
        self.next = asyncio.get_running_loop().call_later(EVERY, self._tell) if self.count else None
        self._write()

    def _write(self) -> None:
        if self.count:
            log.warning(self.line, self.count, self.cause)
        self.count = 0

    def close(self) -> None:
        """Write what is not in the log yet."""
        if self.next:
            self.next.cancel()
        self._write()
