"""Checks a SQLite file before the bot or a host's command uses it: in its place, ours, whole, and private.

The host gets a sentence for each fault that says what to do; nothing is changed before that. A database of
ours carries our number in its header since schema 0004; before that it is known by its tables. The file is looked at
without any pragma that would change it, so another program's file stays as it is.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Collection, Generator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

from data.engine.database_errors import BROKEN, PASSING, Damaged, Unavailable, Unusable
from data.engine.database_files import companions, make, make_folder, tighten
from data.upkeep.hindrance import hindrance, is_there, owner, usable
from data.upkeep.revisions import refuse_newer
from data.upkeep.typed_commands import anew, command, elsewhere, place, restoring
from data.upkeep.worker_thread import Progress, quiet

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
NONE_THERE = "There is no database at {file}. The first start makes one; if there was one, put it or a copy of it back."
EMPTY = "The database at {file} is empty (0 bytes)"
BESIDE = 200
"""How many files in the database's folder are looked at."""
MAKING_SECONDS, LOOK_SECONDS = 1.0, 0.05
"""How long another program may take to fill a database that it has just made, and how often that is looked at."""


class Refused(Exception):
    """A host's command did nothing; the text says why and what to do."""


class _Unfilled(Damaged):
    """The database is empty, but something is left of it; perhaps another program has made it at this moment."""


async def prepare(file: Path, begin: bool = False) -> None:
    """Make a new database's empty file, or look at the one that is there; `Unusable`, `Damaged`, `Unavailable`."""
    clock = asyncio.get_running_loop().time
    await _once_filled(lambda: _prepare(file, begin, clock))


async def recognise(file: Path) -> None:
    """Raise `Unusable` for a file that is another program's, or cannot be written; nothing is changed by that."""
    await _once_filled(lambda: _recognise(file))


