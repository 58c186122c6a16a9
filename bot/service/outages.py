"""Time in which the bot was not connected to Discord is given back: nobody can move then, so no clock counts.

A note in the database says at which moment clocks were last known to count; it is written each minute, and kept in
memory at each look between. Where a look finds it further behind, every clock goes on as if it had stood still since,
in one transaction in which the note moves on: so it is given back once, by whichever process is first, or not at all.
That the machine slept, that the bot was killed, that its clock was put forward are the same to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bot.core.clocks import Clock
from bot.core.ids import MatchId, UserId
from bot.core.rows import Ticking
from bot.service.calendars import Calendar
from data.store import Store, Transaction

NOTE = "clocks"
"""The note of the last moment at which clocks were known to count."""
NOTED_EVERY = 60
"""Seconds after which that is written down again."""
OUTAGE = 90
"""Seconds without a look that are an outage, where looks are not further apart anyway: a restart for a new version, or
a connection made anew, takes less."""
WORTH_TELLING = 600
"""Seconds by which all deadlines must have moved for boards to be edited, some time and without telling anybody:
Discord shows them in hours or days, and a thousand edits take minutes."""


class Outages:
    """Knows when the bot was connected; `longest` are the seconds between two looks that are no outage."""

    def __init__(self, store: Store, clock: Callable[[], int], longest: int = OUTAGE) -> None:
        self.longest = longest
        self.store = store
        self.clock = clock
        self._counted: int | None = None
        self._noted = 0
        self._looking = asyncio.Lock()

    @property
    def steady(self) -> bool:
        """Whether clocks were known to count a moment ago, so that there is nothing to be given back."""
        return self._counted is not None and 0 <= self.clock() - self._counted <= self.longest

    async def over(self) -> int:
        """Say that the bot is connected at this moment. Returns the seconds that were given back, mostly none; after it
        returns everything that is due may be done."""
        async with self._looking:
            now, given = self.clock(), 0
            if not self.steady or not 0 <= now - self._noted < NOTED_EVERY:
                given = await self.store.unhurried.do(caught_up, self._counted, now, self.longest)
                self._noted = now
            self._counted = now
        return given


def caught_up(tx: Transaction, counted: int | None, now: int, longest: int) -> int:
    """Note that clocks count at this moment, and give back the time before in which they did not; how much that was.

    `counted` is what this process remembers. What is noted for the future comes of a clock that was set back since: it
    is written anew, unless it is another process that is a few seconds ahead.
    """
    note = tx.note(NOTE)
    noted = int(note) if note and note.isdecimal() else None
    if noted is not None and now <= noted <= now + longest:
        return 0
    since = max((moment for moment in (counted, noted) if moment is not None and moment <= now), default=now)
    if not tx.replace_note(NOTE, note, str(now)) or now - since <= longest:
        return 0
    give_back(tx, since, now)
    return now - since


def give_back(tx: Transaction, since: int, now: int) -> None:
    """Let all clocks go on as if they had stood still for a while that ends now. Their matches are changed first: on a
    server nobody stops a clock then between its being read and written."""
    tx.change_times()
    matches = tx.shift()
    tx.put_clocks([resumed(one, since, now) for one in tx.running()])
    tx.postpone(now - since)
    if now - since >= WORTH_TELLING:
        tx.postpone_wishes(now - since)
        tx.redraw(matches, now)


def resumed(one: Ticking, since: int, now: int) -> tuple[MatchId, UserId, dict[str, Any]]:
    """A clock that stood still for a while, as it is stored; with its next reminder."""
    player = one.player
    assert player.allotted is not None and player.left is not None and player.since is not None
    hours = Calendar.of(one.chosen, one.settings, one.away)
    stood = Clock(player.allotted, player.left, player.since, player.deadline)
    clock = stood.without(since, now, hours.rests(player.since))
    remind = hours.next_reminder(clock, player.reminded)
    columns = {"left": clock.left, "since": clock.since, "deadline": clock.deadline, "remind": remind}
    return one.match, player.user, columns
