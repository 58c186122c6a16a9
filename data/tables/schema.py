"""The tables: the row classes of `bot.play`, with indexes.

The record in `moves` is the source of truth about a match; `plies`, `turn`, `state`, `rank` and `score` follow from it
and are stored so that lists need no replay (`data.upkeep.integrity` compares them). League tables are not stored, but
computed from the matches. Times are UTC epoch seconds, ids have 64 bits, and nothing here is specific to SQLite.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Computed, Double, ForeignKey, Index, Integer, Table, Text, text

from bot.play.columns import MOMENT, Exported, Form, Signed
from bot.play.league_tables import League, Member, Pairing
from bot.play.puzzles import DailyPost, PuzzleTry
from bot.play.ratings import RANKED_FROM, RATED, PointsLost, Rating
from bot.play.rows import (
    Absence,
    ChallengeRequest,
    MatchNotice,
    MatchRow,
    PendingEdit,
    PendingMessage,
    PendingRewrite,
    Player,
    Preferences,
    ServerSettings,
)
from data.tables.rows import METADATA, make_table

__all__ = [
    "METADATA", "away", "challenge_requests", "daily_posts", "deliveries", "key_values", "league_members", "leagues",
    "matches", "move_losses", "moves", "notices", "pairings", "pending_edits", "pending_reminders", "players",
    "preferences", "puzzle_attempts", "ratings", "reviews", "rewritings", "settings", "weeklies",
]  # fmt: skip

UNTOLD = "home_untold OR guest_untold"
THINKING = "thinks IS NOT NULL AND paused IS NULL"
ASKED_IN_PAUSE = "paused IS NOT NULL AND proposed IS NOT NULL"

leagues = make_table("leagues", League, Index(None, "guild", "state"), Index(None, "previous"))
league_members = make_table("league_members", Member, Index(None, "user"))
pairings = make_table(
    "pairings", Pairing, Index(None, "match"), Index("ix_pairings_untold", "league", sqlite_where=text(UNTOLD))
)

matches = make_table(
    "matches",
    MatchRow,
    Index(None, "guild", "state", "ended"),
    Index(None, "state", "expires"),
    Index(None, "state", "game", "game_version"),
    Index(None, "thread"),
    Index(None, "rematch_of"),
    # The reconciler runs every few seconds; this index has only the rows that it searches for.
    Index("ix_matches_lagging", "id", sqlite_where=text("shown_version < version AND publish_error IS NULL")),
    Index("ix_matches_thinks", "id", sqlite_where=text(THINKING)),
    Index("ix_matches_rename", "id", sqlite_where=text("rename_pending")),
    Index("ix_matches_announce", "id", sqlite_where=text("announce_until IS NOT NULL")),
    Index("ix_matches_parked", "id", sqlite_where=text("publish_error IS NOT NULL")),
    # Paused matches with an open proposal: a request to resume takes effect if it is not answered in time.
    Index(None, "proposed", sqlite_where=text(ASKED_IN_PAUSE)),
    sqlite_autoincrement=True,
)

RUNNING = "deadline IS NOT NULL AND forfeit_at IS NULL"
"""Condition on a player: the clock is running, and not known to have run out."""

STALE = "reminder IS NOT NULL AND since IS NULL"
"""Condition on a player: a reminder is posted, and the clock is not running."""

players = make_table(
    "players",
    Player,
    Index("uq_players_match_seat", "match", "seat", unique=True),
    Index(None, "user"),
    # The timer runs every few seconds; these indexes have only the rows that it searches for.
    Index(None, "deadline", sqlite_where=text(RUNNING)),
    Index(None, "forfeit_at", sqlite_where=text("forfeit_at IS NOT NULL")),
    Index(None, "next_reminder_at", sqlite_where=text("next_reminder_at IS NOT NULL")),
    Index(None, "reminder", sqlite_where=text(STALE)),
    Index(None, "wakes", sqlite_where=text("wakes > 0")),
)
reviews = Table(
    "reviews",  # the computer's reviews of finished matches
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("version", Integer, nullable=False),  # of the reviewer
    Column("found", Text, nullable=False),  # as `reviews` writes it
)

move_losses = make_table(
    "move_losses",  # the losses of players' moves, shown only to themselves
    PointsLost,
    Index(None, "user"),
)

moves = Table(
    "moves",
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),  # 1, 2, …
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False, info={Form: MOMENT}),
)

deliveries = Table(
    "deliveries",
    METADATA,
    Column("interaction", BigInteger, primary_key=True, autoincrement=False, info={Signed: Signed()}),
    Column("match", BigInteger, ForeignKey("matches.id"), nullable=False),
    Column("at", BigInteger, nullable=False, info={Form: MOMENT}),
)
settings = make_table("settings", ServerSettings)
preferences = make_table(
    "preferences",
    Preferences,
    *(Index(None, name, sqlite_where=text(f"{name} IS NOT NULL")) for name in ("digest", "puzzle")),
)

away = make_table(
    "away",  # past, current and planned absences, during which clocks stop
    Absence,
    Index(None, "ends"),
)

challenge_requests = make_table(
    "challenge_requests",  # who was challenged by whom, kept for an hour
    ChallengeRequest,
    Index(None, "guild", "asked"),
)

key_values = Table(
    "key_values", METADATA, Column("name", Text, primary_key=True), Column("value", Text, nullable=False)
)

VALUE, PLACED = "mu - 3 * sigma", f'CASE WHEN "user" > 0 THEN played >= {RANKED_FROM} END'
"""The order of leaderboards, and whether a rating has a place; NULL for an alias, which is not listed."""

ratings = make_table(
    "ratings",
    Rating,
    Column("value", Double, Computed(VALUE, persisted=True), info={Exported: RATED}),
    Column("placed", Boolean, Computed(PLACED, persisted=True), info={Exported: RATED}),
    Index(None, "guild", "game", "season", "placed", "value", "user"),
    Index(None, "user", "guild"),
)
pending_edits = make_table("pending_edits", PendingEdit, Index(None, "due"), Index(None, "match"))

pending_reminders = make_table(
    "pending_reminders",  # reminders being sent; deleted once they have arrived
    PendingMessage,
    Index(None, "due"),
)

notices = make_table(
    "notices",  # notices sent elsewhere about a match whose channel is closed, until its board is shown again
    MatchNotice,
    Index(None, "since"),
)

rewritings = make_table(
    "rewritings",  # texts on Discord to be rewritten, as they are no longer so
    PendingRewrite,
    Index(None, "due"),
    Index(None, "match"),
)

puzzle_attempts = make_table(
    "puzzle_attempts",  # users' tries at the daily puzzle
    PuzzleTry,
    Index(None, "guild", "day"),
)

daily_posts, weeklies = (make_table(name, DailyPost) for name in ("daily_posts", "weeklies"))
"""The last posts of the daily puzzle and of the weekly summary, whose day is a Monday, in each server."""
