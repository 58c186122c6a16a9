"""The stored rows: matches, players, settings, reviews, outboxes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypedDict, Unpack, get_args

from bot.games.position import Seat
from bot.play.clocks import PACES
from bot.play.columns import (
    PLACE,
    Choice,
    Default,
    Exported,
    Form,
    Joined,
    Key,
    Moment,
    Person,
    References,
    Signed,
    Withheld,
)
from bot.play.ids import ChannelId, GuildId, MatchId, MessageId, UserId, is_computer
from bot.play.record import Entry

# Settings of servers; preferences and absences of users.


Reminders = Literal["thread", "message", "board", "digest", "off"]
"""How a user is reminded: in the match's thread, by direct message, by one with the board each turn, by one a day for
all matches, or not at all."""
DIRECT: tuple[Reminders, ...] = ("message", "board", "digest")
"""Those by direct message."""

WELCOMED = "welcomed {guild}"
"""The note that a server was shown the welcome message."""

REMINDERS = get_args(Reminders)
CHOSEN, QUIET = Exported("what you chose with `/preferences`"), Exported("your quiet hours")
ABSENT = Exported("when you were away, in which server")

NIGHT, MORNING = 22, 8
"""The default quiet hours in the user's time zone: reminders wait from the first hour until the second."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """A server's settings: channels where challenges are allowed (empty: all), whether matches get threads; the caps on
    challenges (None: the default): how many open ones a user may have, how many may reach a user within an hour, from
    one user and from all; the defaults for pace, time zone and reminders; whether moves can be taken back; the channel
    of the daily puzzle (None: not posted), and from what hour of the server's day on; that of the weekly summary (None:
    not posted); whether leagues can be opened, and in which channel (None: where they are opened); whether its matches
    are shown and played in direct messages."""

    guild: ClassVar[Annotated[GuildId, Key()]]
    channels: Annotated[tuple[ChannelId, ...], Default(None)] = ()
    threads: Annotated[bool, Default(None)] = True
    most_open: int | None = None
    most_from_one: int | None = None
    most_from_all: int | None = None
    pace: Annotated[str, Choice(tuple(PACES), "7")] = "7"
    zone: Annotated[str, Form("zone")] = "UTC"
    reminders: Annotated[Reminders, Choice(REMINDERS, "thread")] = "thread"
    takebacks: bool = True
    daily: ChannelId | None = None
    daily_hour: int = 8
    week: ChannelId | None = None
    leagues: bool = True
    league: ChannelId | None = None
    mail: bool = True


@dataclass(frozen=True, slots=True)
class Preferences:
    """A user's preferences, for every server: whether the pad asks before a move is played; their time zone (an IANA
    name) and reminders, None for the server's; whether their clocks run at weekends. `digest` is when their next daily
    digest is due, `closed` whether Discord refused a direct message to them. Their quiet hours are from `night` until
    `morning`; where the two are the same, they have none. `puzzle` is when the next puzzle comes by direct message;
    None for never."""

    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), CHOSEN]]
    confirm: Annotated[bool, Default(None), Exported("whether a move waits for your word")] = True
    zone: Annotated[str | None, Form("zone"), Exported("your time zone")] = None
    weekends: Annotated[bool, Exported("whether your clocks run at weekends")] = True
    reminders: Annotated[Reminders | None, Choice(REMINDERS, None), Exported("how you are reminded")] = None
    digest: Annotated[Moment | None, Exported("when your next digest is due")] = None
    closed: Annotated[bool, Exported("whether Discord refused to hand you a direct message")] = False
    night: Annotated[int, QUIET] = NIGHT
    morning: Annotated[int, QUIET] = MORNING
    puzzle: Annotated[Moment | None, Exported("when your next puzzle comes by direct message")] = None


@dataclass(frozen=True, slots=True)
class Absence:
    """An absence of a user, from `begins` until `ends` in epoch seconds."""

    guild: ClassVar[Annotated[GuildId, Key(), ABSENT]]
    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), ABSENT]]
    begins: Annotated[Moment, Key(), ABSENT]
    ends: Annotated[Moment, ABSENT]


class RestPeriods(NamedTuple):
    """When a user's absence ends, and when the weekend ends in which their clocks stand still; None where there is
    none."""

    away: int | None
    weekend: int | None


# Reviews of finished matches: shares after each move, and costly moves.


class CostlyMove(NamedTuple):
    """A move that cost its seat something, by its number from 1, and a better one.

    `had` is the share of the match, in percent, that the seat could expect with the better move, `kept` with its own.
    Where the rest of the match was solved, `ahead` are the margins by which the seat comes out ahead with either.
    """

    number: int
    seat: Seat
    played: str
    better: str
    had: int
    kept: int
    ahead: tuple[int, int] | None = None

    @property
    def cost(self) -> tuple[int, int]:
        """The cost: in percent of the match, then in the margin."""
        return self.had - self.kept, self.ahead[0] - self.ahead[1] if self.ahead else 0


class Review(NamedTuple):
    """For each seat its course: the percentage of the match it could expect after each move, from move `first` on (0:
    before any) for as long as it played; from which move on that is `certain`; and the costly moves, seat by seat, the
    costliest first."""

    first: int
    courses: tuple[tuple[int, ...], ...]
    certain: int | None
    costly: tuple[CostlyMove, ...]

    def to_json(self) -> str:
        """The review as a line to be stored."""
        kept = {"first": self.first, "courses": self.courses, "certain": self.certain, "dear": self.costly}
        return json.dumps(kept, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Review:
        """The review in a stored line."""
        kept: dict[str, Any] = json.loads(text)
        costly = tuple(CostlyMove(*one[:6], ahead=tuple(one[6]) if one[6] else None) for one in kept["dear"])
        return cls(kept["first"], tuple(tuple(course) for course in kept["courses"]), kept["certain"], costly)


NOTHING = Review(0, (), None, ())
"""The review of a leg without moves."""


def format_reviews(reviews: Iterable[Review]) -> str:
    """The reviews of a match as they are stored: a line each."""
    return "\n".join(review.to_json() for review in reviews)


def parse_reviews(text: str) -> tuple[Review, ...]:
    """The stored reviews of a match."""
    return tuple(map(Review.read, text.splitlines()))


# Matches and players: their rows, and the columns that may be changed.


CHANNEL_DELETED = "The channel of this match was deleted."
"""Why a board can never be shown again."""
GIVEN_UP_DAYS = 30
"""Days without a move after which a match in a closed channel is ended."""

State = Literal["open", "live", "finished", "aborted", "declined", "cancelled", "expired"]
"""open → live → finished or aborted; open → declined, cancelled or expired."""

Seating = Literal["host", "guest", "lot", "order"]
"""The order of seats: the host first, the guest first, at random, or by joining."""

MATCH = Exported("your matches with moves, options, times and results")
CLOCK = Exported("what time you have left in it")
ASKED, AGREED = Exported("what is asked in a match, by which seat and since when"), Exported("who has agreed")
SENT = Exported("reminders on their way, to whom and about which match")
NOTICED = Exported("what you were told elsewhere of a match")
CHALLENGED = Exported("who challenged whom")
MAILED = Exported("the direct message with a match's board", forgotten=None)
COUNTS = "it counts the acts of others, which may be a secret"


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a match. `joined` counts from 1; `seat` is None until the match is live, `rank` and `score` until it
    is finished; `invited` is True until a player who was challenged by name answers. `mention_version` is the last
    version of the match that they must be told of. `consent`: they ask to abort; `abort_asked_at`: when the others were
    last told of that; `agrees`: they agree to the open proposal.

    The clock: `allotted` seconds for this turn, of which `seconds_left` were left at `since`, when it last started; at
    `deadline` it runs out. Without `since` and `deadline` it stands still. A seat that is out of time leaves by itself
    at `forfeit_at`. `reminder_count` reminders of this turn were given, -1 if they are still to get its board by direct
    message; `reminder` is the message of the last one in a thread, negated where that stands in the channel of another
    match; `mail` is the one with the board in the channel `mailbox` of their direct messages. `extra_time_count`: for
    this turn.

    `hints` is how often the computer helped them. `weekend` is the zone in whose weekends the running clock stands
    still; None if it runs then. `prepared` are their prepared moves, as `bot.play.premoves` writes them; they are
    secret. `wakes` is when they are to be told of what happened in their quiet hours, 0 that they are told of it now;
    None: nothing did.

    `gone`: they have left the server; `parted` is the version of the match that told the others so for the first time.
    All moments are epoch seconds.
    """

    match: ClassVar[Annotated[MatchId, Key("matches.id")]]
    user: Annotated[UserId, Key(), Person()]
    joined: Annotated[int, MATCH]
    seat: Annotated[int | None, MATCH]
    invited: Annotated[bool, MATCH]
    consent: Annotated[bool, AGREED]
    rank: Annotated[int | None, MATCH]
    score: Annotated[int | None, Form("exact"), MATCH]
    mention_version: Annotated[int, Withheld(COUNTS, forgotten=0)] = 0
    abort_asked_at: Annotated[Moment | None, ASKED] = None
    agrees: Annotated[bool, AGREED] = False
    allotted: Annotated[int | None, CLOCK] = None
    seconds_left: Annotated[int | None, CLOCK] = None
    since: Annotated[Moment | None, CLOCK] = None
    deadline: Annotated[Moment | None, CLOCK] = None
    forfeit_at: Annotated[Moment | None, CLOCK] = None
    next_reminder_at: Annotated[Moment | None, Exported("reminders on their way", forgotten=None)] = None
    reminder_count: Annotated[int, Signed(), CLOCK] = 0
    reminder: Annotated[MessageId | None, Signed(), Exported("the last reminder in a thread", forgotten=None)] = None
    extra_time_count: Annotated[int, CLOCK] = 0
    hints: Annotated[int, Exported("how many hints you used")] = 0
    weekend: Annotated[str | None, Form("zone"), Exported("by which zone's weekends")] = None
    prepared: Annotated[str | None, Exported("the answers that you have ready in a match", forgotten=None)] = None
    gone: Annotated[bool, Exported("whether you were found to have left the server", forgotten=False)] = False
    parted: Annotated[int | None, Withheld(COUNTS, forgotten=None)] = None
    wakes: Annotated[Moment | None, Exported("what you are told when your quiet hours end", forgotten=None)] = None
    mail: Annotated[MessageId | None, MAILED] = None
    mailbox: Annotated[ChannelId | None, MAILED] = None

    def stop_clock(self, left: int | None = None) -> Self:
        """The player with their clock stopped, with the time that was on it or another, in seconds."""
        left = self.seconds_left if left is None else left
        still = replace(self, seconds_left=left, since=None, deadline=None)
        return replace(still, forfeit_at=None, next_reminder_at=None, weekend=None)

    def fill_clock(self, seconds: int | None) -> Self:
        """The player with a stopped clock that has some seconds for a new turn."""
        full = replace(self.stop_clock(), allotted=seconds, seconds_left=seconds)
        return replace(full, reminder_count=0, extra_time_count=0)


