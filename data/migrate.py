"""Bringing a database's schema up to date, whole or not at all.

For SQLite this runs at every start. All steps are one transaction that nobody else can write in; foreign keys are off
meanwhile (a table is altered by making it anew, and dropping the old one would take its children along) and checked
before the commit.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from data.engine import PRAGMAS, Database, address, file_of

SCRIPTS = Path(__file__).parent / "migrations"
WITHOUT_FOREIGN_KEYS = tuple(pragma.replace("foreign_keys = ON", "foreign_keys = OFF") for pragma in PRAGMAS)


class SchemaError(Exception):
    """The database's schema and the program do not fit; the text says what to do."""


class SchemaTooNew(SchemaError):
    """The database was written by a later version of the program."""


class SchemaTooOld(SchemaError):
    """The database has not been migrated."""


class BrokenReferences(SchemaError):
    """A migration would have left rows that refer to nothing; it was undone."""


async def migrate(url: str, scripts: Path = SCRIPTS) -> str:
    """Bring a database up to date, made if there is none, and return its revision; `SchemaTooNew`, `Unavailable`."""
    if file := file_of(address(url)):
        file.parent.mkdir(parents=True, exist_ok=True)
    database = Database(url, WITHOUT_FOREIGN_KEYS)
    try:
        return await database.write(lambda connection: _upgrade(connection, scripts))
    finally:
        await database.close()


def _upgrade(connection: Connection, scripts: Path) -> str:
    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = ScriptDirectory.from_config(config)
    refuse_newer(revision_of(connection), known)
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite" and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
        raise BrokenReferences(
            f"The migration was undone: it would have left {len(broken)} rows that refer to nothing."
        )
    return revision_of(connection) or ""


def revision_of(connection: Connection) -> str | None:
    """The revision of a database's schema; None where there is none."""
    return MigrationContext.configure(connection).get_current_revision()


def refuse_newer(revision: str | None, known: ScriptDirectory | None = None) -> None:
    """Raise `SchemaTooNew` for a revision that the program does not know."""
    known = known or ScriptDirectory(str(SCRIPTS))
    head = known.get_current_head()
    if revision and revision not in {script.revision for script in known.walk_revisions()}:
        raise SchemaTooNew(
            f"The database was written by a newer version of Graph Paper (its schema is {revision}, this one"
            f" knows up to {head}): start that version again, or restore a backup made before it."
        )


def refuse_older(revision: str | None) -> None:
    """Raise `SchemaTooOld` for any revision but the latest."""
    head = ScriptDirectory(str(SCRIPTS)).get_current_head()
    if revision != head:
        raise SchemaTooOld(f"The database is not at schema {head}: run `python -m bot migrate`.")
