"""What the processes on one database tell each other by rows of the notes: who is alive, who leads, who may identify.

    process <share>     <holder> <counter>           every process that serves those shards, at each heartbeat
    leader              <holder> <counter>, or free  the lease on what one process does for all
    identify <queue>    <time> <holder> <number>     the last IDENTIFY in a queue of Discord's

A holder is the name of a process. Clocks of different machines are never compared. A process sees that another lives
when its row changes, and takes a row to be abandoned when it has stood unchanged for a while by its own steady clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.core.values.shards import Share
from data.store import Transaction

PROCESS, LEADER, IDENTIFY = "process ", "leader", "identify "
"""The names of the rows; a share follows the first, a queue the last."""
FREE = "free"
"""What the lease holds when its leader has stopped in good order: another need not wait."""
HEARTBEAT, HOLD, TERM = 15.0, 30.0, 45.0
"""Seconds between two heartbeats; for which a renewal lets its leader act; after which a silent leader is followed."""
PROOFS = 2
"""How often another process must be seen to live: one that is just being replaced may beat once more."""
FORGET = 60.0
"""Seconds after which a process that was not seen again is gone."""
STALE = 86_400.0
"""Seconds after which an unchanged row of a process is dropped."""
GAP = 5.5
"""Seconds between two IDENTIFY in a queue: Discord's five, and what differs on the way to it."""
DOUBT = 3.0
"""Seconds by which two clocks may differ that both go by Discord's dates, which are whole seconds."""


def holder_of(text: str | None) -> str:
    """The process that wrote a row of its own or the lease."""
    return (text or "").partition(" ")[0]


def named(holder: str) -> str:
    """A holder, `<machine>:<number>:<random>`, in words."""
    machine, _, rest = holder.partition(":")
    number = rest.partition(":")[0]
    return f"process {number} on {machine}" if machine and number else holder


# --- the lease


@dataclass(frozen=True, slots=True)
class Lease:
    """The lease as one process knows it: its row at the last look, since when, and when it was last renewed.

    A leader counts its time from before it began to write, the others from after they have read. So no two lead at
    once, as long as no steady clock runs half as fast again as another.
    """

    holder: str
    seen: str | None = None
    since: float = 0.0
    renewed: float | None = None

    def leads(self, now: float) -> bool:
        """Whether this process acts as the leader now."""
        return self.renewed is not None and 0 <= now - self.renewed <= HOLD

    def bid(self, row: str | None, now: float) -> str | None:
        """What to write in place of what the row holds; None to leave it."""
        abandoned = row == self.seen and now - self.since >= TERM
        if row is None or row == FREE or holder_of(row) == self.holder or abandoned:
            counter = (row or "").partition(" ")[2]
            return f"{self.holder} {int(counter) + 1 if counter.isascii() and counter.isdecimal() else 1}"
        return None

    def looked(self, row: str | None, began: float, ended: float) -> Lease:
        """The lease after a look between two moments, which has left the row like this."""
        since = self.since if row == self.seen else ended
        return replace(self, seen=row, since=since, renewed=began if holder_of(row) == self.holder else None)

    def resigned(self) -> Lease:
        """The lease once this process has given it up."""
        return replace(self, renewed=None)


def bid(tx: Transaction, lease: Lease, now: float) -> str | None:
    """Renew the lease, or take it if it is abandoned; the row afterwards."""
    row = tx.note(LEADER)
    text = lease.bid(row, now)
    if text is None:
        return row
    return text if tx.replace_note(LEADER, row, text) else tx.note(LEADER)


# --- other processes


@dataclass(frozen=True, slots=True)
class Seen:
    """Another process that serves servers of ours too: when it was last seen to live, and how often."""

    share: Share
    at: float
    proofs: int


