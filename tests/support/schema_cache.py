"""Compares each schema with the program once in a run: comparing is the slow part of a check."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

import data.upkeep.integrity
from data.upkeep.schema_check import misshapen

COMPARED: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
"""What is wrong with a schema, by its statements."""


def compare_once(patch: pytest.MonkeyPatch) -> None:
    """Let checks remember what they found of a schema; another one, by a single letter, is compared anew."""
    patch.setattr(data.upkeep.integrity, "misshapen", compared)


def compared(connection: Connection) -> tuple[list[str], list[str]]:
    """What is wrong with a schema; that of a server's database, which is a copy of one that was looked at, is not told
    by statements."""
    if connection.dialect.name != "sqlite":
        return [], []
    statements = connection.exec_driver_sql("SELECT sql FROM sqlite_master ORDER BY name").scalars()
    schema = tuple(map(str, statements))
    if schema not in COMPARED:
        COMPARED[schema] = misshapen(connection)
    return COMPARED[schema]
