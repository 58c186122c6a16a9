"""A running clock keeps the weekends that it started with."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

# The clocks that run rest by what their people have chosen until now.
RESTING = """
UPDATE players SET weekend = (
    SELECT COALESCE(preferences.zone, settings.zone, 'UTC') FROM matches
    LEFT JOIN settings ON settings.guild = matches.guild
    JOIN preferences ON preferences."user" = players."user"
    WHERE matches.id = players."match"
)
WHERE since IS NOT NULL AND EXISTS (
    SELECT 1 FROM preferences WHERE preferences."user" = players."user" AND NOT preferences.weekends
)
"""


def upgrade() -> None:
    """Add the zone in whose weekends a clock stands still."""
    op.add_column("players", sa.Column("weekend", sa.Text()))
    op.execute(RESTING)
