"""Reads the address of a database, as hosts write it, for the engine and the upkeep commands.

An address looks like SQLAlchemy's or libpq's. It is read here without either, because `health` loads neither.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote

SQLITE, POSTGRESQL = "sqlite", "postgresql"
UNREADABLE = (
    "I can't read the database's address. It looks like sqlite:////srv/graphpaper.db (four slashes: from the root on),"
    " sqlite:///var/graphpaper.db (three: from the current folder on) or postgresql://user:password@host/name."
)
KIND = re.compile(r"(?P<kind>\w+)(?:\+\w+)?://(?P<rest>.*)", re.DOTALL)
FILE = re.compile(r"(?:/(?P<file>[^?]*))?(?:\?.*)?")
SERVER = re.compile(
    # Neither a server's name nor a database's has an @. So the last @ ends the password, which may hold others.
    r"(?:(?P<user>[^:/@]*)(?::(?P<password>.*?))?@)?(?P<hosts>[^/?@]*)(?:/(?P<database>[^?@]*))?(?:\?(?P<query>.*))?"
)
HOST = re.compile(r"(?:\[(?P<six>[^]]+)\]|(?P<name>[^:]*))(?::(?P<port>[0-9]{0,5}))?")
LABEL = 63
"""The most characters of what stands between two dots in a host's name."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is. Of SQLite `database` is the file; what follows the question mark is the `query`."""

    kind: str
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    host: str | None = None
    port: int | None = None
    database: str | None = None
    query: Mapping[str, str] = field(default_factory=dict[str, str])


def address(url: str | Address) -> Address:
    """An address that was read; `ValueError` for one that cannot be used."""
    if isinstance(url, Address):
        return url
    if not (read := KIND.fullmatch(url)):
        raise ValueError(UNREADABLE)
    if read["kind"] == SQLITE:
        return _of_file(read["rest"])
    if read["kind"] in (POSTGRESQL, "postgres"):
        return _of_server(read["rest"])
    raise ValueError(f"The database is SQLite or PostgreSQL, not {read['kind']}.")


def _of_file(rest: str) -> Address:
    if not (read := FILE.fullmatch(rest)):
        raise ValueError(UNREADABLE)
    if read["file"] in (None, "", ":memory:"):
        raise ValueError("The database needs a file, like sqlite:////srv/graphpaper.db.")
    if "\0" in (file := unquote(read["file"])):
        raise ValueError(UNREADABLE)
    return Address(SQLITE, database=file)


def _of_server(rest: str) -> Address:
    if not (read := SERVER.fullmatch(rest)):
        raise ValueError(UNREADABLE)
    query = dict[str, str]()
    for name, value in parse_qsl(read["query"] or ""):
        query[name] = f"{query[name]},{value}" if name in query else value
    host = port = None
    if not all(map(_possible, read["hosts"].split(","))):
        raise ValueError(UNREADABLE)
    if "," in read["hosts"]:  # the first of several servers that can be reached is taken
        query["host"] = read["hosts"]
    elif found := HOST.fullmatch(read["hosts"]):
        host, port = found["six"] or found["name"] or None, int(found["port"]) if found["port"] else None
    else:
        raise ValueError(UNREADABLE)
    parts = read.group("user", "password", "database")
    user, password, database = (None if part is None else unquote(part) for part in parts)
    return Address(POSTGRESQL, user, password, host, port, database, query)


def _possible(host: str) -> bool:
    """Whether a server may be called so, with its port; an empty name is that of this machine."""
    found = HOST.fullmatch(host)
    if found is None or int(found["port"] or 0) > 65535:
        return False
    labels = (found["name"] or "").removesuffix(".").split(".")
    return labels == [""] or all(0 < len(label) <= LABEL for label in labels)


def in_file(file: Path) -> str:
    """The address of a database in a file."""
    return f"{SQLITE}:///{quote(str(file))}"


def is_sqlite(url: Address) -> bool:
    """Whether the database is a file of SQLite's."""
    return url.kind == SQLITE


def file_of(url: Address) -> Path | None:
    """The file of a SQLite database; None for another kind."""
    return Path(url.database) if is_sqlite(url) and url.database else None


def stamp(file: Path) -> tuple[int, int] | None:
    """What tells a file from any other that is put in its place; None where there is none."""
    try:
        found = os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino
