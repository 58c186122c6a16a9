"""Messages for hosts: why a file cannot be used, schema errors, commands as typed on this machine."""

from __future__ import annotations

import errno
import os
import re
import shlex
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

# Commands and settings in messages, as this host has to type them.


@dataclass(slots=True)
class Typing:
    """How this process was started, and whether its database is the sandbox's."""

    program: str = "python -m bot"
    sandbox: bool = False


HERE = Typing()

PLACES = ("GRAPHPAPER_DATABASE", "GRAPHPAPER_SANDBOX_FOLDER")
ELSEWHERE = (
    "set GRAPHPAPER_DATABASE to a file that only the bot uses",
    "set GRAPHPAPER_SANDBOX_FOLDER to a folder that only the sandbox uses",
)


def format_command(*words: object) -> str:
    """A command in backquotes, like `` `python -m bot --sandbox restore FILE` ``."""
    sandbox = ["--sandbox"] if HERE.sandbox else []
    return f"`{' '.join([HERE.program, *sandbox, *(shlex.quote(str(word)) for word in words)])}`"


def name_setting() -> str:
    """The variable of the database, for a sentence."""
    return PLACES[HERE.sandbox]


def advise_elsewhere() -> str:
    """The advice if the database can't be at its path."""
    return ELSEWHERE[HERE.sandbox]


def advise_restore() -> str:
    """The advice to replace an existing database by a copy."""
    return f"put a copy back with {format_command('restore', 'FILE', '--force')}, which keeps this one aside"


def advise_new_database() -> str:
    """The advice to start with an empty database in place of another."""
    return f"to begin with an empty one anyway, run {format_command('migrate', '--new')} once"


# Why a file or folder cannot be used, and what to do, in place of the system's and SQLite's messages.


LITTLE = 1_000_000
"""The free bytes below which a volume is called full."""
RIGHTS = {errno.EACCES, errno.EPERM, errno.EROFS}
FULL = "There is no room for {path}: free some space on its disk."
FAILING = "The disk with {path} reports an error: look at it, and at the machine's log."
TOO_MANY = "Too many files are open: let the bot's user open more (`ulimit -n`)."
SENTENCES: Mapping[int, str] = {
    errno.ENOENT: "There is no {path}: make it, or correct the name.",
    errno.ENOTDIR: "There can be no {path}, since a part of that is no folder: correct the name.",
    errno.EISDIR: "{path} is a folder: name a file.",
    errno.EEXIST: "{path} is there already: take another name.",
    errno.ENAMETOOLONG: "The name {path} is too long: take a shorter one.",
    errno.ELOOP: "{path} is a link that leads back to itself: make it anew.",
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EFBIG: FULL,
    errno.EIO: FAILING,
    errno.EMFILE: TOO_MANY,
    errno.ENFILE: TOO_MANY,
}
OTHERWISE = "{path} can't be used ({why}): look at the disk, and at the machine's log."
SAME = {
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_READONLY: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_AUTH: errno.EACCES,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_IOERR: errno.EIO,
}
"""The system's error codes for SQLite's."""
HELD = "{path} is in use by another program: try again in a moment."
ANOTHER_FOLDER = "set GRAPHPAPER_BACKUPS to another folder"


def explain_hindrance(fault: OSError | sqlite3.Error, path: Path, other: str) -> str:
    """The sentence about an error with a file or folder; `other`: the advice if it belongs to another user."""
    if isinstance(fault, sqlite3.Error):
        code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return HELD.format(path=path)
        number, why = SAME.get(code, 0), str(fault)
    else:
        path = Path(os.fsdecode(fault.filename)) if isinstance(fault.filename, str | bytes) else path
        number, why = fault.errno or 0, fault.strerror or str(fault)
    if number in RIGHTS:
        return f"{path} can't be used: {explain_owner(path, other)}."
    return SENTENCES.get(number, OTHERWISE).format(path=path, why=why)


