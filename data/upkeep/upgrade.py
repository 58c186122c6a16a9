"""Migrations, missing databases, and the renumbering of restored copies."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, String, Table, exc, func, inspect, select, text

from bot.games.mind import RandomSource
from bot.games.wording import Plural, join_sentences
from data.engine.address import DatabaseAddress, file_of, find_companion_files, is_sqlite, parse_address
from data.engine.database import PRAGMAS, Database
from data.engine.driver import HOSTS
from data.engine.errors import Damaged, Unavailable
from data.engine.sql import LockSubject, lock_exclusively
from data.tables.rows import METADATA
from data.upkeep.checks import find_missing
from data.upkeep.file_check import (
    APPLICATION,
    EMPTY,
    OURS,
    CommandRefused,
    connect_to_file,
    prepare,
    refuse_remains,
    table_names,
)
from data.upkeep.hindrance import (
    SCRIPTS,
    SchemaError,
    advise_restore,
    format_command,
    is_there,
    known_revisions,
    name_setting,
    refuse_newer,
)

# The highest match number of a database.


LAST_OF_FILE = """
SELECT max(number) FROM (
    SELECT max(id) AS number FROM matches UNION ALL SELECT seq FROM sqlite_sequence WHERE name = 'matches'
)
"""
FORGET_LAST = "DELETE FROM sqlite_sequence WHERE name = 'matches'"
COUNT_ON = "INSERT INTO sqlite_sequence (name, seq) VALUES ('matches', :last)"
SEQUENCE = select(func.pg_get_serial_sequence("matches", "id"))


def last_number(connection: Connection) -> int:
    """The highest match number that a database has assigned; 0 for none."""
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


# The check for a missing database, before a new one is created in its place.


FILE_BACK = (
    "Mount its folder or correct {place}, or put a copy back with {restore}; to begin with an empty one, run {migrate}"
    " once."
)
SERVER_BACK = (
    "Correct {place}, or put a copy back with pg_restore and then {renew}; to begin with an empty one, run {migrate}"
    " once."
)


async def find_missing_database(url: str) -> str | None:
    """What is missing, as the beginning of a sentence; None if the database exists, or has another error, reported
    elsewhere. `Unusable` if it is missing and files of ours are in its folder."""
    where = parse_address(url)
    if file := file_of(where):
        return await asyncio.to_thread(_absent_file, file)
    database = Database(where, limits=HOSTS)
    try:
        there = await database.read(lambda connection: bool(inspect(connection).get_table_names()))
    finally:
        await database.close()
    return None if there else f"The database {where.database} on {where.host or 'the server'} has no tables"


def suggest_remedy(url: str | DatabaseAddress) -> str:
    """The advice about a missing database, as a sentence."""
    file = file_of(parse_address(url))
    migrate = format_command("migrate", "--new")
    if file is None:
        return SERVER_BACK.format(place=name_setting(), renew=format_command("renew"), migrate=migrate)
    restore = format_command("restore", "FILE", *(["--force"] if file.exists() else []))
    return FILE_BACK.format(place=name_setting(), restore=restore, migrate=migrate)


def _absent_file(file: Path) -> str | None:
    if not is_there(file):
        refuse_remains(file)
        return f"There is no database at {file}"
    if not file.is_file():
        return None
    if not file.stat().st_size:
        if find_companion_files(file):
            return None
        refuse_remains(file)
        return EMPTY.format(file=file)
    try:
        with connect_to_file(file) as connection:
            return None if table_names(connection) else f"The database at {file} has no tables"
    except Unavailable:
        return None


# The migration at every start and for `python -m bot migrate`, all steps in one transaction.


WITHOUT_FOREIGN_KEYS = tuple(pragma.replace("foreign_keys = ON", "foreign_keys = OFF") for pragma in PRAGMAS)

VERSIONS = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Alembic's table with the revision of a database."""
BROUGHT = "The database was brought from schema {before} to schema {after}, which this version needs."
KEPT = "A copy from before is {file}."
MISMADE = "The database's tables aren't as they were created ({why}): {remedy}."

