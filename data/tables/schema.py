"""Defines the tables for queries and migrations: matches, players, moves, ratings, and what is kept beside them.

The record in `moves` is the only truth about a match; `plies`, `turn`, `state`, `rank` and `score` follow from it and
are kept so that lists need no replay (`data.upkeep.integrity` compares them). Times are UTC epoch seconds, ids are 64
bits wide, and nothing here is peculiar to SQLite.
"""

from __future__ import annotations

from typing import get_args

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Computed,
    Double,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    false,
    text,
    true,
)

from bot.core.match.clocks import PACES
from bot.core.match.stored_settings import MORNING, NIGHT, Reminders
from bot.core.rating.stored_standings import RANKED_FROM
from data.tables.column_types import (
    Chosen,
    Counter,
    Exact,
    OneOf,
    Seats,
    Zone,
)
from data.tables.league_schema import league_members, leagues, pairings
from data.tables.metadata import METADATA

__all__ = [
    "METADATA", "asks", "away", "dailies", "deliveries", "league_members", "leagues", "leftovers", "losses", "matches",
    "moves", "notes", "notices", "pairings", "players", "preferences", "ratings", "reviews", "rewritings", "sendings",
    "settings", "tries", "weeklies",
]  # fmt: skip

PACE, REMINDERS = tuple(PACES), get_args(Reminders)
THINKING = "thinks IS NOT NULL AND paused IS NULL"
ASKED_IN_PAUSE = "paused IS NOT NULL AND proposed IS NOT NULL"

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
    Column(
        "pace", OneOf(PACE, "none"), nullable=False, server_default="none"
    ),  # how much time there is, as `clocks.Pace` writes it
    Column("paused", BigInteger),  # since when all clocks stand still, as all agreed
    Column("proposal", Text),  # what somebody asks all others to agree to
    Column("proposed", BigInteger),
    Column("refused", Text),  # of a challenge who has declined, of a match the last refused proposals
    Column("handed", Text),  # who has handed a seat on, and when, as `handing` writes it
    Column("legs", Integer, nullable=False, server_default="1"),  # 2: played twice at once, with the seats swapped
    Column("thinks", Integer),  # the seat of a computer that is to move
    Column("origin", BigInteger),  # the match in which the given lines were played; nothing: none that is kept here
    Column("given", Integer, nullable=False, server_default="0"),  # so many lines were played before it began
    Column("ready", Seats, nullable=False, server_default="[]"),  # which lines of its record were prepared moves
    Column(
        "awaits_thread", Boolean, nullable=False, server_default=false()
    ),  # whether it is played in its channel only until it gets a thread
    Column("told_version", Integer, nullable=False, server_default="0"),  # up to which all concerned were told by lines
    Column("told_message", BigInteger),  # the last of these lines
    Column("announce_until", BigInteger),  # until when its channel is still to be told how it ended
    Column("announcement", BigInteger),  # the message that tells its channel how it ended
    Column("round", Text),  # which of a league it is, as `bot.core.league.league_round` writes it; nothing: of none
    Index(None, "guild", "state", "ended"),
    Index(None, "state", "expires"),
    Index(None, "state", "game", "game_version"),
    Index(None, "thread"),
    Index(None, "rematch_of"),
    # The reconciler asks every few seconds; this index holds only what it is looking for.
    Index("ix_matches_lagging", "id", sqlite_where=text("shown_version < version AND parked IS NULL")),
    Index("ix_matches_thinks", "id", sqlite_where=text(THINKING)),
    Index("ix_matches_rename", "id", sqlite_where=text("rename")),
    Index("ix_matches_announce", "id", sqlite_where=text("announce_until IS NOT NULL")),
    Index("ix_matches_parked", "id", sqlite_where=text("parked IS NOT NULL")),
    # Of paused matches those in which somebody asks for something: who is not answered in time goes on.
    Index(None, "proposed", sqlite_where=text(ASKED_IN_PAUSE)),
    sqlite_autoincrement=True,
)

RUNNING = "deadline IS NOT NULL AND lapse IS NULL"
"""Of a player: their clock runs, and has not been seen to run out."""

