"""Errors that SQLAlchemy wraps, and advisory locks."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from enum import IntEnum

from sqlalchemy import Connection, Table, exc, func, select, text

from data.engine.errors import Unavailable, classify_error, explain_error

# Names the errors of the database that SQLAlchemy wraps, for whatever runs transactions.


def state_of(error: exc.DBAPIError) -> str:
    """The SQLSTATE of a server's error; nothing for one that no server has sent."""
    return str(getattr(error.orig, "sqlstate", None) or "")


def classify_wrapped_error(error: exc.DBAPIError) -> Unavailable | None:
    """What an error means when the database is locked, full, away or broken; None when the program is wrong."""
    if error.orig is not None and (found := classify_error(error.orig)):
        return found
    if state_of(error) or isinstance(error.orig, sqlite3.Error):
        return None
    cause = getattr(error, "driver_exception", None)
    found = classify_error(cause) if isinstance(cause, BaseException) else None
    return found or (Unavailable() if error.connection_invalidated else None)


def refused_statement(error: Exception) -> str | None:
    """What the database says of a statement that it does not take, as where a table is missing; None for others."""
    return explain_error(error) if isinstance(error, exc.DBAPIError) else None


@contextmanager
def raise_as_unavailable() -> Generator[None]:
    """Raise `Unavailable` in place of the many errors that mean it."""
    try:
        yield
    except (exc.DBAPIError, sqlite3.Error) as error:
        # SQLAlchemy wraps none of SQLite's where a transaction begins.
        if found := classify_wrapped_error(error) if isinstance(error, exc.DBAPIError) else classify_error(error):
            raise found from error
        raise
    except (OSError, exc.TimeoutError) as error:
        raise classify_error(error) or Unavailable() from error


# Keeps apart, on PostgreSQL, transactions that must not run at the same time; on SQLite every write is alone.


class LockSubject(IntEnum):
    """What a lock is about, with a number or as a whole; the order is that in which they are taken."""

    SCHEMA = 7001
    """The tables themselves, while they are brought up to date."""
    TIMES = 7002
    """What all clocks go by: changed for many clocks by `go_alone`, used to set those of one match by `go_beside`."""
    SERVER = 7003
    """A server's settings, absences, results, and who is asked to play there: challenges go beside each other."""
    PERSON = 7004
    """A person's preferences, the sendings to them, and the challenges by them and to them; the least number first."""


def lock_exclusively(connection: Connection, about: LockSubject, number: int = 0) -> None:
    """Let no other transaction that asks for the same run beside this one, until its end."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(int(about), fold_number(number))))


def lock_shared(connection: Connection, about: LockSubject, number: int = 0) -> None:
    """Let others run that call this too, but none that goes alone."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock_shared(int(about), fold_number(number))))


def lock_tables(connection: Connection, tables: list[Table]) -> None:
    """Let nobody else write into some tables until the end, for work that goes through all of them."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables)
        connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def fold_number(number: int) -> int:
    """A number in 32 bits, as many as a lock has; two numbers that fold to the same wait for each other, harmlessly."""
    low = (number ^ (number >> 32)) & 0xFFFF_FFFF
    return low - (1 << 32) if low >= 1 << 31 else low