UNDONE = Plural(
    "The migration was undone: it would have left 1 row that refers to nothing.",
    "The migration was undone: it would have left {number} rows that refer to nothing.",
)

log = logging.getLogger(__name__)


class StrangeDatabase(SchemaError):
    """The database belongs to another program."""


class BrokenReferences(SchemaError):
    """A migration would have left dangling references; it was rolled back."""


async def migrate(url: str, scripts: Path = SCRIPTS, anew: bool = False, kept: Path | None = None) -> str:
    """Migrate a database, created if there is none, and return its revision; `SchemaTooNew`, `Unavailable`.

    `anew`: create one even if databases of ours, or files left of one, are in the same folder. `kept`: a copy of the
    present database, named in the report.
    """
    if file := file_of(parse_address(url)):
        await prepare(file, anew)
    return await upgrade_schema(url, scripts, kept)


async def upgrade_schema(url: str | DatabaseAddress, scripts: Path = SCRIPTS, kept: Path | None = None) -> str:
    """Migrate a database that is known to be ours, or empty, and return its revision."""
    database = Database(url, WITHOUT_FOREIGN_KEYS, HOSTS)
    try:
        before, revision = await database.write(lambda connection: _run_upgrade(connection, scripts))
    except exc.DBAPIError as fault:
        raise Damaged(MISMADE.format(why=fault.orig or fault, remedy=advise_restore())) from fault
    finally:
        await database.close()
    if before not in (None, revision):
        copy = KEPT.format(file=kept) if kept else ""
        log.info("%s", join_sentences(BROUGHT.format(before=before, after=revision), copy))
    return revision


def _run_upgrade(connection: Connection, scripts: Path) -> tuple[str | None, str]:
    """Migrate, and return the revisions before and after."""
    lock_exclusively(
        connection, LockSubject.SCHEMA
    )  # another bot that starts at the same time waits, and finds it done
    before = revision_of(connection)
    refuse_newer(before, scripts)
    refuse_strangers(connection)
    there = inspect(connection).has_table("matches")
    counted = last_number(connection) if there else 0
    if not there and scripts == SCRIPTS:
        make_tables(connection)
    elif before != known_revisions(scripts)[-1]:
        run_steps(connection, scripts)
    if connection.dialect.name == "sqlite":
        sign_file(connection, counted)
    # Steps other than the program's own, in tests, lead to other tables.
    if scripts == SCRIPTS and (lost := find_missing(connection)):
        raise Damaged(f"The database is damaged ({lost[0]}): {advise_restore()}.")
    return before, revision_of(connection) or ""


def make_tables(connection: Connection) -> None:
    """Create the tables of the latest schema in an empty database."""
    METADATA.create_all(connection)
    VERSIONS.create(connection)
    connection.execute(VERSIONS.insert(), {"version_num": known_revisions()[-1]})


def run_steps(connection: Connection, scripts: Path) -> None:
    """Run the missing migrations with Alembic; `BrokenReferences`, `Damaged`."""
    from alembic import command  # here: a tenth of all imports at a start, and rarely needed
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as fault:
        raise Damaged(MISMADE.format(why=fault, remedy=advise_restore())) from fault
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all() if connection.dialect.name == "sqlite" else ()
    if broken:
        raise BrokenReferences(UNDONE.fill_in(len(broken)))


def refuse_strangers(connection: Connection) -> None:
    """Raise `StrangeDatabase` if there are another program's tables."""
    found = set(inspect(connection).get_table_names())
    if found and not found >= OURS:
        raise StrangeDatabase("The database holds another program's tables. Give Graph Paper its own database.")


