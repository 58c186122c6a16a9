"""A PostgreSQL server that is locked, crowded, silent or gone: one error, soon, and no change, not even in part."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg as driver  # pyright: ignore[reportMissingTypeStubs]  -- it has none
import pytest
from sqlalchemy import Connection, exc
from sqlalchemy.util import await_only

from bot.play.rows import MatchRecordRow
from data.engine.driver import CONNECTIONS, HOSTS, UNHURRIED, WAIT_SECONDS, Abandoned, TimeLimits
from data.engine.errors import STATES, Contended, Overdue, ReadOnly, Unavailable, Uncertain, explain_error
from data.engine.postgres import ASK_SECONDS, PAUSE, RUN_SECONDS, PostgresDriver
from data.engine.postgres_connection import server_timeouts
from data.store import Reader, Store, Transaction
from tests.data.acts import begun, entered, entering, loaded
from tests.data.relay import Loss, Relay
from tests.support.postgres import Postgres

asyncpg: Any = driver
TURN = "SELECT pg_advisory_xact_lock(7)"
DIE = "SELECT pg_terminate_backend(pg_backend_pid())"
SENTENCE = "Nothing was changed; try again in a moment."
WHATEVER = 30.0
"""Seconds within which everything is over on the slowest machine: a test that hangs fails."""


@pytest.fixture
def served(postgres: Postgres) -> Generator[str]:
    """The address of an empty database on a server."""
    with postgres.database() as url:
        yield url


@pytest.fixture(autouse=True)
def url(served: str) -> str:
    """All stores here are on a server."""
    return served


def said(statement: str) -> Callable[[Connection], Any]:
    """A transaction of one statement."""
    return lambda connection: connection.exec_driver_sql(statement).scalar()


def hurried(store: Store, wait: float = 0.2, run: float = 0.2) -> PostgresDriver:
    """Let what is begun on a store from now on give up after so long."""
    server = store.database.driver
    assert isinstance(server, PostgresDriver)
    server.limits = TimeLimits(wait, run)
    return server


@asynccontextmanager
async def other(url: str) -> AsyncGenerator[Any]:
    """Another program's transaction."""
    connection = await asyncpg.connect(url)
    try:
        async with connection.transaction():
            yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def stopped(url: str) -> AsyncGenerator[None]:
    """The server's processes for a store's connections stand still."""
    connection = await asyncpg.connect(url)
    found = await connection.fetch(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'graphpaper'"
    )
    assert found
    for (pid,) in found:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for (pid,) in found:
            os.kill(pid, signal.SIGCONT)
        await connection.close()


async def refused(acting: Awaitable[object], kind: type[Unavailable] = Unavailable) -> Unavailable:
    """What somebody is told whose act cannot be done now."""
    async with asyncio.timeout(WHATEVER):
        with pytest.raises(kind) as told:
            await acting
    return told.value


