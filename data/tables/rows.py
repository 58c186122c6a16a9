"""Makes tables from row classes, as declared with `bot.play.columns`, and column values from their objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Dialect,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    event,
    false,
    true,
)

from bot.play.columns import PLACE, Choice, Default, Form, Joined, Key, References
from bot.play.ids import NOWHERE

# The metadata of all tables, with the naming of keys and indexes.


METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


@event.listens_for(METADATA, "before_create")
def _for_server(_target: MetaData, connection: Connection, **_options: Any) -> None:
    """Set the conditions of indexes for PostgreSQL: given in the schema, they would make every bot import its
    dialect."""
    if connection.dialect.name == "postgresql":
        for index in (index for kept in METADATA.tables.values() for index in kept.indexes):
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]


# Column types that SQLAlchemy lacks, stored as text.


Counter = BigInteger().with_variant(Integer(), "sqlite")
"""An auto-incremented key; SQLite needs exactly this type for it."""


class Seats(TypeDecorator[tuple[int, ...]]):
    """Seats, or other small numbers, as a JSON list: "[1, 3]"."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(list(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[int, ...] | None:
        return None if value is None else tuple(json.loads(value))


class ChosenOptions(TypeDecorator[dict[str, int | str]]):
    """The options of a match as a JSON object, in text, so that both databases store the same bytes."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(dict(value), sort_keys=True)

    def process_result_value(self, value: Any, dialect: Dialect) -> dict[str, int | str] | None:
        return None if value is None else json.loads(value)


class Exact(TypeDecorator[int]):
    """A whole number of any size, in decimal: scores exceed 64 bits."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else str(int(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:
        return None if value is None else int(value)


class OneOf(TypeDecorator[str]):
    """One of some words; any other text is read as the usual word."""

    impl = Text
    cache_ok = True

    def __init__(self, known: tuple[str, ...], usual: str | None) -> None:
        super().__init__()
        self.known = known
        self.usual = usual

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return value if value in self.known else self.usual


class Zone(TypeDecorator[str]):
    """The name of a time zone, unchecked: callers read unknown names as UTC."""

    impl = Text
    cache_ok = True


class ServerOrNone(TypeDecorator[int]):
    """The id of a server; empty for `NOWHERE`."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> int | None:
        return value or None

    def process_result_value(self, value: Any, dialect: Dialect) -> int:
        return value or NOWHERE

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        """What it is compared with, or added to, is a plain number: what belongs to no server equals none."""
        return BigInteger()


class Words(TypeDecorator[tuple[str, ...]]):
    """Words with spaces between them."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else " ".join(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[str, ...] | None:
        return None if value is None else tuple(value.split())


T = TypeVar("T")
Info = dict[type, Any]
"""A column's annotations, by their class in `bot.play.columns`."""

FORMS = {
    "big": BigInteger, "moment": BigInteger, "exact": Exact, "words": Words, "zone": Zone, "place": ServerOrNone,
}  # fmt: skip
FLAGS: tuple[Any, Any] = false(), true()
TYPES = {bool: Boolean, int: Integer, float: Double, str: Text, tuple: Seats, Mapping: ChosenOptions, Literal: Text}


def make_table(name: str, row: type, *more: Any, **options: Any) -> Table:
    """The table of a row class, with further columns and indexes."""
    defaults = {field.name: field.default for field in fields(row) if field.default is not MISSING}
    columns = [
        _column(column, kind, nullable, said, said[Default].value if Default in said else defaults.get(column))
        for column, hint in get_type_hints(row, include_extras=True).items()
        for kind, nullable, said in [_read(hint)]
        if Joined not in said
    ]
    return Table(name, METADATA, *columns, *more, info={"row": row}, **options)


def _column(name: str, kind: Any, nullable: bool, said: Info, default: Any) -> Column[Any]:
    key: Key = said.get(Key, Key())
    nullable = nullable or said.get(Form) == PLACE
    refers = said[References].column if References in said else key.references
    return Column(
        name,
        Counter if key.counts else _choose_type(kind, said),
        *([ForeignKey(refers)] if refers else []),
        primary_key=Key in said,
        nullable=nullable,
        autoincrement=key.counts,
        server_default=None if default is None else FLAGS[default] if kind is bool else str(default),
        info=said,
    )


def _choose_type(kind: Any, said: Info) -> Any:
    if Choice in said:
        return OneOf(said[Choice].known, said[Choice].usual)
    if Form in said:
        return FORMS[said[Form].name]
    return BigInteger if isinstance(kind, NewType) else TYPES[get_origin(kind) or kind]


def _read(hint: Any) -> tuple[Any, bool, Info]:
    """The parts of an annotation: the bare type, whether it may be None, and the further annotations."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is ClassVar:
        return _read(parts[0])
    if origin is Annotated:
        kind, nullable, said = _read(parts[0])
        return kind, nullable, said | {type(note): note for note in parts[1:]}
    if origin in (Union, UnionType) and type(None) in parts:
        kind, _, said = _read(next(part for part in parts if part is not type(None)))
        return kind, True, said
    return hint, False, {}


def list_columns(kept: Table) -> list[Column[Any]]:
    """The columns of a table that its objects hold, in the order of their fields."""
    return [kept.c[field.name] for field in fields(kept.info["row"]) if field.name in kept.c]


def take_fields(kept: Table, one: object) -> dict[str, Any]:
    """The column values of an object."""
    return {column.name: getattr(one, column.name) for column in list_columns(kept)}


def find_notes(kind: type[T], *tables: Table) -> Iterator[tuple[Column[Any], T]]:
    """The columns, of some tables or of all, with an annotation of a class, each with that annotation."""
    for kept in tables or METADATA.sorted_tables:
        for column in kept.c:
            if kind in column.info:
                yield column, column.info[kind]
