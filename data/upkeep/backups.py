"""Backups of a SQLite database: copies, restoring, and daily copies."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bot.games.mind import RandomSource
from bot.games.wording import join_sentences
from data.engine.address import (
    file_of,
    find_companion_files,
    give_ownership,
    make_file,
    make_folder,
    parse_address,
    remove_database,
    restrict_to_owner,
    sync_to_disk,
)
from data.engine.errors import BROKEN, Unavailable, Unusable
from data.upkeep import file_check
from data.upkeep.file_check import (
    HEADER,
    CommandRefused,
    Progress,
    classify_error,
    connect_to_file,
    run_on_thread,
    run_undisturbed,
    show_nothing,
    table_names,
)
from data.upkeep.health import describe_left_in
from data.upkeep.hindrance import (
    ANOTHER_FOLDER,
    RIGHTS,
    SchemaError,
    advise_elsewhere,
    explain_hindrance,
    explain_no_copies,
    known_revisions,
)
from data.upkeep.upgrade import draw_step, last_of_file, renew_copy, upgrade_schema

# Copying a SQLite database, as of one moment, without writing to it.


PAGES = 2_000
"""The pages copied at a time: 8 MB."""
RESERVE = 20_000_000
"""Bytes that a copy must leave free, as the bot may go on writing on the same volume."""
UNREAD = (
    "Its folder can't be written, so {name} beside it was not read along: what was written last may be missing from"
    " the copy."
)
UNWRITABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""SQLite's errors if it can't create or repair its files beside a database."""
HOLDER = ".graphpaper-look-"


def copy_pages(source: Path, copy: Path, progress: Progress = show_nothing) -> str:
    """Copy a database into a new file that only its owner can read; a sentence where something may be missing.

    Raises `CommandRefused` if the volume is too small, `sqlite3.Error` and `OSError`.
    """
    refuse_crowded(source, copy.parent)
    make_file(copy)
    unread = ""
    try:
        _copy_pages(source, copy, "mode=ro", progress)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in UNWRITABLE or os.access(source.parent, os.W_OK):
            raise
        _copy_pages(source, copy, "mode=ro&immutable=1", progress)
        left = [path for path in find_companion_files(source) if path.stat().st_size and not path.name.endswith("-shm")]
        unread = UNREAD.format(name=left[0].name) if left else ""
    return unread


def _copy_pages(source: Path, copy: Path, how: str, progress: Progress) -> None:
    address = f"{source.absolute().as_uri()}?{how}"
    with (
        closing(sqlite3.connect(address, isolation_level=None, uri=True)) as old,
        closing(sqlite3.connect(copy, isolation_level=None)) as new,
    ):
        # Within one snapshot: a copy in several steps restarts after each write in between.
        old.execute("BEGIN")
        old.execute("SELECT 1 FROM sqlite_master").fetchone()
        old.backup(new, pages=PAGES, progress=lambda _, left, whole: progress("pages", whole - left, whole))
        new.execute("PRAGMA journal_mode = DELETE")


def refuse_crowded(source: Path, folder: Path) -> None:
    """Raise `CommandRefused` if a copy would leave less than `RESERVE` bytes on its volume."""
    size = sum(path.stat().st_size for path in (source, *find_companion_files(source)))
    if shutil.disk_usage(folder).free < size + RESERVE:
        raise CommandRefused(
            f"There is too little room in {folder} for a copy of {size:,} bytes. Free some space there."
        )


def clear_part(part: Path) -> None:
    """Delete an unfinished copy of this name; raises `CommandRefused` if the file is anything else."""
    with suppress(FileNotFoundError), part.open("rb") as found:
        head = found.read(len(HEADER))
        if head not in (b"", HEADER, bytes(len(HEADER))):
            raise CommandRefused(
                f"{part} is in the way of a copy, and none of Graph Paper's. Move it, or name another file."
            )
    remove_database(part)