@dataclass(frozen=True, slots=True)
class ParkedMatch:
    """A match whose board could not be shown: the channel where it is played, why, and whether it `lags` behind."""

    match: MatchId
    guild: GuildId
    channel: ChannelId
    game: str
    game_version: int
    reason: str = ""
    lags: bool = True


class Origin(NamedTuple):
    """The server of a match, and its creation time in epoch seconds; neither ever changes."""

    guild: GuildId
    created: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match without its record. Ids are Discord's, times epoch seconds; `version` starts at 1, `shown_version` at 0.

    `players` stand in order of seats, before there are any in order of joining; `moved` is when the last move was made.
    `thinks` is the seat of a computer that is to move. The first `imported_plies` lines of the record were played
    before, in the match `source_match` or in none that is kept here, and this one goes on from there. `premove_plies`
    are the numbers of the lines that were prepared moves. Until Discord makes a thread, one that `awaits_thread` is
    played in its channel. Up to `told_version` everybody concerned was told by lines, the last of which is
    `told_message`, whether or not a board shows that version yet. `refused` says who has declined a challenge, and
    which proposals were refused in a match. `round` is which match of a league it is, as `bot.play.league_tables`
    writes it. Until `announce_until` its channel is still to be told how it ended; the `announcement` has told it.
    """

    id: Annotated[MatchId, Key(counts=True), MATCH]
    guild: Annotated[GuildId, PLACE, MATCH]
    channel: Annotated[ChannelId, MATCH]
    thread: Annotated[ChannelId | None, MATCH]
    game: Annotated[str, MATCH]
    game_version: int
    options: Annotated[Mapping[str, int | str], MATCH]
    seats: Annotated[int, MATCH]
    seating: Seating
    rated: Annotated[bool, MATCH]
    host: Annotated[UserId, Person(), MATCH]
    state: Annotated[State, MATCH]
    version: int
    plies: int
    turn: tuple[int, ...]
    created: Annotated[Moment, MATCH]
    expires: Moment | None
    started: Annotated[Moment | None, MATCH]
    ended: Annotated[Moment | None, MATCH]
    shown_version: int
    lobby_message: MessageId | None
    board_channel: ChannelId | None
    board_message: MessageId | None
    shown_plies: int
    publish_error: str | None
    close_reason: str | None
    published: bool
    rematch_of: MatchId | None
    rename_pending: Annotated[bool, Default(0)]
    pace: Annotated[str, Choice(tuple(PACES), "none"), Default("none"), MATCH]
    paused: Moment | None
    proposal: str | None
    proposed: Moment | None
    refused: str | None
    substitutions: str | None
    legs: Annotated[int, Default(1), MATCH]
    thinks: int | None
    source_match: Annotated[MatchId | None, Exported("from which match another one goes on")]
    imported_plies: Annotated[int, Default(0), Exported("after how many moves")]
    premove_plies: Annotated[tuple[int, ...], Default("[]")]
    awaits_thread: Annotated[bool, Default(0)]
    told_version: Annotated[int, Default(0)]
    told_message: MessageId | None
    announce_until: Moment | None
    announcement: MessageId | None
    round: str | None
    moved: Annotated[int | None, Joined()]
    players: Annotated[tuple[Player, ...], Joined()]

    def find_player(self, user: UserId) -> Player | None:
        return next((player for player in self.players if player.user == user), None)

    def change_player(self, user: UserId, **columns: Unpack[PlayerChanges]) -> Self:
        """The row with some columns of a user's changed."""
        return self.change_players((user,), **columns)

    def change_players(self, users: Collection[UserId], **columns: Unpack[PlayerChanges]) -> Self:
        """The row with some columns of several users changed."""
        changed = (replace(one, **columns) if one.user in users else one for one in self.players)
        return replace(self, players=tuple(changed))

    def replace_player(self, player: Player) -> Self:
        """The row with another state of the player who joined as this one did."""
        return replace(self, players=tuple(player if one.joined == player.joined else one for one in self.players))

    def add_player(self, user: UserId, invited: bool = False) -> Self:
        """The row of an open match with one more user."""
        joined = max(player.joined for player in self.players) + 1
        return replace(self, players=(*self.players, Player(user, joined, None, invited, False, None, None)))

    def remove_players(self, users: Collection[UserId]) -> Self:
        return replace(self, players=tuple(player for player in self.players if player.user not in users))

    def seat_of(self, user: UserId) -> int | None:
        """A user's seat; None before there are seats, and for users who are not in the match."""
        player = self.find_player(user)
        return player.seat if player else None

    def user_at(self, seat: int) -> UserId | None:
        return next((player.user for player in self.players if player.seat == seat), None)

    @property
    def players_to_move(self) -> tuple[Player, ...]:
        """The players to move in a live match."""
        return tuple(player for player in self.players if player.seat in self.turn) if self.state == "live" else ()

    @property
    def is_private(self) -> bool:
        """Whether one human plays it, alone or against computers, and has not published it: no other user is
        notified."""
        people = [player for player in self.players if not is_computer(player.user)]
        return self.state in ("live", "finished", "aborted") and len(people) == 1 and not self.published

    @property
    def gives_hints(self) -> bool:
        """Whether this kind of match has hints: unrated, with more than one seat."""
        return not self.rated and self.seats > 1


