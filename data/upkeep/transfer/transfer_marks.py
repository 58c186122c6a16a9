"""The notes of a move in both databases, which keep a bot from starting on the wrong one.

From its beginning on, a note in the database that is left says where its matches go, and whether they are all there; a
note in the other one says, until the move is finished, that it is not. No note holds a password.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any, Self

from data.engine.address import Address, address, is_sqlite
from data.engine.database_errors import Unusable
from data.store import Reader

LEFT, UNFINISHED = "moved", "moving"
"""The names of the notes: in the database that is left, and in the one that is moved to."""


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


def refuse_left(reader: Reader) -> None:
    """Raise `Unusable` where a bot would play on in a database that was left, or in one that is not filled yet."""
    if begun := Mark.parse(reader.note(UNFINISHED)):
        raise Unusable(
            f"The move to this database from {begun.source}, begun on {when(begun.begun)}, is not finished: run"
            " `python -m bot move-to` there again, and it starts over; or drop what is here with `move-to URL --drop`."
        )
    gone = Left.parse(reader.note(LEFT))
    stay = "`python -m bot move-to --stay`"
    if gone and gone.done:
        raise Unusable(
            f"The matches of this database were moved to {gone.target} (begun on {when(gone.begun)}): set"
            f" GRAPHPAPER_DATABASE to that. To go on here without what was played there since, run {stay}."
        )
    if gone:
        raise Unusable(
            f"This database has been on the move to {gone.target} since {when(gone.begun)}. Let that finish, or run the"
            f" same `move-to` again if it was interrupted. To stay here, run {stay}."
        )


def said(url: str | Address) -> str:
    """A database's address without user, password and options."""
    read = address(url)
    if is_sqlite(read):
        return f"sqlite:///{read.database}"
    port = f":{read.port}" if read.port else ""
    return f"{read.kind}://{read.host or ''}{port}/{read.database or ''}"


def when(at: int) -> str:
    """A moment, in words that are the same everywhere."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
