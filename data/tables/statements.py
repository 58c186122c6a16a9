"""SQL that SQLAlchemy has no portable construct for, and statements compiled once."""

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
)
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from bot.play.ids import TIME_BITS, ShardShare

# Runs the statements of every move without what SQLAlchemy does anew each time that it executes one.


Converters = tuple[tuple[Any, Callable[[Any], Any]], ...]
"""By names or places, for those values that stand otherwise in the database than in the program."""


class CompiledSql(NamedTuple):
    """A statement in SQLite's words: the values of its own, how others are written, and how its columns are read."""

    sql: str
    own: Mapping[str, Any]
    written: Converters
    read: Converters


class CompiledStatement:
    """A statement, none of whose parameters is a list."""

    def __init__(self, statement: Any) -> None:
        self._statement = statement
        self._compiled: dict[tuple[str, ...], CompiledSql] = {}

    def read_rows(self, connection: Connection, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """What it finds."""
        if connection.dialect.name != "sqlite":
            return [tuple(row) for row in connection.execute(self._statement, values)]
        compiled = self._compile_for(connection.dialect, values)
        return [_convert_row(found, compiled.read) for found in _execute(connection, compiled, values)]

    def write(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Execute it; how many rows it has changed."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._statement, values).rowcount
        return _execute(connection, self._compile_for(connection.dialect, values), values).rowcount

    def write_each(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute it for several rows, whose values have the same names."""
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
    values = made.construct_params(dict.fromkeys(names))  # or an error: there is no value for one that needs it
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
        fault.add_note(compiled.sql)  # without the values, of which no log is to know
        raise


def _convert_row(found: tuple[Any, ...], converters: Converters) -> tuple[Any, ...]:
    if not converters:
        return found
    row = list(found)
    for at, convert in converters:
        row[at] = convert(row[at])
    return tuple(row)


# SQL that SQLAlchemy has no portable construct for: upserts, membership in a long list, and a process's share.


class Upsert:
    """One statement that inserts a row, or does something else where one with its key exists."""

    def __init__(self, table: Table, made: Callable[[Any], Any]) -> None:
        self._table, self._made = table, made
        self._statements: dict[str, CompiledStatement] = {}

    def write(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Write the row; how many were inserted or changed."""
        kind = connection.dialect.name
        if kind not in self._statements:
            # Both kinds have a module of this name, and only that of the database in use is loaded.
            insert = import_module(f"sqlalchemy.dialects.{kind}").insert
            self._statements[kind] = CompiledStatement(self._made(insert(self._table)))
        return self._statements[kind].write(connection, values)


def make_upsert(table: Table, **others: Callable[[ColumnElement[Any]], ColumnElement[Any]]) -> Upsert:
    """Write a row in place of the one with its key; of some columns, `others` make from the new value what is kept."""

    def made(insert: Any) -> Any:
        kept = {column.name: insert.excluded[column.name] for column in table.columns if not column.primary_key}
        return _on_conflict(insert, kept | {name: change(kept[name]) for name, change in others.items()})

    return Upsert(table, made)


def make_upsert_changing(table: Table, **changes: object) -> Upsert:
    """Write a row, or change the one with its key like this."""
    return Upsert(table, lambda insert: _on_conflict(insert, changes))


def _on_conflict(insert: Any, changes: dict[str, Any]) -> Any:
    keys = [column.name for column in insert.table.primary_key]
    return insert.on_conflict_do_update(index_elements=keys, set_=changes)


def make_insert_new(table: Table, names: Sequence[str] = (), chosen: Any = None) -> Upsert:
    """Write a row, or those that are chosen, where there is none with its key: `rowcount` says how many were."""

    def made(insert: Any) -> Any:
        filled = insert if chosen is None else insert.from_select(names, chosen, include_defaults=False)
        return filled.on_conflict_do_nothing()

    return Upsert(table, made)


class Numbers(TypeDecorator[list[int]]):
    """Any number of whole numbers as one value: a list where the database has lists, else as JSON."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(ARRAY(BigInteger()) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: Any, dialect: Dialect) -> list[int] | str | None:
        numbers = [int(number) for number in value or ()]
        return numbers if dialect.name == "postgresql" else json.dumps(numbers)


class Among(FunctionElement[bool]):
    """Whether a column is one of many numbers, which are one parameter: a server takes no more than 32,767 of those."""

    type = Boolean()
    inherit_cache = True

    def self_group(self, against: object = None) -> Self:
        """As it stands: as a function, it would be compared with 1 on SQLite, which then uses no index for it."""
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
    """Whether a row belongs to the share whose `share_values` the statement is given."""
    return (guild.bitwise_rshift(BITS) % COUNT).between(FIRST, LAST)


def share_values(share: ShardShare) -> dict[str, int]:
    """A share as the values of a statement."""
    return {"share_first": share.first, "share_last": share.last, "share_count": share.count}
