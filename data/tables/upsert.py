"""Writing a row whether or not there is one with its key, in one statement: nobody else's row can come in between.

To look first and then to write is two statements, and on a server others write between them. Both kinds of database say
the same thing with the same words, but SQLAlchemy has a construct for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult, Table
from sqlalchemy.dialects import postgresql, sqlite

Given = dict[str, Any] | Sequence[dict[str, Any]]


class Keep:
    """An insert that knows what to do where there is a row with its key already."""

    def __init__(self, table: Table, made: Callable[[Any], Any]) -> None:
        self.said = {"sqlite": made(sqlite.insert(table)), "postgresql": made(postgresql.insert(table))}

    def say(self, connection: Connection, values: Given) -> CursorResult[Any]:
        """Write it."""
        return connection.execute(self.said[connection.dialect.name], values)


def replacing(table: Table) -> Keep:
    """Write a row in place of the one with its key."""
    others = [column.name for column in table.columns if not column.primary_key]
    return Keep(table, lambda insert: _or_else(insert, {name: insert.excluded[name] for name in others}))


def else_changing(table: Table, **changes: object) -> Keep:
    """Write a row, or change the one with its key like this."""
    return Keep(table, lambda insert: _or_else(insert, changes))


def _or_else(insert: Any, changes: dict[str, Any]) -> Any:
    keys = [column.name for column in insert.table.primary_key]
    return insert.on_conflict_do_update(index_elements=keys, set_=changes)


def unless_there(table: Table, names: Sequence[str] = (), chosen: Any = None) -> Keep:
    """Write a row, or those that are chosen, where there is none with its key: `rowcount` says how many were."""

    def made(insert: Any) -> Any:
        filled = insert if chosen is None else insert.from_select(names, chosen, include_defaults=False)
        return filled.on_conflict_do_nothing()

    return Keep(table, made)
