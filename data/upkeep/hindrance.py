"""What hosts are told: what keeps a file from being used, which schemas are known, commands as typed here."""

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

# Writes the commands and settings that sentences advise as this host has to type them.


@dataclass(slots=True)
class Typing:
    """How this process was called, and whether its database is the sandbox's."""

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
    """The setting that says where the database is."""
    return PLACES[HERE.sandbox]


def advise_elsewhere() -> str:
    """What to do where the database can't be in its place."""
    return ELSEWHERE[HERE.sandbox]


def advise_restore() -> str:
    """How a copy is put in the place of a database that is there."""
    return f"put a copy back with {format_command('restore', 'FILE', '--force')}, which keeps this one aside"


def advise_new_database() -> str:
    """How an empty database is begun where there was another."""
    return f"to begin with an empty one anyway, run {format_command('migrate', '--new')} once"


# Says what keeps a file or folder from being used, and what to do, in place of the system's and SQLite's words.


LITTLE = 1_000_000
"""A volume with fewer bytes left is called full."""
RIGHTS = {errno.EACCES, errno.EPERM, errno.EROFS}
NO_ROOM = "There is no room for {path}: free some space on its disk."
FAILING = "The disk with {path} reports an error: look at it, and at the machine's log."
TOO_MANY = "Too many files are open: let the bot's user open more (`ulimit -n`)."
SENTENCES: Mapping[int, str] = {
    errno.ENOENT: "There is no {path}: make it, or correct the name.",
    errno.ENOTDIR: "There can be no {path}, since a part of that is no folder: correct the name.",
    errno.EISDIR: "{path} is a folder: name a file.",
    errno.EEXIST: "{path} is there already: take another name.",
    errno.ENAMETOOLONG: "The name {path} is too long: take a shorter one.",
    errno.ELOOP: "{path} is a link that leads back to itself: make it anew.",
    errno.ENOSPC: NO_ROOM,
    errno.EDQUOT: NO_ROOM,
    errno.EFBIG: NO_ROOM,
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
"""SQLite's errors that mean what one of the system's does."""
HELD = "{path} is in use by another program: try again in a moment."
ANOTHER_FOLDER = "set GRAPHPAPER_BACKUPS to another folder"


def explain_hindrance(fault: OSError | sqlite3.Error, path: Path, other: str) -> str:
    """The sentence about an error with a file or folder; `other`: what to do where it is somebody else's."""
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
    """Why something cannot be read or written, if that can be seen, and what to do, or else the `other` thing to do."""
    other = other or advise_elsewhere()
    while not os.path.exists(path) and path != path.parent:  # also where we may not look
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
    """Whether there is something, be it a link to nothing; `OSError` where we may not look."""
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def is_usable(path: Path) -> bool:
    """Whether this user may read and write something that is there."""
    return os.access(path, os.R_OK | os.W_OK | (os.X_OK if os.path.isdir(path) else 0))


def explain_no_copies(folder: Path, database: Path) -> str | None:
    """Why no copies of a database can be made in a folder, as a sentence; None where they can."""
    there = folder
    if not os.path.isdir(folder):
        if os.path.lexists(folder):
            return f"{folder} is no folder, so no copies can be made there: {ANOTHER_FOLDER}."
        while not os.path.exists(there) and there != there.parent:
            there = there.parent
        # Else a volume that is not mounted looks like this.
        if is_usable(there) and database.resolve().parent not in folder.resolve().parents:
            return f"There is no folder {folder} for copies. Make it, mount it, or correct GRAPHPAPER_BACKUPS."
    return None if is_usable(there) else f"No copies can be made in {folder}: {explain_owner(there, ANOTHER_FOLDER)}."


# Which schemas the program knows, and the errors for a database that is at another one.


SCRIPTS = Path(__file__).parents[1] / "migrations"
REVISION = re.compile(r'^revision = "(\w+)"', re.MULTILINE)


class SchemaError(Exception):
    """The database's schema and the program do not fit; the text says what to do."""


class SchemaTooNew(SchemaError):
    """The database was written by a later version of the program."""


class SchemaTooOld(SchemaError):
    """The database has not been migrated."""


@cache
def known_revisions(scripts: Path = SCRIPTS) -> tuple[str, ...]:
    """The revisions that migrations lead to, in their order."""
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
    """Raise `SchemaTooOld` for any revision but the latest; `running` where a bot is heard on the database."""
    if revision == (head := known_revisions()[-1]):
        return
    if running:
        raise SchemaTooOld(
            f"The database is not at schema {head}, and a bot of an earlier version runs on it: start the bot again,"
            " which updates the database."
        )
    raise SchemaTooOld(
        f"The database is not at schema {head}: start the bot, which updates the database, or run {format_command('migrate')}"
        " while the bot is stopped."
    )


# What a look at a database found, for the commands of hosts that print it.


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, a sentence a line, and whether all is well."""

    lines: tuple[str, ...]
    sound: bool
