"""A server chooses channels for the week and for leagues; and its last message of the week."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the channels, and the table of messages, which is empty."""
    op.add_column("settings", sa.Column("week", sa.BigInteger()))
    op.add_column("settings", sa.Column("leagues", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("settings", sa.Column("league", sa.BigInteger()))
    op.create_table(
        "weeklies",
        sa.Column("guild", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("message", sa.BigInteger()),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild", name="pk_weeklies"),
    )
