"""Keeps hosts' commands off a database on which a bot runs, by what the bot notes there every few seconds."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, inspect, text

from data.upkeep.file_check import Refused, notes_among
from data.upkeep.heartbeat import HEARTBEAT, UNHEARD_SECONDS, ago, silence
from data.upkeep.integrity import opened


async def refuse_where_one_runs(url: str, clock: Callable[[], float]) -> None:
    """Raise `Refused` where a bot was heard lately; where there is no database, none was."""
    try:
        async with opened(url) as database:
            await database.read(lambda connection: refuse_heard(connection, int(clock())))
    except FileNotFoundError:
        return


def refuse_heard(connection: Connection, now: int) -> None:
    """The same for a database that is open."""
    if not (table := notes_among(inspect(connection).get_table_names())):
        return
    notes = connection.execute(text(f"SELECT name, value FROM {table}"))
    silent = silence({name: value for name, value in notes if name.startswith(HEARTBEAT)}, now)
    if silent is not None:
        raise Refused(
            f"A bot was heard on this database {ago(max(0, silent))} ago: stop it first. If it is stopped already, wait"
            f" until it has not been heard for {UNHEARD_SECONDS} seconds, or give --force."
        )
