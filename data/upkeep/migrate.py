"""Brings a database's schema up to date at every start and for `python -m bot migrate`, whole or not at all.

For SQLite this runs at every start, and what it finds is looked at before anything is written: a file that is damaged,
somebody else's, or missing beside copies of it is refused with a sentence. All steps are one transaction that nobody
else can write in; foreign keys are off meanwhile (a table is altered by making it anew, and dropping the old one would
take its children along) and checked before the commit.
"""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import Column, Connection, MetaData, String, Table, exc, inspect

from bot.core.values.plural import Plural, sentences
from data.engine.address import Address, address, file_of
from data.engine.advisory_locks import About, go_alone
from data.engine.database import PRAGMAS, Database
from data.engine.database_errors import Damaged
from data.engine.driver import HOSTS
from data.queries.match_numbers import last_number
from data.tables.schema import METADATA
from data.upkeep.file_check import APPLICATION, OURS, prepare
from data.upkeep.revisions import SCRIPTS, SchemaError, known, refuse_newer
from data.upkeep.schema_check import missing
from data.upkeep.typed_commands import restoring

WITHOUT_FOREIGN_KEYS = tuple(pragma.replace("foreign_keys = ON", "foreign_keys = OFF") for pragma in PRAGMAS)

VERSIONS = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Where Alembic keeps the revision that a database is at."""
BROUGHT = "The database was brought from schema {before} to schema {after}, which this version needs."
KEPT = "A copy from before is {file}."
MISMADE = "The database's tables aren't as they were created ({why}): {remedy}."

UNDONE = Plural(
    "The migration was undone: it would have left 1 row that refers to nothing.",
    "The migration was undone: it would have left {number} rows that refer to nothing.",
)

log = logging.getLogger(__name__)


class Stranger(SchemaError):
    """The database is another program's."""


class BrokenReferences(SchemaError):
    """A migration would have left rows that refer to nothing; it was undone."""


async def migrate(url: str, scripts: Path = SCRIPTS, anew: bool = False, kept: Path | None = None) -> str:
    """Bring a database up to date, made if there is none, and return its revision; `SchemaTooNew`, `Unavailable`.

    `anew`: make one also where others of ours, or what is left of one, are in the same folder. `kept`: a copy of it as
    it is now, which is told with what was done.
    """
    if file := file_of(address(url)):
        await prepare(file, anew)
    return await upgraded(url, scripts, kept)


async def upgraded(url: str | Address, scripts: Path = SCRIPTS, kept: Path | None = None) -> str:
    """Bring a database that is known to be ours, or empty, up to date, and return its revision."""
    database = Database(url, WITHOUT_FOREIGN_KEYS, HOSTS)
    try:
        before, revision = await database.write(lambda connection: _upgrade(connection, scripts))
    except exc.DBAPIError as fault:
        raise Damaged(MISMADE.format(why=fault.orig or fault, remedy=restoring())) from fault
    finally:
        await database.close()
    if before not in (None, revision):
        copy = KEPT.format(file=kept) if kept else ""
        log.info("%s", sentences(BROUGHT.format(before=before, after=revision), copy))
    return revision


def _upgrade(connection: Connection, scripts: Path) -> tuple[str | None, str]:
    """The revisions before and after."""
    go_alone(connection, About.SCHEMA)  # another bot that starts at the same moment waits, and finds it done
    before = revision_of(connection)
    refuse_newer(before, scripts)
    refuse_strangers(connection)
    there = inspect(connection).has_table("matches")
    counted = last_number(connection) if there else 0
    if not there and scripts == SCRIPTS:
        make(connection)
    elif before != known(scripts)[-1]:
        climb(connection, scripts)
    if connection.dialect.name == "sqlite":
        sign(connection, counted)
    # Other steps than the program's own lead to other tables than the program's.
    if scripts == SCRIPTS and (lost := missing(connection)):
        raise Damaged(f"The database is damaged ({lost[0]}): {restoring()}.")
    return before, revision_of(connection) or ""


def make(connection: Connection) -> None:
    """Make the tables in an empty database as they are after all steps."""
    METADATA.create_all(connection)
    VERSIONS.create(connection)
    connection.execute(VERSIONS.insert(), {"version_num": known()[-1]})


def climb(connection: Connection, scripts: Path) -> None:
    """Take all steps that a database lacks, by Alembic; `BrokenReferences`, `Damaged`."""
    from alembic import command  # here: with it comes a tenth of what a start loads, and most starts take no step
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as fault:
        raise Damaged(MISMADE.format(why=fault, remedy=restoring())) from fault
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all() if connection.dialect.name == "sqlite" else ()
    if broken:
        raise BrokenReferences(UNDONE.of(len(broken)))


def refuse_strangers(connection: Connection) -> None:
    """Raise `Stranger` where another program's tables are, on whatever kind of database."""
    found = set(inspect(connection).get_table_names())
    if found and not found >= OURS:
        raise Stranger("The database holds another program's tables. Give Graph Paper its own database.")


def sign(connection: Connection, counted: int) -> None:
    """Write our number into the database's header, and the last match's where a step has made that table anew: SQLite
    counts on from the rows of a new table, and a restored database is to go on far above them."""
    if connection.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")
    if counted > last_number(connection):
        connection.exec_driver_sql("UPDATE sqlite_sequence SET seq = ? WHERE name = 'matches'", (counted,))


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's schema; None where there is none. `Damaged` where there are several."""
    if not inspect(connection).has_table(VERSIONS.name):
        return None
    found = connection.scalars(VERSIONS.select()).all()
    if len(found) > 1:
        raise Damaged(MISMADE.format(why=f"they are at {len(found)} schemas at once", remedy=restoring()))
    return found[0] if found else None
