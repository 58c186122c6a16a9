"""Says what keeps a file or folder from being used, and what to do, in place of the system's and SQLite's words."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from data.upkeep.typed_commands import elsewhere

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


def hindrance(fault: OSError | sqlite3.Error, path: Path, other: str) -> str:
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
        return f"{path} can't be used: {owner(path, other)}."
    return SENTENCES.get(number, OTHERWISE).format(path=path, why=why)


def owner(path: Path, other: str | None = None) -> str:
    """Why something cannot be read or written, if that can be seen, and what to do, or else the `other` thing to do."""
    other = other or elsewhere()
    while not os.path.exists(path) and path != path.parent:  # also where we may not look
        path = path.parent
    volume = os.statvfs(path)
    if volume.f_bavail * volume.f_frsize < LITTLE:
        return "its disk is full; free some space on it"
    if volume.f_flag & os.ST_RDONLY:
        return f"{path} is on a read-only volume: mount it for writing, or {other}"
    if usable(path):
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


def usable(path: Path) -> bool:
    """Whether this user may read and write something that is there."""
    return os.access(path, os.R_OK | os.W_OK | (os.X_OK if os.path.isdir(path) else 0))


def no_copies(folder: Path, database: Path) -> str | None:
    """Why no copies of a database can be made in a folder, as a sentence; None where they can."""
    there = folder
    if not os.path.isdir(folder):
        if os.path.lexists(folder):
            return f"{folder} is no folder, so no copies can be made there: {ANOTHER_FOLDER}."
        while not os.path.exists(there) and there != there.parent:
            there = there.parent
        # Else a volume that is not mounted looks like this.
        if usable(there) and database.resolve().parent not in folder.resolve().parents:
            return f"There is no folder {folder} for copies. Make it, mount it, or correct GRAPHPAPER_BACKUPS."
    return None if usable(there) else f"No copies can be made in {folder}: {owner(there, ANOTHER_FOLDER)}."
