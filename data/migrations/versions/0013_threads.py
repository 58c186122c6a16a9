"""Which matches are played in their channel until Discord makes a thread for them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the mark; no match that is there waits for a thread."""
    op.add_column("matches", sa.Column("awaits_thread", sa.Boolean(), server_default=sa.false(), nullable=False))
