"""Leagues, who takes part in them, and who meets whom."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the tables of leagues, which are empty."""
    op.create_table(
        "leagues",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("guild", "channel", "host")),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("pace", sa.Text(), nullable=False),
        sa.Column("weeks", sa.Integer(), nullable=False),
        sa.Column("season", sa.Integer(), nullable=False),
        sa.Column("previous", sa.BigInteger()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("shown_version", sa.Integer(), nullable=False),
        sa.Column("ready", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("starts", sa.BigInteger(), nullable=False),
        *(sa.Column(name, sa.BigInteger()) for name in ("ends", "ended", "message", "farewell")),
        sa.PrimaryKeyConstraint("id", name="pk_leagues"),
    )
    op.create_index("ix_leagues_guild_state", "leagues", ["guild", "state"])
    op.create_index("ix_leagues_previous", "leagues", ["previous"])
    op.create_table(
        "league_members",
        sa.Column("league", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer()),
        sa.Column("place", sa.Integer()),
        sa.Column("left_at", sa.BigInteger()),
        sa.Column("struck", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["leagues.id"], name="fk_league_members_league"),
        sa.PrimaryKeyConstraint("league", "user", name="pk_league_members"),
    )
    op.create_index("ix_league_members_user", "league_members", ["user"])
    op.create_table(
        "pairings",
        sa.Column("league", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("division", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("home", sa.BigInteger(), nullable=False),
        sa.Column("guest", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("legs", sa.Integer(), nullable=False),
        sa.Column("match", sa.BigInteger()),
        sa.Column("void", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["leagues.id"], name="fk_pairings_league"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_pairings_match"),
        sa.PrimaryKeyConstraint("league", "number", name="pk_pairings"),
    )
    op.create_index("ix_pairings_match", "pairings", ["match"])
