"""The notes of a move in both databases, which keep a bot from starting on the wrong one.

From its beginning on, a note in the database that is left says where its matches go, and whether they are all there; a
note in the other one says, until the move is finished, that it is not. No note holds a password.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from data.engine.address import Address, address, is_sqlite
from data.engine.database_errors import Unusable
from data.upkeep.file_check import notes_among, tables
from data.upkeep.typed_commands import HERE, command

if TYPE_CHECKING:  # `health` reads the notes too, and does without SQLAlchemy
    from data.store import Reader

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
class Left(_Note):
    """In the database that is left: the move's number, where to, since when, the heartbeats of bots by then, and
    whether everything is there."""

    number: str
    target: str
    begun: int
    pulses: dict[str, str]
    done: bool = False


@dataclass(frozen=True, slots=True)
class Mark(_Note):
    """In the database that is moved to, until the move is finished: the move's number, where from, and since when."""

    number: str
    source: str
    begun: int


def left_by(reader: Reader) -> str | None:
    """The sentence about a database that was left, or is not filled yet; None about any other."""
    return left(reader.note(UNFINISHED), reader.note(LEFT))


def refuse_left(reader: Reader) -> None:
    """Raise `Unusable` where a bot would play on in a database that was left, or in one that is not filled yet."""
    if sentence := left_by(reader):
        raise Unusable(sentence)


def left_in(connection: sqlite3.Connection) -> str | None:
    """The same sentence about a file that is open."""
    table = notes_among(tables(connection))
    notes = dict[str, str](connection.execute(f"SELECT name, value FROM {table}")) if table else {}
    return left(notes.get(UNFINISHED), notes.get(LEFT))


def left(unfinished: str | None, moved: str | None) -> str | None:
    """The sentence about a database with these notes, if no bot may start on it."""
    if begun := Mark.parse(unfinished):
        drop = command("move-to", "URL", "--drop")
        return UNFILLED.format(source=begun.source, begun=when(begun.begun), drop=drop)
    if gone := Left.parse(moved):
        told = GONE[HERE.sandbox] if gone.done else GOING
        return told.format(target=gone.target, begun=when(gone.begun), stay=command("move-to", "--stay"))
    return None


def said(url: str | Address) -> str:
    """A database's address as it has to be written, from whichever folder; without passwords."""
    read = address(url)
    if is_sqlite(read):
        return f"sqlite:///{quote(str(Path(read.database or '').absolute()))}"
    port = f":{read.port}" if read.port else ""
    password = f":{HIDDEN}" if read.password else ""
    user = f"{quote(read.username, safe='')}{password}@" if read.username else ""
    host = f"[{read.host}]" if ":" in (read.host or "") else read.host or ""
    told = [f"{name}={quote(value, safe='/,:')}" for name, value in read.query.items() if name not in SECRETS]
    options = f"?{'&'.join(told)}" if told else ""
    return f"{read.kind}://{user}{host}{port}/{quote(read.database or '')}{options}"


def when(at: int) -> str:
    """A moment, in words that are the same everywhere."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
