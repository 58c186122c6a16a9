"""The health of a running bot, by the notes of its processes in the database."""

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


# The notes of live and connected processes, for `health`, `status` and `move-to`.


HEARTBEAT = "heartbeat"
"""The name of the note with a `Pulse`; followed by the share of a process that serves a part of all servers."""
VERSION = "version"
"""The name of the note with the running version; followed by the share like a heartbeat."""
SAME_SERVERS = "twins "
"""The prefix, before a share, of the notes that another process serves the same servers, with the time."""
UNHEARD_SECONDS = 90
"""Seconds without a heartbeat, normally every fifteen, after which a bot counts as stopped or hanging."""
APART_SECONDS = 120
"""Seconds without Discord that are tolerated: it drops every connection now and then, for seconds."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """The last heartbeat, and the last connection to Discord, in epoch seconds; 0: not since the start."""

    alive: int
    connected: int

    def __str__(self) -> str:
        return f"{self.alive} {self.connected}"

    @property
    def was_stopped(self) -> bool:
        """Whether the bot was stopped regularly, and not started since."""
        return not self.alive

    @classmethod
    def parse(cls, text: str | None) -> Pulse | None:
        """Read a note; None if there is none, or it is invalid."""
        numbers = (text or "").split()
        return cls(*map(int, numbers)) if len(numbers) == 2 and all(map(str.isdecimal, numbers)) else None


STOPPED = Pulse(0, 0)
"""The note of a process that stops regularly."""


def note_name(share: ShardShare) -> str:
    return HEARTBEAT if share.is_whole else f"{HEARTBEAT} {share}"


def note_heartbeat(tx: Transaction, pulse: Pulse) -> None:
    """Store the heartbeat of the process with this transaction's share."""
    tx.set_note(note_name(tx.share), str(pulse))


def tell_version(tx: Transaction, version: str) -> None:
    """Store the version of this process."""
    tx.set_note(note_name(tx.share).replace(HEARTBEAT, VERSION, 1), version)


def set_warning(tx: Transaction, name: str, text: str | None) -> None:
    """Store a warning, or with None delete it."""
    before = tx.read_note(name)
    if text is not None:
        tx.replace_note(name, before, text)
    elif before is not None:
        tx.drop_note(name, before)


def recent_warnings(notes: Mapping[str, str], now: int) -> tuple[str, ...]:
    """The recent warnings of processes about others that serve the same servers."""
    found = (said.partition(" ") for _, said in sorted(notes.items()))
    return tuple(text for at, _, text in found if at.isdecimal() and abs(now - int(at)) <= UNHEARD_SECONDS)


def seconds_silent(notes: Mapping[str, str], now: int) -> int | None:
    """Seconds since the last heartbeat on a database, by its notes; None if no bot runs."""
    pulses = (Pulse.parse(text) for name, text in notes.items() if name.startswith(HEARTBEAT))
    silent = [now - pulse.alive for pulse in pulses if pulse]
    return min((one for one in silent if abs(one) <= UNHEARD_SECONDS), default=None)


SECONDS = Plural("1 second", "{number} seconds")


def format_age(seconds: int) -> str:
    """A duration in words."""
    if seconds < 0:
        return "some time (the clock was set back meanwhile)"
    for size, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return SECONDS.fill_in(seconds)


# The notes of a move in both databases, which prevent a bot from starting on the wrong one.


LEFT, UNFINISHED = "moved", "moving"
"""The names of the notes: in the source and in the target of a move."""
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
"""The sentences about the source of a move: of the bot's database, and of the sandbox's."""
HIDDEN = "…"
"""The replacement of a password in a shown address."""
SECRETS = {"password", "sslpassword", "passfile"}
"""Parameters of an address that are not shown."""


@dataclass(frozen=True, slots=True)
class _Note:
    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str | None) -> Self | None:
        """Read a note; unknown fields, of an earlier version, are ignored."""
        if text is None:
            return None
        said: dict[str, Any] = json.loads(text)
        return cls(**{field.name: said[field.name] for field in fields(cls) if field.name in said})