STALE = "reminder IS NOT NULL AND since IS NULL"
"""Of a player: a reminder stands in their channel, and their clock does not run."""

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
    Column("wished", BigInteger),  # when the others were last told of their wish to abort the match
    Column("agrees", Boolean, nullable=False, server_default=false()),  # to what is proposed
    Column("allotted", Integer),  # seconds for this turn; nothing: no clock
    Column("left", Integer),  # seconds of them that were left at `since`, or when the clock last stopped
    Column("since", BigInteger),  # when the clock was last looked at; nothing: it stands still
    Column("deadline", BigInteger),  # when it runs out; nothing: it stands still
    Column("lapse", BigInteger),  # when who ran out of time leaves by itself; nothing: nobody was asked yet
    Column("remind", BigInteger),  # when they are to be reminded next
    Column("reminded", Integer, nullable=False, server_default="0"),  # how many reminders of this turn are behind them
    Column("reminder", BigInteger),  # the message of the last one; negated: it stands where another match is played
    Column("gifts", Integer, nullable=False, server_default="0"),  # how often they were given more time for this turn
    Column("hints", Integer, nullable=False, server_default="0"),  # how often the computer helped them
    Column("weekend", Zone),  # in whose weekends the running clock stands still; nothing: it runs
    Column("prepared", Text),  # their prepared moves, as `bot.core.entry.prepared` writes them
    Column("gone", Boolean, nullable=False, server_default=false()),  # whether they have left the server
    Column("parted", Integer),  # the version of the match that told the others so for the first time
    Column("wakes", BigInteger),  # when they are told of what happened in their quiet hours; 0: they are told of it now
    Index("uq_players_match_seat", "match", "seat", unique=True),
    Index(None, "user"),
    # The timer asks every few seconds; these indexes hold only what it is looking for.
    Index(None, "deadline", sqlite_where=text(RUNNING)),
    Index(None, "lapse", sqlite_where=text("lapse IS NOT NULL")),
    Index(None, "remind", sqlite_where=text("remind IS NOT NULL")),
    Index(None, "reminder", sqlite_where=text(STALE)),
    Index(None, "wakes", sqlite_where=text("wakes > 0")),
)

reviews = Table(
    "reviews",  # what the computer found in finished matches, the same for everybody
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("version", Integer, nullable=False),  # of what finds it
    Column("found", Text, nullable=False),  # as `reviews` writes it
)

losses = Table(
    "losses",  # what moves of people lost where that can be computed; nobody else is shown it
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True),
    Column("moves", Integer, nullable=False),  # so many could be judged
    Column("points", Double, nullable=False),  # what they lost, all together
    Column("by_lot", Double, nullable=False),  # what moves by lot would have lost in their place
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
    Column("most_open", Integer),  # the caps on challenges; none stands for the usual one
    Column("most_from_one", Integer),
    Column("most_from_all", Integer),
    Column("pace", OneOf(PACE, "7"), nullable=False, server_default="7"),  # of a match whose challenge names none
    Column("zone", Zone, nullable=False, server_default="UTC"),  # of those who have chosen none
    Column("reminders", OneOf(REMINDERS, "thread"), nullable=False, server_default="thread"),  # the same
    Column("takebacks", Boolean, nullable=False, server_default=true()),  # whether moves can be taken back here
    Column("daily", BigInteger),  # the channel of the daily puzzle; none: it is posted nowhere
    Column("daily_hour", Integer, nullable=False, server_default="8"),  # from when on, in the zone of the server
    Column("week", BigInteger),  # the channel of the week; none: it is posted nowhere
    Column("leagues", Boolean, nullable=False, server_default=true()),  # whether leagues can be opened
    Column("league", BigInteger),  # the channel of new leagues; none: where they are opened
)

preferences = Table(
    "preferences",
    METADATA,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("confirm", Boolean, nullable=False),  # whether a move of the pad is shown before it is played
    Column("zone", Zone),  # an IANA name; none: the server's
    Column("weekends", Boolean, nullable=False, server_default=true()),  # whether clocks run on Saturday and Sunday
    Column("reminders", OneOf(REMINDERS, None)),  # thread, message, digest or off; none: the server's
    Column("digest", BigInteger),  # when the next daily digest is due
    Column("closed", Boolean, nullable=False, server_default=false()),  # whether Discord refused a direct message
    Column("night", Integer, nullable=False, server_default=str(NIGHT)),  # the hour at which their quiet hours begin
    Column("morning", Integer, nullable=False, server_default=str(MORNING)),  # and end; the same: they have none
    Index(None, "digest", sqlite_where=text("digest IS NOT NULL")),
)

away = Table(
    "away",  # when somebody was, is or will be away; their clocks stand still
    METADATA,
    Column("guild", BigInteger, primary_key=True),
    Column("user", BigInteger, primary_key=True),
    Column("begins", BigInteger, primary_key=True),
    Column("ends", BigInteger, nullable=False),
    Index(None, "ends"),
)

