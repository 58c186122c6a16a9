"""Settings of servers, and which match a rematch follows."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Settings of servers, and which match a rematch follows."""
    op.create_table(
        "settings",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channels", sa.Text(), nullable=False),
        sa.Column("threads", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("guild", name="pk_settings"),
    )
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("rematch_of", sa.BigInteger()))
        matches.create_index("ix_matches_rematch_of", ["rematch_of"])
