"""People choose their quiet hours, and what happens in them they are told when these are over."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0015"

WAKES = sa.text("wakes > 0")


def upgrade() -> None:
    """Add the columns; everybody's quiet hours are the usual ones at first, and nobody is to be told of anything."""
    op.add_column("preferences", sa.Column("night", sa.Integer(), server_default="22", nullable=False))
    op.add_column("preferences", sa.Column("morning", sa.Integer(), server_default="8", nullable=False))
    op.add_column("players", sa.Column("wakes", sa.BigInteger()))
    op.create_index("ix_players_wakes", "players", ["wakes"], sqlite_where=WAKES, postgresql_where=WAKES)
