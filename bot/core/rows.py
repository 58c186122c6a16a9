"""What the store hands out and takes in: plain frozen dataclasses, and the columns that may be changed.

Nothing in here knows how it is kept. The fields of `MatchRow` and `Player` stand in the order of the tables' columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from bot.core.ids import ChannelId, GuildId, MatchId, MessageId, UserId
from bot.core.record import Entry

State = Literal["open", "live", "finished", "aborted", "declined", "cancelled", "expired"]
"""open → live → finished or aborted; open → declined, cancelled or expired."""

Seating = Literal["host", "guest", "lot", "order"]
"""Who gets seat 1: the host, the other, whom the lot says, or who joined first."""

RANKED_FROM = 3
"""With fewer finished matches than this a player has no place on a leaderboard."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody in a match. `joined` counts from 1; `seat` is None until the match is live, `rank` and `score` until it
    is finished; `invited` is True while somebody asked by name has not answered; `consent` is theirs to abort.
    `due` is the last version of the match that they must be told of: until it is shown, they have not been."""

    user: UserId
    joined: int
    seat: int | None
    invited: bool
    consent: bool
    rank: int | None
    score: int | None
    due: int = 0


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match without its record. Ids are Discord's, times epoch seconds; `version` starts at 1, `shown_version` at 0.

    `players` stand in order of seats, before there are any in order of joining; `moved` is when the last move was made.
    """

    id: MatchId
    guild: GuildId
    channel: ChannelId
    thread: ChannelId | None
    game: str
    game_version: int
    options: Mapping[str, int | str]
    seats: int
    seating: Seating
    rated: bool
    host: UserId
    state: State
    version: int
    plies: int
    turn: tuple[int, ...]
    created: int
    expires: int | None
    started: int | None
    ended: int | None
    shown_version: int
    lobby_message: MessageId | None
    board_channel: ChannelId | None
    board_message: MessageId | None
    shown_plies: int
    parked: str | None
    closing: str | None
    published: bool
    rematch_of: MatchId | None
    rename: bool
    moved: int | None
    players: tuple[Player, ...]

    def player(self, user: UserId) -> Player | None:
        """Somebody's row in this match, or None."""
        return next((player for player in self.players if player.user == user), None)

    def seat_of(self, user: UserId) -> int | None:
        """Somebody's seat; None before there are seats, and for those who are not in the match."""
        player = self.player(user)
        return player.seat if player else None

    def at(self, seat: int) -> UserId | None:
        """The user on a seat, or None."""
        return next((player.user for player in self.players if player.seat == seat), None)


@dataclass(frozen=True, slots=True)
class Stored(MatchRow):
    """A match with its record."""

    record: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A challenge to be kept: open, at version 1, its host the first to have joined."""

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


Places = Mapping[str, Mapping[int, int]]
"""How often somebody came out at each place, by game."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's line on a leaderboard. `place` is None below three matches; equals share a place (1, 2, 2, 4)."""

    user: UserId
    place: int | None
    mu: float
    sigma: float
    played: int
    won: int
    drawn: int
    lost: int

    @property
    def value(self) -> float:
        """What leaderboards order by: a cautious estimate of strength."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What those who manage a server have set: where challenges are allowed (nothing: everywhere), and whether a match
    gets a thread of its own."""

    channels: tuple[ChannelId, ...] = ()
    threads: bool = True


@dataclass(frozen=True, slots=True)
class Best:
    """The best result of somebody playing alone."""

    user: UserId
    score: int
    match: MatchId


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
    parked: str | None
    closing: str | None
    published: bool
    rename: bool


class PlayerChanges(TypedDict, total=False):
    """The columns of a player that `Transaction.seat` may set."""

    joined: int
    seat: int | None
    invited: bool
    consent: bool
    rank: int | None
    score: int | None
    due: int