@dataclass(frozen=True, slots=True)
class MatchRecordRow(MatchRow):
    record: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A challenge to be stored: open, at version 1, its host the first to have joined. With `lines`, from the match
    `source_match` or an uploaded record, it continues from there."""

    guild: GuildId
    channel: ChannelId
    game: str
    game_version: int
    options: Mapping[str, int | str]
    seats: int
    seating: Seating
    rated: bool
    host: UserId
    created: int
    expires: int | None = None
    thread: ChannelId | None = None
    rematch_of: MatchId | None = None
    pace: str = "none"
    legs: int = 1
    source_match: MatchId | None = None
    refused: str | None = None
    lines: tuple[Entry, ...] = ()
    round: str | None = None


@dataclass(frozen=True, slots=True)
class PendingEdit:
    """An edit in the outbox. With `plies`: a former board is closed and shows the match after this many lines. Without:
    the challenge or the board is redrawn as the match is now, or an orphaned board is closed. With `remove`: the
    message is deleted. `version` is the match's when this was added; it is tried from `due` (epoch seconds) on."""

    message: Annotated[MessageId, Key()]
    channel: ChannelId
    match: Annotated[MatchId, References("matches.id")]
    version: int
    plies: int | None = None
    tries: int = 0
    due: Moment = 0
    remove: bool = False


