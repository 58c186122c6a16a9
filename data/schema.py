"""The tables: what is kept of a match, its players, its moves, and of everybody's rating.

The record in `moves` is the only truth about a match; `plies`, `turn`, `state`, `rank` and `score` follow from it and
are kept so that lists need no replay (`data.check` compares them). Times are UTC epoch seconds, ids are 64 bits
wide, and nothing here is peculiar to SQLite.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    false,
    text,
)

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Counter = BigInteger().with_variant(Integer(), "sqlite")
"""A key that counts up by itself; SQLite does that only for a column of exactly this type."""


class Seats(TypeDecorator[tuple[int, ...]]):
    """Seats as a JSON list: "[1, 3]"."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(list(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[int, ...] | None:
        return None if value is None else tuple(json.loads(value))


class Chosen(TypeDecorator[dict[str, int | str]]):
    """The options of a match as a JSON object; as text, so that the same bytes stand in every kind of database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(dict(value), sort_keys=True)

    def process_result_value(self, value: Any, dialect: Dialect) -> dict[str, int | str] | None:
        return None if value is None else json.loads(value)


class Exact(TypeDecorator[int]):
    """A whole number of any size, in decimal: scores pass 64 bits."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else str(int(value))

    def process_result_value(self, value: Any, dialect: Dialect) -> int | None:
        return None if value is None else int(value)


matches = Table(
    "matches",
    METADATA,
    Column("id", Counter, primary_key=True, autoincrement=True),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),  # where it was challenged
    Column("thread", BigInteger),  # where it is played: a thread, or the channel itself
    Column("game", Text, nullable=False),
    Column("game_version", Integer, nullable=False),
    Column("options", Chosen, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("seating", Text, nullable=False),  # host, guest, lot or order: who gets seat 1
    Column("rated", Boolean, nullable=False),
    Column("host", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("version", Integer, nullable=False),  # raised by every act that changes what is shown
    Column("plies", Integer, nullable=False),
    Column("turn", Seats, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("shown_version", Integer, nullable=False),  # the version that Discord has accepted
    Column("lobby_message", BigInteger),
    Column("board_channel", BigInteger),
    Column("board_message", BigInteger),
    Column("shown_plies", Integer, nullable=False),  # how much of the record stands at the shown version
    Column("parked", Text),  # why the board cannot be shown
    Column("closing", Text),  # a sentence: why the match was closed
    Column("published", Boolean, nullable=False),
    Column("rematch_of", BigInteger),  # the match that this one follows
    Column(
        "rename", Boolean, nullable=False, server_default=false()
    ),  # whether its thread is still to say that it ended
    Index(None, "guild", "state", "ended"),
    Index(None, "state", "expires"),
    Index(None, "thread"),
    Index(None, "rematch_of"),
    # The reconciler asks every few seconds; this index holds only what it is looking for.
    Index(
        "ix_matches_lagging",
        "id",
        sqlite_where=text("shown_version < version AND parked IS NULL"),
        postgresql_where=text("shown_version < version AND parked IS NULL"),
    ),
    Index("ix_matches_rename", "id", sqlite_where=text("rename"), postgresql_where=text("rename")),
    sqlite_autoincrement=True,
)

players = Table(
    "players",
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True),
    Column("joined", Integer, nullable=False),  # 1, 2, … in the order of joining
    Column("seat", Integer),
    Column("invited", Boolean, nullable=False),
    Column("consent", Boolean, nullable=False),  # to abort the match
    Column("rank", Integer),
    Column("score", Exact),
    Column("due", Integer, nullable=False, server_default="0"),  # the last version that they must be told of
    Index("uq_players_match_seat", "match", "seat", unique=True),
    Index(None, "user"),
)

moves = Table(
    "moves",
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),  # 1, 2, …
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

deliveries = Table(
    "deliveries",
    METADATA,
    Column("interaction", BigInteger, primary_key=True, autoincrement=False),
    Column("match", BigInteger, ForeignKey("matches.id"), nullable=False),
    Column("at", BigInteger, nullable=False),
)

settings = Table(
    "settings",
    METADATA,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("channels", Seats, nullable=False),  # where challenges are allowed; none means everywhere
    Column("threads", Boolean, nullable=False),  # whether a match gets a thread of its own
)

notes = Table("notes", METADATA, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

ratings = Table(
    "ratings",
    METADATA,
    Column("guild", BigInteger, primary_key=True),
    Column("game", Text, primary_key=True),  # empty: over all games
    Column("user", BigInteger, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
)
