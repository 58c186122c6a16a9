"""SQL that SQLAlchemy has no portable construct for: upserts, membership in a long list, and a process's share.

Both kinds of database can do each of them, but say it differently; queries are built from these and need not know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Self

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
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from bot.core.values.shards import TIME_BITS, Share
from data.tables.prepared_statements import Prepared


class Upsert:
    """One statement that inserts a row, or does something else where one with its key exists."""

    def __init__(self, table: Table, made: Callable[[Any], Any]) -> None:
        self._table, self._made = table, made
        self._statements: dict[str, Prepared] = {}

    def write(self, connection: Connection, values: Mapping[str, Any]) -> int:
        """Write the row; how many were inserted or changed."""
        kind = connection.dialect.name
        if kind not in self._statements:
            # Both kinds have a module of this name, and only that of the database in use is loaded.
            insert = import_module(f"sqlalchemy.dialects.{kind}").insert
            self._statements[kind] = Prepared(self._made(insert(self._table)))
        return self._statements[kind].write(connection, values)


def upsert(table: Table, **others: Callable[[ColumnElement[Any]], ColumnElement[Any]]) -> Upsert:
    """Write a row in place of the one with its key; of some columns, `others` make from the new value what is kept."""

    def made(insert: Any) -> Any:
        kept = {column.name: insert.excluded[column.name] for column in table.columns if not column.primary_key}
        return _or_else(insert, kept | {name: change(kept[name]) for name, change in others.items()})

    return Upsert(table, made)


def upsert_changing(table: Table, **changes: object) -> Upsert:
    """Write a row, or change the one with its key like this."""
    return Upsert(table, lambda insert: _or_else(insert, changes))


def _or_else(insert: Any, changes: dict[str, Any]) -> Any:
    keys = [column.name for column in insert.table.primary_key]
    return insert.on_conflict_do_update(index_elements=keys, set_=changes)


def insert_new(table: Table, names: Sequence[str] = (), chosen: Any = None) -> Upsert:
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


def among(column: Column[Any], name: str) -> ColumnElement[bool]:
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


def share_values(share: Share) -> dict[str, int]:
    """A share as the values of a statement."""
    return {"share_first": share.first, "share_last": share.last, "share_count": share.count}