async def until_waiting(connection: Any, number: int) -> None:
    """Wait until so many wait for a lock in this database."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with asyncio.timeout(WHATEVER):
        while await connection.fetchval(waiting) < number:
            await asyncio.sleep(0.01)
            await connection.execute("SELECT pg_stat_clear_snapshot()")  # within a transaction it stays as it was


async def test_a_row_that_somebody_else_holds_is_given_up_soon(store: Store, served: str) -> None:
    match = await begun(store)
    before = await loaded(store, match)
    hasty = Store(f"{served}&lock_timeout=100")
    async with other(served) as elsewhere:
        await elsewhere.execute("SELECT FROM matches FOR UPDATE")
        told = await refused(entered(hasty, match, "a1", act=1), Contended)
        assert str(told) == SENTENCE
        assert await loaded(hasty, match) == before  # who reads waits for nobody
    assert await entered(hasty, match, "a1", act=1)
    await hasty.close()


async def test_a_turn_that_somebody_else_has_is_given_up_soon(store: Store, served: str) -> None:
    hasty = Store(f"{served}&lock_timeout=100")
    async with other(served) as elsewhere:
        await elsewhere.execute(TURN)
        await refused(hasty.database.write(said(TURN)), Contended)
    await hasty.database.write(said(TURN))
    await hasty.close()


async def test_a_statement_that_takes_long_is_given_up_by_the_server(store: Store) -> None:
    def slow(connection: Connection) -> None:
        connection.exec_driver_sql("SET LOCAL statement_timeout = 50")
        connection.exec_driver_sql("SELECT pg_sleep(60)")

    assert "too long" in explain_error(await refused(store.database.write(slow), Overdue))


@pytest.mark.parametrize("limits", [None, UNHURRIED, HOSTS])
async def test_the_server_knows_how_long_it_may_take(store: Store, limits: TimeLimits | None) -> None:
    driver = store.database.driver
    assert isinstance(driver, PostgresDriver)
    for name, value in server_timeouts(limits or driver.limits).items():
        setting = said(f"SELECT extract(epoch FROM current_setting('{name}')::interval) * 1000")
        assert await store.database.write(setting, limits) == int(value)


async def test_waiting_for_a_connection_ends_in_time(store: Store, served: str) -> None:
    async with other(served) as elsewhere:
        await elsewhere.execute(TURN)
        waiting = [asyncio.ensure_future(store.database.write(said(TURN))) for _ in range(CONNECTIONS)]
        await until_waiting(elsewhere, CONNECTIONS)
        hurried(store)
        assert str(await refused(store.ask(Reader.count_by_state))) == SENTENCE
    await asyncio.gather(*waiting)
    hurried(store, 20.0)
    assert await store.ask(Reader.count_by_state) == {}


async def test_what_nobody_waits_for_leaves_connections_to_people(store: Store, served: str) -> None:
    async with other(served) as elsewhere:
        await elsewhere.execute(TURN)
        slow = TimeLimits(60.0, 60.0)
        waiting = [asyncio.ensure_future(store.database.write(said(TURN), slow)) for _ in range(2 * CONNECTIONS)]
        await until_waiting(elsewhere, CONNECTIONS // 4)
        assert await store.ask(Reader.count_by_state) == {}
    assert await asyncio.gather(*waiting) == [None] * 2 * CONNECTIONS


async def test_a_server_that_says_nothing_any_more_is_given_up_soon_and_its_connections_with_it(
    store: Store, served: str
) -> None:
    match = await begun(store)
    await asyncio.gather(*(store.ask(Reader.count_by_state) for _ in range(CONNECTIONS)))
    async with stopped(served):
        hurried(store)
        assert str(await refused(store.do(Transaction.park, match, "why"))) == SENTENCE
        hurried(store, 20.0)
        # All the others stand still as well.
        async with asyncio.timeout(WHATEVER):
            for _ in range(CONNECTIONS):
                assert await store.ask(Reader.count_by_state) == {"live": 1}
            await store.close()
    assert (await loaded(store, match)).publish_error is None


async def test_closing_waits_for_no_server(store: Store, served: str) -> None:
    await store.ask(Reader.count_by_state)
    async with stopped(served), asyncio.timeout(WHATEVER):
        await store.close()


async def test_a_port_that_swallows_everything_is_given_up_soon() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    store = Store(f"postgresql://somebody@127.0.0.1:{port}/matches")
    hurried(store)
    told = await refused(store.ask(Reader.count_by_state))
    assert (str(told), explain_error(told)) == (SENTENCE, "no server answers at its address (no answer came in time)")
    server.close()
    await store.close()


async def test_a_server_that_is_not_there_is_said_so() -> None:
    with socket.socket() as bound:  # a port where nobody listens
        bound.bind(("127.0.0.1", 0))
        store = Store(f"postgresql://somebody@127.0.0.1:{bound.getsockname()[1]}/matches")
        assert "Connect call failed" in explain_error(await refused(store.ask(Reader.count_by_state)))
    await store.close()


async def test_connections_that_have_died_are_replaced_and_nobody_notices(store: Store, postgres: Postgres) -> None:
    match = await begun(store)
    await asyncio.gather(*(store.ask(Reader.count_by_state) for _ in range(CONNECTIONS)))
    move = await entering(store, match, "a1", act=1)
    await broken(store, postgres)
    done = await asyncio.gather(*(store.do(move) for _ in range(CONNECTIONS)))
    assert sorted(done) == [False] * (CONNECTIONS - 1) + [True]
    await broken(store, postgres)
    asked = await asyncio.gather(*(store.ask(Reader.count_by_state) for _ in range(CONNECTIONS)))
    assert asked == [{"live": 1}] * CONNECTIONS


async def broken(store: Store, postgres: Postgres) -> None:
    """End the server's side of all connections of a store, and wait until it is gone."""
    name = await store.database.read(said("SELECT current_database()"))
    theirs = f"FROM pg_stat_activity WHERE datname = '{name}'"
    await postgres.tell(f"SELECT pg_terminate_backend(pid) {theirs}")
    async with asyncio.timeout(WHATEVER):
        while await postgres.tell(f"SELECT pid {theirs}"):
            continue


