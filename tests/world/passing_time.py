"""Time that passes while the bot is dead: the clocks of some matches are put back in the database, which is to them as
if it had been there and nobody had moved. So people are due to be reminded, run out of time, or leave by themselves.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.world.clock_findings import Clocks
from tests.world.findings import Ledger

PACES = ("none", "1", "bank")
OFTEN = 0.06
"""How likely time passes in a match, from one life of the bot to the next."""
RUNNING = """
    select p.match, p.next_reminder_at, p.deadline, p.forfeit_at from players p join matches m on m.id = p.match
     where m.state = 'live' and p.deadline is not null
"""
SHIFT = """
    update players set since = since - {by}, deadline = deadline - {by}, forfeit_at = forfeit_at - {by},
           next_reminder_at = next_reminder_at - {by}
     where match = {match}
"""
TIMED = "select count(*) from deliveries where interaction < 0"
TIMEOUTS = "select count(*) from moves where text = 'timeout'"


@dataclass
class Passing:
    """Lets time pass; and knows in which matches it has, and how often each reminder was posted."""

    ledger: Ledger
    rng: Random
    counts: Counter[str] = field(default_factory=Counter[str])
    matches: set[int] = field(default_factory=set[int])
    reminders: Counter[str] = field(default_factory=Counter[str])

    def heard(self, event: str, data: dict[str, Any]) -> None:
        """A message was posted; a reminder is known by its nonce."""
        nonce = str(data.get("nonce") or "")
        if event == "MESSAGE_CREATE" and nonce.startswith("r"):
            self.reminders[nonce] += 1

    def let(self, remind: bool, where: str = "true") -> None:
        """Let time pass in some matches; with `remind` in all, until a player is due to be reminded there. `where`: a
        condition in SQL, for those of them whose bot is dead."""
        now = int(time.time())
        shifts: dict[int, int] = {}
        for match, due, deadline, lapse in self.ledger.ask(f"{RUNNING} and {where}"):
            what, at = self._until(due, deadline, lapse, remind)
            if at is not None and match not in shifts:
                shifts[match] = max(0, at - now + 1)
                self.matches.add(match)
                self.counts[what] += 1
        if shifts:
            self.ledger.change(*(SHIFT.format(match=match, by=by) for match, by in shifts.items()))

    def _until(self, due: int | None, deadline: int, lapse: int | None, remind: bool) -> tuple[str, int | None]:
        if remind and due is not None:
            return "until a reminder", due
        if self.rng.random() >= OFTEN:
            return "", None
        if lapse is not None:
            return "until they leave", lapse
        if due is not None and self.rng.random() < 0.4:
            return "until a reminder", due
        return "until they are out", deadline

    def twice(self) -> list[str]:
        """Who was reminded or timed out twice."""
        said = [f"reminder {nonce} was posted {times} times" for nonce, times in self.reminders.items() if times > 1]
        return [*said, *Clocks(self.ledger, time.time).twice()]

    def figures(self) -> dict[str, int]:
        """What came of it."""
        return {
            **dict(sorted(self.counts.items())),
            "acts of time": self.ledger.ask(TIMED)[0][0],
            "timeouts": self.ledger.ask(TIMEOUTS)[0][0],
            "reminders": len(self.reminders),
        }
