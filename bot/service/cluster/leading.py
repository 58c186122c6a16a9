"""Which of several processes leads: the rules of a lease that is a row of the store, without a clock of its own.

What is of no server (tidying up, telling Discord of the commands) is done by one process. The row holds
`<holder> <counter>`, and its leader raises the counter every `RENEW` seconds. Whoever has seen the same text for `TERM`
seconds writes its own name instead, if the text is still the one it saw. A leader that has not raised the counter for
`HOLD` seconds stops acting, whatever the reason. So no two moments of different machines are ever compared: each
process measures by its own steady clock alone, and as long as none of these runs half as fast again as another, no two
lead. A leader counts its time from before it began to write, the others from after they have read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

RENEW, HOLD, TERM = 15.0, 30.0, 45.0
"""Seconds between two looks; for which a renewal lets its leader act; and after which a silent leader is followed."""
FREE = "free"
"""What the row holds when a leader has stopped in good order: another need not wait."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What one process knows of the lease: what it saw last, since when, and from when on it was last renewed."""

    holder: str
    seen: str | None = None
    since: float = 0.0
    renewed: float | None = None

    def leads(self, now: float) -> bool:
        """Whether to act as the leader at this moment."""
        return self.renewed is not None and 0 <= now - self.renewed <= HOLD

    def bid(self, row: str | None, now: float) -> str | None:
        """What to write in place of what the row holds; None to leave it."""
        holder, counter = read(row)
        if row is None or row == FREE or holder == self.holder or (row == self.seen and now - self.since >= TERM):
            return f"{self.holder} {counter + 1}"
        return None

    def looked(self, row: str | None, began: float, ended: float) -> Watch:
        """What is known after a look between two moments that has left the row like this."""
        ours = read(row)[0] == self.holder
        since = self.since if row == self.seen else ended
        return replace(self, seen=row, since=since, renewed=began if ours else None)

    def resigned(self) -> Watch:
        """What is known once the lease is to be given up."""
        return replace(self, renewed=None)


def read(row: str | None) -> tuple[str, int]:
    """Who holds the lease, and how often it was renewed."""
    holder, _, counter = (row or "").partition(" ")
    return holder, int(counter) if counter.isascii() and counter.isdecimal() else 0
