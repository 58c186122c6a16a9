"""Tells whether a running bot is well, for `python -m bot health`, containers and monitoring.

Three things are looked at: the database and its volume can be written; the bot's last heartbeat, a note that it writes
every few seconds; and when that says it was last connected to Discord.

A container asks once a minute, so a look must cost little: it loads neither SQLAlchemy nor Alembic, and asks SQLite or
the server by itself.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.core.values.shards import WHOLE, Share, together
from data.engine import driver
from data.engine.address import Address, address, file_of
from data.engine.database_errors import Unavailable, Unusable, meaning, reason
from data.engine.driver import TimeLimits
from data.engine.postgres_connection import Line
from data.upkeep.file_check import NONE_THERE, notes_among, recognise, tables
from data.upkeep.heartbeat import (
    APART_SECONDS,
    HEARTBEAT,
    SAME_SERVERS,
    UNHEARD_SECONDS,
    Pulse,
    ago,
    note,
    silence,
    warnings,
)
from data.upkeep.hindrance import hindrance
from data.upkeep.report import Report
from data.upkeep.revisions import SchemaError, refuse_newer, refuse_older
from data.upkeep.transfer_marks import LEFT, UNFINISHED, left
from data.upkeep.typed_commands import elsewhere

ROOM = 1_000_000
"""How many bytes must fit on the volume: a database without room to grow can still be written for a while."""
SERVER_SECONDS = 4.0
"""How long a server may take for all that it is asked."""

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))"
REVISION = "SELECT version_num FROM alembic_version"
COUNTS = "SELECT state, count(*) FROM matches GROUP BY state"
NOTES = "SELECT name, value FROM {}"
TRIAL = "INSERT INTO key_values (name, value) VALUES ('health', 'well') ON CONFLICT (name) DO UPDATE SET value = 'well'"


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read from a database that also took what was written; nothing stays written."""

    counts: dict[str, int]
    notes: dict[str, str]


async def health(url: str, clock: Callable[[], float], share: Share = WHOLE, for_all: bool = False) -> Report:
    """A sentence about the database, the bot on it that has some share of the servers, and its connection to Discord,
    and whether all three are well; `for_all`: those that have the others, too."""
    now = int(clock())
    try:
        seen = await _looked(address(url), now)
    except (FileNotFoundError, SchemaError, Unusable, ValueError) as fault:
        return Report((str(fault),), False)
    except OSError as fault:
        return Report((hindrance(fault, file_of(address(url)) or Path(), elsewhere()),), False)
    except Unavailable as fault:
        return Report((f"The database can't be written: {reason(fault)}.",), False)
    if moved := left(seen.notes.get(UNFINISHED), seen.notes.get(LEFT)):
        return Report((moved,), False)
    # Another process on the same servers is told of, but the bot is well: a restart would not help.
    said = {name: value for name, value in seen.notes.items() if name.startswith(SAME_SERVERS)}
    others = warnings(said, now)
    if ill := _ill(Pulse.parse(seen.notes.get(note(share))), now):
        return Report((f"The database is readable and writable; {ill}.", *others), False)
    if for_all and (left_alone := _unserved(seen.notes, share.count, now)):
        sentence = f"The database is readable and writable; no bot that is well serves the shards {left_alone[0]}."
        return Report((sentence, *others), False)
    states = ", ".join(f"{number} {state}" for state, number in sorted(seen.counts.items())) or "none yet"
    return Report(
        (f"The database is readable and writable, and the bot is connected. Matches: {states}.", *others), True
    )


async def _looked(place: Address, now: int) -> Seen:
    """What is in a database at the program's schema that takes what is written."""
    file = file_of(place)
    if file is None:
        return await _in_server(place, now)
    if not file.exists():
        raise FileNotFoundError(NONE_THERE.format(file=file))
    await recognise(file)
    return await asyncio.to_thread(_in_file, file, now)


def _in_file(file: Path, now: int) -> Seen:
    try:
        uri = f"{file.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, driver.WAIT_SECONDS, isolation_level=None, uri=True)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            there = tables(connection)
            found = connection.execute(REVISION).fetchone() if "alembic_version" in there else None
            notes = dict(connection.execute(NOTES.format(table))) if (table := notes_among(there)) else {}
            _expect_revision(found[0] if found else None, notes, now)
            seen = Seen(dict(connection.execute(COUNTS)), notes)
            connection.execute(TRIAL)
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise meaning(error) or Unavailable() from error
    _room(file.parent)
    return seen


async def _in_server(place: Address, now: int) -> Seen:
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            connection = await Line.to(place, TimeLimits(driver.WAIT_SECONDS, driver.WAIT_SECONDS)).dial()
            try:
                seen = await _in_transaction(connection, now)
                await connection.close()
            finally:
                connection.terminate()
            return seen
    except Exception as error:
        if found := meaning(error):
            raise found from error
        raise


async def _in_transaction(connection: Any, now: int) -> Seen:
    await connection.execute("BEGIN")
    there = [row[0] for row in await connection.fetch(TABLES)]
    found = await connection.fetchval(REVISION) if "alembic_version" in there else None
    notes = dict(await connection.fetch(NOTES.format(table))) if (table := notes_among(there)) else {}
    _expect_revision(found or None, notes, now)
    seen = Seen(dict(await connection.fetch(COUNTS)), notes)
    await connection.execute(TRIAL)
    await connection.execute("ROLLBACK")
    return seen


def _expect_revision(revision: str | None, notes: Mapping[str, str], now: int) -> None:
    refuse_newer(revision)
    refuse_older(revision, running=silence(notes, now) is not None)


def _room(folder: Path) -> None:
    """Write to the database's volume and wait until it is there: SQLite keeps in memory what it does not commit."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(ROOM))
        file.flush()
        os.fsync(file.fileno())


def _unserved(notes: Mapping[str, str], count: int, now: int) -> tuple[Share, ...]:
    """Those of so many shards that no process has which is well. Notes of processes that are no more count for
    nothing."""
    well = [name for name, text in notes.items() if name.startswith(HEARTBEAT) and not _ill(Pulse.parse(text), now)]
    shares = [Share.parse(part) if (part := name.removeprefix(HEARTBEAT)) else WHOLE for name in well]
    if WHOLE in shares:
        return ()
    served = {shard for share in shares if share.count == count for shard in share.shards}
    return together(Share(shard, shard, count) for shard in range(count) if shard not in served)


def _ill(pulse: Pulse | None, now: int) -> str | None:
    """What is wrong with the bot, in words; None if nothing is."""
    if pulse is None:
        return "no bot has used it yet"
    if pulse.stopped:
        return "the bot was stopped"
    # A beat that is still to come was noted before the clock was set back, and says nothing.
    if not -UNHEARD_SECONDS <= now - pulse.alive <= UNHEARD_SECONDS:
        return f"the bot hasn't been heard from for {ago(now - pulse.alive)}"
    if not pulse.connected:
        return "the bot is running, but hasn't been connected to Discord since it started"
    if pulse.alive - pulse.connected > APART_SECONDS:
        return f"the bot is running, but hasn't been connected to Discord for {ago(now - pulse.connected)}"
    return None
