"""The one door to the database: `Store` runs transactions, written with a `Reader` or a `Transaction`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, Self, TypeVar

from sqlalchemy import Connection, bindparam, select

from bot.games.mind import RandomSource
from bot.play.ids import WHOLE, ShardShare
from data.engine.address import (
    PRIVATE,
    DatabaseAddress,
    file_of,
    give_ownership,
    make_folder,
    parse_address,
    sync_to_disk,
)
from data.engine.database import Database
from data.engine.driver import UNHURRIED, TimeLimits
from data.engine.sql import LockSubject, lock_exclusively, lock_shared
from data.queries import privacy
from data.queries.clocks import ClockQueries, ClockWrites
from data.queries.daily import PuzzleQueries, PuzzleWrites, WeekQueries
from data.queries.leagues import LeagueQueries, LeagueWrites
from data.queries.matches import MatchWrites
from data.queries.outbox import (
    NoticeQueries,
    NoticeWrites,
    OutboxQueries,
    OutboxWrites,
    RewritingQueries,
    RewritingWrites,
)
from data.queries.privacy import ServerQueries, ServerWrites
from data.queries.settings import SettingsQueries, SettingsWrites
from data.queries.standings import Leaderboards
from data.queries.sweeps import Figures, SweepQueries, read_figures
from data.tables.schema import matches
from data.tables.statements import share_values

# The list of who was to be forgotten, in a file beside the database: a copy that is put back brings nobody back.


Kind = Literal["person", "server"]

SUFFIX = "forgotten"
HEAD = "# Who was to be forgotten by Graph Paper, as hashes. It belongs to the database: docs/hosting.md says why.\n"
LINE = re.compile(r"(?P<day>\d{4}-\d\d-\d\d) (?P<kind>person|server) (?P<salt>[0-9a-f]{32}) (?P<hash>[0-9a-f]{32})")
NOTE = "forgotten"
"""How the notes begin that say of a line, by its salt, that it was followed in this database."""


@dataclass(frozen=True, slots=True)
class ForgottenEntry:
    """Somebody, or a server, that was to be forgotten."""

    day: str
    kind: Kind
    salt: str
    hash: str

    @classmethod
    def create(cls, kind: Kind, number: int, now: float, lots: RandomSource) -> ForgottenEntry:
        """The entry of a number, with a salt of its own."""
        salt = f"{lots.getrandbits(128):032x}"
        return cls(datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d"), kind, salt, hash_number(kind, salt, number))

    def is_about(self, number: int) -> bool:
        """Whether it is about a number."""
        return hash_number(self.kind, self.salt, number) == self.hash

    @property
    def note_name(self) -> str:
        """The name of the note that says it was followed."""
        return f"{NOTE} {self.salt}"

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.salt} {self.hash}\n"


class ForgottenList:
    """A file of entries, to which every process of a bot on this machine adds."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read_entries(self) -> list[ForgottenEntry]:
        """All entries; a line that was cut off by a crash is none."""
        try:
            text = self.file.read_text("utf-8", "replace")
        except FileNotFoundError:
            return []
        read = (LINE.fullmatch(line) for line in text.splitlines())
        return [ForgottenEntry(one["day"], _parse_kind(one["kind"]), one["salt"], one["hash"]) for one in read if one]

    def entries_about(self, kind: Kind, number: int) -> list[ForgottenEntry]:
        """The entries about a number."""
        return [entry for entry in self.read_entries() if entry.kind == kind and entry.is_about(number)]

    def add_entries(self, entries: Iterable[ForgottenEntry]) -> None:
        """Add entries, and wait until they are on the disk; `OSError`."""
        lines = "".join(map(str, entries))
        if not lines:
            return
        make_folder(self.file.parent)
        handle = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE)
        try:
            give_ownership(handle, self.file.parent)
            length = os.fstat(handle).st_size
            cut = length > 0 and os.pread(handle, 1, length - 1) != b"\n"
            os.write(handle, f"{HEAD if not length else ''}{chr(10) if cut else ''}{lines}".encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        sync_to_disk(self.file.parent)


def open_forgotten_list(url: str | DatabaseAddress, folder: Path) -> ForgottenList:
    """The list of a database: beside its file; of one on a server in a folder of ours, under its name."""
    read = parse_address(url)
    if file := file_of(read):
        real = file.resolve()
        return ForgottenList(real.with_name(f"{real.name}-{SUFFIX}"))
    name = re.sub(r"[^\w.-]", "_", f"{read.host or 'local'}-{read.database or read.username or 'database'}")
    return ForgottenList(folder / f"{name}.{SUFFIX}")


def hash_number(kind: Kind, salt: str, number: int) -> str:
    """The hash of a number."""
    return blake2b(f"{kind} {number}".encode(), salt=bytes.fromhex(salt), digest_size=16).hexdigest()


def _parse_kind(text: str) -> Kind:
    return "server" if text == "server" else "person"


# `Reader` has all queries that a transaction can run: one class over all subjects of `data.queries`.


class Reader(
    SweepQueries, ClockQueries, OutboxQueries, NoticeQueries, SettingsQueries, PuzzleQueries, WeekQueries,
    LeagueQueries, Leaderboards, ServerQueries, RewritingQueries,
):  # fmt: skip
    """What can be asked within one transaction.

    Work that is due is looked for among the servers of `share`; other servers belong to other processes.
    """

    def __init__(self, connection: Connection, share: ShardShare = WHOLE) -> None:
        self._connection = connection
        self.share = share
        self._share = share_values(share)

    def within_share(self, share: ShardShare) -> Self:
        """The same transaction, looking for what is due among fewer servers."""
        return type(self)(self._connection, share)

    def export_person(self, user: int) -> dict[str, Any]:
        """Everything that is kept about a person, as plain values."""
        return privacy.export_person(self._connection, user)

    def read_figures(self) -> Figures:
        """How people are served, in figures."""
        return read_figures(self._connection, self.share)


# `Transaction` has all writes that a transaction can make, and the locks that keep two apart on PostgreSQL.


HOLD = select(matches.c.id).where(matches.c.id == bindparam("of_match")).with_for_update(key_share=True)


class Transaction(
    MatchWrites, ClockWrites, OutboxWrites, NoticeWrites, SettingsWrites, PuzzleWrites, LeagueWrites, ServerWrites,
    RewritingWrites, Reader,
):  # fmt: skip
    """One transaction that may write; all that a `Reader` can be asked can be asked of it too.

    On SQLite nobody else writes meanwhile, so what it has read stays true until its end.
    """

    def lock_guild(self, guild: int) -> None:
        """Let nobody else who asks for this write beside this transaction in a server; said first, what is read
        afterwards stays true until its end on PostgreSQL too."""
        lock_exclusively(self._connection, LockSubject.SERVER, guild)

    def lock_guild_shared(self, guild: int) -> None:
        """Let others who ask for this write beside this transaction in a server, but none that goes alone there."""
        lock_shared(self._connection, LockSubject.SERVER, guild)

    def lock_user(self, user: int) -> None:
        """Let nobody else who asks for this write beside this transaction about a person: what they have chosen, whom
        they ask to play and who asks them, and what is on its way to them. Of several people the least number first."""
        lock_exclusively(self._connection, LockSubject.PERSON, user)

    def lock_clocks(self) -> None:
        """Let nobody set a clock beside this transaction, which changes what many clocks go by; said first of all."""
        lock_exclusively(self._connection, LockSubject.TIMES)

    def lock_clocks_shared(self) -> None:
        """Let nobody change beside this transaction what clocks go by, since it sets some; said first of all."""
        lock_shared(self._connection, LockSubject.TIMES)

    def lock_match(self, match_id: int) -> None:
        """Let nobody else write to a match beside this transaction; said before anything is locked about people."""
        self._connection.execute(HOLD, {"of_match": match_id})

    def forget_person(self, user: int, entries: Sequence[ForgottenEntry] = ()) -> None:
        """Take a person's number out of every table, and note that these entries of the list of the forgotten were
        followed."""
        privacy.forget_person(self._connection, user)
        self.mark_followed(entries)

    def mark_followed(self, entries: Sequence[ForgottenEntry]) -> None:
        """Note that entries of the list of the forgotten were followed in this database."""
        for entry in entries:
            self.set_note(entry.note_name, entry.day)


# The store: the one door to the database, for everything that reads or changes matches.


P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """The matches of all servers. Made within an event loop for a database that `migrate` has prepared.

    Whatever is looked for without anybody's asking (boards that lag, clocks that have run out) is looked for among the
    servers of `share` alone: others belong to other processes.
    """

    def __init__(self, url: str, share: ShardShare = WHOLE, forgotten: ForgottenList | None = None) -> None:
        self.database = Database(url)
        self.share = share
        self.forgotten = forgotten
        """Where it stands beside the database who was to be forgotten."""
        self._limits: TimeLimits | None = None

    @property
    def for_long_work(self) -> Store:
        """The same store for long work that no user waits for, like the clocks of all matches after an outage."""
        other = copy(self)
        other._limits = UNHURRIED
        return other

    async def close(self) -> None:
        """Close all connections."""
        await self.database.close()

    async def ask(self, question: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer to a question, in a snapshot of its own."""
        return await self.database.read(
            lambda connection: question(Reader(connection, self.share), *args, **kwargs), self._limits
        )

    async def do(self, change: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Change something, in a transaction of its own."""
        return await self.database.write(
            lambda connection: change(Transaction(connection, self.share), *args, **kwargs), self._limits
        )


# The one door to the database for the rest of the program: `Store` runs transactions, written with a `Reader` or a


__all__ = ["Reader", "Store", "Transaction"]
