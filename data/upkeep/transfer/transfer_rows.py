"""Reads and writes the rows of all tables as they are stored, for `transfer`: in batches, in the order of their keys.

Rows pass as the columns hold them, not as the program reads them, so the same text stands in both databases. Computed
columns are left to the database that is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    func,
    insert,
    literal,
    select,
    tuple_,
)

from data.tables.schema import METADATA
from data.upkeep.schema_check import named, wrong

PLAIN = MetaData()
BATCH = 5_000
"""How many rows are read and written at once: a few megabytes at most."""
OWN = ("moved", "moving", "heartbeat")
"""How the names of notes begin that are about a database and not about what is in it; they are not copied."""
SHOWN = 30
"""How many characters of a value are shown."""

Row = tuple[Any, ...]


def _plain(kept: Table) -> Table:
    columns: list[Column[Any]] = [
        Column(one.name, Text() if isinstance(one.type, TypeDecorator) else one.type, primary_key=one.primary_key)
        for one in kept.columns
        if one.computed is None
    ]
    return Table(kept.name, PLAIN, *columns)


TABLES = tuple(_plain(kept) for kept in METADATA.sorted_tables)
MATCHES = next(table for table in TABLES if table.name == "matches")
"""All tables, none before one that it refers to."""


def _copied(table: Table) -> list[ColumnElement[bool]]:
    """The conditions on the rows that are copied."""
    return [func.substr(table.c.name, 1, len(name)) != name for name in OWN] if table.name == "key_values" else []


def counted(connection: Connection, table: Table) -> int:
    """How many rows of a table are copied."""
    return connection.execute(select(func.count()).select_from(table).where(*_copied(table))).scalar_one()


def whole(connection: Connection) -> int:
    """How many rows of all tables are copied."""
    return sum(counted(connection, table) for table in TABLES)


def read(connection: Connection, table: Table, after: Sequence[Any] | None, most: int = BATCH) -> list[Row]:
    """The rows behind the one with a key, or the first ones (None)."""
    keys = [*table.primary_key]
    rows = select(*table.columns).where(*_copied(table)).order_by(*keys).limit(most)
    if after is not None:
        rows = rows.where(
            tuple_(*keys) > tuple_(*(literal(part, key.type) for part, key in zip(after, keys, strict=True)))
        )
    return [tuple(row) for row in connection.execute(rows)]


def key_of(table: Table, row: Row) -> Row:
    """The key of a row."""
    return tuple(value for column, value in zip(table.columns, row, strict=True) if column.primary_key)


def write(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Add rows to a table."""
    names = [column.name for column in table.columns]
    connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])


def unfit(table: Table, rows: Sequence[Row]) -> Iterator[str]:
    """Values among some rows that are not of their column's type, or that PostgreSQL cannot store, a line each."""
    kept = METADATA.tables[table.name]
    for row in rows:
        for column, value in zip(table.columns, row, strict=True):
            why = wrong(kept.columns[column.name], value)
            if isinstance(value, str) and "\0" in value:
                why = "which contains a NUL, and PostgreSQL can't store that"
            if why:
                yield f"{named(kept, key_of(table, row))}: {column.name} is {repr(value)[:SHOWN]}, {why}"


class Content(NamedTuple):
    """What a table holds: how many rows, and a checksum that does not depend on their order."""

    rows: int
    sum: int


def content(connection: Connection, table: Table, progress: Callable[[int], None]) -> Content:
    """The content of a table, all rows of it that are copied; `progress` is told how many rows each batch had."""
    after, rows, total = None, 0, 0
    while found := read(connection, table, after):
        # Databases order texts differently, so the sum must not depend on an order.
        total += sum(int.from_bytes(blake2b(repr(row).encode(), digest_size=16).digest()) for row in found)
        rows, after = rows + len(found), key_of(table, found[-1])
        progress(len(found))
    return Content(rows, total % 2**128)
