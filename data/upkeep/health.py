"""Whether a running bot is well, from what processes note in the database."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from bot.games.wording import Plural
from bot.play.ids import WHOLE, ShardShare, merge_shares
from data.engine import driver
from data.engine.address import DatabaseAddress, file_of, is_sqlite, parse_address
from data.engine.driver import TimeLimits
from data.engine.errors import Unavailable, Unusable, classify_error, explain_error
from data.engine.postgres_connection import ServerLine
from data.upkeep.file_check import NONE_THERE, notes_among, recognise, table_names
from data.upkeep.hindrance import (
    HERE,
    Report,
    SchemaError,
    advise_elsewhere,
    explain_hindrance,
    format_command,
    refuse_newer,
    refuse_older,
)

if TYPE_CHECKING:
    from data.store import Reader, Transaction


# The notes in which a process says that it is alive and connected, for `health`, `status` and `move-to`.


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
    def was_stopped(self) -> bool:
        """Whether the bot was stopped in good order, and has not been started again."""
        return not self.alive

    @classmethod
    def parse(cls, text: str | None) -> Pulse | None:
        """Read what was noted; None if there is nothing that can be read."""
        numbers = (text or "").split()
        return cls(*map(int, numbers)) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None


STOPPED = Pulse(0, 0)
"""What a process notes that stops in good order."""


def note_name(share: ShardShare) -> str:
    """The name of the note of a process."""
    return HEARTBEAT if share.is_whole else f"{HEARTBEAT} {share}"


def note_heartbeat(tx: Transaction, pulse: Pulse) -> None:
    """Note that the bot is alive: the process that has these servers."""
    tx.set_note(note_name(tx.share), str(pulse))


def tell_version(tx: Transaction, version: str) -> None:
    """Note which version of the program this process is."""
    tx.set_note(note_name(tx.share).replace(HEARTBEAT, VERSION, 1), version)


def set_warning(tx: Transaction, name: str, text: str | None) -> None:
    """Note something to be said, or with None that there is nothing to be said any more."""
    before = tx.read_note(name)
    if text is not None:
        tx.replace_note(name, before, text)
    elif before is not None:
        tx.drop_note(name, before)


def recent_warnings(notes: Mapping[str, str], now: int) -> tuple[str, ...]:
    """What processes have said lately of others that serve the same servers."""
    found = (said.partition(" ") for _, said in sorted(notes.items()))
    return tuple(text for at, _, text in found if at.isdecimal() and abs(now - int(at)) <= UNHEARD_SECONDS)


def seconds_silent(notes: Mapping[str, str], now: int) -> int | None:
    """For how many seconds no bot has been heard on a database, by its notes; None where none runs, or can be heard."""
    pulses = (Pulse.parse(text) for name, text in notes.items() if name.startswith(HEARTBEAT))
    silent = [now - pulse.alive for pulse in pulses if pulse]
    return min((one for one in silent if abs(one) <= UNHEARD_SECONDS), default=None)


SECONDS = Plural("1 second", "{number} seconds")


def format_age(seconds: int) -> str:
    """A stretch of time in words."""
    if seconds < 0:
        return "some time (the clock was set back meanwhile)"
    for size, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return SECONDS.fill_in(seconds)


# The notes of a move in both databases, which keep a bot from starting on the wrong one.


LEFT, UNFINISHED = "moved", "moving"
"""The names of the notes: in the database that is left, and in the one that is moved to."""
UNFILLED = (
    "The move to this database from {source}, begun on {begun}, is not finished: run the same move from there again,"
    " and it starts over; or drop what is here with {drop}."
)
GOING = (
    "This database has been on the move to {target} since {begun}. Let that finish, or run the same `move-to` again if"
    " it was interrupted. To stay here, run {stay}."
)
GONE = (
    "The matches of this database were moved to {target} (begun on {begun}): set GRAPHPAPER_DATABASE to that. To go on"
    " here without what was played there since, run {stay}.",
    "The matches of this database were moved to {target} (begun on {begun}), and the sandbox runs on no other. To go on"
    " here without what was played there since, run {stay}.",
)
"""The sentences about a database that was left: the bot's, and the sandbox's."""
HIDDEN = "…"
"""What stands in an address for a password, which the host knows."""
SECRETS = {"password", "sslpassword", "passfile"}
"""Options of an address that are not told."""


@dataclass(frozen=True, slots=True)
class _Note:
    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str | None) -> Self | None:
        """Read a note; what an earlier version of the program has noted beyond these fields is left out."""
        if text is None:
            return None
        said: dict[str, Any] = json.loads(text)
        return cls(**{field.name: said[field.name] for field in fields(cls) if field.name in said})


@dataclass(frozen=True, slots=True)
class LeftNote(_Note):
    """In the database that is left: the move's number, where to, since when, the heartbeats of bots by then, and
    whether everything is there."""

    number: str
    target: str
    begun: int
    pulses: dict[str, str]
    done: bool = False


@dataclass(frozen=True, slots=True)
class MoveMark(_Note):
    """In the database that is moved to, until the move is finished: the move's number, where from, and since when."""

    number: str
    source: str
    begun: int


