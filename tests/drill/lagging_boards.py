"""Measures how long boards that were behind when the bot died take to catch up."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.world.findings import Row
from tests.world.visible_matches import Seen


@dataclass
class Debts:
    """Seconds since the death that left boards behind (later deaths may have come between), and since the latest bot is
    heard. How much a secret match has to show is not known here, so those are left out.
    """

    seen: Seen
    ready: float = 0.0
    owed: dict[int, tuple[int, float]] = field(default_factory=dict[int, tuple[int, float]])
    paid: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])

    def note(self, rows: Iterable[Row]) -> None:
        """Look at all matches after a death."""
        for row in rows:
            if row.game == "binary-primes" and row.state != "open" and row.shown_version < row.version:
                shown = self.seen.boards.get(row.id)
                if shown is None or shown.plies < row.plies:
                    since = self.owed.get(row.id, (0, time.perf_counter()))[1]
                    self.owed[row.id] = (row.plies, since)

    def heard(self, event: str, data: dict[str, Any]) -> None:
        """A message was posted or changed."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return
        for match, (plies, since) in list(self.owed.items()):
            shown = self.seen.boards.get(match)
            if shown and shown.plies >= plies:
                now = time.perf_counter()
                self.paid.append((now - since, now - self.ready))
                del self.owed[match]
