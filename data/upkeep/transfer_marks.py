"""What a move to another database leaves written in both, so that no bot plays on in the wrong one.

From its beginning on a note in the database that is left says where its matches go, and whether they are all there; a
note in the other one says, until it is finished, how far it has come. A bot starts on neither. No note holds a
password.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import Any, Self

from sqlalchemy import URL, Connection, delete, insert, select

from data.engine.database import address
from data.engine.database_errors import Unusable
from data.store import Reader, Transaction
from data.tables.schema import notes

LEFT, UNFINISHED = "moved", "moving"
PULSES = select(notes.c.name, notes.c.value).where(notes.c.name.startswith("heartbeat")).order_by(notes.c.name)


@dataclass(frozen=True, slots=True)
class _Kept:
    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, said: str | None) -> Self | None:
        """Read what was noted."""
        return None if said is None else cls(**json.loads(said))


@dataclass(frozen=True, slots=True)
class Left(_Kept):
    """In the database that is left: the move's own number, where to, since when, what was heard of bots by then, and
    whether all is there."""

    number: str
    target: str
    begun: int
    pulses: dict[str, str]
    done: bool = False


@dataclass(frozen=True, slots=True)
class Mark(_Kept):
    """In the database that is moved to: the move's number, where from, since when; the table that is being copied, as
    its place in their order, and the key of the last row that was."""

    number: str
    source: str
    begun: int
    table: int = 0
    key: list[Any] | None = None


def noted(connection: Connection, name: str) -> str | None:
    """A note as it stands."""
    return connection.execute(select(notes.c.value).where(notes.c.name == name)).scalar()


def left(connection: Connection) -> Left | None:
    """What a database says of a move away from it."""
    return Left.parse(noted(connection, LEFT))


def mark(connection: Connection) -> Mark | None:
    """What a database says of an unfinished move to it."""
    return Mark.parse(noted(connection, UNFINISHED))


def leave(connection: Connection, note: Left) -> None:
    """Write down that a database is left."""
    erase(connection, LEFT)
    connection.execute(insert(notes), {"name": LEFT, "value": str(note)})


def replace(connection: Connection, name: str, before: object, after: object) -> bool:
    """Write a note in place of the one that was read; False, and no change, where it is another by now."""
    return Transaction(connection).replace_note(name, None if before is None else str(before), str(after))


def erase(connection: Connection, name: str) -> None:
    """Take a note away."""
    connection.execute(delete(notes).where(notes.c.name == name))


def pulses(connection: Connection) -> dict[str, str]:
    """What the bots on a database have noted of their being alive."""
    return {row.name: row.value for row in connection.execute(PULSES)}


def said(url: str | URL) -> str:
    """A database's address without what is nobody's business."""
    read = address(url)
    if read.database and not read.host and read.get_backend_name() == "sqlite":
        return f"sqlite:///{read.database}"
    port = f":{read.port}" if read.port else ""
    return f"{read.get_backend_name()}://{read.host or ''}{port}/{read.database or ''}"


def when(at: int) -> str:
    """A moment, in words that are the same everywhere."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at))


def refuse_left(reader: Reader) -> None:
    """Raise `Unusable` where a bot would play on in a database that was left, or in one that is not filled yet."""
    if begun := Mark.parse(reader.note(UNFINISHED)):
        raise Unusable(
            f"The move to this database from {begun.source}, begun on {when(begun.begun)}, is not finished: run"
            " `python -m bot move-to` there again, and it goes on; or drop what is here with `move-to URL --drop`."
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
            f"This database has been on the move to {gone.target} since {when(gone.begun)}: let that end, or run the"
            f" same `move-to` again if it was broken off. To stay here, run {stay}."
        )