def explain_owner(path: Path, other: str | None = None) -> str:
    """Why a path cannot be read or written, if that is evident, and what to do, else the `other` advice."""
    other = other or advise_elsewhere()
    while not os.path.exists(path) and path != path.parent:  # also if it is not accessible
        path = path.parent
    volume = os.statvfs(path)
    if volume.f_bavail * volume.f_frsize < LITTLE:
        return "its disk is full; free some space on it"
    if volume.f_flag & os.ST_RDONLY:
        return f"{path} is on a read-only volume: mount it for writing, or {other}"
    if is_usable(path):
        return f"the bot may write to {path}, so look at the disk and at the machine's log, or {other}"
    if path.stat().st_uid == os.getuid():
        return f"its rights keep its own user out: run `chmod u+rw{'x' if path.is_dir() else ''} {path}`"
    whose = f"{path} belongs to user {path.stat().st_uid}, and the bot runs as user {os.getuid()}"
    return f"{whose}: give it the files, or {other}"


def is_there(file: Path) -> bool:
    """Whether a path exists, even as a broken link; `OSError` if it is not accessible."""
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def is_usable(path: Path) -> bool:
    """Whether this process may read and write an existing path."""
    return os.access(path, os.R_OK | os.W_OK | (os.X_OK if os.path.isdir(path) else 0))


def explain_no_copies(folder: Path, database: Path) -> str | None:
    """Why no copies of a database can be made in a folder, as a sentence; None if they can."""
    there = folder
    if not os.path.isdir(folder):
        if os.path.lexists(folder):
            return f"{folder} is no folder, so no copies can be made there: {ANOTHER_FOLDER}."
        while not os.path.exists(there) and there != there.parent:
            there = there.parent
        # Otherwise it may be a volume that is not mounted.
        if is_usable(there) and database.resolve().parent not in folder.resolve().parents:
            return f"There is no folder {folder} for copies. Make it, mount it, or correct GRAPHPAPER_BACKUPS."
    return None if is_usable(there) else f"No copies can be made in {folder}: {explain_owner(there, ANOTHER_FOLDER)}."


# The known schemas, and the errors for databases with other ones.


SCRIPTS = Path(__file__).parents[1] / "migrations"
REVISION = re.compile(r'^revision = "(\w+)"', re.MULTILINE)


class SchemaError(Exception):
    """The database's schema does not fit the program; the text says what to do."""


class SchemaTooNew(SchemaError):
    """The database was migrated by a later version of the program."""


class SchemaTooOld(SchemaError):
    """The database has not been migrated."""


@cache
def known_revisions(scripts: Path = SCRIPTS) -> tuple[str, ...]:
    """The revisions of the migrations, in order."""
    steps = (path.read_text() for path in (scripts / "versions").glob("*.py"))
    return tuple(sorted(found[1] for step in steps if (found := REVISION.search(step))))


def refuse_newer(revision: str | None, scripts: Path = SCRIPTS) -> None:
    """Raise `SchemaTooNew` for a revision that the program does not know."""
    if revision and revision not in (steps := known_revisions(scripts)):
        raise SchemaTooNew(
            f"The database was written by a newer version of Graph Paper (its schema is {revision}, this one"
            f" knows up to {steps[-1]}): use that version, or restore a backup made before it."
        )


def refuse_older(revision: str | None, running: bool = False) -> None:
    """Raise `SchemaTooOld` for any revision but the latest; `running`: whether a bot runs on the database."""
    if revision == (head := known_revisions()[-1]):
        return
    if running:
        raise SchemaTooOld(
            f"The database is not at schema {head}, and a bot of an earlier version runs on it: start the bot again,"
            " which updates the database."
        )
    raise SchemaTooOld(
        f"The database is not at schema {head}: start the bot, which updates the database, or run"
        f" {format_command('migrate')} while the bot is stopped."
    )


# The result of a check, for the commands that print it.


@dataclass(frozen=True, slots=True)
class Report:
    """The findings, a sentence each, and whether all is well."""

    lines: tuple[str, ...]
    sound: bool