async def test_a_transaction_whose_connection_breaks_is_run_again(store: Store) -> None:
    match = await begun(store)
    runs: list[int] = []

    def work(connection: Connection) -> int:
        runs.append(1)
        Transaction(connection).park(match, f"run {len(runs)}")
        if len(runs) == 1:
            connection.exec_driver_sql(DIE)
        return len(runs)

    assert await store.database.write(work) == 2
    assert (await loaded(store, match)).publish_error == "run 2"


async def test_a_connection_that_breaks_every_time_is_told_of(store: Store) -> None:
    await refused(store.database.write(said(DIE)))


async def test_two_who_lock_each_other_out_are_both_done(store: Store, served: str) -> None:
    one, two = await begun(store), await begun(store)
    quick = Store(f"{served}&deadlock_timeout=10ms")
    held = {one: asyncio.Event(), two: asyncio.Event()}
    runs: list[int] = []

    def crossing(tx: Transaction, first: int, second: int) -> None:
        tx.park(first, "why")
        runs.append(first)
        held[first].set()
        await_only(held[second].wait())
        tx.park(second, "why")

    await asyncio.gather(quick.do(crossing, one, two), quick.do(crossing, two, one))
    assert len(runs) > 2
    await quick.close()


def raising(state: str, times: int, runs: list[int]) -> Callable[[Connection], int]:
    """A transaction that fails so often with a server's error."""

    def work(connection: Connection) -> int:
        runs.append(1)
        Transaction(connection).set_note("run", str(len(runs)))
        if len(runs) <= times:
            connection.exec_driver_sql(f"DO $$ BEGIN RAISE EXCEPTION 'so' USING ERRCODE = '{state}'; END $$")
        return len(runs)

    return work


@pytest.mark.parametrize("state", ["40001", "40P01", "23505"])
async def test_what_others_stood_in_the_way_of_is_done_again(store: Store, state: str) -> None:
    assert await store.database.write(raising(state, 2, [])) == 3
    assert await store.ask(Reader.read_note, "run") == "3"


async def test_a_row_that_is_there_whenever_it_is_tried_is_the_programs_fault(store: Store) -> None:
    runs: list[int] = []
    with pytest.raises(exc.IntegrityError):
        await store.database.write(raising("23505", 1000, runs))
    assert len(runs) > 2
    assert await store.ask(Reader.read_note, "run") is None


async def test_who_is_always_in_the_way_is_told_of(store: Store) -> None:
    runs: list[int] = []
    await refused(store.database.write(raising("40P01", 1000, runs)), Contended)
    assert 1 < len(runs) < 10


