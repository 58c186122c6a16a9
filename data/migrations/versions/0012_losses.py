"""What moves of people lost, where that can be computed."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the table, which is empty: it is filled by the reviews that are found from now on."""
    op.create_table(
        "losses",
        sa.Column("match", sa.BigInteger(), sa.ForeignKey("matches.id", name="fk_losses_match"), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("points", sa.Double[float](), nullable=False),
        sa.Column("by_lot", sa.Double[float](), nullable=False),
        sa.PrimaryKeyConstraint("match", "user", name="pk_losses"),
    )
    op.create_index("ix_losses_user", "losses", ["user"])
