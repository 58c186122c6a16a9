"""Tables and columns get names that say what is in them; nothing else changes."""

from alembic import op

revision = "0020"
down_revision = "0019"

TABLES = {
    "leftovers": "pending_edits", "sendings": "pending_reminders", "asks": "challenge_requests", "notes": "key_values",
    "tries": "puzzle_attempts", "dailies": "daily_posts", "losses": "move_losses",
}  # fmt: skip
COLUMNS = {
    "players": {
        "due": "mention_version", "wished": "abort_asked_at", "left": "seconds_left", "gifts": "extra_time_count",
        "lapse": "forfeit_at", "remind": "next_reminder_at", "reminded": "reminder_count",
    },
    "matches": {
        "handed": "substitutions", "ready": "premove_plies", "given": "imported_plies", "origin": "source_match",
        "closing": "close_reason", "rename": "rename_pending", "parked": "publish_error",
    },
}  # fmt: skip
REFERRING = ("leftovers", "asks", "losses")
"""Of the renamed tables those that refer to matches."""
INDEXES = {
    "leftovers": [["due"], ["match"]], "sendings": [["due"]], "asks": [["guild", "asked"]], "tries": [["guild", "day"]],
    "losses": [["user"]],
}  # fmt: skip
CONDITIONS = (
    ("ix_players_deadline", "ix_players_deadline", "deadline", "deadline IS NOT NULL AND forfeit_at IS NULL"),
    ("ix_players_lapse", "ix_players_forfeit_at", "forfeit_at", "forfeit_at IS NOT NULL"),
    ("ix_players_remind", "ix_players_next_reminder_at", "next_reminder_at", "next_reminder_at IS NOT NULL"),
    ("ix_matches_lagging", "ix_matches_lagging", "id", "shown_version < version AND publish_error IS NULL"),
    ("ix_matches_rename", "ix_matches_rename", "id", "rename_pending"),
    ("ix_matches_parked", "ix_matches_parked", "id", "publish_error IS NOT NULL"),
)
"""Indexes by their names before and after, their column and their condition, which names columns."""


def upgrade() -> None:
    """Rename; SQLite can't rename an index, so those are made anew."""
    server = op.get_bind().dialect.name == "postgresql"
    for old, _, _, _ in CONDITIONS:
        op.drop_index(old)
    for table, columns in COLUMNS.items():
        for old, new in columns.items():
            op.execute(f'ALTER TABLE {table} RENAME COLUMN "{old}" TO {new}')
    for _, name, column, condition in CONDITIONS:
        op.execute(f"CREATE INDEX {name} ON {name.split('_')[1]} ({column}) WHERE {condition}")
    for old, new in TABLES.items():
        for columns in INDEXES.get(old, []):
            op.drop_index(f"ix_{old}_{'_'.join(columns)}")
        op.rename_table(old, new)
        for columns in INDEXES.get(old, []):
            op.create_index(f"ix_{new}_{'_'.join(columns)}", new, columns)
        if server:
            op.execute(f"ALTER TABLE {new} RENAME CONSTRAINT pk_{old} TO pk_{new}")
            if old in REFERRING:
                op.execute(f"ALTER TABLE {new} RENAME CONSTRAINT fk_{old}_match TO fk_{new}_match")
