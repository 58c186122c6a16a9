"""Runs transactions on PostgreSQL."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, ExceptionContext, event, exc
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn

from data.engine import driver
from data.engine.address import DatabaseAddress
from data.engine.driver import CONNECTIONS, READING, Abandoned, TimeLimits, Work, take_all
from data.engine.errors import Silent, Uncertain, Unusable
from data.engine.postgres_connection import ServerLine, server_timeouts
from data.engine.sql import state_of

# The engine of the driver.


Dialled = Callable[[Any], None]


def server_engine(line: ServerLine, dialled: Dialled) -> AsyncEngine:
    """An engine for a server; `dialled` is called with each new connection. `Unusable` if asyncpg is not installed."""

    async def dial(**_: Any) -> Any:
        connection = await line.dial()
        dialled(connection)
        return connection

    given: dict[str, Any] = {"async_creator_fn": dial}
    if line.pooled:
        # Unnamed statements last until the next one, which is within the transaction.
        given |= {"prepared_statement_cache_size": 0, "prepared_statement_name_func": str}
    try:
        return create_async_engine(
            "postgresql+asyncpg://",
            connect_args=given,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=line.given["timeout"],
            isolation_level="READ COMMITTED",
            hide_parameters=True,
        )
    except ModuleNotFoundError as missing:
        raise Unusable(f"For PostgreSQL the package {missing.name} is needed, and it is not installed.") from None


# The driver: each function runs in a greenlet on the event loop, suspended at every statement.


RUN_SECONDS = 0.2
"""Seconds that a user's act may run beyond its waiting time."""
ASK_SECONDS = 0.3
"""Seconds for asking the server about the outcome of a commit whose answer was lost."""
CLOSE_SECONDS = 0.5
"""Seconds for closing connections properly before they are cut."""

AGAIN = {"40P01": 6, "40001": 6, "23505": 3, "57P03": 20}
"""The tries of a transaction after a conflict with others, by SQLSTATE: a deadlock, changed rows, a duplicate key, a
server that is just starting. A repeated duplicate key may be a bug, and is raised."""
READ_ONLY = "25006"
RUNS = 3
"""The tries if the connection breaks before the commit: a restart of the server breaks all of them."""
PAUSE = 0.01
"""Seconds of backoff before a retry, times the number of tries."""

NUMBER = "SELECT CAST(pg_current_xact_id_if_assigned() AS text)"
"""Selects the transaction's number; NULL if it has written nothing."""
OUTCOME = "SELECT pg_xact_status(CAST(CAST($1 AS text) AS xid8))"
END = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE backend_xid = CAST(CAST(CAST($1 AS text) AS xid8) AS xid)"
)
"""Terminates the backend of a transaction: it has either received the commit, or never will."""
LIMIT = "set_config('{}', '{}', true)"

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class TransactionRun:
    """A running transaction, with all its tries."""

    limits: TimeLimits
    writes: bool
    begun: float
    settings: str = ""
    """The statement that sets its time-outs on the server."""
    abandoned: bool = False
    overdue: bool = False
    raw: Any = None
    """Its asyncpg connection."""
    number: str | None = None
    committing: bool = False
    done: Any = None
    """The return value of its function."""
    task: asyncio.Task[Any] | None = None
    alarm: asyncio.TimerHandle | None = None

    @property
    def begins_by(self) -> float:
        """The deadline for its beginning, by the event loop's clock."""
        return self.begun + self.limits.wait

    @property
    def ends_by(self) -> float:
        return self.begins_by + self.limits.run

    @property
    def is_commit_lost(self) -> bool:
        """Whether the commit was sent, and its answer is lost."""
        return self.committing and self.number is not None and self.raw.is_closed()

    def max_runs(self, fault: BaseException) -> int:
        """The number of tries allowed after this error."""
        if self.abandoned:
            return 0
        if self.raw is not None and self.raw.is_closed():
            return RUNS
        return AGAIN.get(state_of(fault), 0) if isinstance(fault, exc.DBAPIError) else 0

    def limit_to(self, moment: float) -> None:
        """Set the moment at which it is cut off."""
        if self.alarm:
            self.alarm.cancel()
        self.alarm = asyncio.get_running_loop().call_at(moment, self.cut_off) if math.isfinite(moment) else None

    def cut_off(self) -> None:
        """Abort it, whatever it waits for, by cutting its connection if it has one."""
        self.overdue = True
        if self.raw is not None:
            self.raw.terminate()
        elif self.task:
            self.task.cancel()


