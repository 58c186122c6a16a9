"""Time in which the bot was not connected to Discord is given back: nobody can move then, so no clock counts.

A note in the database says at which moment the clocks of a shard were last known to count (`moments`); it is written
each minute, and kept in memory at each look between. Where a look finds it further behind, every clock of the shard
goes on as if it had stood still since, in one transaction in which the note moves on: so it is given back once, by
whichever process is first, or not at all; and other shards do not notice. That the machine slept, that the bot was
killed, that its clock was put forward are the same to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.core.match.clocks import Clock
from bot.core.match.stored import Ticking
from bot.core.values.ids import MatchId, UserId
from bot.core.values.shards import WHOLE, Share
from bot.service.time import moments
from bot.service.time.calendars import Calendar
from bot.service.time.moments import NOTE
from data.store import Store, Transaction

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
        self._counted: dict[Share, int] = {}
        self._noted: dict[Share, int] = {}
        self._looking = asyncio.Lock()

    def steady(self, shard: Share = WHOLE) -> bool:
        """Whether the clocks of a shard were known to count a moment ago, so that there is nothing to be given back."""
        counted = self._counted.get(shard)
        return counted is not None and 0 <= self.clock() - counted <= self.longest

    async def over(self, shards: Sequence[Share] = (WHOLE,)) -> int:
        """Say that these shards are connected at this moment. Returns the seconds that were given back, mostly none, at
        most where shards differ; after it returns everything that is due in them may be done."""
        async with self._looking:
            now, given = self.clock(), 0
            due = [
                one for one in shards if not self.steady(one) or not 0 <= now - self._noted.get(one, 0) < NOTED_EVERY
            ]
            if due:
                remembered = {shard: self._counted.get(shard) for shard in due}
                given = await self.store.unhurried.do(caught_up, remembered, now, self.longest)
                self._noted |= dict.fromkeys(due, now)
            self._counted |= dict.fromkeys(shards, now)
        return given


def caught_up(tx: Transaction, counted: Mapping[Share, int | None], now: int, longest: int) -> int:
    """Note that the clocks of some shards count at this moment, and give back the time before in which they did not;
    how much that was at most. `counted` is what this process remembers of them."""
    found = tx.notes(NOTE)
    if moments.stood(moments.read(found), counted, now, longest):
        tx.change_times()  # nobody else gives it back now; what was noted until then is read anew
        found = tx.notes(NOTE)
    known = moments.read(found)
    outages = moments.stood(known, counted, now, longest)
    for share, since in outages:
        give_back(tx.within(share), since, now)
    for shard in counted:
        if not now <= known.get(shard, 0) <= now + longest:
            tx.replace_note(moments.name(shard), found.get(moments.name(shard)), str(now))
    for shard in moments.superseded({**known, **dict.fromkeys(counted, now)}, now):
        tx.drop_note(moments.name(shard), found.get(moments.name(shard), ""))
    return max((now - since for _, since in outages), default=0)


def give_back(tx: Transaction, since: int, now: int) -> None:
    """Let all clocks of a share go on as if they had stood still for a while that ends now. Their matches are changed
    first: on a server nobody stops a clock then between its being read and written."""
    tx.change_times()
    matches = tx.shift()
    tx.put_clocks([resumed(one, since, now) for one in tx.running()])
    tx.postpone(now - since)
    if now - since >= WORTH_TELLING:
        tx.postpone_proposals(now - since)
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
