"""What people have chosen for themselves, in every server: one row a person, and none for who never chose anything.

A further choice is a column of the table, a field of `Preferences` with what is usual, and a sentence in the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields

from sqlalchemy import Connection, bindparam, select

from bot.core.match.stored import Preferences
from data.engine.advisory_locks import About, go_alone
from data.tables.schema import preferences
from data.tables.upsert import replacing

OF_USER = preferences.c.user == bindparam("person")
FIELDS = tuple(preferences.c[field.name] for field in fields(Preferences))
CHOSEN = select(*FIELDS).where(OF_USER)
KEEP = replacing(preferences)


def of(connection: Connection, person: int) -> Preferences:
    """What somebody has chosen, or what is usual."""
    row = connection.execute(CHOSEN, {"person": person}).one_or_none()
    return Preferences(*row) if row else Preferences()


def change(connection: Connection, person: int, changing: Callable[[Preferences], Preferences]) -> Preferences:
    """Change what somebody has chosen as it is now, and return what it has become."""
    go_alone(connection, About.PERSON, person)
    chosen = changing(of(connection, person))
    KEEP.say(connection, {"user": person, **asdict(chosen)})
    return chosen
