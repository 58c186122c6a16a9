"""Whether a SQLite file is a database of ours, and whole: looked at before anything is written into it.

A database carries our number in its header since schema 0004; before that it is known by its tables. What is looked at
is opened without any pragma that would change it, so that a stranger's file stays as it is.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path

APPLICATION = 0x47725061
"""Our number in a database's header, "GrPa"; SQLite keeps the place for it."""
OURS = {"alembic_version", "matches", "players", "moves"}
"""The tables that every schema has had."""
HEADER = b"SQLite format 3\0"
CHECK_SECONDS = 5.0
"""How long a start looks for damage at most: some 500 MB are looked through in this time, and more only in part."""
STEPS = 100_000
"""After so many steps of SQLite's the time is looked at."""
BUSY_SECONDS = 1.5


@contextmanager
def opened(file: Path) -> Generator[sqlite3.Connection]:
    """A connection that makes no file and changes none by itself."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", timeout=BUSY_SECONDS, uri=True)) as connection:
        yield connection


def tables(connection: sqlite3.Connection) -> set[str]:
    """The names of a database's tables."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether a database was made by this program."""
    number = connection.execute("PRAGMA application_id").fetchone()[0]
    return number == APPLICATION or (number == 0 and tables(connection) >= OURS)


def damage(
    connection: sqlite3.Connection, seconds: float | None = None, told: Callable[[], None] = lambda: None
) -> str | None:
    """The first thing that SQLite finds wrong with a database; None if there is nothing, or no time to find it.

    That it is at it is told now and then, and what is raised there ends it.
    """
    found = tables(connection)
    if found and (missing := OURS - found):
        return f"its table {min(missing)} is missing"
    end = time.monotonic() + (seconds or 0)
    ended: list[BaseException] = []

    def looked() -> bool:
        try:
            told()
        except BaseException as fault:  # which SQLite would swallow
            ended.append(fault)
        return bool(ended) or (seconds is not None and time.monotonic() > end)

    connection.set_progress_handler(looked, STEPS)
    try:
        said = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if said != "ok":
            return " ".join(said.removeprefix("*** in database main ***").split())
        broken = connection.execute("PRAGMA foreign_key_check").fetchone()
        return f"a row of {broken[0]} refers to nothing" if broken else None
    except sqlite3.OperationalError as error:
        if ended:
            raise ended[0] from None
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return None
        raise
    finally:
        connection.set_progress_handler(None, 0)


def looks_ours(file: Path) -> bool:
    """Whether a file is a database of ours, at a glance; whatever cannot be read is not."""
    try:
        with file.open("rb") as read:
            if read.read(len(HEADER)) != HEADER:
                return False
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            return is_ours(connection)
    except (OSError, sqlite3.Error):
        return False
