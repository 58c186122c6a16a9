"""Names the errors of the database that SQLAlchemy wraps, for whatever runs transactions."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import exc

from data.engine.database_errors import Unavailable, meaning, reason


def state_of(error: exc.DBAPIError) -> str:
    """The SQLSTATE of a server's error; nothing for one that no server has sent."""
    return str(getattr(error.orig, "sqlstate", None) or "")


def named(error: exc.DBAPIError) -> Unavailable | None:
    """What an error means when the database is locked, full, away or broken; None when the program is wrong."""
    if error.orig is not None and (found := meaning(error.orig)):
        return found
    if state_of(error) or isinstance(error.orig, sqlite3.Error):
        return None
    cause = getattr(error, "driver_exception", None)
    found = meaning(cause) if isinstance(cause, BaseException) else None
    return found or (Unavailable() if error.connection_invalidated else None)


def refused_statement(error: Exception) -> str | None:
    """What the database says of a statement that it does not take, as where a table is missing; None for others."""
    return reason(error) if isinstance(error, exc.DBAPIError) else None


@contextmanager
def told_as_unavailable() -> Generator[None]:
    """Raise `Unavailable` in place of the many errors that mean it."""
    try:
        yield
    except (exc.DBAPIError, sqlite3.Error) as error:
        # SQLAlchemy wraps none of SQLite's where a transaction begins.
        if found := named(error) if isinstance(error, exc.DBAPIError) else meaning(error):
            raise found from error
        raise
    except (OSError, exc.TimeoutError) as error:
        raise meaning(error) or Unavailable() from error
