"""`Store`, which runs transactions written with a `Reader` or a `Transaction`; and the list of deletions."""

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

# The list of deletions, in a file beside the database: after a backup is restored they are repeated.


Kind = Literal["person", "server"]

SUFFIX = "forgotten"
HEAD = "# Who was to be forgotten by Graph Paper, as hashes. It belongs to the database: docs/hosting.md says why.\n"
LINE = re.compile(r"(?P<day>\d{4}-\d\d-\d\d) (?P<kind>person|server) (?P<salt>[0-9a-f]{32}) (?P<hash>[0-9a-f]{32})")
NOTE = "forgotten"
"""The prefix of the notes that an entry, by its salt, was carried out in this database."""


@dataclass(frozen=True, slots=True)
class ForgottenEntry:
    """A user or a server whose data was to be deleted."""

    day: str
    kind: Kind
    salt: str
    hash: str

    @classmethod
    def create(cls, kind: Kind, number: int, now: float, rng: RandomSource) -> ForgottenEntry:
        """A new entry for an id, with a random salt."""
        salt = f"{rng.getrandbits(128):032x}"
        return cls(datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d"), kind, salt, hash_number(kind, salt, number))

    def is_about(self, number: int) -> bool:
        return hash_number(self.kind, self.salt, number) == self.hash

    @property
    def note_name(self) -> str:
        """The name of the note that it was carried out."""
        return f"{NOTE} {self.salt}"

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.salt} {self.hash}\n"


class ForgottenList:
    """The file of entries, shared by all processes of a bot on this machine."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read_entries(self) -> list[ForgottenEntry]:
        """All entries; a line that was cut off by a crash is skipped."""
        try:
            text = self.file.read_text("utf-8", "replace")
        except FileNotFoundError:
            return []
        read = (LINE.fullmatch(line) for line in text.splitlines())
        return [ForgottenEntry(one["day"], _parse_kind(one["kind"]), one["salt"], one["hash"]) for one in read if one]

    def entries_about(self, kind: Kind, number: int) -> list[ForgottenEntry]:
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
    """The list of a database: beside its file, or for one on a server in `folder`, under its name."""
    read = parse_address(url)
    if file := file_of(read):
        real = file.resolve()
        return ForgottenList(real.with_name(f"{real.name}-{SUFFIX}"))
    name = re.sub(r"[^\w.-]", "_", f"{read.host or 'local'}-{read.database or read.username or 'database'}")
    return ForgottenList(folder / f"{name}.{SUFFIX}")


def hash_number(kind: Kind, salt: str, number: int) -> str:
    return blake2b(f"{kind} {number}".encode(), salt=bytes.fromhex(salt), digest_size=16).hexdigest()


def _parse_kind(text: str) -> Kind:
    return "server" if text == "server" else "person"


class Reader(
    SweepQueries, ClockQueries, OutboxQueries, NoticeQueries, SettingsQueries, PuzzleQueries, WeekQueries,
    LeagueQueries, Leaderboards, ServerQueries, RewritingQueries,
):  # fmt: skip
    """All queries of `data.queries`, within one transaction.

    Queries for due work cover only the servers of `share`; other servers belong to other processes.
    """

    def __init__(self, connection: Connection, share: ShardShare = WHOLE) -> None:
        self._connection = connection
        self.share = share
        self._share = share_values(share)

    def within_share(self, share: ShardShare) -> Self:
        """A reader of the same transaction for fewer servers."""
        return type(self)(self._connection, share)

    def export_person(self, user: int) -> dict[str, Any]:
        """All data stored about a user, as plain values."""
        return privacy.export_person(self._connection, user)

    def read_figures(self) -> Figures:
        """The figures for metrics."""
        return read_figures(self._connection, self.share)


HOLD = select(matches.c.id).where(matches.c.id == bindparam("of_match")).with_for_update(key_share=True)


class Transaction(
    MatchWrites, ClockWrites, OutboxWrites, NoticeWrites, SettingsWrites, PuzzleWrites, LeagueWrites, ServerWrites,
    RewritingWrites, Reader,
):  # fmt: skip
    """One transaction that may write: a `Reader` with all writes, and with the locks for PostgreSQL.

    On SQLite there is no other writer meanwhile, so what it has read stays valid until its end.
    """

    def lock_guild(self, guild: int) -> None:
        """Lock a server exclusively until the end; taken first, what is read afterwards stays valid on PostgreSQL
        too."""
        lock_exclusively(self._connection, LockSubject.SERVER, guild)

    def lock_guild_shared(self, guild: int) -> None:
        """Lock a server shared: excludes only `lock_guild`."""
        lock_shared(self._connection, LockSubject.SERVER, guild)

    def lock_user(self, user: int) -> None:
        """Lock a user exclusively: their preferences, challenges from and to them, and pending messages. Of several
        users the lowest id first."""
        lock_exclusively(self._connection, LockSubject.PERSON, user)

    def lock_clocks(self) -> None:
        """Lock all clocks exclusively, to change what many of them depend on; taken before all other locks."""
        lock_exclusively(self._connection, LockSubject.TIMES)

    def lock_clocks_shared(self) -> None:
        """Lock all clocks shared, to set some of them; taken before all other locks."""
        lock_shared(self._connection, LockSubject.TIMES)

    def lock_match(self, match_id: int) -> None:
        """Lock a match exclusively; taken before locks on users."""
        self._connection.execute(HOLD, {"of_match": match_id})

    def forget_person(self, user: int, entries: Sequence[ForgottenEntry] = ()) -> None:
        """Remove a user's id from every table, and mark these entries of the list of deletions as carried out."""
        privacy.forget_person(self._connection, user)
        self.mark_followed(entries)

    def mark_followed(self, entries: Sequence[ForgottenEntry]) -> None:
        """Note that entries of the list of deletions were carried out in this database."""
        for entry in entries:
            self.set_note(entry.note_name, entry.day)


P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """Runs all transactions of the bot. Created within an event loop for a database that `migrate` has prepared.

    Searches for due work (boards that lag, clocks that have run out) cover only the servers of `share`; others belong
    to other processes.
    """

    def __init__(self, url: str, share: ShardShare = WHOLE, forgotten: ForgottenList | None = None) -> None:
        self.database = Database(url)
        self.share = share
        self.forgotten = forgotten
        """The list of deletions beside the database."""
        self._limits: TimeLimits | None = None

    @property
    def for_long_work(self) -> Store:
        """The same store with longer time limits, for work that no user waits for, like all clocks after an outage."""
        other = copy(self)
        other._limits = UNHURRIED
        return other

    async def close(self) -> None:
        await self.database.close()

    async def ask(self, question: Callable[Concatenate[Reader, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a query in a snapshot of its own."""
        return await self.database.read(
            lambda connection: question(Reader(connection, self.share), *args, **kwargs), self._limits
        )

    async def do(self, change: Callable[Concatenate[Transaction, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a change in a transaction of its own."""
        return await self.database.write(
            lambda connection: change(Transaction(connection, self.share), *args, **kwargs), self._limits
        )


__all__ = ["Reader", "Store", "Transaction"]
