"""Whom the next message has to tell, and whether a thread says that its match is over."""

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
RENAMED = "UPDATE matches SET renamed = (1 = 1) WHERE state NOT IN ('open', 'live')"


def upgrade() -> None:
    """Add what is to be told and what has been renamed; people to move on boards not shown yet are still to be told."""
    op.add_column("players", sa.Column("due", sa.Integer(), server_default="0", nullable=False))
    op.add_column("matches", sa.Column("renamed", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute(DUE)
    op.execute(RENAMED)
