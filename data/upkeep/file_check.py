"""Checks of a SQLite file before use, and of the files beside it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Collection, Generator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from threading import Event
from typing import NamedTuple, TypeVar

from data.engine.address import COMPANIONS, find_companion_files, make_file, make_folder, restrict_to_owner
from data.engine.errors import BROKEN, PASSING, Damaged, Unavailable, Unusable
from data.upkeep.hindrance import (
    advise_elsewhere,
    advise_new_database,
    advise_restore,
    explain_hindrance,
    explain_owner,
    format_command,
    is_there,
    is_usable,
    name_setting,
    refuse_newer,
)

# Slow work of hosts' commands on a thread, with progress and cancellation.


T = TypeVar("T")

Progress = Callable[[str, int, int], None]
"""Called with the subject ("matches"), how many are done, and how many there are (0: unknown)."""


class WorkCancelled(Exception):
    """The work was cancelled."""


def show_nothing(_what: str, _done: int, _whole: int) -> None:
    """Show nothing."""


@contextmanager
def stop_on_cancel(progress: Progress) -> Generator[Progress]:
    """The same progress, but a report raises `WorkCancelled` after the waiting task was cancelled."""
    ended = Event()

    def report(what: str, done: int, whole: int) -> None:
        progress(what, done, whole)
        if ended.is_set():
            raise WorkCancelled

    try:
        yield report
    except asyncio.CancelledError:
        ended.set()
        raise


async def run_on_thread(work: Callable[[Progress], T], progress: Progress) -> T:
    """Run something on a thread, which ends soon after it is cancelled."""
    with stop_on_cancel(progress) as report:
        return await asyncio.to_thread(work, report)


async def run_undisturbed(work: Callable[[], T]) -> T:
    """Run something on a thread that must not be interrupted: a cancellation waits until it has ended."""
    running = asyncio.ensure_future(asyncio.to_thread(work))
    while True:
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            if running.done():
                raise


# Checks before the bot or a host's command uses a file: it exists, is ours, undamaged, and private.


APPLICATION = 0x47725061
"""The application id in our databases' header, "GrPa"."""
OURS = {"alembic_version", "matches", "players", "moves"}
"""The tables of every version of the schema."""
HEADER = b"SQLite format 3\0"
CHECK_SECONDS = 5.0
"""The most seconds that a start checks for damage: about 500 MB are checked in this time, more only in part."""
STEPS = 100_000
"""The steps of SQLite between two checks of the time."""
BUSY_SECONDS = 1.5
NONE_THERE = "There is no database at {file}. The first start makes one; if there was one, put it or a copy of it back."
EMPTY = "The database at {file} is empty (0 bytes)"
BESIDE = 200
"""The most files in the database's folder that are checked."""
MAKING_SECONDS, LOOK_SECONDS = 1.0, 0.05
"""The seconds that another process may take to fill a database that it has just created, and between two checks."""


class CommandRefused(Exception):
    """A host's command was refused; the text says why and what to do."""


class _Unfilled(Damaged):
    """The database is empty, with companion files; perhaps another process has just created it."""


async def prepare(file: Path, begin: bool = False) -> None:
    """Create a new database's empty file, or check the existing one; `Unusable`, `Damaged`, `Unavailable`."""
    clock = asyncio.get_running_loop().time
    await _once_filled(lambda: _prepare(file, begin, clock))


async def recognise(file: Path) -> None:
    """Raise `Unusable` for a file of another program, or one that cannot be written; changes nothing."""
    await _once_filled(lambda: _recognise(file))


async def _once_filled(look: Callable[[], None]) -> None:
    """Check a file on a thread, repeatedly while another process may still be filling it."""
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
    _refuse_unusable(file)
    if _is_empty(file):
        return
    with connect_to_file(file) as connection:
        _refuse_strangers(connection, file)
        end = clock() + CHECK_SECONDS
        if found := find_damage(connection, lambda: clock() > end):
            raise Damaged(f"The database at {file} is damaged ({found}): {advise_restore()}.")
    restrict_to_owner(file)


