"""What keeps a bot steady under load, faults and floods; what people choose for themselves; and clocks."""

import json
from collections.abc import Iterator
from itertools import groupby

import sqlalchemy as sa
from alembic import op

from bot.play.ratings import Leaderboard, Rating, Result, rate_result, season_of

revision = "0004"
down_revision = "0003"


VALUE, PLACED = "mu - 3 * sigma", 'CASE WHEN "user" > 0 THEN played >= 3 END'
# The matches that count for ratings, in the order in which they do.
COUNTED = """
SELECT id, guild, game, ended, players."user", players.rank FROM matches JOIN players ON players."match" = matches.id
WHERE state = 'finished' AND rated AND seats > 1 AND players.rank IS NOT NULL AND seats = (
    SELECT count(DISTINCT moves.seat) FROM moves
    WHERE moves."match" = matches.id AND moves.text NOT IN ('resign', 'timeout', 'takeback', 'draw')
) AND ended BETWEEN 0 AND 253402300799
ORDER BY guild, ended, id, players.seat
"""
TALLIED = sa.text("""
UPDATE ratings SET places = :places, streak = :streak, longest = :longest
WHERE guild = :guild AND game = :game AND season = :season AND "user" = :user
""")
SEASONAL = sa.text("""
INSERT INTO ratings (guild, game, season, "user", mu, sigma, played, won, drawn, lost, streak, longest, places)
VALUES (:guild, :game, :season, :user, :mu, :sigma, :played, :won, :drawn, :lost, :streak, :longest, :places)
""")


def upgrade() -> None:
    """Index what the bot looks for by itself; store places on leaderboards, what boards leave over, preferences."""
    parked = sa.text("parked IS NOT NULL")
    op.create_index("ix_matches_parked", "matches", ["id"], sqlite_where=parked, postgresql_where=parked)
    op.create_index("ix_matches_state_game_game_version", "matches", ["state", "game", "game_version"])
    _leave_over()
    _rate()
    _cap()
    _choose()
    _time()
    _remind()
    _think()