@dataclass(frozen=True, slots=True)
class Others:
    """Which other processes serve servers of this one's share, by its own steady clock.

    Two with the same share write the same row, and each finds the other's name where it had put its own.
    """

    holder: str
    share: Share
    rows: Mapping[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])
    """The text of each row after the last look, and since when."""
    seen: Mapping[str, Seen] = field(default_factory=dict[str, Seen])
    """By holder."""

    @property
    def row(self) -> str:
        """The name of this process's own row."""
        return f"{PROCESS}{self.share}"

    def alive(self, now: float) -> tuple[tuple[str, Share], ...]:
        """The holders of all that surely live, with their shares."""
        sure = ((name, one) for name, one in sorted(self.seen.items()) if one.proofs >= PROOFS)
        return tuple((name, one.share) for name, one in sure if now - one.at <= FORGET)

    def looked(self, found: Mapping[str, str], own: str, now: float) -> Others:
        """The state after reading these rows and writing this text into the own row."""
        seen = {name: one for name, one in self.seen.items() if now - one.at <= FORGET}
        for name, text in found.items():
            share, holder = self._overlapping(name), holder_of(text)
            if share and holder != self.holder and self.rows.get(name, (text, now))[0] != text:
                seen[holder] = Seen(share, now, seen[holder].proofs + 1 if holder in seen else 1)
        rows = dict[str, tuple[str, float]]()
        for name, text in {**found, self.row: own}.items():
            then, since = self.rows.get(name, (None, now))
            rows[name] = text, since if then == text else now
        return replace(self, rows=rows, seen=seen)

    def stale(self, now: float) -> dict[str, str]:
        """The rows of processes that have been dead for long."""
        rows = self.rows.items()
        return {name: text for name, (text, since) in rows if now - since >= STALE and name != self.row}

    def _overlapping(self, name: str) -> Share | None:
        """The share that a row is named after, if it has servers of ours."""
        try:
            share = Share.parse(name.removeprefix(PROCESS))
        except ValueError:
            return None
        return share if share.overlaps(self.share) else None


def announce(tx: Transaction, row: str, text: str) -> dict[str, str]:
    """Write a process's own row; the rows of all processes before."""
    found = tx.notes(PROCESS)
    tx.set_note(row, text)
    return found


def drop(tx: Transaction, rows: Mapping[str, str]) -> None:
    """Drop rows that still stand as they were seen."""
    for name, text in rows.items():
        tx.drop_note(name, text)


def leave(tx: Transaction, row: str, holder: str) -> None:
    """Free the lease if it is held by a process that stops, and take the process's row away."""
    if (lease := tx.note(LEADER)) and holder_of(lease) == holder:
        tx.replace_note(LEADER, lease, FREE)
    if (text := tx.note(row)) and holder_of(text) == holder:
        tx.drop_note(row, text)


# --- turns at IDENTIFY


def wait_for(row: str | None, unchanged: float, now: float, gap: float) -> float:
    """Seconds until a queue is free whose row was seen `unchanged` for a while.

    It is free when the row has stood for the whole gap by the own steady clock, or is older than that by Discord's
    dates. Nobody holds a queue: a process that is killed costs the others a gap.
    """
    if row is None:
        return 0.0
    waits = gap - unchanged
    moment = row.partition(" ")[0]
    if moment.isascii() and moment.isdecimal() and (age := now - int(moment)) >= 0:
        waits = min(waits, gap + DOUBT - age)
    return max(0.0, waits)


def take_turn(
    tx: Transaction, queue: str, seen: str | None, unchanged: float, mine: str, gap: float
) -> tuple[str | None, float]:
    """Write `mine`, which begins with the time, if the queue is free; the row afterwards, and the seconds to wait."""
    row = tx.note(queue)
    waits = wait_for(row, unchanged if row == seen else 0.0, int(mine.partition(" ")[0]), gap)
    if waits or not tx.replace_note(queue, row, mine):
        return tx.note(queue), waits
    return mine, 0.0


def use_turn(tx: Transaction, queue: str, taken: str, mine: str) -> bool:
    """Use a turn that was taken a while ago, if nobody has taken the next: the gap counts from now on."""
    return tx.replace_note(queue, taken, mine)
