"""Matches with their players, records and deliveries, and ratings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

LAGGING = sa.text("shown_version < version AND parked IS NULL")


def upgrade() -> None:
    """Make the first schema."""
    op.create_table(
        "matches",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("thread", sa.BigInteger()),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("game_version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("seating", sa.Text(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("host", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger()),
        sa.Column("started", sa.BigInteger()),
        sa.Column("ended", sa.BigInteger()),
        sa.Column("shown_version", sa.Integer(), nullable=False),
        sa.Column("lobby_message", sa.BigInteger()),
        sa.Column("board_channel", sa.BigInteger()),
        sa.Column("board_message", sa.BigInteger()),
        sa.Column("shown_plies", sa.Integer(), nullable=False),
        sa.Column("parked", sa.Text()),
        sa.Column("closing", sa.Text()),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_guild_state_ended", "matches", ["guild", "state", "ended"])
    op.create_index("ix_matches_state_expires", "matches", ["state", "expires"])
    op.create_index("ix_matches_thread", "matches", ["thread"])
    op.create_index("ix_matches_lagging", "matches", ["id"], sqlite_where=LAGGING, postgresql_where=LAGGING)
    op.create_table(
        "players",
        sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("invited", sa.Boolean(), nullable=False),
        sa.Column("consent", sa.Boolean(), nullable=False),
        sa.Column("rank", sa.Integer()),
        sa.Column("score", sa.Text()),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_players_match"),
        sa.PrimaryKeyConstraint("match", "user", name="pk_players"),
    )
    op.create_index("uq_players_match_seat", "players", ["match", "seat"], unique=True)
    op.create_index("ix_players_user", "players", ["user"])
    op.create_table(
        "moves",
        sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_moves_match"),
        sa.PrimaryKeyConstraint("match", "ply", name="pk_moves"),
    )
    op.create_table(
        "deliveries",
        sa.Column("interaction", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_deliveries_match"),
        sa.PrimaryKeyConstraint("interaction", name="pk_deliveries"),
    )
    op.create_table(
        "notes",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_notes"),
    )
    op.create_table(
        "ratings",
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("mu", sa.Double[float](), nullable=False),
        sa.Column("sigma", sa.Double[float](), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild", "game", "user", name="pk_ratings"),
    )
