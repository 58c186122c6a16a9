"""The list of who was to be forgotten, in a file beside the database: a copy that is put back brings nobody back.

A line is a day, whether it was a person or a server, a salt, and a hash of salt and number. So nobody can read a number
there, though whoever has both can tell that they belong together. The database notes by its salt each line that was
followed in it; a copy from before lacks the note.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Literal

from bot.core.game.mind import Lots
from data.engine.address import Address, address, file_of
from data.engine.database_files import PRIVATE, give, make_folder, settle

Kind = Literal["person", "server"]

SUFFIX = "forgotten"
HEAD = "# Who was to be forgotten by Graph Paper, as hashes. It belongs to the database: docs/hosting.md says why.\n"
LINE = re.compile(r"(?P<day>\d{4}-\d\d-\d\d) (?P<kind>person|server) (?P<salt>[0-9a-f]{32}) (?P<hash>[0-9a-f]{32})")
NOTE = "forgotten"
"""How the notes begin that say of a line, by its salt, that it was followed in this database."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody, or a server, that was to be forgotten."""

    day: str
    kind: Kind
    salt: str
    hash: str

    @classmethod
    def made(cls, kind: Kind, number: int, now: float, lots: Lots) -> Entry:
        """The entry of a number, with a salt of its own."""
        salt = f"{lots.getrandbits(128):032x}"
        return cls(datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d"), kind, salt, hashed(kind, salt, number))

    def means(self, number: int) -> bool:
        """Whether it is about a number."""
        return hashed(self.kind, self.salt, number) == self.hash

    @property
    def note(self) -> str:
        """The name of the note that says it was followed."""
        return f"{NOTE} {self.salt}"

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.salt} {self.hash}\n"


class ForgottenList:
    """A file of entries, to which every process of a bot on this machine adds."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def entries(self) -> list[Entry]:
        """All entries; a line that was cut off by a crash is none."""
        try:
            text = self.file.read_text("utf-8", "replace")
        except FileNotFoundError:
            return []
        read = (LINE.fullmatch(line) for line in text.splitlines())
        return [Entry(one["day"], _kind(one["kind"]), one["salt"], one["hash"]) for one in read if one]

    def of(self, kind: Kind, number: int) -> list[Entry]:
        """The entries about a number."""
        return [entry for entry in self.entries() if entry.kind == kind and entry.means(number)]

    def add(self, entries: Iterable[Entry]) -> None:
        """Add entries, and wait until they are on the disk; `OSError`."""
        lines = "".join(map(str, entries))
        if not lines:
            return
        make_folder(self.file.parent)
        handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
        try:
            give(handle, self.file.parent)
            length = os.fstat(handle).st_size
            cut = length > 0 and os.pread(handle, 1, length - 1) != b"\n"
            os.write(handle, f"{HEAD if not length else ''}{chr(10) if cut else ''}{lines}".encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        settle(self.file.parent)


def forgotten_list(url: str | Address, folder: Path) -> ForgottenList:
    """The list of a database: beside its file; of one on a server in a folder of ours, under its name."""
    read = address(url)
    if file := file_of(read):
        real = file.resolve()
        return ForgottenList(real.with_name(f"{real.name}-{SUFFIX}"))
    name = re.sub(r"[^\w.-]", "_", f"{read.host or 'local'}-{read.database or read.username or 'database'}")
    return ForgottenList(folder / f"{name}.{SUFFIX}")


def hashed(kind: Kind, salt: str, number: int) -> str:
    """The hash of a number."""
    return blake2b(f"{kind} {number}".encode(), salt=bytes.fromhex(salt), digest_size=16).hexdigest()


def _kind(text: str) -> Kind:
    return "server" if text == "server" else "person"
