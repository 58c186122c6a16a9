"""The kinds of columns that SQLAlchemy has none for: what stands in them as text, and what it is to the program; and
how a column is held against any number of numbers.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Dialect,
    Integer,
    Text,
    TypeDecorator,
    bindparam,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

Counter = BigInteger().with_variant(Integer(), "sqlite")
"""A key that counts up by itself; SQLite does that only for a column of exactly this type."""


class Seats(TypeDecorator[tuple[int, ...]]):
    """Seats, or other small numbers, as a JSON list: "[1, 3]"."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(list(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[int, ...] | None:
        return None if value is None else tuple(json.loads(value))


class Chosen(TypeDecorator[dict[str, int | str]]):
    """The options of a match as a JSON object; as text, so that the same bytes stand in every kind of database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(dict(value), sort_keys=True)

    def process_result_value(self, value: Any, dialect: Dialect) -> dict[str, int | str] | None:
        return None if value is None else json.loads(value)


class Exact(TypeDecorator[int]):
    """A whole number of any size, in decimal: scores pass 64 bits."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else str(int(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:
        return None if value is None else int(value)


class OneOf(TypeDecorator[str]):
    """One of some words; what is none of them is read as the usual one."""

    impl = Text
    cache_ok = True

    def __init__(self, known: tuple[str, ...], usual: str | None) -> None:
        super().__init__()
        self.known = known
        self.usual = usual

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return value if value in self.known else self.usual


class Zone(TypeDecorator[str]):
    """The name of a time zone, as it stands: which there are is known to the service, which reads others as UTC."""

    impl = Text
    cache_ok = True


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
