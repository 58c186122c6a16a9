"""Which schemas the program knows, and the errors for a database that is at another one.

They are read from the migrations' files, because loading Alembic takes longer than all else that `health` does.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from data.upkeep.typed_commands import command

SCRIPTS = Path(__file__).parents[1] / "migrations"
REVISION = re.compile(r'^revision = "(\w+)"', re.MULTILINE)


class SchemaError(Exception):
    """The database's schema and the program do not fit; the text says what to do."""


class SchemaTooNew(SchemaError):
    """The database was written by a later version of the program."""


class SchemaTooOld(SchemaError):
    """The database has not been migrated."""


@cache
def known(scripts: Path = SCRIPTS) -> tuple[str, ...]:
    """The revisions that migrations lead to, in their order."""
    steps = (path.read_text() for path in (scripts / "versions").glob("*.py"))
    return tuple(sorted(found[1] for step in steps if (found := REVISION.search(step))))


def refuse_newer(revision: str | None, scripts: Path = SCRIPTS) -> None:
    """Raise `SchemaTooNew` for a revision that the program does not know."""
    if revision and revision not in (steps := known(scripts)):
        raise SchemaTooNew(
            f"The database was written by a newer version of Graph Paper (its schema is {revision}, this one"
            f" knows up to {steps[-1]}): use that version, or restore a backup made before it."
        )


def refuse_older(revision: str | None, running: bool = False) -> None:
    """Raise `SchemaTooOld` for any revision but the latest; `running` where a bot is heard on the database."""
    if revision == (head := known()[-1]):
        return
    if running:
        raise SchemaTooOld(
            f"The database is not at schema {head}, and a bot of an earlier version runs on it: start the bot again,"
            " which updates the database."
        )
    raise SchemaTooOld(
        f"The database is not at schema {head}: start the bot, which updates the database, or run {command('migrate')}"
        " while the bot is stopped."
    )
