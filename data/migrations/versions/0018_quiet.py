"""People choose their quiet hours, and are told of what happens in them, and of their league's matches, after them."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

WAKES, UNTOLD = sa.text("wakes > 0"), sa.text("home_untold OR guest_untold")


def upgrade() -> None:
    """Add the columns; everybody's quiet hours are the usual ones at first, and nobody is to be told of anything."""
    op.add_column("preferences", sa.Column("night", sa.Integer(), server_default="22", nullable=False))
    op.add_column("preferences", sa.Column("morning", sa.Integer(), server_default="8", nullable=False))
    op.add_column("players", sa.Column("wakes", sa.BigInteger()))
    op.create_index("ix_players_wakes", "players", ["wakes"], sqlite_where=WAKES, postgresql_where=WAKES)
    for name in ("home_untold", "guest_untold"):
        op.add_column("pairings", sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index("ix_pairings_untold", "pairings", ["league"], sqlite_where=UNTOLD, postgresql_where=UNTOLD)
    op.add_column("matches", sa.Column("round", sa.Text()))
