"""Turns at what Discord lets begin once in a while: one row of the store for each queue, and whoever is first takes it.

Discord takes an IDENTIFY every five seconds of the shards that share a queue, whichever processes they are in, and
sends away what comes sooner. The row says when its queue was last used and by whom. It is free when it has stood
unchanged for the whole gap by one's own clock, or when it is older than that by Discord's dates, which all go by who
hear from Discord, to a second or two. Nobody holds a turn: a process that is killed with one costs the others a gap.
"""

from __future__ import annotations

from data.store import Transaction

GAP = 5.5
"""Seconds between two turns: Discord's five, and what differs on the way to it."""
DOUBT = 3.0
"""Seconds by which two clocks may differ that go by Discord's dates, which are whole seconds."""


def left(row: str | None, unchanged: float, now: float, gap: float) -> float:
    """Seconds until a queue is free that was seen `unchanged` for a while."""
    if row is None:
        return 0.0
    waits = gap - unchanged
    moment = row.partition(" ")[0]
    if moment.isascii() and moment.isdecimal() and (age := now - int(moment)) >= 0:
        waits = min(waits, gap + DOUBT - age)
    return max(0.0, waits)


def take(
    tx: Transaction, queue: str, seen: str | None, unchanged: float, mine: str, gap: float
) -> tuple[str | None, float]:
    """Take a turn by writing `mine`, which begins with the time, if it can be taken; what the row holds afterwards, and
    for how long to wait."""
    row = tx.note(queue)
    waits = left(row, unchanged if row == seen else 0.0, int(mine.partition(" ")[0]), gap)
    if waits or not tx.replace_note(queue, row, mine):
        return tx.note(queue), waits
    return mine, 0.0


def use(tx: Transaction, queue: str, taken: str, mine: str) -> bool:
    """Use a turn that was taken a while ago, if nobody has taken the next: the gap counts from now on."""
    return tx.replace_note(queue, taken, mine)
