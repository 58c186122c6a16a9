"""Backs up a SQLite database while the bot plays on, and restores a copy while it is stopped, for hosts' commands.

A copy is a single file that has been checked. Both directions write beside the target file and rename at the end, so a
crash leaves what was there before. What a restore replaces is kept under another name.
"""

from __future__ import annotations

import errno
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
from bot.core.values.plural import sentences
from data.engine.address import address, file_of
from data.engine.database_errors import BROKEN, Unavailable
from data.engine.database_files import (
    companions,
    give,
    make_folder,
    remove,
    settle,
    tighten,
)
from data.queries.match_numbers import last_of_file
from data.upkeep import file_check
from data.upkeep.file_check import Refused
from data.upkeep.hindrance import RIGHTS, hindrance
from data.upkeep.migrate import upgraded
from data.upkeep.page_copy import clear, copy_pages
from data.upkeep.renumber import drawn_step, renew_copy
from data.upkeep.revisions import SchemaError
from data.upkeep.transfer_marks import left_in
from data.upkeep.typed_commands import elsewhere
from data.upkeep.worker_thread import Progress, beside, quiet, undisturbed

ENDINGS = (".db", ".sqlite", ".sqlite3", ".bak", ".backup")
"""How the name of a new copy ends: a slip of the hand, like `backup .env`, makes no file that something else reads."""
NO_NAME = "{name} isn't the name of a copy: let it end in .db, like graphpaper-copy.db, or name a folder."
OTHER_FILE = "name a file in another folder"


async def backup(url: str, file: Path, progress: Progress = quiet, force: bool = False) -> str:
    """Copy a database, as it stands at this moment, into a file, and return a sentence; `Refused`.

    The bot is not held up. A file that is there already is replaced only with `force`, and only if it is one of ours.
    """
    return await beside(partial(_backup, url, file, force), progress)


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
    copy, unread = await beside(partial(_copied, file, target, force), progress)
    try:
        await upgraded(replace(address(url), database=str(copy)))
        done = await undisturbed(partial(_put, copy, target, file, int(clock()), drawn_step(lots)))
        return sentences(done, unread)
    except (SchemaError, Unavailable) as fault:
        raise Refused(f"{file} was not restored. {fault}") from fault
    except (sqlite3.Error, OSError) as fault:
        raise Refused(f"{file} was not restored. {hindrance(fault, target.parent, elsewhere())}") from fault
    finally:
        remove(copy)


def _backup(url: str, file: Path, force: bool, progress: Progress) -> str:
    source = database(url)
    if not source.is_file():
        raise Refused(f"There is no database at {source}.")
    if file.is_dir() or not file.parent.is_dir():
        raise Refused(f"I can't make a copy at {file}: name a file in an existing folder.")
    if os.path.lexists(file):
        _refuse_to_replace(file, source, force)
    elif file.name.startswith(".") or file.suffix.lower() not in ENDINGS:
        raise Refused(NO_NAME.format(name=file.name))
    copy, unread = copied(source, file, progress, OTHER_FILE)
    gone = _left(copy)
    published(copy, file, force)
    return sentences(f"The database was copied to {file} ({file.stat().st_size} bytes).", unread, gone)


def _left(copy: Path) -> str:
    """Where the matches in a copy have gone, if no bot may start on it."""
    with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return left_in(connection) or ""


def _refuse_to_replace(file: Path, source: Path, force: bool) -> None:
    """Raise `Refused` for a file that is there and that a copy must not replace."""
    if file.exists() and file.samefile(source):
        raise Refused(f"{file} is the database itself. Name another file.")
    if file.name in {path.name for path in companions(source)} and file.parent.samefile(source.parent):
        raise Refused(f"{file} belongs to the database itself. Name another file.")
    if not file_check.looks_ours(file):
        raise Refused(f"{file} is there already, and no copy of Graph Paper's. Name another file.")
    if left := companions(file):
        raise Refused(f"{file} is a database with {left[0].name} beside it, so a bot may use it. Name another file.")
    if not force:
        raise Refused(f"{file} is there already: use --force to replace that copy, or name another file.")


def published(copy: Path, file: Path, force: bool = False) -> None:
    """Give a finished copy its name; `Refused`, and no copy, where there is a file by now that it must not replace."""
    try:
        if force:
            os.replace(copy, file)
        else:
            _named(copy, file)
    except FileExistsError:
        remove(copy)
        raise Refused(f"{file} is there already. Name another file.") from None
    settle(file.parent)


def _named(copy: Path, file: Path) -> None:
    try:
        os.link(copy, file)
    except FileExistsError:
        raise
    except OSError:  # a volume where a file has one name only
        if os.path.lexists(file):
            raise FileExistsError from None
        os.rename(copy, file)
    else:
        copy.unlink()


def _copied(file: Path, target: Path, force: bool, progress: Progress) -> tuple[Path, str]:
    """A checked copy of a copy beside the database that it is to replace, or `Refused`."""
    file_check.refuse_no_copy(file)
    if target.is_dir():
        raise Refused(f"{target} is a folder, so the database can't be there.")
    if target.exists() and target.samefile(file):
        raise Refused(f"{file} is the database itself. Name a copy of it.")
    if target.exists() and not force:
        raise Refused(f"There is a database at {target}: use --force to replace it with {file}.")
    make_folder(target.parent)
    return copied(file, target, progress, elsewhere())


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


def copied(source: Path, target: Path, progress: Progress, other: str) -> tuple[Path, str]:
    """A checked copy of a database as one file beside the target, and a sentence where something may be missing from
    it; or `Refused`. `other`: what to do where no file can be made there."""
    copy = target.with_name(target.name + ".part")
    if not source.stat().st_size:  # even to look at it would cost what may be beside it
        raise Refused(f"{source} was not copied. It is empty.")
    clear(copy)
    try:
        unread = copy_pages(source, copy, progress)
        settle(copy)
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as written:
            file_check.verify(written, progress)
    except (sqlite3.Error, OSError) as error:
        _undo(copy)
        raise Refused(f"{source} was not copied. {_hindrance(error, source, copy, other)}") from error
    except (Refused, SchemaError) as refusal:
        _undo(copy)
        raise Refused(f"{source} was not copied. {refusal}") from None
    except BaseException:
        _undo(copy)
        raise
    return copy, unread


def _hindrance(error: sqlite3.Error | OSError, source: Path, copy: Path, other: str) -> str:
    if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in BROKEN:
        return f"It isn't a database, or is damaged ({error})."
    if not os.access(source, os.R_OK):
        return hindrance(PermissionError(errno.EACCES, "", str(source)), source, elsewhere())
    if isinstance(error, OSError) and error.errno in RIGHTS:
        error = OSError(error.errno, error.strerror, str(copy.parent))
    return hindrance(error, copy.parent, other)


def _undo(copy: Path) -> None:
    with suppress(OSError):  # what stood in the way of the copy may be in the way of this too
        remove(copy)


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
