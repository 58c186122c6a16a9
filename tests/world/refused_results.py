"""Results that channels have refused: until when the bot lets each be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.features.board.lobbies import LET_BE
from bot.sandbox.rest import RequestLogEntry
from tests.world.thread_waits import RATE_LIMITED
from tests.world.visible_matches import about


class RefusedResults:
    """Follows what Discord says to a message that tells how a match ended. `now` is the loop's time."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self._until: dict[int, float] = {}

    def answered(self, entry: RequestLogEntry) -> None:
        """Discord has answered a request."""
        body: Any = entry.body
        told = about(body) if entry.method == "POST" and hasattr(body, "get") else None
        if told and told[0] == "f" and 400 <= entry.status < 500 and entry.status != RATE_LIMITED:
            self._until[told[1]] = self.now() + LET_BE

    def wait(self, match: int) -> float:
        """The seconds for which the result of a match is let be from now on."""
        return max(0.0, self._until.get(match, 0.0) - self.now())
