"""A league as the store gives it: its terms, its members, its pairings and the results of their matches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from bot.core.values.ids import ChannelId, GuildId, LeagueId, MatchId, MessageId, UserId
from bot.core.values.rows import Default, Form, Joined, Key, Moment, Person, References, Told

LeagueState = Literal["open", "live", "finished", "cancelled"]
"""open → live → finished or cancelled; open → cancelled."""

JOINED = Told("the leagues that you joined, opened or left, in which server")


@dataclass(frozen=True, slots=True)
class League:
    """A league. `games` are keys; of several each round has another. Moments are epoch seconds: until `starts` people
    join, at `ends` it is over. `previous` is the league whose next season this is. `ready`: there may be matches to
    begin. `message` shows it, `farewell` told how it ended; `shown_version` is what Discord has accepted."""

    id: Annotated[LeagueId, Key(), JOINED]
    guild: Annotated[GuildId, JOINED]
    channel: ChannelId
    host: Annotated[UserId, Person()]
    games: Annotated[tuple[str, ...], Form("words"), JOINED]
    pace: str
    weeks: int
    season: Annotated[int, JOINED]
    previous: LeagueId | None
    state: Annotated[LeagueState, JOINED]
    version: int
    shown_version: int
    ready: Annotated[bool, Default(0)]
    created: Moment
    starts: Annotated[Moment, JOINED]
    ends: Annotated[Moment | None, JOINED]
    ended: Moment | None
    message: MessageId | None
    farewell: MessageId | None

    @property
    def owes(self) -> bool:
        """Whether its messages show less than is known."""
        return self.shown_version < self.version or (self.state == "finished" and self.farewell is None)


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a league. `joined` counts from 1; `division` and `place`, their number in its draw, are None until it
    begins. `left_at` is when they left; who left before half of their matches were over is `struck` out. Since `gone`
    they are not in the server, and count as having left until they are back."""

    league: ClassVar[Annotated[LeagueId, Key("leagues.id")]]
    user: Annotated[UserId, Key(), Person()]
    joined: Annotated[int, JOINED]
    division: Annotated[int | None, JOINED] = None
    place: Annotated[int | None, JOINED] = None
    left_at: Annotated[Moment | None, JOINED] = None
    struck: Annotated[bool, JOINED] = False
    gone: Annotated[Moment | None, Told("whether you were found to have left the server")] = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two members who meet; `home` has the first seat. `match` is None until their match begins; then `state` is that
    of the match, `place` where it is played, and `ranks` and `scores` are those of home and guest when it is finished.
    `begun` is when it began, and whether home and guest are still to be told of that. `void`: it was not over when the
    league ended, and does not count."""

    league: ClassVar[Annotated[LeagueId, Key("leagues.id")]]
    number: Annotated[int, Key()]
    division: int
    round: int
    home: Annotated[UserId, Person()]
    guest: Annotated[UserId, Person()]
    game: str
    legs: Annotated[int, Default(None)] = 1
    match: Annotated[MatchId | None, References("matches.id")] = None
    void: bool = False
    state: Annotated[str | None, Joined()] = None
    ranks: Annotated[tuple[int, int] | None, Joined()] = None
    scores: Annotated[tuple[int, int] | None, Joined()] = None
    place: Annotated[ChannelId | None, Joined()] = None
    begun: Annotated[int | None, Joined()] = None
    home_untold: bool = False
    guest_untold: bool = False

    @property
    def untold(self) -> tuple[UserId, ...]:
        """Those of the two who are still to be notified that their match has begun."""
        each = (self.home, self.home_untold), (self.guest, self.guest_untold)
        return tuple(user for user, is_untold in each if is_untold)

    def has(self, user: UserId) -> bool:
        return user in (self.home, self.guest)

    @property
    def counts(self) -> bool:
        """Whether its result stands in the table, unless one of the two is struck out."""
        return self.state == "finished" and self.ranks is not None and not self.void


@dataclass(frozen=True, slots=True)
class Loaded:
    """A league with its members in order of joining, and its pairings in order of the draw."""

    league: League
    members: tuple[Member, ...] = ()
    pairings: tuple[Pairing, ...] = ()

    @property
    def here(self) -> tuple[Member, ...]:
        """Those who have not left."""
        return tuple(one for one in self.members if one.left_at is None)

    def member(self, user: UserId) -> Member | None:
        return next((one for one in self.members if one.user == user), None)

    def active(self, user: UserId) -> bool:
        """Whether a user takes part and has not left; forgotten users (negative ids) do not count."""
        found = self.member(user)
        return found is not None and found.left_at is None and user > 0
