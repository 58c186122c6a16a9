"""Matches that go on from a position of another."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add where the first lines of a match were played, and how many those are."""
    op.add_column("matches", sa.Column("origin", sa.BigInteger()))
    op.add_column("matches", sa.Column("given", sa.Integer(), server_default="0", nullable=False))