FLOW: ContextVar[TransactionRun | None] = ContextVar("flow", default=None)
"""The transaction for which a connection is being opened."""


class PostgresDriver:
    """The driver for PostgreSQL."""

    def __init__(self, url: DatabaseAddress, limits: TimeLimits | None = None) -> None:
        self.limits = limits or TimeLimits(driver.WAIT_SECONDS, RUN_SECONDS)
        self.line = ServerLine.to_server(url, self.limits)
        self.engine = server_engine(self.line, self._note_dialled)
        self._reader = self.engine.execution_options(**READING["postgresql"])
        self._slots = asyncio.Semaphore(CONNECTIONS)
        self._unhurried = asyncio.Semaphore(CONNECTIONS // 4)
        self._open: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        """All connections, each with the time of the last response on it."""
        self._hung = 0.0
        """When something last hung."""
        self.running: dict[TransactionRun, None] = {}
        event.listen(self.engine.sync_engine, "checkout", self._check_alive)
        event.listen(self.engine.sync_engine, "handle_error", _keep_other_connections)

    async def read(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """One snapshot."""
        return await self._run_to_end(work, self._begin_flow(False, limits))

    async def write(self, work: Work[T], limits: TimeLimits | None = None) -> T:
        """One transaction that may write."""
        return await self._run_to_end(work, self._begin_flow(True, limits))

    async def close(self) -> None:
        """Let running transactions end, and close all connections, cutting those that do not close in time."""
        await asyncio.shield(asyncio.ensure_future(self._close_all()))

    async def _close_all(self) -> None:
        if running := [flow.task for flow in self.running if flow.task]:
            await asyncio.wait(running, timeout=self.limits.wait + RUN_SECONDS)
        with suppress(TimeoutError, exc.SQLAlchemyError, OSError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.engine.dispose()
        for connection in tuple(self._open):
            connection.terminate()

    def _note_dialled(self, connection: Any) -> None:
        self._open[connection] = _loop_time()
        if flow := FLOW.get():
            flow.raw = connection

    def _begin_flow(self, writes: bool, limits: TimeLimits | None) -> TransactionRun:
        """A new transaction, with the statement that sets its limits if they are not the connection's own."""
        flow = TransactionRun(limits or self.limits, writes, _loop_time())
        if self.line.pooled or flow.limits != self.limits:
            flow.settings = "SELECT " + ", ".join(LIMIT.format(*each) for each in server_timeouts(flow.limits).items())
        return flow

    async def _run_to_end(self, work: Work[T], flow: TransactionRun) -> T:
        """Run it to its end, even when the waiting task is cancelled."""
        # Background work leaves most connections to users.
        slots = (self._slots,) if flow.limits == self.limits else (self._unhurried, self._slots)
        await take_all(slots, flow.limits.wait)
        engine = self.engine if flow.writes else self._reader
        flow.task = running = asyncio.ensure_future(self._run_repeatedly(engine, work, flow))
        self.running[flow] = None

        def finish(done: asyncio.Task[T]) -> None:
            del self.running[flow]
            for slot in slots:
                slot.release()
            # Retrieved, or asyncio logs the unretrieved errors of cancelled callers.
            _ = done.cancelled() or done.exception()

        running.add_done_callback(finish)
        left = flow.ends_by + ASK_SECONDS + PAUSE - _loop_time()
        try:
            async with asyncio.timeout(left if math.isfinite(left) else None):
                return await asyncio.shield(running)
        except TimeoutError:
            flow.abandoned = True
            if flow.is_commit_lost and not running.done():
                raise Uncertain from None
            raise
        except asyncio.CancelledError:
            flow.abandoned = True
            raise

    async def _run_repeatedly(self, engine: AsyncEngine, work: Work[T], flow: TransactionRun) -> T:
        """Try it until it succeeds or must be given up."""
        FLOW.set(flow)
        for run in count(1):
            try:
                return await self._run(engine, work, flow)
            except (exc.DBAPIError, OSError, asyncio.CancelledError) as fault:
                if isinstance(fault, asyncio.CancelledError) and not flow.overdue:
                    raise
                if isinstance(fault, exc.DBAPIError) and state_of(fault) == READ_ONLY:
                    flow.raw.terminate()  # its server was demoted; another may be writable, or this one soon
                if flow.is_commit_lost and await self._kept_there(flow, fault):
                    return flow.done
                if flow.overdue:
                    self._hung = _loop_time()
                    raise (TimeoutError if flow.raw else Silent) from fault
                if run >= flow.max_runs(fault) or _loop_time() > flow.begins_by:
                    raise
            finally:
                flow.limit_to(math.inf)
            await asyncio.sleep(PAUSE * run)
        raise AssertionError

    async def _run(self, engine: AsyncEngine, work: Work[T], flow: TransactionRun) -> T:
        """Try it once, on a connection from the pool."""
        flow.raw, flow.committing, flow.number = None, False, None
        flow.limit_to(flow.begins_by)
        done = await greenlet_spawn(_run_whole, engine.sync_engine, work, flow)
        self._open[flow.raw] = _loop_time()
        return done

    async def _kept_there(self, flow: TransactionRun, fault: BaseException) -> bool:
        """Whether the server has committed it; `Uncertain` if that cannot be determined in time."""
        try:
            async with asyncio.timeout(max(flow.ends_by, _loop_time()) + ASK_SECONDS - _loop_time()):
                connection = await self.line.dial()
                self._open[connection] = _loop_time()
                try:
                    return await _transaction_outcome(connection, flow.number) == "committed"
                finally:
                    connection.terminate()
        except Exception as unknown:
            raise Uncertain from unknown

    def _check_alive(self, connection: Any, *_: Any) -> None:
        """Replace a connection that is closed, or without a response since something last hung."""
        raw = connection.driver_connection
        if raw.is_closed() or self._open.get(raw, 0.0) < self._hung:
            raw.terminate()
            raise exc.DisconnectionError


def _loop_time() -> float:
    return asyncio.get_running_loop().time()


def _keep_other_connections(context: ExceptionContext) -> None:
    """Keep SQLAlchemy from closing all other connections when one breaks, which waits for a silent server."""
    context.invalidate_pool_on_disconnect = False


def _run_whole(engine: Engine, work: Work[T], flow: TransactionRun) -> T:
    with engine.connect() as connection:
        flow.raw = connection.connection.driver_connection
        flow.limit_to(flow.ends_by)
        with connection.begin():
            if flow.settings:
                connection.exec_driver_sql(flow.settings)
            flow.done = done = work(connection)
            if flow.abandoned:
                raise Abandoned
            if flow.writes:
                flow.number = connection.exec_driver_sql(NUMBER).scalar()
            flow.committing = True
        flow.committing = False
    return done


async def _transaction_outcome(connection: Any, number: str | None) -> str | None:
    """The outcome of a transaction, which is terminated if it is still open."""
    while (outcome := await connection.fetchval(OUTCOME, number)) == "in progress":
        await connection.fetch(END, number)
        await asyncio.sleep(PAUSE)
    if outcome is None:
        raise LookupError(number)
    return str(outcome)