@dataclass(frozen=True, slots=True)
class PendingRewrite:
    """A text on Discord to be rewritten because it names a user who deleted their data, or because the league of a
    finished match counts it otherwise: the thread of a `match`, or a server's post of a `series`. `place` is the id of
    the thread or the message."""

    place: Annotated[int, Form("big"), Key()]
    guild: GuildId
    match: MatchId | None
    series: Literal["daily", "week"] | None
    tries: Annotated[int, Default(0)]
    due: Annotated[Moment, Default(0)]


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """A reminder in the outbox: to whom, about which match (0: a digest of all), after how many reminders of the turn
    (`mark`); in the channel `place`, or by a direct message. `closed`: it also tells that Discord refuses direct
    messages to them. `begun` is when it was first to be sent; until `due` a process holds its lease or waits; with no
    `tries` it surely was not sent."""

    user: Annotated[UserId, Key(), Person(owns=True), SENT]
    match: Annotated[MatchId, Key(), SENT]
    mark: Annotated[int, SENT]
    place: Annotated[ChannelId | None, SENT]
    closed: Annotated[bool, SENT]
    begun: Annotated[Moment, SENT]
    due: Annotated[Moment, SENT]
    tries: Annotated[int, Default(None), SENT] = 0


@dataclass(frozen=True, slots=True)
class MatchNotice:
    """A notice sent elsewhere about a match whose channel has been closed to the bot `since` a moment. Of the match's
    `version` they are told in the channel `place`, or by a direct message; with `told` at that version nothing is on
    its way any more, and `message` is the last that has arrived. `begun`, `due` and `tries` are as in
    `PendingMessage`."""

    match: Annotated[MatchId, Key("matches.id"), NOTICED]
    user: Annotated[UserId, Key(), Person(owns=True), NOTICED]
    since: Annotated[Moment, NOTICED]
    version: Annotated[int, NOTICED]
    told: Annotated[int, NOTICED]
    place: Annotated[ChannelId | None, NOTICED]
    begun: Annotated[Moment, NOTICED]
    due: Annotated[Moment, NOTICED]
    tries: Annotated[int, NOTICED]
    message: Annotated[MessageId | None, NOTICED] = None

    @property
    def is_on_the_way(self) -> bool:
        """Whether it has not arrived yet."""
        return self.told < self.version