def _recognise(file: Path) -> None:
    _refuse_unusable(file)
    if _is_empty(file):
        raise _Unfilled(f"The database at {file} is empty (0 bytes): {advise_restore()}; {advise_new_database()}.")
    with connect_to_file(file) as connection:
        _refuse_strangers(connection, file)


@contextmanager
def connect_to_file(file: Path) -> Generator[sqlite3.Connection]:
    """A connection to an existing file; `Unavailable` with a sentence if SQLite cannot open it."""
    try:
        address = f"{file.absolute().as_uri()}?mode=rw"  # does not create the file
        with closing(sqlite3.connect(address, timeout=BUSY_SECONDS, uri=True)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise classify_error(error, file) from error


def refuse_remains(file: Path) -> None:
    """Raise `Unusable` for a missing database with companion files, or with other databases of ours in its folder."""
    left, others, empty = find_companion_files(file), find_databases_beside(file), file.is_file()
    gap = EMPTY.format(file=file) if empty else f"There is no database at {file}"
    force = ["--force"] if empty else []
    if left:
        raise Unusable(
            f"{gap}, but {left[0].name} is left of one: put the database back, or a copy of it"
            f" with {format_command('restore', 'FILE', *force)}; {advise_new_database()}."
        )
    if others:
        raise Unusable(
            f"{gap}, but {others[0].name} beside it is one of Graph Paper's: put it in place"
            f" with {format_command('restore', others[0], *force)}; {advise_new_database()}."
        )


def _begin(file: Path, begin: bool) -> None:
    left = find_companion_files(file)
    try:
        if not begin:
            refuse_remains(file)
    except Unusable:
        if not os.path.lexists(file):
            raise
    if os.path.lexists(file):
        _refuse_unusable(file)  # another process has just created it, with the files that were found
        return
    try:
        make_folder(file.parent)
        for path in left:
            path.unlink()
        make_file(file)
    except FileExistsError:
        _refuse_unusable(file)  # a file in place of the folder, or another process that has just created it
    except OSError as error:
        raise Unusable(
            f"The database cannot be made at {file} ({error.strerror}): {explain_owner(file.parent)}."
        ) from error


def find_databases_beside(file: Path) -> list[Path]:
    """Databases of ours in the folder of a missing one, the latest first."""
    if not file.parent.is_dir():
        return []
    with os.scandir(file.parent) as entries:
        found = [Path(entry) for entry in islice(entries, BESIDE) if entry.is_file()]
    ours = [path for path in found if looks_ours(path)]
    return sorted(ours, key=lambda path: path.stat().st_mtime, reverse=True)


def _refuse_unusable(file: Path) -> None:
    """Raise `Unusable` for files that SQLite could not open or write."""
    if not file.parent.is_dir():
        raise Unusable(f"The database cannot be at {file}: {file.parent} is not a folder. Set {name_setting()} anew.")
    if not file.is_file():
        kind = "a folder" if file.is_dir() else "a link to nothing" if file.is_symlink() else "not a file"
        raise Unusable(f"The database cannot be at {file}, which is {kind}: {advise_elsewhere()}.")
    for path in (file, file.parent, *find_companion_files(file)):
        # A journal goes when another program closes the file.
        if not is_usable(path) and path.exists():
            raise Unusable(f"The database at {file} can't be written: {explain_owner(path)}.")


def _is_empty(file: Path) -> bool:
    """Whether a file is new and empty; `Damaged` if it was not empty before."""
    if file.stat().st_size:
        return False
    if left := find_companion_files(file):
        raise _Unfilled(f"The database at {file} is empty, but {left[0].name} is left of it: {advise_restore()}.")
    return True


def _refuse_strangers(connection: sqlite3.Connection, file: Path) -> None:
    if table_names(connection) and not is_ours(connection):
        raise Unusable(f"{file} belongs to another program: {advise_elsewhere()}. Nothing was changed.")


def classify_error(error: sqlite3.Error, file: Path) -> Unavailable:
    """The `Unavailable` for an error from a file."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return Damaged(
            f"{file} isn't a database, or is too damaged to read: {advise_elsewhere()}, or {advise_restore()}."
        )
    if code in BROKEN:
        return Damaged(f"The database at {file} is damaged ({error}): {advise_restore()}.")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Unavailable(f"The database at {file} is in use by another program; try again in a moment.")
    if code in PASSING:
        return Unusable(f"The database at {file} cannot be used ({error}): {explain_owner(file)}.")
    return Damaged(f"The database at {file} is damaged ({error}): {advise_restore()}.")


def table_names(connection: sqlite3.Connection) -> set[str]:
    """The names of a database's tables."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def notes_among(tables: Collection[str]) -> str | None:
    """The name of the table of notes, which differs before schema 0020; None without one."""
    return next((name for name in ("key_values", "notes") if name in tables), None)


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether a database was made by this program."""
    number = connection.execute("PRAGMA application_id").fetchone()[0]
    return number == APPLICATION or (number == 0 and table_names(connection) >= OURS)


def find_damage(
    connection: sqlite3.Connection,
    enough: Callable[[], bool] = lambda: False,
    told: Callable[[], None] = lambda: None,
) -> str | None:
    """The first fault that SQLite finds in a database; None without one, or if `enough` returns True before the end.

    `told` is called now and then; an exception from it ends the check.
    """
    found = table_names(connection)
    if found and (missing := OURS - found):
        return f"its table {min(missing)} is missing"
    ended: list[BaseException] = []

    def should_stop() -> bool:
        try:
            told()
        except BaseException as fault:  # SQLite would swallow it
            ended.append(fault)
        return bool(ended) or enough()

    connection.set_progress_handler(should_stop, STEPS)
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
    """Whether a file is a database of ours, by its header; False if it cannot be read."""
    try:
        with file.open("rb") as read:
            if read.read(len(HEADER)) != HEADER:
                return False
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            return is_ours(connection)
    except (OSError, sqlite3.Error):
        return False


def refuse_no_copy(file: Path) -> None:
    """Raise `CommandRefused` for a file that cannot be a copy of a database."""
    if file.is_dir():
        raise CommandRefused(f"{file} is a folder. Name a copy in it.")
    if not file.is_file():
        raise CommandRefused(f"There is no file {file}.")
    if not file.stat().st_size:
        raise CommandRefused(f"{file} can't be restored. It is empty.")
    try:
        with file.open("rb") as read:
            begins = read.read(len(HEADER))
    except OSError as fault:
        raise CommandRefused(explain_hindrance(fault, file, "name another copy")) from fault
    if begins != HEADER:
        raise CommandRefused(f"{file} isn't a database, so it is no copy of one. Name a copy that `backup` has made.")


def verify(connection: sqlite3.Connection, progress: Progress = show_nothing) -> None:
    """Raise `CommandRefused` or `SchemaTooNew` for a database that is damaged, not ours, or newer than this program."""
    if not is_ours(connection):
        raise CommandRefused("It isn't a Graph Paper database.")
    if found := find_damage(connection, told=lambda: progress("checking the copy", 0, 0)):
        raise CommandRefused(f"It is damaged: {found}.")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    refuse_newer(row[0] if row else None)


# Other files with matches beside a SQLite database: replaced by a restore, unfinished copies, other copies.


PART = ".part"


class LeftFile(NamedTuple):
    """A file that a host may want to delete: its last change, in epoch seconds, and its bytes."""

    file: Path
    written: int
    bytes: int


def find_left_files(database: Path) -> list[LeftFile]:
    """The other files with matches beside a database, the latest first; `OSError` if its folder can't be read."""
    with os.scandir(database.parent) as entries:
        files = [Path(entry) for entry in islice(entries, BESIDE) if entry.is_file(follow_symlinks=False)]
    found = [
        file
        for file in files
        if file.name != database.name
        and not file.name.endswith(COMPANIONS)
        and (is_unfinished_copy(file) or looks_ours(file))
    ]
    seen = [_make_left_file(file) for file in found if not file.samefile(database)]
    return sorted(seen, key=lambda one: (-one.written, one.file.name))


def is_unfinished_copy(file: Path) -> bool:
    """Whether a file is an unfinished copy, by its name."""
    return file.name.endswith(PART)


def _make_left_file(file: Path) -> LeftFile:
    sizes = [one.stat().st_size for one in (file, *find_companion_files(file))]
    return LeftFile(file, int(file.stat().st_mtime), sum(sizes))