def _choose() -> None:
    """What people and servers choose; the usual for those who have chosen nothing."""
    op.create_table(
        "preferences",
        sa.Column("user", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("confirm", sa.Boolean(), nullable=False),
        sa.Column("zone", sa.Text()),
        sa.Column("weekends", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("reminders", sa.Text()),
        sa.Column("digest", sa.BigInteger()),
        sa.Column("closed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("user", name="pk_preferences"),
    )
    _index_where("preferences", "digest", "digest IS NOT NULL")
    op.add_column("settings", sa.Column("pace", sa.Text(), server_default="7", nullable=False))
    op.add_column("settings", sa.Column("zone", sa.Text(), server_default="UTC", nullable=False))
    op.add_column("settings", sa.Column("reminders", sa.Text(), server_default="thread", nullable=False))
    op.add_column("settings", sa.Column("takebacks", sa.Boolean(), server_default=sa.true(), nullable=False))


def _time() -> None:
    """Clocks, reminders, absences, and what players agree on. Matches that are played already get no clock."""
    op.add_column("matches", sa.Column("pace", sa.Text(), server_default="none", nullable=False))
    op.add_column("matches", sa.Column("paused", sa.BigInteger()))
    op.add_column("matches", sa.Column("proposal", sa.Text()))
    op.add_column("matches", sa.Column("proposed", sa.BigInteger()))
    op.add_column("matches", sa.Column("refused", sa.Text()))
    op.add_column("matches", sa.Column("handed", sa.Text()))
    op.add_column("players", sa.Column("agrees", sa.Boolean(), server_default=sa.false(), nullable=False))
    for name, kind in (("allotted", sa.Integer()), ("left", sa.Integer())):
        op.add_column("players", sa.Column(name, kind))
    for name in ("since", "deadline", "lapse", "remind"):
        op.add_column("players", sa.Column(name, sa.BigInteger()))
    op.add_column("players", sa.Column("reminded", sa.Integer(), server_default="0", nullable=False))
    op.add_column("players", sa.Column("reminder", sa.BigInteger()))
    op.add_column("players", sa.Column("gifts", sa.Integer(), server_default="0", nullable=False))
    _index_where("matches", "proposed", "paused IS NOT NULL AND proposed IS NOT NULL")
    _index_where("players", "deadline", "deadline IS NOT NULL AND lapse IS NULL")
    _index_where("players", "lapse", "lapse IS NOT NULL")
    _index_where("players", "remind", "remind IS NOT NULL")
    _index_where("players", "reminder", "reminder IS NOT NULL AND since IS NULL")
    op.create_table(
        "away",
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild", "user", "begins", name="pk_away"),
    )
    op.create_index("ix_away_ends", "away", ["ends"])


def _remind() -> None:
    """Reminders that are on their way to Discord."""
    op.create_table(
        "sendings",
        sa.Column("user", sa.BigInteger(), nullable=False),
        sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("mark", sa.Integer(), nullable=False),
        sa.Column("place", sa.BigInteger()),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("begun", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user", "match", name="pk_sendings"),
    )
    op.create_index("ix_sendings_due", "sendings", ["due"])


def _think() -> None:
    """Computer seats, matches in two legs, hints and reviews."""
    op.add_column("matches", sa.Column("legs", sa.Integer(), server_default="1", nullable=False))
    op.add_column("matches", sa.Column("thinks", sa.Integer()))
    op.add_column("players", sa.Column("hints", sa.Integer(), server_default="0", nullable=False))
    thinking = sa.text("thinks IS NOT NULL AND paused IS NULL")
    op.create_index("ix_matches_thinks", "matches", ["id"], sqlite_where=thinking, postgresql_where=thinking)
    op.create_table(
        "reviews",
        sa.Column("match", sa.BigInteger(), sa.ForeignKey("matches.id", name="fk_reviews_match"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match", name="pk_reviews"),
    )


def _index_where(table: str, column: str, condition: str) -> None:
    where = sa.text(condition)
    op.create_index(f"ix_{table}_{column}", table, [column], sqlite_where=where, postgresql_where=where)


def _cap() -> None:
    """Limits on notifications: caps, challenge requests, and when others were notified of a request."""
    for name in ("most_open", "most_from_one", "most_from_all"):
        op.add_column("settings", sa.Column(name, sa.Integer()))
    op.add_column("players", sa.Column("wished", sa.BigInteger()))
    op.create_table(
        "asks",
        sa.Column("match", sa.BigInteger(), sa.ForeignKey("matches.id", name="fk_asks_match"), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("guild", sa.BigInteger(), nullable=False),
        sa.Column("asker", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match", "asked", name="pk_asks"),
    )
    op.create_index("ix_asks_guild_asked", "asks", ["guild", "asked"])


def _leave_over() -> None:
    """What is still to be edited after a board was noted may wait and fail on its own."""
    op.create_table(
        "leftovers",
        sa.Column("message", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel", sa.BigInteger(), nullable=False),
        sa.Column("match", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer()),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("remove", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_leftovers_match"),
        sa.PrimaryKeyConstraint("message", name="pk_leftovers"),
    )
    op.create_index("ix_leftovers_due", "leftovers", ["due"])
    op.create_index("ix_leftovers_match", "leftovers", ["match"])


def _rate() -> None:
    """Leaderboards of seasons, places on leaderboards, and counts of results."""
    with op.batch_alter_table("ratings") as batch:
        for name in ("season", "streak", "longest"):
            batch.add_column(sa.Column(name, sa.Integer(), server_default="0", nullable=False))
        batch.add_column(sa.Column("places", sa.Text(), server_default="[]", nullable=False))
        batch.add_column(sa.Column("value", sa.Double(), sa.Computed(VALUE, persisted=True)))
        batch.add_column(sa.Column("placed", sa.Boolean(), sa.Computed(PLACED, persisted=True)))
        batch.drop_constraint("pk_ratings", type_="primary")
        batch.create_primary_key("pk_ratings", ["guild", "game", "season", "user"])
    ordered = ["guild", "game", "season", "placed", "value", "user"]
    op.create_index("ix_ratings_guild_game_season_placed_value_user", "ratings", ordered)
    op.create_index("ix_ratings_user_guild", "ratings", ["user", "guild"])
    _count()


def _count() -> None:
    """Rate the seasons, and add to the ratings of all time what is counted of results now."""
    ratings: dict[Leaderboard, dict[int, Rating]] = {}
    for boards, result in _results():
        for board in boards:
            kept = ratings.setdefault(board, {})
            kept.update(rate_result(kept, result))
    for board, kept in ratings.items():
        rows = [
            {
                **board._asdict(), "user": user, **{name: getattr(rating, name) for name in rating.__slots__},
                "places": json.dumps(rating.places),
            }
            for user, rating in kept.items()
        ]  # fmt: skip
        op.get_bind().execute(SEASONAL if board.season else TALLIED, rows)


def _results() -> Iterator[tuple[tuple[Leaderboard, ...], Result]]:
    rows = op.get_bind().execute(sa.text(COUNTED))
    for (_, guild, game, ended), group in groupby(rows, key=lambda row: tuple(row[:4])):
        players = [(row.user, row.rank) for row in group]
        result = Result(tuple(user for user, _ in players), tuple(rank for _, rank in players))
        yield tuple(Leaderboard(guild, each, season) for each in (game, "") for season in (0, season_of(ended))), result