@asynccontextmanager
async def borrow_copy(source: Path, progress: Progress = show_nothing) -> AsyncGenerator[tuple[Path, str]]:
    """A temporary copy of a database, with a sentence if something may be missing from it. It is beside the database if
    that folder is writable, else in the system's folder for temporary files.

    Raises `CommandRefused` or `Unavailable` if the database cannot be copied.
    """
    near = source.parent if os.access(source.parent, os.W_OK) else None
    with TemporaryDirectory(prefix=HOLDER, dir=near) as folder:
        copy = Path(folder) / source.name
        try:
            unread = await run_on_thread(partial(copy_pages, source, copy), progress)
        except sqlite3.Error as error:
            raise classify_error(error, source) from error
        yield copy, unread


# The commands: a backup while the bot runs, and a restore while it is stopped.


ENDINGS = (".db", ".sqlite", ".sqlite3", ".bak", ".backup")
"""The allowed suffixes of a new copy, so that a slip like `backup .env` does not overwrite another kind of file."""
NO_NAME = "{name} isn't the name of a copy: let it end in .db, like graphpaper-copy.db, or name a folder."
OTHER_FILE = "name a file in another folder"


async def backup(url: str, file: Path, progress: Progress = show_nothing, force: bool = False) -> str:
    """Copy a database, as of this moment, into a file, and return a sentence; raises `CommandRefused`.

    The bot is not blocked. An existing file is replaced only with `force`, and only if it is a database of ours.
    """
    return await run_on_thread(partial(_backup, url, file, force), progress)


async def restore(
    file: Path,
    url: str,
    clock: Callable[[], float],
    rng: RandomSource,
    force: bool = False,
    progress: Progress = show_nothing,
) -> str:
    """Replace a database by a copy, and return what was done; raises `CommandRefused`, without a change, if the copy is
    damaged, not ours or too new, if the database exists and `force` is not given, or if it is in use.

    The copy is migrated and renumbered, and the replaced database is kept beside it.
    """
    target = database_file(url)
    copy, unread = await run_on_thread(partial(_copy_for_restore, file, target, force), progress)
    try:
        await upgrade_schema(replace(parse_address(url), database=str(copy)))
        done = await run_undisturbed(partial(_put_in_place, copy, target, file, int(clock()), draw_step(rng)))
        return join_sentences(done, unread)
    except (SchemaError, Unavailable) as fault:
        raise CommandRefused(f"{file} was not restored. {fault}") from fault
    except (sqlite3.Error, OSError) as fault:
        raise CommandRefused(
            f"{file} was not restored. {explain_hindrance(fault, target.parent, advise_elsewhere())}"
        ) from fault
    finally:
        remove_database(copy)


def _backup(url: str, file: Path, force: bool, progress: Progress) -> str:
    source = database_file(url)
    if not source.is_file():
        raise CommandRefused(f"There is no database at {source}.")
    if file.is_dir() or not file.parent.is_dir():
        raise CommandRefused(f"I can't make a copy at {file}: name a file in an existing folder.")
    if os.path.lexists(file):
        _refuse_to_replace(file, source, force)
    elif file.name.startswith(".") or file.suffix.lower() not in ENDINGS:
        raise CommandRefused(NO_NAME.format(name=file.name))
    copy, unread = make_checked_copy(source, file, progress, OTHER_FILE)
    gone = _explain_left(copy)
    publish_copy(copy, file, force)
    return join_sentences(f"The database was copied to {file} ({file.stat().st_size} bytes).", unread, gone)


def _explain_left(copy: Path) -> str:
    """Where the matches in a copy were moved, if no bot may start on it."""
    with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return describe_left_in(connection) or ""


