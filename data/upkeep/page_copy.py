"""Copies all pages of a SQLite database into a new file, as they stand at one moment, without ever writing to it.

A volume that cannot be written has no room for what SQLite keeps beside a database while somebody reads it. Then the
file alone is read, as one that nobody changes.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from data.engine.database_files import companions, make, remove
from data.upkeep.file_check import HEADER, Refused, meaning
from data.upkeep.worker_thread import Progress, beside, quiet

PAGES = 2_000
"""How many pages are copied at once: 8 MB."""
RESERVE = 20_000_000
"""Bytes that a copy must leave free: the bot goes on writing on a volume that may be the same."""
UNREAD = (
    "Its folder can't be written, so {name} beside it was not read along: what was written last may be missing from"
    " the copy."
)
UNWRITABLE = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
"""What SQLite says where it can't make or mend its files beside a database."""
HOLDER = ".graphpaper-look-"


def copy_pages(source: Path, copy: Path, progress: Progress = quiet) -> str:
    """Copy a database into a new file that only its owner can read; a sentence where something may be missing.

    `Refused` without room for it, `sqlite3.Error`, `OSError`.
    """
    refuse_crowded(source, copy.parent)
    make(copy)
    unread = ""
    try:
        _copy(source, copy, "mode=ro", progress)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in UNWRITABLE or os.access(source.parent, os.W_OK):
            raise
        _copy(source, copy, "mode=ro&immutable=1", progress)
        left = [path for path in companions(source) if path.stat().st_size and not path.name.endswith("-shm")]
        unread = UNREAD.format(name=left[0].name) if left else ""
    return unread


def _copy(source: Path, copy: Path, how: str, progress: Progress) -> None:
    address = f"{source.absolute().as_uri()}?{how}"
    with (
        closing(sqlite3.connect(address, isolation_level=None, uri=True)) as old,
        closing(sqlite3.connect(copy, isolation_level=None)) as new,
    ):
        # Within one snapshot: a copy in several steps starts again whenever somebody writes between two.
        old.execute("BEGIN")
        old.execute("SELECT 1 FROM sqlite_master").fetchone()
        old.backup(new, pages=PAGES, progress=lambda _, left, whole: progress("pages", whole - left, whole))
        new.execute("PRAGMA journal_mode = DELETE")


def refuse_crowded(source: Path, folder: Path) -> None:
    """Raise `Refused` where a copy would leave too little room on its volume."""
    size = sum(path.stat().st_size for path in (source, *companions(source)))
    if shutil.disk_usage(folder).free < size + RESERVE:
        raise Refused(f"There is too little room in {folder} for a copy of {size:,} bytes. Free some space there.")


def clear(part: Path) -> None:
    """Delete what a copy that was broken off has left under a name; `Refused` for a file that is something else."""
    with suppress(FileNotFoundError), part.open("rb") as found:
        head = found.read(len(HEADER))
        if head not in (b"", HEADER, bytes(len(HEADER))):
            raise Refused(f"{part} is in the way of a copy, and none of Graph Paper's. Move it, or name another file.")
    remove(part)


@asynccontextmanager
async def borrowed(source: Path, progress: Progress = quiet) -> AsyncGenerator[tuple[Path, str]]:
    """A copy of a database for a look, which is deleted afterwards, and a sentence where something may be missing from
    it. It lies beside the database where that folder can be written, else where the system keeps such files.

    `Refused`, `Unavailable` where the database cannot be copied.
    """
    near = source.parent if os.access(source.parent, os.W_OK) else None
    with TemporaryDirectory(prefix=HOLDER, dir=near) as folder:
        copy = Path(folder) / source.name
        try:
            unread = await beside(partial(copy_pages, source, copy), progress)
        except sqlite3.Error as error:
            raise meaning(error, source) from error
        yield copy, unread
