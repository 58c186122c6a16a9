"""Tells whether a running bot is well, for `python -m bot health`, containers and monitoring.

Three things are looked at: the database and its volume can be written; the bot's last heartbeat, a note that it writes
every few seconds; and when that says it was last connected to Discord.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from bot.core.values.shards import WHOLE, Share
from data.engine.database import Database, address, file_of
from data.engine.database_errors import Unavailable, Unusable, reason
from data.store.transaction import Transaction
from data.upkeep.integrity import Report, opened, up_to_date
from data.upkeep.migrate import SchemaError

HEARTBEAT = "heartbeat"
"""The note that holds a `Pulse`; of a process that serves a part of all servers with its share behind it."""
SAME_SERVERS = "twins "
"""How the notes begin in which a process says, with the time, that another serves the same servers; a share follows."""
UNHEARD_SECONDS = 90
"""A bot that has noted nothing for so long is stopped, or hangs; it means to every fifteen seconds."""
APART_SECONDS = 120
"""Discord cuts every connection now and then; it is there again within seconds."""
ROOM = 1_000_000
"""How many bytes must fit on the volume: a database without room to grow can still be written for a while."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """When the bot was last heard, and when it last was connected to Discord, in epoch seconds; 0: not since it was
    started."""

    alive: int
    connected: int

    def __str__(self) -> str:
        return f"{self.alive} {self.connected}"

    @classmethod
    def parse(cls, text: str | None) -> Pulse | None:
        """Read what was noted; None if there is nothing that can be read."""
        numbers = (text or "").split()
        return cls(*map(int, numbers)) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None


class Undone(Exception):
    """Rolls a trial write back."""


def note(share: Share) -> str:
    """The name of the note of a process."""
    return HEARTBEAT if share.whole else f"{HEARTBEAT} {share}"


def beat(tx: Transaction, pulse: Pulse) -> None:
    """Note that the bot is alive: the process that has these servers."""
    tx.set_note(note(tx.share), str(pulse))


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


async def health(url: str, clock: Callable[[], float], share: Share = WHOLE) -> Report:
    """A sentence about the database, the bot on it that has some share of the servers, and its connection to Discord,
    and whether all three are well."""
    try:
        async with opened(url, limits=None) as database:
            counts, pulse, said = await _looked(database, note(share))
            if file := file_of(address(url)):
                _room(file.parent)
    except (FileNotFoundError, SchemaError, Unusable, ValueError) as fault:
        return Report((str(fault),), False)
    except (Unavailable, OSError) as fault:
        return Report((f"The database cannot be written: {reason(fault)}.",), False)
    # Another process on the same servers is told of, but the bot is well: a restart would not help.
    others = warnings(said, int(clock()))
    if ill := _ill(pulse, int(clock())):
        return Report((f"The database can be read and written; {ill}.", *others), False)
    states = ", ".join(f"{number} {state}" for state, number in sorted(counts.items())) or "none yet"
    return Report(
        (f"The database can be read and written, and the bot is connected. Matches: {states}.", *others), True
    )


async def _looked(database: Database, heartbeat: str) -> tuple[dict[str, int], Pulse | None, dict[str, str]]:
    """What is in a database at the program's schema that takes what is written; nothing stays written."""
    found: list[tuple[dict[str, int], Pulse | None, dict[str, str]]] = []

    def look(connection: Connection) -> None:
        up_to_date(connection)
        tx = Transaction(connection)
        found.append((tx.counts(), Pulse.parse(tx.note(heartbeat)), tx.notes(SAME_SERVERS)))
        tx.set_note("health", "well")
        raise Undone

    with suppress(Undone):
        await database.write(look)
    return found[-1]  # it may have been looked at more than once


def _room(folder: Path) -> None:
    """Write to the database's volume and wait until it is there: SQLite keeps in memory what it does not commit."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(ROOM))
        file.flush()
        os.fsync(file.fileno())


def _ill(pulse: Pulse | None, now: int) -> str | None:
    """What is wrong with the bot, in words; None if nothing is."""
    if pulse is None:
        return "no bot has run on it yet"
    # A beat that is still to come was noted before the clock was set back, and says nothing.
    if not -UNHEARD_SECONDS <= now - pulse.alive <= UNHEARD_SECONDS:
        return f"the bot has not been heard for {ago(now - pulse.alive)}"
    if not pulse.connected:
        return "the bot runs, but has not been connected to Discord since it was started"
    if pulse.alive - pulse.connected > APART_SECONDS:
        return f"the bot runs, but has not been connected to Discord for {ago(now - pulse.connected)}"
    return None


def ago(seconds: int) -> str:
    """A stretch of time in words."""
    if seconds < 0:
        return "some time, during which the clock was set back"
    for size, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{seconds} seconds"
