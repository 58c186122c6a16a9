"""Matches and tries of the daily puzzle may belong to no server: those of direct messages."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

INDEXES = {"matches": ["guild", "state", "ended"], "puzzle_attempts": ["guild", "day"]}
"""The index of each table that begins with the server."""


def upgrade() -> None:
    """Let the column be empty; SQLite can't change a column, so it gets another one of that name."""
    for table, columns in INDEXES.items():
        if op.get_bind().dialect.name == "postgresql":
            op.alter_column(table, "guild", nullable=True)
            continue
        index = f"ix_{table}_{'_'.join(columns)}"
        op.drop_index(index)
        op.execute(f"ALTER TABLE {table} RENAME COLUMN guild TO old_guild")
        op.add_column(table, sa.Column("guild", sa.BigInteger()))
        op.execute(f"UPDATE {table} SET guild = old_guild")
        op.execute(f"ALTER TABLE {table} DROP COLUMN old_guild")
        op.create_index(index, table, columns)
