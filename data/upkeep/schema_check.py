"""Checks the tables of a database against the schema, and every value against its column.

SQLite stores any value in any column, but the program relies on the types in `data.tables.schema`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, cast
from zoneinfo import available_timezones

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Integer,
    Table,
    func,
    inspect,
    select,
    type_coerce,
)
from sqlalchemy.types import NullType

from bot.core.values.plural import Plural
from bot.core.values.rows import MOMENT, Form, Person, Signed
from data.tables.column_types import Chosen, Exact, OneOf, Seats, Zone
from data.tables.schema import METADATA
from data.upkeep.worker_thread import Progress, quiet

Items = Iterable[object]

EVERY = 1_000
"""Progress is reported after so many rows."""
MORE = Plural("{table}: {column} is wrong in 1 more row", "{table}: {column} is wrong in {number} more rows")
TOLD = 5
"""How many rows are named for each column; there may be thousands."""
SHOWN = 30
"""How many characters of a value are shown."""
LATEST = 253_402_300_799
"""The end of the year 9999."""
NAMED = {
    "matches": "match {}",
    "players": "match {}, player {}",
    "moves": "match {}, ply {}",
    "deliveries": "delivery {}",
    "settings": "server {}",
    "preferences": "preferences of {}",
    "away": "absence in server {} of {} from {} on",
    "key_values": "note {}",
    "leagues": "league {}",
    "league_members": "league {}, member {}",
    "pairings": "league {}, pairing {}",
    "notices": "match {}, notice to {}",
    "ratings": "rating in server {} of {}, {}, player {}",
}
FOR_ALL: dict[tuple[str, object], str] = {("game", ""): "all games", ("season", 0): "all time"}
"""What stands in a key for everything."""
SIZES = select(*(select(func.count()).select_from(kept).scalar_subquery() for kept in METADATA.sorted_tables))
ROWS = {
    kept: select(*(type_coerce(one, NullType()) for one in (*kept.primary_key, *kept.columns)))
    for kept in METADATA.sorted_tables
}
"""A table's rows with their keys before them, as they are kept, without what the schema would make of them."""
HELPFUL = {"add_index": "the index {} is missing", "add_constraint": "the constraint {} is missing"}
"""Parts of the schema that the program can do without, by the step that would mend them."""


def missing(connection: Connection) -> list[str]:
    """The tables and columns that the program cannot do without and that are not there, a line each."""
    tables = inspect(connection).get_multi_columns()
    there = {name: {one["name"] for one in columns} for (_, name), columns in tables.items()}
    lines: list[str] = []
    for kept in METADATA.sorted_tables:
        if (found := there.get(kept.name)) is None:
            lines.append(f"the table {kept.name} is missing")
        else:
            absent = [one.name for one in kept.columns if one.name not in found]
            lines += [f"the table {kept.name} has no column {name}" for name in absent]
    return lines


def misshapen(connection: Connection) -> list[str]:
    """The other differences from the program's schema, a line each; what somebody has added does no harm."""
    from alembic.autogenerate import compare_metadata  # here, since a bot need not load it to start
    from alembic.migration import MigrationContext

    lines: list[str] = []
    steps: Any = compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), METADATA)
    for step in steps:
        if isinstance(step, list):  # the changes of one column
            _, _, table, column, *_ = cast(list[Any], step)[0]
            lines.append(f"the column {column} of {table} has the wrong type")
        elif step[0] in HELPFUL:
            lines.append(HELPFUL[step[0]].format(step[1].name))
    return lines


def misplaced(connection: Connection, progress: Progress = quiet) -> Iterator[str]:
    """Values that are not of their column's kind, a line each."""
    for kept, size in zip(METADATA.sorted_tables, connection.execute(SIZES).one(), strict=True):
        found: dict[str, list[str]] = {each.name: [] for each in kept.columns}
        more: Counter[str] = Counter()
        for name, line in _odd(connection, kept, size, progress) if size else ():
            if len(found[name]) < TOLD:
                found[name].append(line)
            else:
                more[name] += 1
        for name, lines in found.items():
            yield from lines
            if more[name]:
                yield MORE.of(more[name], table=kept.name, column=name)


def _odd(connection: Connection, kept: Table, size: int, progress: Progress) -> Iterator[tuple[str, str]]:
    """Each odd value's column, and a line about it; a table of some size is read once, however many columns it has."""
    keys, columns = [*kept.primary_key], [*kept.columns]
    for done, row in enumerate(connection.execute(ROWS[kept])):
        if not done % EVERY:
            progress(f"rows of {kept.name}", done, size)
        for each, value in zip(columns, row[len(keys) :], strict=True):
            if why := wrong(each, value):
                shown = "nothing" if value is None else repr(value)[:SHOWN]
                yield each.name, f"{named(kept, row[: len(keys)])}: {each.name} is {shown}, {why}"


def named(kept: Table, key: Iterable[object]) -> str:
    """A row by its key, in words."""
    parts = (FOR_ALL.get((each.name, part), part) for each, part in zip(kept.primary_key, key, strict=True))
    return NAMED.get(kept.name, f"{kept.name} {{}}").format(*parts)


def wrong(each: Column[Any], value: object) -> str | None:
    """What is wrong with a value in a column; None if nothing is."""
    if value is None:
        return None if each.nullable else "but is required"
    for kind, fits, why in KINDS:
        if isinstance(each.type, kind):
            return None if fits(each, value) else why
    return None if isinstance(value, str) else "not a text"


def _whole(each: Column[Any], value: object) -> bool:
    if type(value) is not int:
        return False
    if each.info.get(Form) == MOMENT:
        return 0 <= value <= LATEST
    least = -(2**63) if each.info.keys() & {Person, Signed} else 0
    return least <= value < (2**63 if isinstance(each.type, BigInteger) else 2**31)


def _numbers(_each: Column[Any], value: object) -> bool:
    read: Any = _json(value)
    return isinstance(read, list) and all(type(number) is int and 0 <= number < 2**63 for number in cast(Items, read))


def _options(_each: Column[Any], value: object) -> bool:
    read: Any = _json(value)
    return isinstance(read, dict) and all(type(option) in (int, str) for option in cast(Items, read.values()))


def _json(value: object) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None


def _decimal(_each: Column[Any], value: object) -> bool:
    return isinstance(value, str) and value.removeprefix("-").isdecimal() and value.isascii()


def _known(each: Column[Any], value: object) -> bool:
    return isinstance(each.type, OneOf) and value in each.type.known


def _zone(_each: Column[Any], value: object) -> bool:
    return value in _zones()


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


KINDS: tuple[tuple[type, Callable[[Column[Any], object], bool], str], ...] = (
    (Seats, _numbers, "not a list of numbers"),
    (Chosen, _options, "not a set of options"),
    (Exact, _decimal, "not a whole number"),
    (OneOf, _known, "not one of the allowed values"),
    (Zone, _zone, "not a time zone"),
    (Boolean, lambda _, value: value in (0, 1), "neither yes nor no"),
    (Integer, _whole, "not an allowed number"),
    (Double, lambda _, value: isinstance(value, float | int) and abs(value) < 1e9, "not an allowed number"),
)
