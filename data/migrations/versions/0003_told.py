"""Whom the next message has to tell, and which threads are still to say that their match is over."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

# Those whom the next board or challenge would have told. Threads of matches that are over keep their names.
DUE = """
UPDATE players SET due = (SELECT version FROM matches WHERE matches.id = players."match")
WHERE EXISTS (
    SELECT 1 FROM matches WHERE matches.id = players."match" AND shown_version < version AND (
        (state = 'open' AND players.invited) OR (state = 'live' AND turn LIKE '%' || players.seat || '%')
    )
)
"""
RENAME = sa.text("rename")


def upgrade() -> None:
    """Add what is to be told and what is to be renamed; people to move on boards not shown yet are still to be told."""
    op.add_column("players", sa.Column("due", sa.Integer(), server_default="0", nullable=False))
    op.add_column("matches", sa.Column("rename", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index("ix_matches_rename", "matches", ["id"], sqlite_where=RENAME, postgresql_where=RENAME)
    op.execute(DUE)
