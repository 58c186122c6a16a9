"""Statements compiled once, and SQL that SQLAlchemy has no portable construct for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Self

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Dialect,
    Integer,
    Table,
    Text,
    TypeDecorator,
    bindparam,
    func,
    literal_column,
)
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from bot.play.ids import TIME_BITS, ShardShare

# Precompiled statements, for those of every move: without SQLAlchemy's overhead at each execution.


Converters = tuple[tuple[Any, Callable[[Any], Any]], ...]
"""Converters by name or index, for values whose form in the database differs from the program's."""


class CompiledSql(NamedTuple):
    """A compiled statement: the SQL, its constant values, and the converters of parameters and columns."""

    sql: str
    own: Mapping[str, Any]
    written: Converters
    read: Converters


class CompiledStatement:
    """A statement without list parameters."""

    def __init__(self, statement: Any) -> None:
        self._statement = statement
        self._compiled: dict[tuple[str, ...], CompiledSql] = {}

    def read_rows(self, connection: Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Execute it; the rows that it returns."""
        if connection.dialect.name != "sqlite":
            return [tuple(row) for row in connection.execute(self._statement, values)]
        compiled = self._compile_for(connection.dialect, values)
        return [_convert_row(found, compiled.read) for found in _execute(connection, compiled, values)]

    def write(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Execute it; returns the number of changed rows."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._statement, values).rowcount
        return _execute(connection, self._compile_for(connection.dialect, values), values).rowcount

    def write_each(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for several sets of values with the same names."""
        if connection.dialect.name != "sqlite":
            connection.execute(self._statement, rows)
            return
        for values in rows:
            _execute(connection, self._compile_for(connection.dialect, values), values)

    def _compile_for(self, dialect: Dialect, values: Mapping[str, Any]) -> CompiledSql:
        names = tuple(values)
        if names not in self._compiled:
            self._compiled[names] = _compile(self._statement, dialect, names)
        return self._compiled[names]


def _compile(statement: Any, dialect: Dialect, names: tuple[str, ...]) -> CompiledSql:
    by_name: DefaultDialect = type(dialect)(paramstyle="named")  # pyright: ignore[reportCallIssue, reportAssignmentType]
    made = statement.compile(dialect=by_name, column_keys=list(names))
    columns = enumerate(column.type for column in getattr(statement, "selected_columns", ()))
    reading = ((at, kind.dialect_impl(by_name).result_processor(by_name, None)) for at, kind in columns)
    writing = {name: bind.type.dialect_impl(by_name).bind_processor(by_name) for bind, name in made.bind_names.items()}
    values = made.construct_params(dict.fromkeys(names))  # raises an error if a required value is missing
    return CompiledSql(
        made.string,
        {name: writing[name](value) if writing[name] else value for name, value in values.items() if name not in names},
        tuple((name, convert) for name, convert in writing.items() if convert and name in names),
        tuple((at, convert) for at, convert in reading if convert),
    )


def _execute(connection: Connection, compiled: CompiledSql, values: Mapping[str, Any]) -> Any:
    given = {**compiled.own, **values}
    for name, convert in compiled.written:
        given[name] = convert(given[name])
    file: Any = connection.connection.driver_connection
    try:
        return file.execute(compiled.sql, given)
    except sqlite3.Error as fault:
        fault.add_note(compiled.sql)  # without the values, which must not be logged
        raise


def _convert_row(found: tuple[Any, ...], converters: Converters) -> tuple[Any, ...]:
    if not converters:
        return found
    row = list(found)
    for at, convert in converters:
        row[at] = convert(row[at])
    return tuple(row)


# Upserts, membership in a long list, and a process's share.


class Upsert:
    """A statement that inserts a row, or does something else if one with its key exists."""

    def __init__(self, table: Table, made: Callable[[Any], Any]) -> None:
        self._table, self._made = table, made
        self._statements: dict[str, CompiledStatement] = {}

    def write(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Write the row; returns the number of inserted or changed rows."""
        kind = connection.dialect.name
        if kind not in self._statements:
            # Both dialects have such a module; only that of the database in use is imported.
            insert = import_module(f"sqlalchemy.dialects.{kind}").insert
            self._statements[kind] = CompiledStatement(self._made(insert(self._table)))
        return self._statements[kind].write(connection, values)


def make_upsert(table: Table, **others: Callable[[ColumnElement[Any]], ColumnElement[Any]]) -> Upsert:
    """A statement that writes a row in place of the one with its key; `others` compute some columns from the new
    value."""

    def build_statement(insert: Any) -> Any:
        kept = {column.name: insert.excluded[column.name] for column in table.columns if not column.primary_key}
        return _on_conflict(insert, kept | {name: change(kept[name]) for name, change in others.items()})

    return Upsert(table, build_statement)


def make_upsert_changing(table: Table, **changes: object) -> Upsert:
    """A statement that writes a row, or makes these changes to the one with its key."""
    return Upsert(table, lambda insert: _on_conflict(insert, changes))


def _on_conflict(insert: Any, changes: dict[str, Any]) -> Any:
    keys = [column.name for column in insert.table.primary_key]
    return insert.on_conflict_do_update(index_elements=keys, set_=changes)


def make_insert_new(table: Table, names: Sequence[str] = (), chosen: Any = None) -> Upsert:
    """A statement that inserts a row, or the rows of a select, unless the key exists; `rowcount` is the number
    inserted."""

    def build_statement(insert: Any) -> Any:
        filled = insert if chosen is None else insert.from_select(names, chosen, include_defaults=False)
        return filled.on_conflict_do_nothing()

    return Upsert(table, build_statement)


class Numbers(TypeDecorator[list[int]]):
    """A list of whole numbers as one value: an array on PostgreSQL, JSON on SQLite."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(ARRAY(BigInteger()) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: Any, dialect: Dialect) -> list[int] | str | None:
        numbers = [int(number) for number in value or ()]
        return numbers if dialect.name == "postgresql" else json.dumps(numbers)


class Among(FunctionElement[bool]):
    """Whether a column is one of many numbers, given as one parameter: a server allows at most 32,767 parameters."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: object = None) -> Self:
        """Without a comparison: as a function, it would be compared with 1 on SQLite, which then does not use an
        index."""
        return self


def is_among(column: Column[Any], name: str) -> ColumnElement[bool]:
    """Whether a column is one of the numbers of a parameter of this name."""
    return Among(column, bindparam(name, type_=Numbers()))


def _among_of_file(element: Among, compiler: SQLCompiler, **options: Any) -> str:
    column, numbers = (compiler.process(part, **options) for part in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({numbers}))"


def _among_of_server(element: Among, compiler: SQLCompiler, **options: Any) -> str:
    column, numbers = (compiler.process(part, **options) for part in element.clauses)
    return f"{column} = ANY ({numbers})"


compiles(Among, "sqlite")(_among_of_file)
compiles(Among, "postgresql")(_among_of_server)

FIRST, LAST, COUNT = (bindparam(f"share_{name}", type_=BigInteger()) for name in ("first", "last", "count"))
BITS = bindparam("share_bits", TIME_BITS, type_=Integer())


def in_share(guild: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether a row belongs to the share given by `share_values`; one of no server to that with the first shard, which
    direct messages go to."""
    return (func.coalesce(guild, literal_column("0")).bitwise_rshift(BITS) % COUNT).between(FIRST, LAST)


def share_values(share: ShardShare) -> dict[str, int]:
    """The parameters of `in_share`."""
    return {"share_first": share.first, "share_last": share.last, "share_count": share.count}
