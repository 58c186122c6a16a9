"""The notes in which a process says that it is alive and connected, for `health`, `status` and `move-to`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.core.values.plural import Plural
from bot.core.values.shards import Share

if TYPE_CHECKING:  # `health` only reads what was noted, and does without SQLAlchemy
    from data.store.transaction import Transaction

HEARTBEAT = "heartbeat"
"""The note that holds a `Pulse`; of a process that serves a part of all servers with its share behind it."""
VERSION = "version"
"""The note that says which version of the program runs; its share behind it, as behind a heartbeat."""
SAME_SERVERS = "twins "
"""How the notes begin in which a process says, with the time, that another serves the same servers; a share follows."""
UNHEARD_SECONDS = 90
"""A bot that has noted nothing for so long is stopped, or hangs; it means to every fifteen seconds."""
APART_SECONDS = 120
"""Discord cuts every connection now and then; it is there again within seconds."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """When the bot was last heard, and when it last was connected to Discord, in epoch seconds; 0: not since it was
    started."""

    alive: int
    connected: int

    def __str__(self) -> str:
        return f"{self.alive} {self.connected}"

    @property
    def stopped(self) -> bool:
        """Whether the bot was stopped in good order, and has not been started again."""
        return not self.alive

    @classmethod
    def parse(cls, text: str | None) -> Pulse | None:
        """Read what was noted; None if there is nothing that can be read."""
        numbers = (text or "").split()
        return cls(*map(int, numbers)) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None


STOPPED = Pulse(0, 0)
"""What a process notes that stops in good order."""


def note(share: Share) -> str:
    """The name of the note of a process."""
    return HEARTBEAT if share.whole else f"{HEARTBEAT} {share}"


def beat(tx: Transaction, pulse: Pulse) -> None:
    """Note that the bot is alive: the process that has these servers."""
    tx.set_note(note(tx.share), str(pulse))


def tell_version(tx: Transaction, version: str) -> None:
    """Note which version of the program this process is."""
    tx.set_note(note(tx.share).replace(HEARTBEAT, VERSION, 1), version)


def tell(tx: Transaction, name: str, text: str | None) -> None:
    """Note something to be said, or with None that there is nothing to be said any more."""
    before = tx.note(name)
    if text is not None:
        tx.replace_note(name, before, text)
    elif before is not None:
        tx.drop_note(name, before)


def warnings(notes: Mapping[str, str], now: int) -> tuple[str, ...]:
    """What processes have said lately of others that serve the same servers."""
    found = (said.partition(" ") for _, said in sorted(notes.items()))
    return tuple(text for at, _, text in found if at.isdecimal() and abs(now - int(at)) <= UNHEARD_SECONDS)


def silence(notes: Mapping[str, str], now: int) -> int | None:
    """For how many seconds no bot has been heard on a database, by its notes; None where none runs, or can be heard."""
    pulses = (Pulse.parse(text) for name, text in notes.items() if name.startswith(HEARTBEAT))
    silent = [now - pulse.alive for pulse in pulses if pulse]
    return min((one for one in silent if abs(one) <= UNHEARD_SECONDS), default=None)


SECONDS = Plural("1 second", "{number} seconds")


def ago(seconds: int) -> str:
    """A stretch of time in words."""
    if seconds < 0:
        return "some time (the clock was set back meanwhile)"
    for size, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return SECONDS.of(seconds)
