"""What two transactions must not do at once on a server, where they go on side by side; on SQLite every write is alone.

Most of it the statements themselves keep apart: a change that is conditional on what was read, a key that is there
once. What is reckoned from several rows is kept apart by a lock that is about something, taken before anything is read
and held until the end. Everybody takes those locks in the order in which they stand here, a match's row before those
of people, and all before any other row is written: so nobody ever waits for somebody who waits for them.
"""

from __future__ import annotations

from enum import IntEnum

from sqlalchemy import Connection, Table, func, select, text


class About(IntEnum):
    """What a lock is about, with a number or as a whole; the order is that in which they are taken."""

    SCHEMA = 7001
    """The tables themselves, while they are brought up to date."""
    TIMES = 7002
    """What all clocks go by. Whoever changes it for many goes alone, whoever sets the clocks of a match beside all."""
    SERVER = 7003
    """Who is asked to play in a server, its settings, absences and results."""
    PERSON = 7004
    """What somebody has chosen, and what is on its way to them."""


def go_alone(connection: Connection, about: About, number: int = 0) -> None:
    """Let no other transaction that asks for the same run beside this one, until its end."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(int(about), folded(number))))


def go_beside(connection: Connection, about: About, number: int = 0) -> None:
    """Let others run that say this too, but none that goes alone."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock_shared(int(about), folded(number))))


def hold(connection: Connection, tables: list[Table]) -> None:
    """Let nobody else write into some tables until the end: for what goes through all of them."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables)
        connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def folded(number: int) -> int:
    """A number in 32 bits, since a lock has no more beside what it is about: two that come to the same wait for each
    other now and then, and that is all."""
    low = (number ^ (number >> 32)) & 0xFFFF_FFFF
    return low - (1 << 32) if low >= 1 << 31 else low
