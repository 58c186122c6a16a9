"""Runs the statements of every move without what SQLAlchemy does anew each time that it executes one.

In SQLite such a statement takes ten millionths of a second; SQLAlchemy adds fifty, and a move has eight of them. So
each is compiled once and then handed to SQLite itself. What a server takes is more than all that, and its errors must
pass through SQLAlchemy: on PostgreSQL a statement is executed as any other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect
from sqlalchemy.engine.default import DefaultDialect

Converters = tuple[tuple[Any, Callable[[Any], Any]], ...]
"""By names or places, for those values that stand otherwise in the database than in the program."""


class Compiled(NamedTuple):
    """A statement in SQLite's words: the values of its own, how others are written, and how its columns are read."""

    sql: str
    own: Mapping[str, Any]
    written: Converters
    read: Converters


class Prepared:
    """A statement, none of whose parameters is a list."""

    def __init__(self, statement: Any) -> None:
        self._statement = statement
        self._compiled: dict[tuple[str, ...], Compiled] = {}

    def rows(self, connection: Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """What it finds."""
        if connection.dialect.name != "sqlite":
            return [tuple(row) for row in connection.execute(self._statement, values)]
        compiled = self._for(connection.dialect, values)
        return [_row(found, compiled.read) for found in _executed(connection, compiled, values)]

    def write(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Execute it; how many rows it has changed."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._statement, values).rowcount
        return _executed(connection, self._for(connection.dialect, values), values).rowcount

    def write_each(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for several rows, whose values have the same names."""
        if connection.dialect.name != "sqlite":
            connection.execute(self._statement, rows)
            return
        for values in rows:
            _executed(connection, self._for(connection.dialect, values), values)

    def _for(self, dialect: Dialect, values: Mapping[str, Any]) -> Compiled:
        names = tuple(values)
        if names not in self._compiled:
            self._compiled[names] = _compiled(self._statement, dialect, names)
        return self._compiled[names]


def _compiled(statement: Any, dialect: Dialect, names: tuple[str, ...]) -> Compiled:
    by_name: DefaultDialect = type(dialect)(paramstyle="named")  # pyright: ignore[reportCallIssue, reportAssignmentType]
    made = statement.compile(dialect=by_name, column_keys=list(names))
    columns = enumerate(column.type for column in getattr(statement, "selected_columns", ()))
    reading = ((at, kind.dialect_impl(by_name).result_processor(by_name, None)) for at, kind in columns)
    writing = {name: bind.type.dialect_impl(by_name).bind_processor(by_name) for bind, name in made.bind_names.items()}
    values = made.construct_params(dict.fromkeys(names))  # or an error: there is no value for one that needs it
    return Compiled(
        made.string,
        {name: writing[name](value) if writing[name] else value for name, value in values.items() if name not in names},
        tuple((name, convert) for name, convert in writing.items() if convert and name in names),
        tuple((at, convert) for at, convert in reading if convert),
    )


def _executed(connection: Connection, compiled: Compiled, values: Mapping[str, Any]) -> Any:
    given = {**compiled.own, **values}
    for name, convert in compiled.written:
        given[name] = convert(given[name])
    file: Any = connection.connection.driver_connection
    try:
        return file.execute(compiled.sql, given)
    except sqlite3.Error as fault:
        fault.add_note(compiled.sql)  # without the values, of which no log is to know
        raise


def _row(found: tuple[Any, ...], converters: Converters) -> tuple[Any, ...]:
    if not converters:
        return found
    row = list(found)
    for at, convert in converters:
        row[at] = convert(row[at])
    return tuple(row)
