"""Lets all databases of a run share compiled SQL statements, though each has an engine of its own."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Engine, create_engine

import data.engine.sqlite_driver


@cache
def first() -> Engine:
    """An engine that has seen a connection, so that its dialect knows SQLite's version."""
    made = create_engine("sqlite://")
    made.connect().close()
    return made


def compile_once() -> None:
    """Let all engines for SQLite's files share a dialect, and what was compiled for it."""
    data.engine.sqlite_driver.create_engine = sharing


def sharing(*about: Any, **more: Any) -> Engine:
    """An engine as the program makes it, with the common memory."""
    made: Any = create_engine(*about, **more)
    shared: Any = first()
    made.dialect = made.pool._dialect = shared.dialect
    made._compiled_cache = shared._compiled_cache
    return made
