"""Addresses of databases, and the files of SQLite's."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote

# Parsing of database addresses.


SQLITE, POSTGRESQL = "sqlite", "postgresql"
UNREADABLE = (
    "I can't read the database's address. It looks like sqlite:////srv/graphpaper.db (four slashes: from the root on),"
    " sqlite:///var/graphpaper.db (three: from the current folder on) or postgresql://user:password@host/name."
)
KIND = re.compile(r"(?P<kind>\w+)(?:\+\w+)?://(?P<rest>.*)", re.DOTALL)
FILE = re.compile(r"(?:/(?P<file>[^?]*))?(?:\?.*)?")
SERVER = re.compile(
    # Neither a server's name nor a database's has an @, so the last @ ends the password, which may contain others.
    r"(?:(?P<user>[^:/@]*)(?::(?P<password>.*?))?@)?(?P<hosts>[^/?@]*)(?:/(?P<database>[^?@]*))?(?:\?(?P<query>.*))?"
)
HOST = re.compile(r"(?:\[(?P<six>[^]]+)\]|(?P<name>[^:]*))(?::(?P<port>[0-9]{0,5}))?")
LABEL = 63
"""The longest label of a host name, in characters."""


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """The parsed address of a database. For SQLite `database` is the file; `query` are the parameters after the `?`."""

    kind: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    host: str | None = None
    port: int | None = None
    database: str | None = None
    query: Mapping[str, str] = field(default_factory=dict[str, str])


def parse_address(url: str | DatabaseAddress) -> DatabaseAddress:
    """Parse an address; `ValueError` if it cannot be used."""
    if isinstance(url, DatabaseAddress):
        return url
    if not (read := KIND.fullmatch(url)):
        raise ValueError(UNREADABLE)
    if read["kind"] == SQLITE:
        return _parse_file_address(read["rest"])
    if read["kind"] in (POSTGRESQL, "postgres"):
        return _parse_server_address(read["rest"])
    raise ValueError(f"The database is SQLite or PostgreSQL, not {read['kind']}.")


def _parse_file_address(rest: str) -> DatabaseAddress:
    if not (read := FILE.fullmatch(rest)):
        raise ValueError(UNREADABLE)
    if read["file"] in (None, "", ":memory:"):
        raise ValueError("The database needs a file, like sqlite:////srv/graphpaper.db.")
    if "\0" in (file := unquote(read["file"])):
        raise ValueError(UNREADABLE)
    return DatabaseAddress(SQLITE, database=file)


def _parse_server_address(rest: str) -> DatabaseAddress:
    if not (read := SERVER.fullmatch(rest)):
        raise ValueError(UNREADABLE)
    query = dict[str, str]()
    for name, value in parse_qsl(read["query"] or ""):
        query[name] = f"{query[name]},{value}" if name in query else value
    host = port = None
    if not all(map(_is_possible_host, read["hosts"].split(","))):
        raise ValueError(UNREADABLE)
    if "," in read["hosts"]:  # the first of several servers that can be reached is taken
        query["host"] = read["hosts"]
    elif found := HOST.fullmatch(read["hosts"]):
        host, port = found["six"] or found["name"] or None, int(found["port"]) if found["port"] else None
    else:
        raise ValueError(UNREADABLE)
    parts = read.group("user", "password", "database")
    user, password, database = (None if part is None else unquote(part) for part in parts)
    return DatabaseAddress(POSTGRESQL, user, password, host, port, database, query)


def _is_possible_host(host: str) -> bool:
    """Whether this is a valid host with port; an empty name means this machine."""
    found = HOST.fullmatch(host)
    if found is None or int(found["port"] or 0) > 65535:
        return False
    labels = (found["name"] or "").removesuffix(".").split(".")
    return labels == [""] or all(0 < len(label) <= LABEL for label in labels)


def address_of_file(file: Path) -> str:
    """The address of a database in a file."""
    return f"{SQLITE}:///{quote(str(file))}"


def is_sqlite(url: DatabaseAddress) -> bool:
    """Whether the database is a file of SQLite's."""
    return url.kind == SQLITE


def file_of(url: DatabaseAddress) -> Path | None:
    """The file of a SQLite database; None for PostgreSQL."""
    return Path(url.database) if is_sqlite(url) and url.database else None


def file_stamp(file: Path) -> tuple[int, int] | None:
    """The device and inode of a file, by which a replacement differs; None if it does not exist."""
    try:
        found = os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


# Files of a SQLite database: creation, deletion, syncing.


COMPANIONS = ("-wal", "-shm", "-journal")
"""The suffixes of SQLite's files beside a database; left over from another database, they would corrupt a new one."""
PRIVATE, PRIVATE_FOLDER = 0o600, 0o700


def make_file(file: Path) -> None:
    """Make an empty file that only its owner can read; `FileExistsError` if there is one."""
    handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
    try:
        give_ownership(handle, file.parent)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner can read; an existing one is left as it is."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    for one in reversed(new):
        give_ownership(one, one.parent)


def give_ownership(made: Path | int, like: Path) -> None:
    """Change the owner of a file that root has made to that of another file, so that the bot's user can open it."""
    if os.geteuid() == 0:
        found = os.stat(like)
        with contextlib.suppress(OSError):  # a volume without owners
            os.chown(made, found.st_uid, found.st_gid)


def restrict_to_owner(file: Path) -> None:
    """Restrict a database and its companion files to their owner, if their permissions are ours to change."""
    for path in (file, *find_companion_files(file)):
        with contextlib.suppress(OSError):
            path.chmod(PRIVATE)


def find_companion_files(file: Path) -> list[Path]:
    """SQLite's existing files beside a database."""
    named = (file.with_name(file.name + suffix) for suffix in COMPANIONS)
    return [path for path in named if path.exists()]


def remove_database(file: Path) -> None:
    """Delete a database with its companion files."""
    for path in (file, *find_companion_files(file)):
        path.unlink(missing_ok=True)


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or a folder's entries, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