@pytest.mark.parametrize("state", STATES)
async def test_errors_are_told_as_what_they_are(store: Store, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.engine.postgres.PAUSE", 0.0)
    told = await refused(store.database.write(raising(state, 1000, [])))
    assert type(told) is STATES[state]
    assert str(told).endswith(".")
    assert "so" not in explain_error(told).split()
    assert await store.ask(Reader.read_note, "run") is None


async def test_a_server_that_only_reads_is_said_to(store: Store, served: str) -> None:
    reading = Store(f"{served}&default_transaction_read_only=on")
    await refused(reading.do(Transaction.set_note, "some", "thing"), ReadOnly)
    assert await reading.ask(Reader.count_by_state) == {}
    await reading.close()


async def test_a_server_that_may_be_written_again_is_used_again(served: str, postgres: Postgres) -> None:
    """A server that is demoted leaves its old connections open, and each would refuse whatever is written."""
    store, name = Store(served), served.rpartition("/")[2].partition("?")[0]
    await postgres.tell(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    await refused(store.do(Transaction.set_note, "some", "thing"), ReadOnly)
    await postgres.tell(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await store.do(Transaction.set_note, "some", "thing")
    assert await store.ask(Reader.read_note, "some") == "thing"
    await store.close()


def moved(tx: Transaction, row: MatchRecordRow) -> bool:
    """A move by interaction 1."""
    if not tx.update(row.id, row.version, plies=1, turn=(2,)):
        return False
    tx.append(row.id, 1, 1, "a1", 120)
    return tx.mark_acted(1, row.id, 120)


async def committed(store: Store, relay: Relay, match: int, loss: Loss) -> asyncio.Task[bool]:
    """A move whose commit or its answer was lost on the way."""
    row = await loaded(store, match)
    relay.loses = loss
    acting = asyncio.ensure_future(store.do(moved, row))
    async with asyncio.timeout(WHATEVER):
        await relay.lost.wait()
    if loss is not Loss.BREAK:
        driver = store.database.driver
        assert isinstance(driver, PostgresDriver)
        for flow in driver.running:
            if relay.deaf:
                flow.limits = TimeLimits(0.0, 0.0)
            flow.cut_off()  # as when its time is over
    return acting


@pytest.mark.parametrize("loss", [Loss.ANSWER, Loss.BREAK])
async def test_a_commit_whose_answer_is_lost_has_counted(served: str, loss: Loss) -> None:
    async with Relay(served).open() as relay:
        store = Store(relay.url)
        match = await begun(store)
        assert await (await committed(store, relay, match, loss))
        assert (await loaded(store, match)).plies == 1
        await store.close()


async def test_a_commit_that_was_never_heard_has_not_counted(served: str) -> None:
    async with Relay(served).open() as relay:
        store = Store(relay.url)
        match = await begun(store)
        assert str(await refused(await committed(store, relay, match, Loss.QUESTION))) == SENTENCE
        assert (await loaded(store, match)).plies == 0
        # The server has let go of the row.
        assert await store.do(moved, await loaded(store, match))
        await store.close()


@pytest.mark.parametrize("loss", [Loss.ANSWER, Loss.QUESTION])
async def test_a_commit_of_which_nobody_can_tell_is_not_lied_about(served: str, loss: Loss) -> None:
    async with Relay(served).open() as relay:
        store = Store(relay.url)
        match = await begun(store)
        relay.deaf = True
        told = await refused(await committed(store, relay, match, loss), Uncertain)
        assert "may or may not have counted" in str(told)
        relay.deaf = False
        assert (await store.ask(Reader.find_match_acted_on, 1) is not None) == ((await loaded(store, match)).plies == 1)
        await store.close()


async def test_connections_that_could_not_be_made_are_not_missing_afterwards(served: str) -> None:
    async with Relay(served).open() as relay:
        relay.deaf = True
        store = Store(relay.url)
        hurried(store, 0.05)
        await asyncio.gather(*(refused(store.ask(Reader.count_by_state)) for _ in range(2 * CONNECTIONS)))
        relay.deaf = False
        hurried(store, 20.0)
        assert (
            await asyncio.gather(*(store.ask(Reader.count_by_state) for _ in range(CONNECTIONS))) == [{}] * CONNECTIONS
        )
        await store.close()


async def test_what_nobody_waits_for_any_more_is_undone(store: Store, served: str) -> None:
    match = await begun(store)
    driver = store.database.driver
    assert isinstance(driver, PostgresDriver)
    async with other(served) as elsewhere:
        await elsewhere.execute("SELECT FROM matches FOR UPDATE")
        acting = asyncio.ensure_future(store.do(Transaction.park, match, "why"))
        await until_waiting(elsewhere, 1)
        (flow,) = driver.running
        acting.cancel()
        await asyncio.wait((acting,))
    assert flow.task
    await asyncio.wait((flow.task,))
    assert isinstance(flow.task.exception(), Abandoned)
    assert (await loaded(store, match)).publish_error is None


def test_discord_has_its_answer_in_time() -> None:
    assert WAIT_SECONDS + RUN_SECONDS + ASK_SECONDS + PAUSE < 2.5
