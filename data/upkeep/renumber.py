"""Makes a restored copy fit to go on with, because Discord remembers what happened after the copy was taken.

Buttons, forms and nonces of that time name matches by number and boards by version. So no number that may have been
handed out is used again. Every match that goes on gets a version above all that it may have had; its board is shown
anew, and the players who are to move are told. `restore` does this to a SQLite file; `python -m bot renew` does it to
a PostgreSQL database after `pg_restore`, in one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, text

from bot.core.game.mind import Lots
from data.engine.address import address, is_sqlite
from data.engine.database import Database
from data.engine.driver import HOSTS
from data.queries.match_numbers import last_number, last_of_file, number_file_from, number_from
from data.upkeep.absence import absent
from data.upkeep.file_check import Refused
from data.upkeep.migrate import migrate

SPARE = 1_000
"""Numbers passed over at every restore, however new the copy: they are for the seconds around it."""
WITHOUT_CLOCK = 1_000_000
"""Numbers passed over where the clock cannot say how old the copy is."""
MOST = 100_000_000
"""Most numbers passed over, one a second for three years: they have to stay short enough for nonces and custom_ids."""
VERSIONS = 1_000, 10_000
"""By how many versions, drawn by lot between these, every match that goes on is ahead of all that was shown of it."""

NEWEST_OF_FILE = """
SELECT max(at) FROM (
    SELECT max(created) AS at FROM matches UNION ALL SELECT max(started) FROM matches
    UNION ALL SELECT max(ended) FROM matches
    UNION ALL SELECT max(at) FROM moves UNION ALL SELECT max(at) FROM deliveries
) WHERE typeof(at) = 'integer'
"""
GOES_ON = "state IN ('open', 'live')"
TELL = f"""
UPDATE players SET mention_version = (SELECT version + :step FROM matches WHERE id = players."match")
WHERE EXISTS (
    SELECT 1 FROM matches WHERE id = players."match" AND {GOES_ON} AND (
        players.mention_version > shown_version OR (state = 'live' AND turn LIKE '%' || players.seat || '%')
    )
)
"""
SHOW = f"""
UPDATE matches SET version = version + :step, shown_version = version + :step - 1, publish_error = NULL WHERE {GOES_ON}
"""
FORGET = """
DELETE FROM key_values WHERE name LIKE 'commands of %' OR name LIKE 'heartbeat%' OR name LIKE 'process %'
OR name LIKE 'identify %' OR name LIKE 'twins %' OR name LIKE 'version%' OR name IN ('leader', 'moved', 'nonce mark')
"""
"""What was true of Discord, of the bot and of the database when the copy was taken."""
ARRIVED = "DELETE FROM pending_reminders"
"""What was on its way then has long arrived."""
DIGESTS = "UPDATE preferences SET digest = digest + 86400 * ((:now - digest) / 86400 + 1) WHERE digest <= :now"
"""A digest that has been due since then was sent in its time; the next one comes at the same hour."""
NEWEST_OF_SERVER = """
SELECT max(at) FROM (
    SELECT max(greatest(created, started, ended)) AS at FROM matches
    UNION ALL SELECT max(at) FROM moves UNION ALL SELECT max(at) FROM deliveries
) AS times
"""


def passed_over(newest: int | None, now: int) -> int:
    """How many numbers are left out after a copy whose newest entry is of a time: one for each second since then, which
    is more than were ever handed out, also by a bot that went on from this very copy before."""
    if newest is None or newest > now:
        return WITHOUT_CLOCK
    return SPARE + min(now - newest, MOST)


def drawn_step(lots: Lots) -> int:
    """By how many versions every match that goes on gets ahead."""
    return lots.randrange(*VERSIONS)


def renew_copy(copy: Path, known: int, now: int, step: int) -> int:
    """Make a copy fit to go on with, after a database that had handed out numbers up to the known one; the number that
    the next match is sure to be above."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        newest = connection.execute(NEWEST_OF_FILE).fetchone()[0]
        last = max(known, last_of_file(connection)) + passed_over(newest, now)
        number_file_from(connection, last)
        for statement in (TELL, SHOW):
            connection.execute(statement, {"step": step})
        for statement in (FORGET, ARRIVED):
            connection.execute(statement)
        connection.execute(DIGESTS, {"now": now})
        connection.execute("COMMIT")
    return last


async def renew(url: str, clock: Callable[[], float], lots: Lots) -> str:
    """Make a server's database fit to go on with after a copy was put back, and return what was done; `Refused` for a
    file."""
    if is_sqlite(address(url)):
        raise Refused("For a SQLite database, `restore` does this too. Nothing was changed.")
    if gap := await absent(url):
        raise Refused(f"{gap}: put a copy back with pg_restore first.")
    await migrate(url)
    step = drawn_step(lots)
    database = Database(url, limits=HOSTS)
    try:
        last = await database.write(lambda connection: _renewed(connection, int(clock()), step))
    finally:
        await database.close()
    return f"The database is ready: the next match is number {last + 1}, and every board is shown again."


def _renewed(connection: Connection, now: int, step: int) -> int:
    newest = connection.execute(text(NEWEST_OF_SERVER)).scalar()
    last = last_number(connection) + passed_over(newest, now)
    number_from(connection, last)
    for statement in (TELL, SHOW):
        connection.execute(text(statement), {"step": step})
    for statement in (FORGET, ARRIVED):
        connection.execute(text(statement))
    connection.execute(text(DIGESTS), {"now": now})
    return last