def _refuse_to_replace(file: Path, source: Path, force: bool) -> None:
    """Raise `CommandRefused` for an existing file that a copy must not replace."""
    if file.exists() and file.samefile(source):
        raise CommandRefused(f"{file} is the database itself. Name another file.")
    if file.name in {path.name for path in find_companion_files(source)} and file.parent.samefile(source.parent):
        raise CommandRefused(f"{file} belongs to the database itself. Name another file.")
    if not file_check.looks_ours(file):
        raise CommandRefused(f"{file} is there already, and no copy of Graph Paper's. Name another file.")
    if left := find_companion_files(file):
        raise CommandRefused(
            f"{file} is a database with {left[0].name} beside it, so a bot may use it. Name another file."
        )
    if not force:
        raise CommandRefused(f"{file} is there already: use --force to replace that copy, or name another file.")


def publish_copy(copy: Path, file: Path, force: bool = False) -> None:
    """Rename a finished copy to its name; raises `CommandRefused` if a file that it must not replace exists by now."""
    try:
        if force:
            os.replace(copy, file)
        else:
            _give_name(copy, file)
    except FileExistsError:
        remove_database(copy)
        raise CommandRefused(f"{file} is there already. Name another file.") from None
    sync_to_disk(file.parent)


def _give_name(copy: Path, file: Path) -> None:
    try:
        os.link(copy, file)
    except FileExistsError:
        raise
    except OSError:  # a volume without hard links
        if os.path.lexists(file):
            raise FileExistsError from None
        os.rename(copy, file)
    else:
        copy.unlink()


def _copy_for_restore(file: Path, target: Path, force: bool, progress: Progress) -> tuple[Path, str]:
    """A checked copy of a backup, beside the database that it is to replace; raises `CommandRefused`."""
    file_check.refuse_no_copy(file)
    if target.is_dir():
        raise CommandRefused(f"{target} is a folder, so the database can't be there.")
    if target.exists() and target.samefile(file):
        raise CommandRefused(f"{file} is the database itself. Name a copy of it.")
    if target.exists() and not force:
        raise CommandRefused(f"There is a database at {target}: use --force to replace it with {file}.")
    make_folder(target.parent)
    return make_checked_copy(file, target, progress, advise_elsewhere())


def _put_in_place(copy: Path, target: Path, file: Path, now: int, step: int) -> str:
    """Replace the database by a copy while no other process can open it."""
    with hold_database(target) as known:
        last = renew_copy(copy, known, now, step)
        sync_to_disk(copy)
        kept = put_aside(target)
        give_ownership(copy, target if kept else target.parent)
        os.replace(copy, target)
        sync_to_disk(target.parent)
    said = f"The database at {target} is now the one from {file}; new matches are numbered from {last + 1}."
    return f"{said} The old one is kept as {kept}." if kept else said


def database_file(url: str) -> Path:
    """The file of a database; raises `CommandRefused` for one on a server."""
    file = file_of(parse_address(url))
    if file is None:
        raise CommandRefused("This command copies SQLite databases only. For PostgreSQL use pg_dump and pg_restore.")
    return file


def make_checked_copy(source: Path, target: Path, progress: Progress, other: str) -> tuple[Path, str]:
    """A checked copy of a database as one file beside the target, and a sentence if something may be missing from it;
    raises `CommandRefused`. `other`: the advice if no file can be made there."""
    copy = target.with_name(target.name + ".part")
    if not source.stat().st_size:  # opening it would delete a journal beside it
        raise CommandRefused(f"{source} was not copied. It is empty.")
    clear_part(copy)
    try:
        unread = copy_pages(source, copy, progress)
        sync_to_disk(copy)
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro", uri=True)) as written:
            file_check.verify(written, progress)
    except (sqlite3.Error, OSError) as error:
        _remove_copy(copy)
        raise CommandRefused(f"{source} was not copied. {_explain_hindrance(error, source, copy, other)}") from error
    except (CommandRefused, SchemaError) as refusal:
        _remove_copy(copy)
        raise CommandRefused(f"{source} was not copied. {refusal}") from None
    except BaseException:
        _remove_copy(copy)
        raise
    return copy, unread