def describe_left_by(reader: Reader) -> str | None:
    """The sentence about a database that was left, or is not filled yet; None about any other."""
    return describe_left(reader.read_note(UNFINISHED), reader.read_note(LEFT))


def refuse_left(reader: Reader) -> None:
    """Raise `Unusable` where a bot would play on in a database that was left, or in one that is not filled yet."""
    if sentence := describe_left_by(reader):
        raise Unusable(sentence)


def describe_left_in(connection: sqlite3.Connection) -> str | None:
    """The same sentence about a file that is open."""
    table = notes_among(table_names(connection))
    notes = dict[str, str](connection.execute(f"SELECT name, value FROM {table}")) if table else {}
    return describe_left(notes.get(UNFINISHED), notes.get(LEFT))


def describe_left(unfinished: str | None, moved: str | None) -> str | None:
    """The sentence about a database with these notes, if no bot may start on it."""
    if begun := MoveMark.parse(unfinished):
        drop = format_command("move-to", "URL", "--drop")
        return UNFILLED.format(source=begun.source, begun=format_moment(begun.begun), drop=drop)
    if gone := LeftNote.parse(moved):
        told = GONE[HERE.sandbox] if gone.done else GOING
        return told.format(
            target=gone.target, begun=format_moment(gone.begun), stay=format_command("move-to", "--stay")
        )
    return None


def format_address(url: str | DatabaseAddress) -> str:
    """A database's address as it has to be written, from whichever folder; without passwords."""
    read = parse_address(url)
    if is_sqlite(read):
        return f"sqlite:///{quote(str(Path(read.database or '').absolute()))}"
    port = f":{read.port}" if read.port else ""
    password = f":{HIDDEN}" if read.password else ""
    user = f"{quote(read.username, safe='')}{password}@" if read.username else ""
    host = f"[{read.host}]" if ":" in (read.host or "") else read.host or ""
    told = [f"{name}={quote(value, safe='/,:')}" for name, value in read.query.items() if name not in SECRETS]
    options = f"?{'&'.join(told)}" if told else ""
    return f"{read.kind}://{user}{host}{port}/{quote(read.database or '')}{options}"


def format_moment(at: int) -> str:
    """A moment, in words that are the same everywhere."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


# Tells whether a running bot is well, for `python -m bot health`, containers and monitoring.


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
class HealthReading:
    """What was read from a database that also took what was written; nothing stays written."""

    counts: dict[str, int]
    notes: dict[str, str]


async def check_health(
    url: str, clock: Callable[[], float], share: ShardShare = WHOLE, for_all: bool = False
) -> Report:
    """A sentence about the database, the bot on it that has some share of the servers, and its connection to Discord,
    and whether all three are well; `for_all`: those that have the others, too."""
    now = int(clock())
    try:
        seen = await _read_database(parse_address(url), now)
    except (FileNotFoundError, SchemaError, Unusable, ValueError) as fault:
        return Report((str(fault),), False)
    except OSError as fault:
        return Report((explain_hindrance(fault, file_of(parse_address(url)) or Path(), advise_elsewhere()),), False)
    except Unavailable as fault:
        return Report((f"The database can't be written: {explain_error(fault)}.",), False)
    if moved := describe_left(seen.notes.get(UNFINISHED), seen.notes.get(LEFT)):
        return Report((moved,), False)
    # Another process on the same servers is told of, but the bot is well: a restart would not help.
    said = {name: value for name, value in seen.notes.items() if name.startswith(SAME_SERVERS)}
    others = recent_warnings(said, now)
    if ill := _find_illness(Pulse.parse(seen.notes.get(note_name(share))), now):
        return Report((f"The database is readable and writable; {ill}.", *others), False)
    if for_all and (left_alone := _find_unserved_shards(seen.notes, share.count, now)):
        sentence = f"The database is readable and writable; no bot that is well serves the shards {left_alone[0]}."
        return Report((sentence, *others), False)
    states = ", ".join(f"{number} {state}" for state, number in sorted(seen.counts.items())) or "none yet"
    return Report(
        (f"The database is readable and writable, and the bot is connected. Matches: {states}.", *others), True
    )


async def _read_database(place: DatabaseAddress, now: int) -> HealthReading:
    """What is in a database at the program's schema that takes what is written."""
    file = file_of(place)
    if file is None:
        return await _read_server(place, now)
    if not file.exists():
        raise FileNotFoundError(NONE_THERE.format(file=file))
    await recognise(file)
    return await asyncio.to_thread(_read_file, file, now)