async def _once_filled(look: Callable[[], None]) -> None:
    """Look at a file on a thread, again and again while another program that has just made it may still fill it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + MAKING_SECONDS
    while True:
        try:
            return await asyncio.to_thread(look)
        except _Unfilled:
            if loop.time() > end:
                raise
        await asyncio.sleep(LOOK_SECONDS)


def _prepare(file: Path, begin: bool, clock: Callable[[], float]) -> None:
    if not is_there(file):
        _begin(file, begin)
        return
    _usable(file)
    if _empty(file):
        return
    with looking(file) as connection:
        _recognised(connection, file)
        end = clock() + CHECK_SECONDS
        if found := damage(connection, lambda: clock() > end):
            raise Damaged(f"The database at {file} is damaged ({found}): {restoring()}.")
    tighten(file)


def _recognise(file: Path) -> None:
    _usable(file)
    if _empty(file):
        raise _Unfilled(f"The database at {file} is empty (0 bytes): {restoring()}; {anew()}.")
    with looking(file) as connection:
        _recognised(connection, file)


@contextmanager
def looking(file: Path) -> Generator[sqlite3.Connection]:
    """A connection to a file that is there; `Unavailable` with a sentence where SQLite cannot open it."""
    try:
        address = f"{file.absolute().as_uri()}?mode=rw"  # which makes no file
        with closing(sqlite3.connect(address, timeout=BUSY_SECONDS, uri=True)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise meaning(error, file) from error


def refuse_remains(file: Path) -> None:
    """Raise `Unusable` for a missing database of which something is left, or beside whose place others of ours lie."""
    left, others, empty = companions(file), beside(file), file.is_file()
    gap = EMPTY.format(file=file) if empty else f"There is no database at {file}"
    force = ["--force"] if empty else []
    if left:
        raise Unusable(
            f"{gap}, but {left[0].name} is left of one: put the database back, or a copy of it"
            f" with {command('restore', 'FILE', *force)}; {anew()}."
        )
    if others:
        raise Unusable(
            f"{gap}, but {others[0].name} beside it is one of Graph Paper's: put it in place"
            f" with {command('restore', others[0], *force)}; {anew()}."
        )


def _begin(file: Path, begin: bool) -> None:
    left = companions(file)
    try:
        if not begin:
            refuse_remains(file)
    except Unusable:
        if not os.path.lexists(file):
            raise
    if os.path.lexists(file):
        _usable(file)  # another program has begun at this moment, and what was found is its own
        return
    try:
        make_folder(file.parent)
        for path in left:
            path.unlink()
        make(file)
    except FileExistsError:
        _usable(file)  # a folder's name that is a file's, or another program that begins at this moment
    except OSError as error:
        raise Unusable(f"The database cannot be made at {file} ({error.strerror}): {owner(file.parent)}.") from error


def beside(file: Path) -> list[Path]:
    """Databases of ours in the folder where one is missing, the latest first."""
    if not file.parent.is_dir():
        return []
    with os.scandir(file.parent) as entries:
        found = [Path(entry) for entry in islice(entries, BESIDE) if entry.is_file()]
    ours = [path for path in found if looks_ours(path)]
    return sorted(ours, key=lambda path: path.stat().st_mtime, reverse=True)


def _usable(file: Path) -> None:
    """Raise `Unusable` for what SQLite could not open and write."""
    if not file.parent.is_dir():
        raise Unusable(f"The database cannot be at {file}: {file.parent} is not a folder. Set {place()} anew.")
    if not file.is_file():
        kind = "a folder" if file.is_dir() else "a link to nothing" if file.is_symlink() else "not a file"
        raise Unusable(f"The database cannot be at {file}, which is {kind}: {elsewhere()}.")
    for path in (file, file.parent, *companions(file)):
        # A journal goes when another program closes the file.
        if not usable(path) and path.exists():
            raise Unusable(f"The database at {file} can't be written: {owner(path)}.")


def _empty(file: Path) -> bool:
    """Whether there is nothing in a file yet; `Damaged` if there once was."""
    if file.stat().st_size:
        return False
    if left := companions(file):
        raise _Unfilled(f"The database at {file} is empty, but {left[0].name} is left of it: {restoring()}.")
    return True


def _recognised(connection: sqlite3.Connection, file: Path) -> None:
    if tables(connection) and not is_ours(connection):
        raise Unusable(f"{file} belongs to another program: {elsewhere()}. Nothing was changed.")


def meaning(error: sqlite3.Error, file: Path) -> Unavailable:
    """What an error means that came of looking at a file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return Damaged(f"{file} isn't a database, or is too damaged to read: {elsewhere()}, or {restoring()}.")
    if code in BROKEN:
        return Damaged(f"The database at {file} is damaged ({error}): {restoring()}.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Unavailable(f"The database at {file} is in use by another program; try again in a moment.")
    if code in PASSING:
        return Unusable(f"The database at {file} cannot be used ({error}): {owner(file)}.")
    return Damaged(f"The database at {file} is damaged ({error}): {restoring()}.")


def tables(connection: sqlite3.Connection) -> set[str]:
    """The names of a database's tables."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def notes_among(tables: Collection[str]) -> str | None:
    """Which table holds the program's notes: it had another name before schema 0020."""
    return next((name for name in ("key_values", "notes") if name in tables), None)


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether a database was made by this program."""
    number = connection.execute("PRAGMA application_id").fetchone()[0]
    return number == APPLICATION or (number == 0 and tables(connection) >= OURS)


def damage(
    connection: sqlite3.Connection,
    enough: Callable[[], bool] = lambda: False,
    told: Callable[[], None] = lambda: None,
) -> str | None:
    """The first thing that SQLite finds wrong with a database; None if there is nothing, or `enough` says so before.

    That it is at it is told now and then, and what is raised there ends it.
    """
    found = tables(connection)
    if found and (missing := OURS - found):
        return f"its table {min(missing)} is missing"
    ended: list[BaseException] = []

    def looked() -> bool:
        try:
            told()
        except BaseException as fault:  # which SQLite would swallow
            ended.append(fault)
        return bool(ended) or enough()

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


def refuse_no_copy(file: Path) -> None:
    """Raise `Refused` for a file that can be no copy of a database, whatever SQLite would say of it."""
    if file.is_dir():
        raise Refused(f"{file} is a folder. Name a copy in it.")
    if not file.is_file():
        raise Refused(f"There is no file {file}.")
    if not file.stat().st_size:
        raise Refused(f"{file} can't be restored. It is empty.")
    try:
        with file.open("rb") as read:
            begins = read.read(len(HEADER))
    except OSError as fault:
        raise Refused(hindrance(fault, file, "name another copy")) from fault
    if begins != HEADER:
        raise Refused(f"{file} isn't a database, so it is no copy of one. Name a copy that `backup` has made.")


def verify(connection: sqlite3.Connection, progress: Progress = quiet) -> None:
    """Raise `Refused` or `SchemaTooNew` for a database that is damaged, not ours, or later than this program."""
    if not is_ours(connection):
        raise Refused("It isn't a Graph Paper database.")
    if found := damage(connection, told=lambda: progress("checking the copy", 0, 0)):
        raise Refused(f"It is damaged: {found}.")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    refuse_newer(row[0] if row else None)
