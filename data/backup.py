"""Copies of a SQLite database: one is taken while the bot plays on, and put back while it does not.

A copy is a single file that has been checked. Both directions write beside the file they mean and rename at the end,
so that a crash leaves what was there before.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from data.engine import address, file_of
from data.migrate import SchemaError, refuse_newer

COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; of another database of the same name they would do harm."""


class Refused(Exception):
    """Nothing was copied; the text says why and what to do."""


async def backup(url: str, file: Path) -> str:
    """Copy a database, as it stands at this moment, into a file, and return a sentence; `Refused`.

    Nobody waits for it. A file that is there already is replaced.
    """
    return await asyncio.to_thread(_backup, url, file)


async def restore(file: Path, url: str, force: bool = False) -> str:
    """Put a copy in place of a database, and return a sentence; `Refused`, and no change, if it is damaged or too new,
    if a database is there and `force` is not given, or if it is in use."""
    return await asyncio.to_thread(_restore, file, url, force)


def _backup(url: str, file: Path) -> str:
    source = database(url)
    if not source.exists():
        raise Refused(f"There is no database at {source}.")
    if file.exists() and file.samefile(source):
        raise Refused(f"{file} is the database itself: name another file.")
    copy = copied(source, file)
    os.replace(copy, file)
    settle(file.parent)
    return f"The database was copied to {file} ({file.stat().st_size} bytes)."


def _restore(file: Path, url: str, force: bool) -> str:
    target = database(url)
    if not file.exists():
        raise Refused(f"There is no file {file}.")
    if target.exists() and target.samefile(file):
        raise Refused(f"{file} is the database itself: name a copy of it.")
    if target.exists() and not force:
        raise Refused(f"There is a database at {target}: give --force to replace it by {file}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    copy = copied(file, target)
    try:
        release(target)
    except Refused:
        copy.unlink()
        raise
    os.replace(copy, target)
    settle(target.parent)
    return f"The database at {target} is now the one from {file}."


def database(url: str) -> Path:
    """The file of a database, or `Refused`."""
    file = file_of(address(url))
    if file is None:
        raise Refused("Only a SQLite database is copied here: for PostgreSQL use pg_dump and pg_restore.")
    return file


def copied(source: Path, target: Path) -> Path:
    """A checked copy of a database as one file beside the target, or `Refused`."""
    copy = target.with_name(target.name + ".part")
    remove(copy)
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old,
            closing(sqlite3.connect(copy, isolation_level=None)) as new,
        ):
            # All in one step: a copy in several starts again whenever somebody writes meanwhile.
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
            verify(new)
    except sqlite3.Error as error:
        remove(copy)
        raise Refused(f"{source} cannot be copied: {error}.") from error
    except (Refused, SchemaError) as refusal:
        remove(copy)
        raise Refused(f"{source} was not copied. {refusal}") from None
    settle(copy)
    return copy


def verify(connection: sqlite3.Connection) -> None:
    """Raise `Refused` or `SchemaTooNew` for a database that is damaged, not ours, or later than this program."""
    if (found := connection.execute("PRAGMA integrity_check(1)").fetchone()) != ("ok",):
        raise Refused(f"It is damaged: {found[0]}.")
    if connection.execute("PRAGMA foreign_key_check").fetchone():
        raise Refused("It is damaged: some of its rows refer to nothing.")
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone():
        raise Refused("It is not a database of Graph Paper.")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    refuse_newer(row[0] if row else None)


def release(target: Path) -> None:
    """Make sure that nobody uses a database that is to be replaced, and that nothing of it is left beside it."""
    if target.exists():
        try:
            with closing(sqlite3.connect(target, timeout=0, isolation_level=None)) as connection:
                # Succeeds only for the last one who has it open.
                connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError:
            raise Refused(f"The database at {target} is in use: stop the bot first.") from None
        except sqlite3.DatabaseError:
            pass  # too damaged to be opened: all the more reason to replace it
    for companion in COMPANIONS:
        target.with_name(target.name + companion).unlink(missing_ok=True)


def remove(file: Path) -> None:
    """Delete a database file with all that is beside it."""
    for suffix in ("", *COMPANIONS):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def settle(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