def _read_file(file: Path, now: int) -> HealthReading:
    try:
        uri = f"{file.absolute().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, driver.WAIT_SECONDS, isolation_level=None, uri=True)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            there = table_names(connection)
            found = connection.execute(REVISION).fetchone() if "alembic_version" in there else None
            notes = dict(connection.execute(NOTES.format(table))) if (table := notes_among(there)) else {}
            _expect_revision(found[0] if found else None, notes, now)
            seen = HealthReading(dict(connection.execute(COUNTS)), notes)
            connection.execute(TRIAL)
            connection.execute("ROLLBACK")
    except sqlite3.Error as error:
        raise classify_error(error) or Unavailable() from error
    _check_room(file.parent)
    return seen


async def _read_server(place: DatabaseAddress, now: int) -> HealthReading:
    try:
        async with asyncio.timeout(SERVER_SECONDS):
            connection = await ServerLine.to_server(place, TimeLimits(driver.WAIT_SECONDS, driver.WAIT_SECONDS)).dial()
            try:
                seen = await _read_in_transaction(connection, now)
                await connection.close()
            finally:
                connection.terminate()
            return seen
    except Exception as error:
        if found := classify_error(error):
            raise found from error
        raise


async def _read_in_transaction(connection: Any, now: int) -> HealthReading:
    await connection.execute("BEGIN")
    there = [row[0] for row in await connection.fetch(TABLES)]
    found = await connection.fetchval(REVISION) if "alembic_version" in there else None
    notes = dict(await connection.fetch(NOTES.format(table))) if (table := notes_among(there)) else {}
    _expect_revision(found or None, notes, now)
    seen = HealthReading(dict(await connection.fetch(COUNTS)), notes)
    await connection.execute(TRIAL)
    await connection.execute("ROLLBACK")
    return seen


def _expect_revision(revision: str | None, notes: Mapping[str, str], now: int) -> None:
    refuse_newer(revision)
    refuse_older(revision, running=seconds_silent(notes, now) is not None)


def _check_room(folder: Path) -> None:
    """Write to the database's volume and wait until it is there: SQLite keeps in memory what it does not commit."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(ROOM))
        file.flush()
        os.fsync(file.fileno())


def _find_unserved_shards(notes: Mapping[str, str], count: int, now: int) -> tuple[ShardShare, ...]:
    """Those of so many shards that no process has which is well. Notes of processes that are no more count for
    nothing."""
    well = [
        name for name, text in notes.items() if name.startswith(HEARTBEAT) and not _find_illness(Pulse.parse(text), now)
    ]
    shares = [ShardShare.parse(part) if (part := name.removeprefix(HEARTBEAT)) else WHOLE for name in well]
    if WHOLE in shares:
        return ()
    served = {shard for share in shares if share.count == count for shard in share.shards}
    return merge_shares(ShardShare(shard, shard, count) for shard in range(count) if shard not in served)


def _find_illness(pulse: Pulse | None, now: int) -> str | None:
    """What is wrong with the bot, in words; None if nothing is."""
    if pulse is None:
        return "no bot has used it yet"
    if pulse.was_stopped:
        return "the bot was stopped"
    # A beat that is still to come was noted before the clock was set back, and says nothing.
    if not -UNHEARD_SECONDS <= now - pulse.alive <= UNHEARD_SECONDS:
        return f"the bot hasn't been heard from for {format_age(now - pulse.alive)}"
    if not pulse.connected:
        return "the bot is running, but hasn't been connected to Discord since it started"
    if pulse.alive - pulse.connected > APART_SECONDS:
        return f"the bot is running, but hasn't been connected to Discord for {format_age(now - pulse.connected)}"
    return None
