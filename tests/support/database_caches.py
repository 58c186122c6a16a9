"""Caches that all databases of a test run share: compiled SQL statements, and compared schemas.

Comparing a schema with the program is the slow part of a check, and each database has an engine of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, create_engine

from data.engine import sqlite
from data.upkeep import checks
from data.upkeep.checks import find_misshapen, find_missing

SCHEMA = {
    "sqlite": "SELECT sql FROM sqlite_master ORDER BY name",
    "postgresql": """
        SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attgenerated,
            attidentity, pg_get_expr(adbin, adrelid))
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        ORDER BY 1""",
}
"""What tells one schema from another, by a single letter."""
Comparing = Callable[[Connection], list[str]]
COMPARED: dict[tuple[Comparing, tuple[str, ...]], list[str]] = {}
"""What comparing found in each schema."""


def share() -> None:
    """Let all engines for SQLite's files share a dialect and what was compiled for it, and compare each schema once."""
    sqlite.create_engine = sharing
    checks.find_misshapen = compared(find_misshapen)
    checks.find_missing = compared(find_missing)


def compared(comparing: Comparing) -> Comparing:
    """What that finds in a schema, remembered."""

    def found(connection: Connection) -> list[str]:
        key = comparing, statements(connection)
        if key not in COMPARED:
            COMPARED[key] = comparing(connection)
        return COMPARED[key]

    return found


def statements(connection: Connection) -> tuple[str, ...]:
    """What a schema is made of."""
    kind = connection.dialect.name
    return (kind, *map(str, connection.exec_driver_sql(SCHEMA[kind]).scalars()))


@cache
def first() -> Engine:
    """An engine that has seen a connection, so that its dialect knows SQLite's version."""
    made = create_engine("sqlite://")
    made.connect().close()
    return made


def sharing(*about: Any, **more: Any) -> Engine:
    """An engine as the program makes it, with the common memory."""
    made: Any = create_engine(*about, **more)
    shared: Any = first()
    made.dialect = made.pool._dialect = shared.dialect
    made._compiled_cache = shared._compiled_cache
    return made
