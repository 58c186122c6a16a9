"""Makes a PostgreSQL database fit to go on with after `pg_restore`, as `data.upkeep.backup.restore` does for files.

`pg_dump` and `pg_restore` copy what is there and know nothing of Discord, which remembers what happened after the copy
was taken; `data.upkeep.renumber` says what follows from that. It is one transaction: done wholly, or not at all.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from sqlalchemy import Connection, text

from data.engine.database import Database, address, is_sqlite
from data.engine.driver import HOSTS
from data.upkeep.backup import Refused
from data.upkeep.migrate import migrate
from data.upkeep.renumber import (
    ARRIVED,
    DIGESTS,
    FORGET,
    SHOW,
    TELL,
    VERSIONS,
    passed_over,
)

NEWEST = """
SELECT max(at) FROM (
    SELECT max(greatest(created, started, ended)) AS at FROM matches
    UNION ALL SELECT max(at) FROM moves UNION ALL SELECT max(at) FROM deliveries
) AS times
"""
LAST = "SELECT greatest((SELECT last_value FROM matches_id_seq), (SELECT max(id) FROM matches))"
COUNT_ON = "SELECT setval('matches_id_seq', :last)"


async def renew(url: str, clock: Callable[[], float] = time.time) -> str:
    """Make a server's database fit to go on with after a copy was put back, and return what was done; `Refused` for a
    file."""
    if is_sqlite(address(url)):
        raise Refused("A SQLite database is put back by `restore`, which does this too: nothing was changed.")
    await migrate(url)
    database = Database(url, limits=HOSTS)
    try:
        last = await database.write(lambda connection: _renewed(connection, int(clock())))
    finally:
        await database.close()
    return f"The database can be gone on with: the next match is number {last + 1}, and every board is shown anew."


def _renewed(connection: Connection, now: int) -> int:
    newest = connection.execute(text(NEWEST)).scalar()
    last = connection.execute(text(LAST)).scalar_one() + passed_over(newest, now)
    connection.execute(text(COUNT_ON), {"last": last})
    step = VERSIONS[0] + secrets.randbelow(VERSIONS[1] - VERSIONS[0])
    for statement in (TELL, SHOW):
        connection.execute(text(statement), {"step": step})
    for statement in (FORGET, ARRIVED):
        connection.execute(text(statement))
    connection.execute(text(DIGESTS), {"now": now})
    return last
