"""Backs up a SQLite database while the bot plays on, and restores a copy while it is stopped, for hosts' commands.

A copy is a single file that has been checked. Both directions write beside the target file and rename at the end, so a
crash leaves what was there before. What a restore replaces is kept under another name.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from bot.core.game.mind import Lots
from data.engine.address import address, file_of
from data.engine.database_errors import Unavailable
from data.engine.database_files import (
    companions,
    give,
    make,
    make_folder,
    remove,
    settle,
    tighten,
)
from data.queries.match_numbers import last_of_file
from data.upkeep import file_check
from data.upkeep.file_check import Refused
from data.upkeep.migrate import upgraded
from data.upkeep.renumber import drawn_step, renew_copy
from data.upkeep.revisions import SchemaError, refuse_newer
from data.upkeep.worker_thread import Progress, beside, quiet, undisturbed

PAGES = 2_000
"""How many pages are copied at once: 8 MB."""


async def backup(url: str, file: Path, progress: Progress = quiet) -> str:
    """Copy a database, as it stands at this moment, into a file, and return a sentence; `Refused`.

    The bot is not held up. A file that is there already is replaced.
    """
    return await beside(partial(_backup, url, file), progress)


async def restore(
    file: Path,
    url: str,
    clock: Callable[[], float],
    lots: Lots,
    force: bool = False,
    progress: Progress = quiet,
) -> str:
    """Put a copy in place of a database, and return what was done; `Refused`, and no change, if it is damaged, not ours
    or too new, if a database is there and `force` is not given, or if it is in use.

    The copy is brought up to date and made fit to go on with, and what it replaces is kept beside it.
    """
    target = database(url)
    copy = await beside(partial(_copied, file, target, force), progress)
    try:
        await upgraded(replace(address(url), database=str(copy)))
        return await undisturbed(partial(_put, copy, target, file, int(clock()), drawn_step(lots)))
    except (SchemaError, Unavailable, sqlite3.Error, OSError) as fault:
        raise Refused(f"{file} was not restored. {fault}") from fault
    finally:
        remove(copy)


def _backup(url: str, file: Path, progress: Progress) -> str:
    source = database(url)
    if not source.is_file():
        raise Refused(f"There is no database at {source}.")
    if file.is_dir() or not file.parent.is_dir():
        raise Refused(f"I can't make a copy at {file}: name a file in an existing folder.")
    if file.exists() and file.samefile(source):
        raise Refused(f"{file} is the database itself. Name another file.")
    copy = copied(source, file, progress)
    os.replace(copy, file)
    settle(file.parent)
    return f"The database was copied to {file} ({file.stat().st_size} bytes)."


def _copied(file: Path, target: Path, force: bool, progress: Progress) -> Path:
    """A checked copy of a copy beside the database that it is to replace, or `Refused`."""
    if not file.is_file():
        raise Refused(f"There is no file {file}.")
    if target.is_dir():
        raise Refused(f"{target} is a folder, so the database can't be there.")
    if target.exists() and target.samefile(file):
        raise Refused(f"{file} is the database itself. Name a copy of it.")
    if target.exists() and not force:
        raise Refused(f"There is a database at {target}: use --force to replace it with {file}.")
    make_folder(target.parent)
    return copied(file, target, progress)


def _put(copy: Path, target: Path, file: Path, now: int, step: int) -> str:
    """Let a copy take the database's place while nobody else can open that."""
    with held(target) as known:
        last = renew_copy(copy, known, now, step)
        settle(copy)
        kept = put_aside(target)
        give(copy, target if kept else target.parent)
        os.replace(copy, target)
        settle(target.parent)
    said = f"The database at {target} is now the one from {file}; new matches are numbered from {last + 1}."
    return f"{said} The old one is kept as {kept}." if kept else said


def database(url: str) -> Path:
    """The file of a database, or `Refused`."""
    file = file_of(address(url))
    if file is None:
        raise Refused("This command copies SQLite databases only. For PostgreSQL use pg_dump and pg_restore.")
    return file


def copied(source: Path, target: Path, progress: Progress = quiet) -> Path:
    """A checked copy of a database as one file beside the target, or `Refused`."""
    copy = target.with_name(target.name + ".part")
    if not source.stat().st_size:  # even to look at it would cost what may be beside it
        raise Refused(f"{source} was not copied. It is empty.")
    try:
        remove(copy)
        make(copy)
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", isolation_level=None, uri=True)) as old,
            closing(sqlite3.connect(copy, isolation_level=None)) as new,
        ):
            # Within one snapshot: a copy in several steps starts again whenever somebody writes between two.
            old.execute("BEGIN")
            old.execute("SELECT 1 FROM sqlite_master").fetchone()
            old.backup(new, pages=PAGES, progress=lambda _, left, whole: progress("pages", whole - left, whole))
            new.execute("PRAGMA journal_mode = DELETE")
            verify(new, progress)
        settle(copy)
    except (sqlite3.Error, OSError) as error:
        _undo(copy)
        raise Refused(f"{source} can't be copied: {error}.") from error
    except (Refused, SchemaError) as refusal:
        _undo(copy)
        raise Refused(f"{source} was not copied. {refusal}") from None
    except BaseException:
        _undo(copy)
        raise
    return copy


def _undo(copy: Path) -> None:
    with suppress(OSError):  # what stood in the way of the copy may be in the way of this too
        remove(copy)


def verify(connection: sqlite3.Connection, progress: Progress = quiet) -> None:
    """Raise `Refused` or `SchemaTooNew` for a database that is damaged, not ours, or later than this program."""
    if not file_check.is_ours(connection):
        raise Refused("It isn't a Graph Paper database.")
    if found := file_check.damage(connection, told=lambda: progress("checking the copy", 0, 0)):
        raise Refused(f"It is damaged: {found}.")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    refuse_newer(row[0] if row else None)


@contextmanager
def held(target: Path) -> Generator[int]:
    """Keep everybody from a database that is to be replaced, all of which is in its one file then; the highest number
    that it has given to a match, 0 where that cannot be read. `Refused` if it is in use."""
    if not target.exists():
        yield 0
        return
    with closing(sqlite3.connect(target, timeout=0, isolation_level=None)) as connection:
        known = 0
        try:
            # Succeeds only for the last one who has it open.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            known = last_of_file(connection)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise Refused(f"The database at {target} is in use. Stop the bot first.") from None
        except sqlite3.DatabaseError:
            pass  # too damaged to be read: all the more reason to replace it
        yield known


def put_aside(target: Path) -> Path | None:
    """Give a database that is to be replaced a second name beside its own, which is returned; what SQLite has left
    beside it gets one too. None, and what is left is deleted, where there is no database."""
    if not target.exists():
        remove(target)
        return None
    names = (target.with_name(f"{target.name}.replaced-{number}") for number in count(1))
    kept = next(name for name in names if not name.exists())
    try:
        os.link(target, kept)
    except OSError:  # a volume where a file has one name only
        shutil.copy2(target, kept)
        give(kept, target)
    for path in companions(target):
        # Before the copy is in place: SQLite would take the changes in there for the copy's own.
        os.replace(path, kept.with_name(kept.name + path.name.removeprefix(target.name)))
    tighten(kept)
    settle(target.parent)
    return kept
