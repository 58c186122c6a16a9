"""Who of the people in matches and leagues has left the server, and whether the others have been told."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the columns; users who have left already are noticed with the next act, reminder or post."""
    op.add_column("players", sa.Column("gone", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("players", sa.Column("parted", sa.Integer()))
    op.add_column("league_members", sa.Column("gone", sa.BigInteger()))