def _explain_hindrance(error: sqlite3.Error | OSError, source: Path, copy: Path, other: str) -> str:
    if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in BROKEN:
        return f"It isn't a database, or is damaged ({error})."
    if not os.access(source, os.R_OK):
        return explain_hindrance(PermissionError(errno.EACCES, "", str(source)), source, advise_elsewhere())
    if isinstance(error, OSError) and error.errno in RIGHTS:
        error = OSError(error.errno, error.strerror, str(copy.parent))
    return explain_hindrance(error, copy.parent, other)


def _remove_copy(copy: Path) -> None:
    with suppress(OSError):  # the cause of the failed copy may affect this, too
        remove_database(copy)


@contextmanager
def hold_database(target: Path) -> Generator[int]:
    """Lock a database that is to be replaced, after moving its journal into the file; yields its highest match number,
    0 if that cannot be read. Raises `CommandRefused` if it is in use."""
    if not target.exists():
        yield 0
        return
    with closing(sqlite3.connect(target, timeout=0, isolation_level=None)) as connection:
        known = 0
        try:
            # Succeeds only for the only process that has it open.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
            known = last_of_file(connection)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise CommandRefused(f"The database at {target} is in use. Stop the bot first.") from None
        except sqlite3.DatabaseError:
            pass  # damaged: a reason to replace it
        yield known


def put_aside(target: Path) -> Path | None:
    """Keep a database that is to be replaced, with SQLite's files beside it, under another name, which is returned.
    Without a database SQLite's files are deleted, and None is returned."""
    if not target.exists():
        remove_database(target)
        return None
    names = (target.with_name(f"{target.name}.replaced-{number}") for number in count(1))
    kept = next(name for name in names if not name.exists())
    try:
        os.link(target, kept)
    except OSError:  # a volume without hard links
        shutil.copy2(target, kept)
        give_ownership(kept, target)
    for path in find_companion_files(target):
        # Before the copy is in place: SQLite would apply the journal to the copy.
        os.replace(path, kept.with_name(kept.name + path.name.removeprefix(target.name)))
    restrict_to_owner(kept)
    sync_to_disk(target.parent)
    return kept


# Automatic copies of a SQLite database in a folder: one a day, one before each migration, seven of each.


KEPT = 7
"""The number of copies kept of each kind, so that a repeatedly failing migration does not displace daily ones."""
QUIET_HOUR = 4
"""The hour of the day, in UTC, from which on the daily copy is made."""
DAILY, BEFORE = "daily", "before"
WRITTEN = "%Y-%m-%d-%H%M%S"
NAME = re.compile(r"graphpaper-(?P<at>\d{4}-\d\d-\d\d-\d{6})-(?P<why>daily|before-\w+)\.db(?P<part>\.part\S*)?")
NOT_MIGRATED = (
    "The database was not brought to schema {step}, since no copy of it could be made before. {why} Or set"
    " GRAPHPAPER_BACKUPS to off, to do without."
)
REVISION = "SELECT version_num FROM alembic_version"


class BackupCopy(NamedTuple):
    """An automatic copy: when it was made, in epoch seconds, and why."""

    at: int
    why: str
    file: Path


class BackupStanding(NamedTuple):
    """The number of copies; when the newest was made, in epoch seconds, and its bytes; 0 without one."""

    copies: int
    newest: int
    bytes: int


def dated_file(folder: Path, now: float, why: str = "") -> Path:
    """The file name of a copy made at a moment."""
    moment = datetime.fromtimestamp(now, UTC).strftime(WRITTEN)
    return folder / (f"graphpaper-{moment}-{why}.db" if why else f"graphpaper-{moment}.db")


def list_copies(folder: Path) -> list[BackupCopy]:
    """All automatic copies in a folder, the earliest first."""
    found: list[BackupCopy] = []
    for file in folder.glob("graphpaper-*.db"):
        if (read := NAME.fullmatch(file.name)) and (at := _parse_moment(read["at"])) is not None:
            found.append(BackupCopy(at, read["why"], file))
    return sorted(found)


