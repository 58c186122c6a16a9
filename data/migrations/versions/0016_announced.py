"""Which matches are still to be announced in their channels, and by which messages they were."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
ANNOUNCE = sa.text("announce_until IS NOT NULL")


def upgrade() -> None:
    """Add both, and what the reconciler looks in; matches that are over stand on the messages of their challenges."""
    op.add_column("matches", sa.Column("announce_until", sa.BigInteger()))
    op.add_column("matches", sa.Column("announcement", sa.BigInteger()))
    op.create_index("ix_matches_announce", "matches", ["id"], sqlite_where=ANNOUNCE, postgresql_where=ANNOUNCE)