class RunningClock(NamedTuple):
    """A running clock, its match and server, and the parts of its owner's calendar."""

    match: MatchId
    guild: GuildId
    player: Player
    chosen: Preferences
    settings: ServerSettings
    away: tuple[Absence, ...]


@dataclass(frozen=True, slots=True)
class ChallengeRequest:
    """A challenge by name, or a request for a rematch."""

    match: ClassVar[Annotated[MatchId, Key("matches.id"), CHALLENGED]]
    asked: Annotated[UserId, Key(), Person(owns=True)]
    guild: ClassVar[Annotated[GuildId, Withheld("its match says it")]]
    asker: Annotated[UserId, Person()]
    at: Annotated[Moment, CHALLENGED]


class MatchChanges(TypedDict, total=False):
    """The columns of a match that `Transaction.update` may set."""

    thread: ChannelId | None
    game_version: int
    options: Mapping[str, int | str]
    seats: int
    seating: Seating
    rated: bool
    host: UserId
    state: State
    plies: int
    turn: Sequence[int]
    expires: int | None
    started: int | None
    ended: int | None
    lobby_message: MessageId | None
    publish_error: str | None
    close_reason: str | None
    published: bool
    rename_pending: bool
    announce_until: int | None
    pace: str
    paused: int | None
    proposal: str | None
    proposed: int | None
    refused: str | None
    substitutions: str | None
    thinks: int | None
    premove_plies: Sequence[int]
    told_version: int