asks = Table(
    "asks",  # who was challenged by whom, which is kept for an hour
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("asked", BigInteger, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("asker", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index(None, "guild", "asked"),
)

notes = Table("notes", METADATA, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

VALUE, PLACED = "mu - 3 * sigma", f'CASE WHEN "user" > 0 THEN played >= {RANKED_FROM} END'
"""What leaderboards order by, and whether a rating has a place there; unknown of a former player, who has no line."""

ratings = Table(
    "ratings",
    METADATA,
    Column("guild", BigInteger, primary_key=True),
    Column("game", Text, primary_key=True),  # empty: over all games
    Column("season", Integer, primary_key=True, autoincrement=False, server_default="0"),  # 20263; 0: of all time
    Column("user", BigInteger, primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("streak", Integer, nullable=False, server_default="0"),  # so many of the last were won, one after another
    Column("longest", Integer, nullable=False, server_default="0"),  # the most that ever were
    Column("places", Seats, nullable=False, server_default="[]"),  # how often they came out first, second, …
    Column("value", Double, Computed(VALUE, persisted=True)),
    Column("placed", Boolean, Computed(PLACED, persisted=True)),
    Index(None, "guild", "game", "season", "placed", "value", "user"),
    Index(None, "user", "guild"),
)

leftovers = Table(
    "leftovers",
    METADATA,
    Column("message", BigInteger, primary_key=True, autoincrement=False),  # what is still to be edited
    Column("channel", BigInteger, nullable=False),
    Column("match", BigInteger, ForeignKey("matches.id"), nullable=False),
    Column("version", Integer, nullable=False),  # of the match when this was left over
    Column("plies", Integer),  # an earlier board is closed as it stood then; else the message decides
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("due", BigInteger, nullable=False, server_default="0"),  # not tried again before
    Column("remove", Boolean, nullable=False, server_default=false()),  # it is deleted
    Index(None, "due"),
    Index(None, "match"),
)

sendings = Table(
    "sendings",  # reminders on their way to Discord; what has arrived is dropped
    METADATA,
    Column("user", BigInteger, primary_key=True),
    Column("match", BigInteger, primary_key=True),  # 0: a digest of all matches
    Column("mark", Integer, nullable=False),  # how many reminders of the turn are behind with this one
    Column("place", BigInteger),  # the channel; none: a direct message
    Column("closed", Boolean, nullable=False),  # whether it says that direct messages are refused
    Column("begun", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),  # until then the process that took the row works on it
    Column("tries", Integer, nullable=False),
    Index(None, "due"),
)

notices = Table(
    "notices",  # what people were told elsewhere of a match whose place is closed, until its board is shown again
    METADATA,
    Column("match", BigInteger, ForeignKey("matches.id"), primary_key=True),
    Column("user", BigInteger, primary_key=True),
    Column("since", BigInteger, nullable=False),  # when the place was found closed
    Column("version", Integer, nullable=False),  # of the match that they are told of
    Column("told", Integer, nullable=False),  # of which nothing is on its way any more; 0: none yet
    Column("place", BigInteger),  # the channel; none: a direct message
    Column("begun", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),  # until then the process that tells it has it to itself
    Column("tries", Integer, nullable=False),
    Column("message", BigInteger),  # the last that has arrived; none: nothing has
    Index(None, "since"),
)

rewritings = Table(
    "rewritings",  # what is still to be written anew on Discord, since somebody was forgotten whom it names
    METADATA,
    Column("place", BigInteger, primary_key=True, autoincrement=False),  # a thread, or a message
    Column("guild", BigInteger, nullable=False),
    Column("match", BigInteger),  # whose thread it is
    Column("series", Text),  # daily or week, of a server's post
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("due", BigInteger, nullable=False, server_default="0"),
    Index(None, "due"),
    Index(None, "match"),
)

tries = Table(
    "tries",  # what people have tried in the daily puzzle
    METADATA,
    Column("user", BigInteger, primary_key=True),
    Column("day", Integer, primary_key=True),  # as `date.toordinal` counts it
    Column("move", Text, primary_key=True),
    Column("number", Integer, nullable=False),  # 1, 2, 3
    Column("guild", BigInteger, nullable=False),  # where it was tried
    Column("at", BigInteger, nullable=False),
    Column("solved", Boolean, nullable=False),
    Index(None, "guild", "day"),
)

dailies, weeklies = (
    Table(
        name,  # the last message of the daily puzzle in each server, or of the week, whose day is a Monday
        METADATA,
        Column("guild", BigInteger, primary_key=True, autoincrement=False),
        Column("first", Integer, nullable=False),  # the day of the first message
        Column("day", Integer, nullable=False),  # the day of the last, sent or on its way
        Column("channel", BigInteger, nullable=False),
        Column("message", BigInteger),  # none: on its way; 0: it could not be sent
        Column("due", BigInteger, nullable=False),  # until then the process that sends it has it to itself
        Column("tries", Integer, nullable=False),
    )
    for name in ("dailies", "weeklies")
)
