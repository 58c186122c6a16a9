"""Errors that SQLAlchemy wraps, and advisory locks."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from enum import IntEnum

from sqlalchemy import Connection, Table, exc, func, select, text

from data.engine.errors import Unavailable, classify_error, explain_error

# Errors wrapped by SQLAlchemy.


def state_of(error: exc.DBAPIError) -> str:
    """The SQLSTATE of a server's error; empty for other errors."""
    return str(getattr(error.orig, "sqlstate", None) or "")


def classify_wrapped_error(error: exc.DBAPIError) -> Unavailable | None:
    """The `Unavailable` for a wrapped error; None if it is the program's fault."""
    if error.orig is not None and (found := classify_error(error.orig)):
        return found
    if state_of(error) or isinstance(error.orig, sqlite3.Error):
        return None
    cause = getattr(error, "driver_exception", None)
    found = classify_error(cause) if isinstance(cause, BaseException) else None
    return found or (Unavailable() if error.connection_invalidated else None)


def refused_statement(error: Exception) -> str | None:
    """The database's message about a statement that it rejects, as for a missing table; None for other errors."""
    return explain_error(error) if isinstance(error, exc.DBAPIError) else None


@contextmanager
def raise_as_unavailable() -> Generator[None]:
    """Convert the errors of the databases and drivers to `Unavailable`."""
    try:
        yield
    except (exc.DBAPIError, sqlite3.Error) as error:
        # SQLAlchemy does not wrap SQLite's errors at the beginning of a transaction.
        if found := classify_wrapped_error(error) if isinstance(error, exc.DBAPIError) else classify_error(error):
            raise found from error
        raise
    except (OSError, exc.TimeoutError) as error:
        raise classify_error(error) or Unavailable() from error


# Advisory locks, for transactions on PostgreSQL that must not run concurrently; on SQLite writes never do.


class LockSubject(IntEnum):
    """The subject of a lock, with or without a number; locks are taken in this order."""

    SCHEMA = 7001
    """The schema, during migrations."""
    TIMES = 7002
    """What all clocks depend on: locked exclusively to change many clocks, shared to set those of one match."""
    SERVER = 7003
    """A server's settings, absences, results and challenge requests; challenges share it."""
    PERSON = 7004
    """A user's preferences, pending messages and challenges from or to them; of several users, in the order of ids."""


def lock_exclusively(connection: Connection, about: LockSubject, number: int = 0) -> None:
    """Take the lock exclusively, until the end of the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(int(about), fold_number(number))))


def lock_shared(connection: Connection, about: LockSubject, number: int = 0) -> None:
    """Take the lock shared, until the end of the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock_shared(int(about), fold_number(number))))


def lock_tables(connection: Connection, tables: list[Table]) -> None:
    """Exclude other writers of some tables until the end of the transaction."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables)
        connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def fold_number(number: int) -> int:
    """A number folded to the 32 bits of a lock; two numbers that fold to the same merely wait for each other."""
    low = (number ^ (number >> 32)) & 0xFFFF_FFFF
    return low - (1 << 32) if low >= 1 << 31 else low
