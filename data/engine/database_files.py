"""Makes, deletes and syncs the files of a SQLite database for its engine and the upkeep commands.

Every file made here can be read by its owner alone; SQLite gives its journal files the rights of the database.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

COMPANIONS = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; of another database of the same name they would do harm."""
PRIVATE, PRIVATE_FOLDER = 0o600, 0o700


def make(file: Path) -> None:
    """Make an empty file that only its owner can read; `FileExistsError` if there is one."""
    handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
    try:
        give(handle, file.parent)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can look into; one that is there stays as it is."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    for one in reversed(new):
        give(one, one.parent)


def give(made: Path | int, like: Path) -> None:
    """Let what root has made belong to whom something else belongs: the bot is another user, and is to open it."""
    if os.geteuid() == 0:
        found = os.stat(like)
        with contextlib.suppress(OSError):  # a volume without owners
            os.chown(made, found.st_uid, found.st_gid)


def tighten(file: Path) -> None:
    """Take a database and its companions away from everybody but their owner, where the rights are ours to change."""
    for path in (file, *companions(file)):
        with contextlib.suppress(OSError):
            path.chmod(PRIVATE)


def companions(file: Path) -> list[Path]:
    """What SQLite has left beside a database."""
    named = (file.with_name(file.name + suffix) for suffix in COMPANIONS)
    return [path for path in named if path.exists()]


def remove(file: Path) -> None:
    """Delete a database with all that is beside it."""
    for path in (file, *companions(file)):
        path.unlink(missing_ok=True)


def settle(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
