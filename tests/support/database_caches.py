"""Two caches that all databases of a test run share: compiled SQL statements, and compared schemas.

Comparing a schema with the program is the slow part of a check, and each database has an engine of its own.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine

import data.engine.sqlite_driver
import data.upkeep.integrity
from data.upkeep.schema_check import misshapen

COMPARED: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
"""The faults of each schema, by its statements."""


def compare_once(patch: pytest.MonkeyPatch) -> None:
    """Let checks remember what they found of a schema; another one, by a single letter, is compared anew."""
    patch.setattr(data.upkeep.integrity, "misshapen", compared)


def compared(connection: Connection) -> tuple[list[str], list[str]]:
    """The faults of a schema. A server's database is a copy of a checked one, and SQLite alone tells its statements."""
    if connection.dialect.name != "sqlite":
        return [], []
    statements = connection.exec_driver_sql("SELECT sql FROM sqlite_master ORDER BY name").scalars()
    schema = tuple(map(str, statements))
    if schema not in COMPARED:
        COMPARED[schema] = misshapen(connection)
    return COMPARED[schema]


@cache
def first() -> Engine:
    """An engine that has seen a connection, so that its dialect knows SQLite's version."""
    made = create_engine("sqlite://")
    made.connect().close()
    return made


def compile_once() -> None:
    """Let all engines for SQLite's files share a dialect, and what was compiled for it."""
    data.engine.sqlite_driver.create_engine = sharing


def sharing(*about: Any, **more: Any) -> Engine:
    """An engine as the program makes it, with the common memory."""
    made: Any = create_engine(*about, **more)
    shared: Any = first()
    made.dialect = made.pool._dialect = shared.dialect
    made._compiled_cache = shared._compiled_cache
    return made
