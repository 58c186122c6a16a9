"""The collection that all tables belong to, and how their keys and indexes are named."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, MetaData, event

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


@event.listens_for(METADATA, "before_create")
def _for_server(_target: MetaData, connection: Connection, **_options: Any) -> None:
    """Give indexes their conditions on PostgreSQL, too: stated above, they would have every bot load its dialect."""
    if connection.dialect.name == "postgresql":
        for index in (index for kept in METADATA.tables.values() for index in kept.indexes):
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]
