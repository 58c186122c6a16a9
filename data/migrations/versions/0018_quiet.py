"""People choose their quiet hours."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0015"


def upgrade() -> None:
    """Add the columns; everybody's quiet hours are the usual ones at first."""
    op.add_column("preferences", sa.Column("night", sa.Integer(), server_default="22", nullable=False))
    op.add_column("preferences", sa.Column("morning", sa.Integer(), server_default="8", nullable=False))
