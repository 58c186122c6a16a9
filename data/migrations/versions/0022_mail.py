"""Boards and puzzles in direct messages: where they are, when they are due, and whether a server allows them."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Add the columns; nobody has such messages yet, and servers allow them until they choose otherwise."""
    op.add_column("players", sa.Column("mail", sa.BigInteger()))
    op.add_column("players", sa.Column("mailbox", sa.BigInteger()))
    op.add_column("preferences", sa.Column("puzzle", sa.BigInteger()))
    due = sa.text("puzzle IS NOT NULL")
    op.create_index("ix_preferences_puzzle", "preferences", ["puzzle"], sqlite_where=due, postgresql_where=due)
    op.add_column("settings", sa.Column("mail", sa.Boolean(), server_default=sa.true(), nullable=False))