def sign_file(connection: Connection, counted: int) -> None:
    """Write the application id into the database's header, and the last match number, if a step has recreated that
    table: SQLite would continue from its rows, but a restored database must continue far above them."""
    if connection.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
    if counted > last_number(connection):
        connection.exec_driver_sql("UPDATE sqlite_sequence SET seq = ? WHERE name = 'matches'", (counted,))


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's schema, or None; `Damaged` if there are several."""
    if not inspect(connection).has_table(VERSIONS.name):
        return None
    found = connection.scalars(VERSIONS.select()).all()
    if len(found) > 1:
        raise Damaged(MISMADE.format(why=f"they are at {len(found)} schemas at once", remedy=advise_restore()))
    return found[0] if found else None


# The renewal of a restored copy: Discord still has messages about what happened after the copy was made.


SPARE = 1_000
"""Match numbers skipped at every restore, even of a new copy, for the seconds around it."""
WITHOUT_CLOCK = 1_000_000
"""Match numbers skipped if the age of the copy is unknown."""
MOST = 100_000_000
"""The most match numbers skipped, one a second for three years: they must stay short enough for nonces and
custom_ids."""
VERSION_STEPS = 1_000, 10_000
"""The bounds of the random step by which the version of every continuing match is raised above all shown ones."""

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
"""Resets the state that was true of Discord, the bot and the database when the copy was made."""
ARRIVED = "DELETE FROM pending_reminders"
"""Messages that were being sent then have long arrived."""
DIGESTS = "UPDATE preferences SET digest = digest + 86400 * ((:now - digest) / 86400 + 1) WHERE digest <= :now"
"""Digests that have been due since were sent; the next one is due at the same hour."""
NEWEST_OF_SERVER = """
SELECT max(at) FROM (
    SELECT max(greatest(created, started, ended)) AS at FROM matches
    UNION ALL SELECT max(at) FROM moves UNION ALL SELECT max(at) FROM deliveries
) AS times
"""


def count_passed_over(newest: int | None, now: int) -> int:
    """The match numbers to skip after a copy with this newest entry: one a second since then, more than were ever
    assigned, even by a bot that continued from the same copy before."""
    if newest is None or newest > now:
        return WITHOUT_CLOCK
    return SPARE + min(now - newest, MOST)


def draw_step(rng: RandomSource) -> int:
    """A random step within `VERSION_STEPS`."""
    return rng.randrange(*VERSION_STEPS)


def renew_copy(copy: Path, known: int, now: int, step: int) -> int:
    """Renew a restored copy, after a database that had assigned match numbers up to `known`; returns the number above
    which the next match will be."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        newest = connection.execute(NEWEST_OF_FILE).fetchone()[0]
        last = max(known, last_of_file(connection)) + count_passed_over(newest, now)
        number_file_from(connection, last)
        for statement in (TELL, SHOW):
            connection.execute(statement, {"step": step})
        for statement in (FORGET, ARRIVED):
            connection.execute(statement)
        connection.execute(DIGESTS, {"now": now})
        connection.execute("COMMIT")
    return last


async def renew(url: str, clock: Callable[[], float], rng: RandomSource) -> str:
    """Renew a server's database after a backup was restored, and return what was done; raises `CommandRefused` for a
    file."""
    if is_sqlite(parse_address(url)):
        raise CommandRefused("For a SQLite database, `restore` does this too. Nothing was changed.")
    if gap := await find_missing_database(url):
        raise CommandRefused(f"{gap}: put a copy back with pg_restore first.")
    await migrate(url)
    step = draw_step(rng)
    database = Database(url, limits=HOSTS)
    try:
        last = await database.write(lambda connection: _renew(connection, int(clock()), step))
    finally:
        await database.close()
    return f"The database is ready: the next match is number {last + 1}, and every board is shown again."


def _renew(connection: Connection, now: int, step: int) -> int:
    newest = connection.execute(text(NEWEST_OF_SERVER)).scalar()
    last = last_number(connection) + count_passed_over(newest, now)
    number_from(connection, last)
    for statement in (TELL, SHOW):
        connection.execute(text(statement), {"step": step})
    for statement in (FORGET, ARRIVED):
        connection.execute(text(statement))
    connection.execute(text(DIGESTS), {"now": now})
    return last
