"""Makes tables of rows as `bot.core.values.rows` declares them, and takes the rows' objects apart again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Integer, Table, Text, false, true

from bot.core.values.rows import Choice, Default, Form, Joined, Key, References
from data.tables.column_types import Chosen, Counter, Exact, OneOf, Seats, Words, Zone
from data.tables.metadata import METADATA

T = TypeVar("T")
Info = dict[type, Any]
"""What is said of a column, by the classes of `bot.core.values.rows`."""

FORMS = {"big": BigInteger, "moment": BigInteger, "exact": Exact, "words": Words, "zone": Zone}
FLAGS: tuple[Any, Any] = false(), true()
TYPES = {bool: Boolean, int: Integer, float: Double, str: Text, tuple: Seats, Mapping: Chosen, Literal: Text}


def table(name: str, row: type, *more: Any, **options: Any) -> Table:
    """The table of a row, with further columns and indexes."""
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
    refers = said[References].column if References in said else key.references
    return Column(
        name,
        Counter if key.counts else _type(kind, said),
        *([ForeignKey(refers)] if refers else []),
        primary_key=Key in said,
        nullable=nullable,
        autoincrement=key.counts,
        server_default=None if default is None else FLAGS[default] if kind is bool else str(default),
        info=said,
    )


def _type(kind: Any, said: Info) -> Any:
    if Choice in said:
        return OneOf(said[Choice].known, said[Choice].usual)
    if Form in said:
        return FORMS[said[Form].name]
    return BigInteger if isinstance(kind, NewType) else TYPES[get_origin(kind) or kind]


def _read(hint: Any) -> tuple[Any, bool, Info]:
    """Of an annotation its bare type, whether it may be None, and what is said beside."""
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


def held(kept: Table) -> list[Column[Any]]:
    """The columns that the objects of a table's rows hold, in the order of their fields."""
    return [kept.c[field.name] for field in fields(kept.info["row"]) if field.name in kept.c]


def fields_of(kept: Table, one: object) -> dict[str, Any]:
    """What an object holds of its row."""
    return {column.name: getattr(one, column.name) for column in held(kept)}


def said_of(kind: type[T], *tables: Table) -> Iterator[tuple[Column[Any], T]]:
    """The columns of some tables, or of all, of which something of a kind is said, with that."""
    for kept in tables or METADATA.sorted_tables:
        for column in kept.c:
            if kind in column.info:
                yield column, column.info[kind]
