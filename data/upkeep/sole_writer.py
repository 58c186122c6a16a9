"""A lock for the only process that writes to a SQLite database: the bot while it runs, or a host's command.

The holder's name is in a file beside the database. The lock is the system's, so it ends with its process, and is
independent of SQLite's: programs that only read take none.

SQLite before 3.51.3, except 3.50.7 and 3.44.6, can damage a database in WAL mode to which two processes write or
checkpoint at once. One bot alone is safe: it writes over one connection.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import logging
import os
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from data.engine.address import PRIVATE, file_of, give_ownership, make_folder, parse_address
from data.engine.errors import Unusable

MENDED = (3, 51, 3)
MENDED_TOO = ((3, 44, 6), (3, 50, 7))
"""Earlier versions with the same fix, each for its minor version."""
MARK, LONGEST = "Graph Paper\n", 200
"""The beginning of a lock file, and the most bytes that are read of it."""
LOOK_SECONDS = 0.25
UNKNOWN_HOLDER = "another process"
UNKNOWING = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
"""The errors of a volume without locks."""

log = logging.getLogger(__name__)


class Occupied(Unusable):
    """Another process writes to the database."""

    def __init__(self, file: Path, holder: str) -> None:
        super().__init__(
            f"The database at {file} is used by {holder}. Stop that first: only one process may write to a SQLite"
            " database of Graph Paper's."
        )
        self.file, self.holder = file, holder


def allows_two_writers(version: tuple[int, ...] | None = None) -> bool:
    """Whether two processes may write to one database with a version of SQLite, by default the one in use."""
    found = version or sqlite3.sqlite_version_info
    return found >= MENDED or any(one[:2] == found[:2] and found >= one for one in MENDED_TOO)


@asynccontextmanager
async def be_sole_writer(url: str, who: str, patience: float = 0.0, begin: bool = False) -> AsyncGenerator[None]:
    """Hold the lock of a database; raises `Occupied` if another process has it for longer than `patience` seconds. For
    a server no lock is needed. `begin`: create the folder of a new database."""
    file = file_of(parse_address(url))
    if file is None:
        yield
        return
    clock = asyncio.get_running_loop().time
    end = clock() + patience
    while True:
        try:
            lock = _take_lock(file, who, begin)
            break
        except Occupied:
            if clock() >= end:
                raise
        await asyncio.sleep(LOOK_SECONDS)
    try:
        yield
    finally:
        if lock is not None:
            _free_lock(file, lock)


@asynccontextmanager
async def write_beside_bot(url: str, who: str) -> AsyncGenerator[None]:
    """Allow writing to a database that a bot may be using; raises `Unusable` if one is, and SQLite does not allow two
    writers."""
    if allows_two_writers():
        yield
        return
    try:
        async with be_sole_writer(url, who):
            yield
    except Occupied as fault:
        raise Unusable(
            f"The database at {fault.file} is used by {fault.holder}, and SQLite {sqlite3.sqlite_version} can damage a"
            " database to which two processes write (mended in 3.51.3). Stop that first, or check without --ratings."
        ) from fault


def lock_file_of(file: Path) -> Path:
    """The lock file of a database, with links resolved."""
    real = file.resolve()
    return real.with_name(f"{real.name}-lock")


def _take_lock(file: Path, who: str, begin: bool) -> int | None:
    """The locked file of a database; None on a volume without locks."""
    path = lock_file_of(file)
    while True:
        try:
            if begin:
                make_folder(path.parent)
            lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
        except OSError as fault:
            log.debug("No lock can be made at %s: %s", path, fault.strerror)
            return None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _read_holder(lock)
            os.close(lock)
            raise Occupied(file, holder) from None
        except OSError as fault:
            os.close(lock)
            if fault.errno not in UNKNOWING:
                raise
            log.warning("Nothing keeps a second process from writing to %s: its volume has no locks.", file)
            return None
        if _is_same_file(lock, path):
            give_ownership(lock, path.parent)
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{MARK}{who}\n".encode(), 0)
            return lock
        os.close(lock)  # its holder has deleted the file meanwhile


def _is_same_file(lock: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock), os.stat(path))
    except FileNotFoundError:
        return False


def _read_holder(lock: int) -> str:
    text = os.pread(lock, LONGEST, 0).decode(errors="replace")
    holder = text.removeprefix(MARK).partition("\n")[0]
    return holder if text.startswith(MARK) and holder and holder.isprintable() else UNKNOWN_HOLDER


def _free_lock(file: Path, lock: int) -> None:
    """Delete the file while no other process holds it, so that nothing is left beside the database."""
    path = lock_file_of(file)
    if _is_same_file(lock, path):
        path.unlink(missing_ok=True)
    os.close(lock)
