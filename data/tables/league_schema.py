"""Defines the tables of leagues: their terms, who takes part, and who meets whom in which match.

No table of results is kept: it is counted from the matches whenever it is shown.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, Table, Text, false, text

from data.tables.metadata import METADATA

leagues = Table(
    "leagues",
    METADATA,
    Column("id", BigInteger, primary_key=True, autoincrement=False),  # of the interaction that founded it
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),  # where it is shown, and where its matches are posted
    Column("host", BigInteger, nullable=False),
    Column("games", Text, nullable=False),  # keys, with spaces between them
    Column("pace", Text, nullable=False),
    Column("weeks", Integer, nullable=False),
    Column("season", Integer, nullable=False),
    Column("previous", BigInteger),  # the league whose next season this is
    Column("state", Text, nullable=False),
    Column("version", Integer, nullable=False),  # raised by all that changes what its message shows
    Column("shown_version", Integer, nullable=False),
    Column("ready", Boolean, nullable=False, server_default=false()),  # whether matches may begin now
    Column("created", BigInteger, nullable=False),
    Column("starts", BigInteger, nullable=False),
    Column("ends", BigInteger),
    Column("ended", BigInteger),
    Column("message", BigInteger),
    Column("farewell", BigInteger),  # the message that told how it ended
    Index(None, "guild", "state"),
    Index(None, "previous"),
)

league_members = Table(
    "league_members",
    METADATA,
    Column("league", BigInteger, ForeignKey("leagues.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True),
    Column("joined", Integer, nullable=False),  # 1, 2, … in the order of joining
    Column("division", Integer),
    Column("place", Integer),  # their number in the draw of the division
    Column("left_at", BigInteger),
    Column("struck", Boolean, nullable=False, server_default=false()),  # left before half of their matches were over
    Column("gone", BigInteger),  # since when they are known to have left the server; nothing: they are there
    Index(None, "user"),
)

UNTOLD = "home_untold OR guest_untold"

pairings = Table(
    "pairings",
    METADATA,
    Column("league", BigInteger, ForeignKey("leagues.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # 1, 2, … in the order of the draw
    Column("division", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("home", BigInteger, nullable=False),  # who has the first seat
    Column("guest", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("legs", Integer, nullable=False),
    Column("match", BigInteger, ForeignKey("matches.id")),
    Column("void", Boolean, nullable=False, server_default=false()),  # it was not over at the end
    Column("home_untold", Boolean, nullable=False, server_default=false()),  # whether they are to be told that it began
    Column("guest_untold", Boolean, nullable=False, server_default=false()),
    Index(None, "match"),
    Index("ix_pairings_untold", "league", sqlite_where=text(UNTOLD)),
)
