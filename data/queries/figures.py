"""Counts matches, boards that lag and the outbox for metrics and `python -m bot status`, in one snapshot.

Each count goes by an index. Matches are counted for the process's own
share, so that the figures of all processes add up to the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select, text

from bot.core.values.shards import Share
from data.tables import schema
from data.tables.expressions import in_share, share_values
from data.tables.schema import key_values, matches, moves, pending_edits, pending_reminders

OURS = in_share(matches.c.guild)
LAGS = matches.c.shown_version < matches.c.version, matches.c.publish_error.is_(None)
OLDEST = 1_000
"""Among so many boards that lag the one is looked for that has done so for longest."""


def counts(*mine: ColumnElement[bool]) -> dict[str, Select[int]]:
    """The statements that count, with a condition for the servers, or without one for all."""

    def counted(*conditions: ColumnElement[bool]) -> Select[int]:
        return select(func.count()).select_from(matches).where(*conditions, *mine)

    # A digest is of no match, and whose it is says the person.
    sent = pending_reminders.outerjoin(matches, matches.c.id == pending_reminders.c.match)
    theirs = [in_share(func.coalesce(matches.c.guild, pending_reminders.c.user))] if mine else []
    return {
        "live": counted(matches.c.state == "live"),
        "open": counted(matches.c.state == "open"),
        "lagging": counted(*LAGS),
        "parked": counted(matches.c.publish_error.is_not(None)),
        "thinking": counted(text(schema.THINKING)),  # pyright: ignore[reportArgumentType]  -- text is a condition too
        "leftovers": select(func.count()).select_from(pending_edits.join(matches)).where(*mine),
        "reminders": select(func.count()).select_from(sent).where(*theirs),
    }


COUNTS: Mapping[bool, Mapping[str, Select[int]]] = {True: counts(), False: counts(OURS)}
"""By whether all servers are meant: then an index alone can answer."""
LAST = select(func.max(moves.c.at)).where(moves.c.match == matches.c.id).scalar_subquery()
CHANGED = (
    select(func.coalesce(LAST, matches.c.started, matches.c.created).label("at"))
    .where(*LAGS, OURS)
    .order_by(matches.c.id)
    .limit(OLDEST)
    .subquery()
)
LEAST = select(func.min(CHANGED.c.at))
LEADER = "leader"
NOTED = (
    select(key_values.c.name, key_values.c.value)
    .where(or_(key_values.c.name.like("heartbeat%"), key_values.c.name.like("version%"), key_values.c.name == LEADER))
    .order_by(key_values.c.name)
)
SIZE = "SELECT pg_database_size(current_database())"


class Figures(NamedTuple):
    """How many there are of each; `oldest` is when the board that lags most was to change, if one lags."""

    live: int
    open: int
    lagging: int
    parked: int
    thinking: int
    leftovers: int
    reminders: int
    oldest: int | None
    bytes: int | None
    """The size of the database, where it is a server that tells."""
    notes: tuple[tuple[str, str], ...]
    """The heartbeats and versions of all processes, and who leads, by the names of the notes."""


def read_figures(connection: Connection, share: Share) -> Figures:
    """All figures, of the servers of a share."""
    given = share_values(share)
    asked = COUNTS[share.whole].items()
    numbers: dict[str, Any] = {name: connection.execute(count, given).scalar_one() for name, count in asked}
    served = connection.dialect.name == "postgresql"
    return Figures(
        **numbers,
        oldest=connection.execute(LEAST, given).scalar(),
        bytes=connection.exec_driver_sql(SIZE).scalar_one() if served else None,
        notes=tuple((name, value) for name, value in connection.execute(NOTED)),
    )
