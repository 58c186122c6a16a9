"""Downtime is given back: while the bot is not connected to Discord nobody can move, so no clock counts.

For each shard a note in the database tells when its clocks were last known to count. It is written each minute, and
kept in memory between. When the next look finds it too old, every clock of the shard goes on as if it had stood still
since, in one transaction that also writes the note: so downtime is given back once, by the process that is first. It
makes no difference whether the machine slept, the bot was killed or its clock was put forward.

A shard may move from one process to another; that stops no clock. When the number of shards changes, the latest of all
notes that cover a server counts for it. An older note is dropped once newer ones cover all of its servers.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import lcm
from typing import Any

from bot.core.match.clocks import Clock
from bot.core.match.stored import Ticking
from bot.core.values.ids import GuildId, MatchId, UserId
from bot.core.values.shards import WHOLE, Share, together
from bot.service.time.calendars import Calendar
from data.engine.database_errors import Unavailable
from data.store import Store, Transaction

NOTE = "clocks"
"""The name of that note where there is one shard; the shard's number follows where there are several."""
NOTED_EVERY = 60
"""Seconds after which the note is written again."""
OUTAGE = 90
"""Seconds without a look that are downtime. A restart for a new version, or a new connection, takes less."""
WORTH_TELLING = 600
"""The least downtime in seconds after which all boards are edited, silently, to show their new deadlines. Discord shows
deadlines in hours or days, and a thousand edits take minutes."""

log = logging.getLogger(__name__)

Moments = Mapping[Share, int]
"""When clocks were last known to count, in epoch seconds, by shard."""


class DowntimeKeeper:
    """Knows when the bot was connected; up to `longest` seconds between two looks are no downtime.
    `shard_of` finds the shard of a server."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        longest: int = OUTAGE,
        shard_of: Callable[[int], Share] = lambda _: WHOLE,
    ) -> None:
        self.longest = longest
        self.shard_of = shard_of
        self.store = store
        self.clock = clock
        self._counted: dict[Share, int] = {}
        self._noted: dict[Share, int] = {}
        self._looking = asyncio.Lock()

    def steady(self, shard: Share = WHOLE) -> bool:
        """Whether the clocks of a shard were known to count a moment ago, so that there is nothing to give back."""
        counted = self._counted.get(shard)
        return counted is not None and 0 <= self.clock() - counted <= self.longest

    async def heard(self, guild: GuildId) -> None:
        """Give back downtime before an interaction in a server is handled: the bot may not have looked since the shard
        came back. Nearly always there was none."""
        if not any(shard.holds(guild) and self.steady(shard) for shard in self._counted):
            with suppress(Unavailable):  # then nothing can be done to a match either
                await self.over((self.shard_of(guild),))

    async def over(self, shards: Sequence[Share] = (WHOLE,)) -> int:
        """Note that these shards are connected now, and return how many seconds were given back: mostly 0, and the most
        where shards differ. Afterwards everything that is due in them may be done."""
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
        if given:
            told = ", ".join(map(str, together(shards)))
            log.info("%d seconds without Discord were given back to all who are to move (shards %s).", given, told)
        return given


# What the notes say.


def note_of(shard: Share) -> str:
    """The name of a shard's note."""
    return NOTE if shard.count == 1 else f"{NOTE} {shard}"


def read_notes(notes: Mapping[str, str]) -> Moments:
    """The moments in these notes; a note that cannot be read is left out."""
    found: dict[Share, int] = {}
    for called, value in notes.items():
        try:
            shard = WHOLE if called == NOTE else Share.parse(called.removeprefix(NOTE))
        except ValueError:
            continue
        if value.isdecimal():
            found[shard] = int(value)
    return found


def stopped(
    moments: Moments, remembered: Mapping[Share, int | None], now: int, longest: int
) -> list[tuple[Share, int]]:
    """Which servers of some shards had no running clocks for more than `longest` seconds until now, and since when.

    `remembered` is what this process itself knows of its shards. A note for a future moment was written by a process
    whose clock is a few seconds ahead, or before this clock was set back. It counts as now, or not at all.

    >>> notes = {"clocks 0/2": "100", "clocks 1/2": "900"}
    >>> [(str(share), since) for share, since in stopped(read_notes(notes), {Share(1, 1, 4): None}, 1000, 90)]
    [('1/4', 900)]
    >>> [(str(share), since) for share, since in stopped(read_notes(notes), {WHOLE: None}, 1000, 90)]
    [('0/2', 100), ('1/2', 900)]
    >>> stopped(read_notes(notes), {WHOLE: 950}, 1000, 90)
    []
    """
    noted = {shard: min(now, at) for shard, at in moments.items() if at <= now + longest}
    found: defaultdict[int, list[Share]] = defaultdict(list)
    for shard, known in remembered.items():
        mine = [at for at in (known, noted.get(shard)) if at is not None and at <= now]
        if mine and now - max(mine) <= longest:
            continue
        about = {other: at for other, at in noted.items() if other.overlaps(shard)}
        for part in shard.divided(lcm(shard.count, *(other.count for other in about))):
            since = max(
                [*mine, *(at for other, at in about.items() if part.first % other.count in other.shards)], default=now
            )
            if now - since > longest:
                found[since].append(part)
    return [(share, since) for since in sorted(found) for share in together(found[since])]


def superseded(moments: Moments, now: int) -> list[Share]:
    """The notes that are out of date: each of their servers has a later note, for another number of shards."""
    counts = {shard.count for shard in moments}
    whole = lcm(*counts) if len(counts) > 1 else 0
    past = {shard: at if at <= now else 0 for shard, at in moments.items()}

    def later(shard: Share, part: Share) -> bool:
        return any(
            at > past[shard] and part.first % other.count in other.shards
            for other, at in past.items()
            if other.count != shard.count
        )

    return [shard for shard in moments if whole and all(later(shard, part) for part in shard.divided(whole))]


# Giving back.


def caught_up(tx: Transaction, counted: Mapping[Share, int | None], now: int, longest: int) -> int:
    """Note that the clocks of some shards count now, and give back the downtime before; returns the most seconds given
    back. `counted` is what this process remembers of the shards."""
    found = tx.notes(NOTE)
    if stopped(read_notes(found), counted, now, longest):
        tx.change_times()  # nobody else gives it back now; what was noted until then is read anew
        found = tx.notes(NOTE)
    known = read_notes(found)
    outages = stopped(known, counted, now, longest)
    for share, since in outages:
        give_back(tx.within(share), since, now)
    for shard in counted:
        if not now <= known.get(shard, 0) <= now + longest:
            tx.replace_note(note_of(shard), found.get(note_of(shard)), str(now))
    for shard in superseded({**known, **dict.fromkeys(counted, now)}, now):
        tx.drop_note(note_of(shard), found.get(note_of(shard), ""))
    return max((now - since for _, since in outages), default=0)


def give_back(tx: Transaction, since: int, now: int) -> None:
    """Shift all clocks of a share by the downtime from `since` until now. Their matches are changed first, so that on
    PostgreSQL no clock is stopped between its being read and written."""
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
    assert player.allotted is not None and player.seconds_left is not None and player.since is not None
    hours = Calendar.of(one.chosen, one.settings, one.away).of_clock(player)
    stood = Clock(player.allotted, player.seconds_left, player.since, player.deadline)
    clock = stood.without(since, now, hours.rests(player.since))
    remind = hours.next_reminder(clock, player.reminder_count)
    columns = {"seconds_left": clock.left, "since": clock.since, "deadline": clock.deadline, "next_reminder_at": remind}
    return one.match, player.user, columns
