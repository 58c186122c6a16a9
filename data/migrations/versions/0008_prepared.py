"""People prepare answers to moves that their opponents may make, and a match knows which of its moves were ready."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the prepared moves of a player, and the numbers of those that a match has seen."""
    op.add_column("players", sa.Column("prepared", sa.Text()))
    op.add_column("matches", sa.Column("ready", sa.Text(), server_default="[]", nullable=False))
