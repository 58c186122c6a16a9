"""Tells whether a database is there at all, before anybody begins a new one where there should be an old one.

A folder that is not mounted, an address that leads elsewhere, an empty file and a server without our tables all look
like a first start. Whether there ever was one, only the caller can know.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import inspect

from data.engine.address import Address, address, file_of
from data.engine.database import Database
from data.engine.database_errors import Unavailable
from data.engine.database_files import companions
from data.engine.driver import HOSTS
from data.upkeep.file_check import EMPTY, looking, refuse_remains, tables
from data.upkeep.hindrance import is_there
from data.upkeep.typed_commands import command, place

FILE_BACK = (
    "Mount its folder or correct {place}, or put a copy back with {restore}; to begin with an empty one, run {migrate}"
    " once."
)
SERVER_BACK = (
    "Correct {place}, or put a copy back with pg_restore and then {renew}; to begin with an empty one, run {migrate}"
    " once."
)


async def absent(url: str) -> str | None:
    """What is missing, as the beginning of a sentence; None where a database is there, or what keeps it from being used
    is for others to say. `Unusable` where one is missing and something of ours lies beside its place."""
    where = address(url)
    if file := file_of(where):
        return await asyncio.to_thread(_absent_file, file)
    database = Database(where, limits=HOSTS)
    try:
        there = await database.read(lambda connection: bool(inspect(connection).get_table_names()))
    finally:
        await database.close()
    return None if there else f"The database {where.database} on {where.host or 'the server'} has no tables"


def remedy(url: str | Address) -> str:
    """What a host can do about a database that is missing, in a sentence."""
    file = file_of(address(url))
    migrate = command("migrate", "--new")
    if file is None:
        return SERVER_BACK.format(place=place(), renew=command("renew"), migrate=migrate)
    restore = command("restore", "FILE", *(["--force"] if file.exists() else []))
    return FILE_BACK.format(place=place(), restore=restore, migrate=migrate)


def _absent_file(file: Path) -> str | None:
    if not is_there(file):
        refuse_remains(file)
        return f"There is no database at {file}"
    if not file.is_file():
        return None
    if not file.stat().st_size:
        if companions(file):
            return None
        refuse_remains(file)
        return EMPTY.format(file=file)
    try:
        with looking(file) as connection:
            return None if tables(connection) else f"The database at {file} has no tables"
    except Unavailable:
        return None
