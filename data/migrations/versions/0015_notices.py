"""What people were told elsewhere of matches whose places are closed to the bot."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the table, which is empty: who plays in a closed place is told from now on."""
    op.create_table(
        "notices",
        sa.Column("match", sa.BigInteger(), sa.ForeignKey("matches.id", name="fk_notices_match"), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("place", sa.BigInteger()),
        sa.Column("begun", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("message", sa.BigInteger()),
        sa.PrimaryKeyConstraint("match", "user", name="pk_notices"),
    )
    op.create_index("ix_notices_since", "notices", ["since"])
