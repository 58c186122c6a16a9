"""Texts on Discord to be rewritten when a user deletes their data: threads named after them, posts that name them."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the table, which is empty: users who deleted their data before remain named in such texts."""
    op.create_table(
        "rewritings",
        sa.Column("place", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("match", sa.BigInteger()),
        sa.Column("series", sa.Text()),
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("due", sa.BigInteger(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("place", name="pk_rewritings"),
    )
    op.create_index("ix_rewritings_due", "rewritings", ["due"])
    op.create_index("ix_rewritings_match", "rewritings", ["match"])