def read_standing(folder: Path, now: float) -> BackupStanding:
    """The state of the copies in a folder; a copy with a future date does not count as the newest."""
    found = [copy for copy in list_copies(folder) if copy.at <= now]
    newest = found[-1] if found else None
    return BackupStanding(len(found), newest.at if newest else 0, newest.file.stat().st_size if newest else 0)


def is_due(folder: Path, now: float) -> bool:
    """Whether the daily copy is still to be made, also if its hour was missed."""
    return _day_of(now) not in {_day_of(copy.at) for copy in list_copies(folder) if copy.why == DAILY}


async def make_daily_copy(
    url: str, folder: Path, clock: Callable[[], float], progress: Progress = show_nothing
) -> Path | None:
    """Make the daily copy if it is due, and delete surplus ones; raises `CommandRefused` and `OSError`."""
    if not is_due(folder, now := clock()):
        return None
    return await run_on_thread(partial(_make_copy_or_refuse, url, folder, now, DAILY), progress)


async def make_copy_before_migrating(
    url: str, folder: Path | None, clock: Callable[[], float], progress: Progress = show_nothing
) -> Path | None:
    """Make a copy of a database before a migration, if there is a folder for it, and delete surplus ones; raises
    `Unusable` if it cannot be made."""
    file = file_of(parse_address(url))
    if folder is None or file is None or not (step := _pending_revision(file)):
        return None
    try:
        return await run_on_thread(partial(_make_copy_or_refuse, url, folder, clock(), f"{BEFORE}-{step}"), progress)
    except CommandRefused as fault:
        raise Unusable(NOT_MIGRATED.format(step=step, why=fault)) from fault


def _pending_revision(file: Path) -> str | None:
    """The revision to which a database is to be migrated; None if it is up to date."""
    if not file.is_file() or not file.stat().st_size:
        return None
    with connect_to_file(file) as connection, closing(connection.cursor()) as asked:
        row = asked.execute(REVISION).fetchone() if "alembic_version" in table_names(connection) else None
    head = known_revisions()[-1]
    return head if row and row[0] in known_revisions() and row[0] != head else None


def _make_copy_or_refuse(url: str, folder: Path, now: float, why: str, progress: Progress) -> Path:
    try:
        return _make_copy(url, folder, now, why, progress)
    except OSError as fault:
        raise CommandRefused(explain_hindrance(fault, folder, ANOTHER_FOLDER)) from fault


def _make_copy(url: str, folder: Path, now: float, why: str, progress: Progress) -> Path:
    source = file_of(parse_address(url))
    if source is None:
        raise CommandRefused("Copies are made of SQLite databases only.")
    if why_not := explain_no_copies(folder, source):
        raise CommandRefused(why_not)
    make_folder(folder)
    for left in folder.glob("graphpaper-*.part*"):
        if (read := NAME.fullmatch(left.name)) and read["part"]:  # left by a killed process
            remove_database(left)
    target = dated_file(folder, now, why)
    copy, _ = make_checked_copy(source, target, progress, ANOTHER_FOLDER)
    publish_copy(copy, target)
    _thin_out(folder, target, now)
    return target


def _thin_out(folder: Path, made: Path, now: float) -> None:
    """Delete all but the newest copies of the kind that was made; one with a future date counts as the oldest."""
    kind = made.name.split("-")[-1] == f"{DAILY}.db"
    same = [copy for copy in list_copies(folder) if (copy.why == DAILY) == kind and copy.file != made]
    same.sort(key=lambda copy: (copy.at <= now, copy.at), reverse=True)
    for copy in same[KEPT - 1 :]:
        remove_database(copy.file)


def _day_of(moment: float) -> date:
    return (datetime.fromtimestamp(moment, UTC) - timedelta(hours=QUIET_HOUR)).date()


def _parse_moment(text: str) -> int | None:
    try:
        return int(datetime.strptime(text, WRITTEN).replace(tzinfo=UTC).timestamp())
    except ValueError:
        return None
