"""A server chooses a channel and an hour for the daily puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the channel of the daily puzzle and its hour."""
    op.add_column("settings", sa.Column("daily", sa.BigInteger()))
    op.add_column("settings", sa.Column("daily_hour", sa.Integer(), server_default="8", nullable=False))
