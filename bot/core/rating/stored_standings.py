"""The rows that leaderboards and profiles are made of, as the store gives them: plain frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from bot.core.rating.seasons import ALL_TIME
from bot.core.values.ids import MatchId, UserId
from bot.core.values.rows import Default, Key, Person, Told

RANKED_FROM = 3
"""With fewer finished matches than this a player has no place on a leaderboard."""
SETTLED_FROM = 5
"""With fewer rated matches than this a rating is provisional: each result still moves it far."""
LOST = Told("what your moves lost in a match that somebody had reviewed")


class Board(NamedTuple):
    """A leaderboard: a server, a game or all of them (""), and a season or all time."""

    guild: int
    game: str = ""
    season: int = ALL_TIME


@dataclass(frozen=True, slots=True)
class Standing:
    """A user's row on a leaderboard. `place` is None below three matches; equals share a place (1, 2, 2, 4). `streak`
    is how many of the last matches they won one after another, `longest` the most that they ever did; `places` how
    often they came out first, second and so on."""

    user: UserId
    place: int | None
    mu: float
    sigma: float
    played: int
    won: int
    drawn: int
    lost: int
    streak: int = 0
    longest: int = 0
    places: tuple[int, ...] = ()

    @property
    def value(self) -> float:
        """What leaderboards order by: a cautious estimate of strength."""
        return self.mu - 3 * self.sigma


class Score(NamedTuple):
    """A user's wins, draws and losses against another at a game."""

    game: str
    won: int
    drawn: int
    lost: int


class Against(NamedTuple):
    """A user's wins, draws and losses against a level of the computer at a game, and the wins without a hint."""

    game: str
    level: int
    won: int
    drawn: int
    lost: int
    unaided: int


@dataclass(frozen=True, slots=True)
class Lost:
    """The loss of a user's moves in a match, as far as it could be computed: the number of moves, the points they lost
    against the best moves, and those that random moves would have lost in their place."""

    match: ClassVar[Annotated[MatchId, Key("matches.id"), LOST]]
    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), LOST]]
    moves: Annotated[int, Default(None), LOST] = 0
    points: Annotated[float, Default(None), LOST] = 0.0
    by_lot: Annotated[float, Default(None), LOST] = 0.0

    def also(self, other: Lost) -> Lost:
        """These moves and some others."""
        return Lost(self.moves + other.moves, self.points + other.points, self.by_lot + other.by_lot)


class Losses(NamedTuple):
    """The same over all of a user's matches at a game. `beside` is the mean loss relative to random moves, taken match
    by match, so that boards with more to lose do not count for more."""

    moves: int
    points: float
    by_lot: float
    beside: float


@dataclass(frozen=True, slots=True)
class Best:
    """A user's best result playing alone."""

    user: UserId
    score: int
    match: MatchId
