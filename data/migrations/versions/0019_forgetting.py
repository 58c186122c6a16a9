"""What is written anew on Discord when somebody is forgotten: threads that are named by them, posts that name them."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Add the table, which is empty: whoever was forgotten before stays where they are named."""
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
