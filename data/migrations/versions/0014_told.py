"""Up to which version of a match everybody concerned was told, and by which line above its board."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add both; those who were told until now were told by the board that was shown."""
    op.add_column("matches", sa.Column("told_version", sa.Integer(), server_default="0", nullable=False))
    op.add_column("matches", sa.Column("told_message", sa.BigInteger()))
