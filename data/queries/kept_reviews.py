"""What the computer found in matches that are over: one line a match, kept with the version of what found it."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from data.tables.schema import reviews
from data.tables.upsert import replacing

OF_MATCH = reviews.c.match == bindparam("of_match")
KEPT = select(reviews.c.found).where(OF_MATCH, reviews.c.version == bindparam("of_version"))
KEEP = replacing(reviews)


def kept(connection: Connection, match_id: int, version: int) -> str | None:
    """What was found in a match by this version; None if that is not kept."""
    return connection.execute(KEPT, {"of_match": match_id, "of_version": version}).scalar()


def keep(connection: Connection, match_id: int, version: int, found: str) -> None:
    """Keep what was found in a match, in place of what another version found."""
    KEEP.say(connection, {"match": match_id, "version": version, "found": found})