class PlayerChanges(TypedDict, total=False):
    """The columns of a player that may be changed."""

    joined: int
    seat: int | None
    invited: bool
    consent: bool
    rank: int | None
    score: int | None
    mention_version: int
    abort_asked_at: int | None
    agrees: bool
    allotted: int | None
    seconds_left: int | None
    since: int | None
    deadline: int | None
    forfeit_at: int | None
    next_reminder_at: int | None
    reminder_count: int
    reminder: MessageId | None
    extra_time_count: int
    hints: int
    weekend: str | None
    prepared: str | None
    gone: bool
    parted: int | None
    wakes: int | None
    mail: MessageId | None
    mailbox: ChannelId | None


# Who has declined a challenge or left it, stored in the column that holds refused proposals once the match has begun.


BY, LEFT, DECLINED, FEWER = "by", "left", "declined", "fewer"


def format_decliners(people: Iterable[UserId], fewer: bool = False, left: Iterable[UserId] = ()) -> str:
    """The stored form of the users who declined, of those who had joined and `left`, and of whether the challenge
    starts without them. Each id has a space on both sides, so that a search finds it when a user deletes their data.

    >>> format_decliners([UserId(5), UserId(7)])
    'by 5 7 declined'
    >>> format_decliners([UserId(5)], left=[UserId(9)])
    'by 5 left 9 declined'
    >>> format_decliners([], fewer=True)
    'by declined fewer'
    """
    gone = [*map(str, left)]
    return " ".join((BY, *map(str, people), *([LEFT, *gone] if gone else []), DECLINED, *([FEWER] if fewer else [])))


def holds_decliners(text: str | None) -> bool:
    """Whether a text holds decliners of a challenge, not refused proposals."""
    words = (text or "").removesuffix(f" {FEWER}").split()
    return len(words) > 1 and (words[0], words[-1]) == (BY, DECLINED)


def starts_with_fewer(row: MatchRow) -> bool:
    """Whether a challenge starts without those who decline it."""
    return holds_decliners(row.refused) and (row.refused or "").endswith(FEWER)


def list_decliners(row: MatchRow) -> tuple[UserId, ...]:
    """All users who have declined an open challenge or left it, also those who have joined it since."""
    if not holds_decliners(row.refused):
        return ()
    return tuple(UserId(int(one)) for one in (row.refused or "").split() if one not in (BY, LEFT, DECLINED, FEWER))


def list_leavers(row: MatchRow) -> tuple[UserId, ...]:
    """Those of them who had joined before."""
    left = (row.refused or "").partition(f" {LEFT} ")[2] if holds_decliners(row.refused) else ""
    return tuple(user for user in list_decliners(row) if str(user) in left.split())


def list_unseated_decliners(row: MatchRow) -> tuple[UserId, ...]:
    """The decliners without a seat; all of them if the challenge is declined, as the last ones keep their seats."""
    loaded = set[UserId]() if row.state == "declined" else {player.user for player in row.players}
    return tuple(user for user in list_decliners(row) if user not in loaded)
