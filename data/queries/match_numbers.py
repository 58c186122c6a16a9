"""Reads and sets the highest match number of a database, for `migrate`, `renumber` and `transfer`.

No number is given to two matches, so both kinds of database remember the highest one, also after its match is deleted.
"""

from __future__ import annotations

import sqlite3

from sqlalchemy import Connection, func, select, text

LAST_OF_FILE = """
SELECT max(number) FROM (
    SELECT max(id) AS number FROM matches UNION ALL SELECT seq FROM sqlite_sequence WHERE name = 'matches'
)
"""
FORGET_LAST = "DELETE FROM sqlite_sequence WHERE name = 'matches'"
COUNT_ON = "INSERT INTO sqlite_sequence (name, seq) VALUES ('matches', :last)"
SEQUENCE = select(func.pg_get_serial_sequence("matches", "id"))


def last_number(connection: Connection) -> int:
    """The highest number that a database has given to a match; 0 for none."""
    if connection.dialect.name == "sqlite":
        return connection.execute(text(LAST_OF_FILE)).scalar() or 0
    name = connection.execute(SEQUENCE).scalar_one()
    given = f"(SELECT CASE WHEN is_called THEN last_value END FROM {name})"
    return connection.execute(text(f"SELECT greatest({given}, (SELECT max(id) FROM matches))")).scalar() or 0


def last_of_file(connection: sqlite3.Connection) -> int:
    """The same, over a connection of Python's own."""
    return connection.execute(LAST_OF_FILE).fetchone()[0] or 0


def number_from(connection: Connection, last: int) -> None:
    """Have new matches numbered above a number."""
    if connection.dialect.name == "sqlite":
        connection.execute(text(FORGET_LAST))
        connection.execute(text(COUNT_ON), {"last": last})
    elif last:
        connection.execute(select(func.setval(SEQUENCE.scalar_subquery(), last)))


def number_file_from(connection: sqlite3.Connection, last: int) -> None:
    """The same, over a connection of Python's own."""
    connection.execute(FORGET_LAST)
    connection.execute(COUNT_ON, {"last": last})