@dataclass(frozen=True, slots=True)
class LeftNote(_Note):
    """In the source of a move: the move's number, the target, the beginning, the heartbeats of bots by then, and
    whether it is finished."""

    number: str
    target: str
    begun: int
    pulses: dict[str, str]
    done: bool = False


@dataclass(frozen=True, slots=True)
class MoveMark(_Note):
    """In the target of a move, until it is finished: the move's number, the source, and the beginning."""

    number: str
    source: str
    begun: int


def describe_left_by(reader: Reader) -> str | None:
    """The sentence about the source of a move, or an unfinished target; None about any other database."""
    return describe_left(reader.read_note(UNFINISHED), reader.read_note(LEFT))


def refuse_left(reader: Reader) -> None:
    """Raise `Unusable` for the source of a move, or an unfinished target, on which no bot may start."""
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
    """A database's address that is valid in any current folder; without passwords."""
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
    """A moment in words, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")


# The health check, for `python -m bot health`, containers and monitoring.


PROBE_BYTES = 1_000_000
"""The bytes written to test the volume: on a full one a database can still be written for a while."""
SERVER_SECONDS = 4.0
"""The most seconds that a server may take for all queries."""

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(false))"
REVISION = "SELECT version_num FROM alembic_version"
COUNTS = "SELECT state, count(*) FROM matches GROUP BY state"
NOTES = "SELECT name, value FROM {}"
TRIAL = "INSERT INTO key_values (name, value) VALUES ('health', 'well') ON CONFLICT (name) DO UPDATE SET value = 'well'"


@dataclass(frozen=True, slots=True)
class HealthReading:
    """What was read from a database, which also accepted a test write, rolled back."""

    counts: dict[str, int]
    notes: dict[str, str]


async def check_health(
    url: str, clock: Callable[[], float], share: ShardShare = WHOLE, for_all: bool = False
) -> Report:
    """A sentence about the database, the bot on it with a share of the servers, and its connection to Discord, and
    whether all three are well; `for_all`: also the bots with the other servers."""
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
    # Another process on the same servers is reported, but the bot is well: a restart would not help.
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
    """Read a database, which must be at the program's schema and writable."""
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
    _check_disk_space(file.parent)
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


def _check_disk_space(folder: Path) -> None:
    """Test the volume by writing and syncing a file: SQLite keeps uncommitted writes in memory."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(PROBE_BYTES))
        file.flush()
        os.fsync(file.fileno())


def _find_unserved_shards(notes: Mapping[str, str], count: int, now: int) -> tuple[ShardShare, ...]:
    """Those of `count` shards without a healthy process. Notes of processes that no longer run are ignored."""
    well = [
        name for name, text in notes.items() if name.startswith(HEARTBEAT) and not _find_illness(Pulse.parse(text), now)
    ]
    shares = [ShardShare.parse(part) if (part := name.removeprefix(HEARTBEAT)) else WHOLE for name in well]
    if WHOLE in shares:
        return ()
    served = {shard for share in shares if share.count == count for shard in share.shards}
    return merge_shares(ShardShare(shard, shard, count) for shard in range(count) if shard not in served)


def _find_illness(pulse: Pulse | None, now: int) -> str | None:
    """What is wrong with the bot, or None."""
    if pulse is None:
        return "no bot has used it yet"
    if pulse.was_stopped:
        return "the bot was stopped"
    # A heartbeat in the future was stored before the clock was set back, and is ignored.
    if not -UNHEARD_SECONDS <= now - pulse.alive <= UNHEARD_SECONDS:
        return f"the bot hasn't been heard from for {format_age(now - pulse.alive)}"
    if not pulse.connected:
        return "the bot is running, but hasn't been connected to Discord since it started"
    if pulse.alive - pulse.connected > APART_SECONDS:
        return f"the bot is running, but hasn't been connected to Discord for {format_age(now - pulse.connected)}"
    return None
