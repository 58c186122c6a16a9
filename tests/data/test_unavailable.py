"""A database that is locked, full or busy: one error, soon, and nothing changed."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Connection, event, exc, text

from data.engine.database import Database
from data.engine.driver import CONNECTIONS, WAIT_SECONDS
from data.engine.errors import Damaged, Failing, Unavailable
from data.engine.sql import classify_wrapped_error
from data.engine.sqlite import SqliteDriver
from data.store import Reader, Store, Transaction
from data.upkeep.upgrade import migrate
from tests.data.acts import begun, entered, loaded, new
from tests.support.waiting import Stopwatch

SENTENCE = "Nothing was changed; try again in a moment."
SOON = 2.5


@pytest.fixture
def url(sqlite: str) -> str:
    """The address of an empty database that is a file: of nothing else is this about."""
    return sqlite


def waits(store: Store, seconds: float) -> None:
    """Let a store wait so long for its turn."""
    assert isinstance(store.database.driver, SqliteDriver)
    store.database.driver.wait = seconds


@contextmanager
def held(file: Path, mode: str = "NORMAL") -> Generator[None]:
    """Another program that is writing, and with the mode EXCLUSIVE does not even let others read."""
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute(f"PRAGMA locking_mode = {mode}")
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


async def test_a_locked_database_is_said_so_in_time_to_all_who_wait(store: Store, file: Path) -> None:
    match = await begun(store)
    before = await loaded(store, match)

    async def act(number: int) -> None:
        with pytest.raises(Unavailable, match=SENTENCE):
            await entered(store, match, "a1", act=number)

    waits(store, 0.2)
    with held(file):
        async with Stopwatch() as watch:
            await asyncio.gather(*(act(number) for number in range(12)))
        waits(store, WAIT_SECONDS)
        assert await loaded(store, match) == before
    assert watch.seconds < SOON
    assert await loaded(store, match) == before
    assert await entered(store, match, "a1", act=1)


async def test_a_database_that_cannot_even_be_opened_is_said_so_in_time(store: Store, file: Path) -> None:
    waits(store, 0.2)
    with held(file, "EXCLUSIVE"):
        said = await asyncio.gather(
            store.ask(Reader.load_match, 1), begun(store), store.ask(Reader.count_by_state), return_exceptions=True
        )
    waits(store, WAIT_SECONDS)
    assert [str(answer) for answer in said] == [SENTENCE] * 3
    assert await store.ask(Reader.count_by_state) == {}


async def test_a_lock_that_goes_away_in_time_is_waited_for(store: Store, file: Path) -> None:
    match = await begun(store)
    with held(file):
        act = asyncio.create_task(entered(store, match, "a1", act=1))
        await asyncio.sleep(0.05)
        assert not act.done()
    assert await act


async def test_a_full_disk_changes_nothing(url: str) -> None:
    store = Store(url)
    full = False

    def limited(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {1 if full else 10**6}")

    # The number of pages that a file may have is SQLite's own stand-in for a disk without room.
    driver = store.database.driver
    assert isinstance(driver, SqliteDriver)
    event.listen(driver.engine, "begin", limited)
    match = await begun(store)
    before = await loaded(store, match)
    full = True
    with pytest.raises(Unavailable, match=SENTENCE):
        await store.do(Transaction.update, match, before.version, plies=1, close_reason="x" * 100_000)
    assert await loaded(store, match) == before
    full = False
    assert await entered(store, match, "a1", act=1)
    await store.close()


async def test_a_commit_that_fails_is_undone_and_holds_up_nobody(store: Store, file: Path) -> None:
    match = await begun(store)
    before = await loaded(store, match)
    driver = store.database.driver
    assert isinstance(driver, SqliteDriver)

    def failed(_: Connection) -> None:
        raise OSError

    event.listen(driver.engine, "commit", failed)
    with pytest.raises(Unavailable, match=SENTENCE):
        await store.do(Transaction.update, match, before.version, plies=1)
    event.remove(driver.engine, "commit", failed)
    with held(file):  # the lock is free
        assert await loaded(store, match) == before
    assert await entered(store, match, "a1", act=1)


async def test_a_database_whose_folder_is_gone_is_unavailable(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/nowhere/matches.db")
    with pytest.raises(Unavailable, match=SENTENCE):
        await store.ask(Reader.load_match, 1)
    with pytest.raises(Unavailable, match=SENTENCE):
        await store.do(Transaction.create, new())
    await store.close()


async def test_ten_who_write_at_once_on_a_busy_machine_are_all_written_down(store: Store) -> None:
    waits(store, 2 * WAIT_SECONDS)
    match = await begun(store)

    def act(tx: Transaction, number: int) -> bool:
        time.sleep(0.03)
        return tx.mark_acted(number, match, 120)

    written = await asyncio.gather(*(store.do(act, number) for number in range(10)), return_exceptions=True)
    assert written == [True] * 10


async def test_ten_who_read_at_once_on_a_busy_machine_are_all_answered(store: Store) -> None:
    waits(store, 2 * WAIT_SECONDS)

    def asked(reader: Reader) -> dict[str, int]:
        time.sleep(0.1)
        return reader.count_by_state()

    answers = await asyncio.gather(*(store.ask(asked) for _ in range(CONNECTIONS + 2)), return_exceptions=True)
    assert answers == [{}] * (CONNECTIONS + 2)


async def test_waiting_for_a_connection_ends_in_time(store: Store) -> None:
    waits(store, 0.3)
    over = Event()
    readers = [asyncio.create_task(store.ask(lambda _: over.wait())) for _ in range(CONNECTIONS - 1)]
    await asyncio.sleep(0)
    async with Stopwatch() as watch:
        with pytest.raises(Unavailable, match=SENTENCE):
            await store.ask(Reader.load_match, 1)
    assert watch.seconds < SOON
    waits(store, WAIT_SECONDS)
    match = await store.do(Transaction.create, new())  # one connection is kept for the writer
    over.set()
    await asyncio.gather(*readers)
    origin = await store.ask(Reader.load_origin, match)
    assert origin and origin.guild == 1


async def test_mistakes_of_the_program_are_not_taken_for_a_busy_database(database: Database) -> None:
    with pytest.raises(exc.OperationalError, match="no such table"):
        await database.read(lambda connection: connection.execute(text("SELECT 1 FROM absent")))


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, Unavailable),
        (sqlite3.SQLITE_IOERR_FSYNC, Failing),
        (sqlite3.SQLITE_CORRUPT_INDEX, Damaged),
        (sqlite3.SQLITE_ERROR, None),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, None),
    ],
)
def test_the_kinds_of_an_error_are_told_apart(code: int, meaning: type[Unavailable] | None) -> None:
    error = sqlite3.OperationalError("something")
    error.sqlite_errorcode = code
    found = classify_wrapped_error(exc.OperationalError("SELECT 1", None, error))
    assert type(found) is (meaning or type(None))


async def test_a_migration_waits_for_nobody_longer_than_an_act(
    url: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("data.engine.driver.WAIT_SECONDS", 0.3)
    with held(file), pytest.raises(Unavailable, match=SENTENCE):
        await migrate(url)


async def test_connections_keep_what_is_committed(database: Database) -> None:
    def kept(connection: Connection) -> dict[str, object]:
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in PRAGMAS}

    assert await database.read(kept) == PRAGMAS


PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
"""2 is FULL."""
