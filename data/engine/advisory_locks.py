"""Keeps apart, on PostgreSQL, transactions that must not run at the same time; on SQLite every write is alone.

Statements prevent most conflicts themselves: a change is conditional on what was read, and a key is there once. Where
a result is computed from several rows, an advisory lock is taken before anything is read and held until the end.

So that no two transactions ever wait for each other, all take these locks in one order: as they stand here, a match's
row before those of people, and all of them before any other row is written.
"""

from __future__ import annotations

from enum import IntEnum

from sqlalchemy import Connection, Table, func, select, text


class About(IntEnum):
    """What a lock is about, with a number or as a whole; the order is that in which they are taken."""

    SCHEMA = 7001
    """The tables themselves, while they are brought up to date."""
    TIMES = 7002
    """What all clocks go by: changed for many clocks by `go_alone`, used to set those of one match by `go_beside`."""
    SERVER = 7003
    """A server's settings, absences, results, and who is asked to play there: challenges go beside each other."""
    PERSON = 7004
    """A person's preferences, the sendings to them, and the challenges by them and to them; the least number first."""


def go_alone(connection: Connection, about: About, number: int = 0) -> None:
    """Let no other transaction that asks for the same run beside this one, until its end."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(int(about), folded(number))))


def go_beside(connection: Connection, about: About, number: int = 0) -> None:
    """Let others run that call this too, but none that goes alone."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock_shared(int(about), folded(number))))


def hold(connection: Connection, tables: list[Table]) -> None:
    """Let nobody else write into some tables until the end, for work that goes through all of them."""
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in tables)
        connection.execute(text(f"LOCK TABLE {names} IN SHARE ROW EXCLUSIVE MODE"))


def folded(number: int) -> int:
    """A number in 32 bits, as many as a lock has; two numbers that fold to the same wait for each other, harmlessly."""
    low = (number ^ (number >> 32)) & 0xFFFF_FFFF
    return low - (1 << 32) if low >= 1 << 31 else low
