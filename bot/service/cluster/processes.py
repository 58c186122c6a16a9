"""Which processes serve the servers of a database, and whether two serve the same ones by mistake.

Each process has a row `process <share>`, in which it writes its name and a counter every few seconds. Of others it
believes only that they live whose rows change while it looks on: a row that stands still is of a process that was
killed. Where two have the same share they write the same row, and each finds the other's name where it had put its own.
Nothing is done about it here: in one database every act counts once, however many processes hear of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.core.values.shards import Share
from data.store import Transaction

PROCESS = "process "
"""How the names of the rows begin; the share follows."""
PROOFS = 2
"""So many times another must be seen to live: one that is just being replaced may beat once more."""
FORGET = 60.0
"""Seconds after which one that has not been seen again is gone."""
SURE = 20.0
"""Seconds within which all that live have beaten."""
STALE = 86_400.0
"""Seconds after which a row that stands still is dropped."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Another process that lives and whose servers are ours too: when it was last seen to, and how often."""

    share: Share
    at: float
    proofs: int


@dataclass(frozen=True, slots=True)
class Census:
    """What one process knows of the others, by its own steady clock."""

    holder: str
    share: Share
    began: float | None = None
    rows: Mapping[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])
    """What stood in each row after the last look, and since when."""
    doubtful: bool = False
    """Whether there was a row of others at the first look, who may live or not."""
    seen: Mapping[str, Seen] = field(default_factory=dict[str, Seen])
    """Others, by their names."""

    @property
    def row(self) -> str:
        """The name of our own row."""
        return f"{PROCESS}{self.share}"

    def twins(self, now: float) -> tuple[tuple[str, Share], ...]:
        """Who else surely serves servers of ours, and which share they have."""
        return tuple(
            (name, one.share)
            for name, one in sorted(self.seen.items())
            if one.proofs >= PROOFS and now - one.at <= FORGET
        )

    def alone(self, now: float) -> bool:
        """Whether surely nobody else in this database serves servers of ours."""
        if self.began is None or any(now - one.at <= FORGET for one in self.seen.values()):
            return False
        return not self.doubtful or now - self.began >= SURE

    def looked(self, found: Mapping[str, str], after: str | None, now: float) -> Census:
        """What is known after a look that has found these rows, and has left our own with this text."""
        others = {name: (value, share) for name, value in found.items() if (share := self._foreign(name, value))}
        seen = {name: one for name, one in self.seen.items() if now - one.at <= FORGET}
        if self.began is not None:
            for name, (value, share) in others.items():
                if self.rows.get(name, ("", now))[0] != value:
                    holder = holder_of(value)
                    seen[holder] = Seen(share, now, seen[holder].proofs + 1 if holder in seen else 1)
        stands = {**found, self.row: after} if after is not None else found
        rows = {name: (value, self._since(name, value, now)) for name, value in stands.items()}
        if self.began is None:
            return replace(self, began=now, rows=rows, doubtful=bool(others))
        return replace(self, rows=rows, seen=seen)

    def stale(self, now: float) -> dict[str, str]:
        """Rows of processes that have been dead for long."""
        return {name: value for name, (value, since) in self.rows.items() if now - since >= STALE and name != self.row}

    def _since(self, name: str, value: str, now: float) -> float:
        before, since = self.rows.get(name, (None, now))
        return since if before == value else now

    def _foreign(self, name: str, value: str) -> Share | None:
        """The share of a row of another's, if there are servers of ours in it."""
        try:
            share = Share.parse(name.removeprefix(PROCESS))
        except ValueError:
            return None
        return share if holder_of(value) != self.holder and share.overlaps(self.share) else None


def holder_of(value: str) -> str:
    """Who wrote a row."""
    return value.partition(" ")[0]


def beaten(tx: Transaction, row: str, value: str) -> tuple[dict[str, str], str | None]:
    """Write one's own row; what all rows held before, and one's own afterwards."""
    found = tx.notes(PROCESS)
    written = tx.replace_note(row, found.get(row), value)
    return found, value if written else tx.note(row)


def left(tx: Transaction, row: str, holder: str) -> None:
    """Take one's own row away."""
    value = tx.note(row)
    if value and holder_of(value) == holder:
        tx.drop_note(row, value)


def cleared(tx: Transaction, rows: Mapping[str, str]) -> None:
    """Drop rows that stand as they were seen."""
    for name, value in rows.items():
        tx.drop_note(name, value)
