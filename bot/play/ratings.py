"""Ratings, seasons, careers, and the computer level that suits a user."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from bot.games.position import LEVELS
from bot.play.columns import Default, Exported, Key, Person
from bot.play.ids import USUAL, GuildId, MatchId, UserId

if TYPE_CHECKING:
    from openskill.models import PlackettLuce


# Seasons: the quarters of the calendar by UTC, each a number of its year and its quarter, or 0 for all time.


ALL_TIME = 0
"""In place of a season: all seasons together."""
DAY, YEAR = 86_400, 31_556_952
"""Seconds of a day, and of a year on average."""
DAYS_BEFORE = 0, 90, 181, 273
"""The days of a year before each quarter, in years that are not leap years."""
MONTHS = "January to March", "April to June", "July to September", "October to December"
FOR_EVER = 2**63 - 1
WRITTEN = re.compile(r"(?P<year>[0-9]{4})[ /-]*[Qq]?(?P<quarter>[1-4])|[Qq]?(?P<first>[1-4])[ /-]*(?P<then>[0-9]{4})")


def season_of(at: int) -> int:
    """The season that a second lies in."""
    near = 1970 + at // YEAR
    seasons = [10 * year + quarter for year in (near - 1, near, near + 1) for quarter in (1, 2, 3, 4)]
    return max(season for season in seasons if find_first_second(season) <= at)


def find_first_second(season: int) -> int:
    year, quarter = divmod(season, 10)
    leaps = sum((year - 1) // years - 1969 // years for years in (4, 400)) - ((year - 1) // 100 - 1969 // 100)
    leap = quarter > 1 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return DAY * (365 * (year - 1970) + leaps + DAYS_BEFORE[quarter - 1] + leap)


def find_next_season(season: int) -> int:
    return season + 1 if season % 10 < 4 else season + 7


def find_bounds(season: int) -> tuple[int, int]:
    """The second before a season, and its last second; also of all time."""
    return (find_first_second(season) - 1, find_first_second(find_next_season(season)) - 1) if season else (0, FOR_EVER)


def name_of(season: int) -> str:
    """A season as people write it."""
    return "{} Q{}".format(*divmod(season, 10))


def span_of(season: int) -> str:
    """The months of a season."""
    year, quarter = divmod(season, 10)
    return f"{MONTHS[quarter - 1]} {year}"


def read_season(text: str) -> int | None:
    """The season that a typed text names, or None.

    >>> [read_season(text) for text in ("2026 Q3", "2026q3", "q3 2026", "20263", "2026 Q5", "1969 Q4", "summer")]
    [20263, 20263, 20263, 20263, None, None, None]
    """
    found = WRITTEN.fullmatch(text.strip())
    if not found:
        return None
    year, quarter = found["year"] or found["then"], found["quarter"] or found["first"]
    return 10 * int(year) + int(quarter) if int(year) >= 1970 else None


# The rows of leaderboards and profiles, as the store returns them.


RANKED_FROM = 3
"""The least number of finished matches for a place on a leaderboard."""
SETTLED_FROM = 5
"""With fewer rated matches than this a rating is provisional: each result still moves it far."""
LOST = Exported("what your moves lost in a match that was reviewed")


class Leaderboard(NamedTuple):
    """A leaderboard: a server, a game or all of them (""), and a season or all time."""

    guild: int
    game: str = ""
    season: int = ALL_TIME


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A user's row on a leaderboard. `place` is None below `RANKED_FROM` matches; equals share a place (1, 2, 2, 4).
    `streak` is the current number of consecutive wins, `longest` the greatest; `places` how often they finished first,
    second and so on."""

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


class HeadToHead(NamedTuple):
    """A user's wins, draws and losses against another at a game."""

    game: str
    won: int
    drawn: int
    lost: int


class ResultAgainstComputer(NamedTuple):
    """A user's wins, draws and losses against a level of the computer at a game, and the wins without a hint."""

    game: str
    level: int
    won: int
    drawn: int
    lost: int
    unaided: int


@dataclass(frozen=True, slots=True)
class PointsLost:
    """The loss of a user's moves in a match, as far as it could be computed: the number of moves, the points they lost
    against the best moves, and those that random moves would have lost in their place."""

    match: ClassVar[Annotated[MatchId, Key("matches.id"), LOST]]
    user: ClassVar[Annotated[UserId, Key(), Person(owns=True), LOST]]
    moves: Annotated[int, Default(None), LOST] = 0
    points: Annotated[float, Default(None), LOST] = 0.0
    by_lot: Annotated[float, Default(None), LOST] = 0.0

    def combine(self, other: PointsLost) -> PointsLost:
        """These moves and some others."""
        return PointsLost(self.moves + other.moves, self.points + other.points, self.by_lot + other.by_lot)


class GameLosses(NamedTuple):
    """The same over all of a user's matches at a game. `beside` is the mean over matches of the loss relative to random
    moves, so that boards with higher scores do not weigh more."""

    moves: int
    points: float
    by_lot: float
    beside: float


@dataclass(frozen=True, slots=True)
class BestResult:
    """A user's best result playing alone."""

    user: UserId
    score: int
    match: MatchId


# Ratings: estimates of a user's strength at a game, from finished matches.


RATED, RUN = Exported("the ratings that follow from the results"), Exported("how many matches you won in a row")


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a user's strength, normal with this mean and deviation, and the counts of their results.

    `won` counts sole first ranks, `drawn` shared first ranks, `lost` the rest; `streak` is the current number of
    consecutive wins, `longest` the greatest; `places` how often they finished first, second and so on.
    """

    guild: ClassVar[Annotated[GuildId, Key(), RATED]]
    game: ClassVar[Annotated[str, Key(), RATED]]  # empty: over all games
    season: ClassVar[Annotated[int, Key(), Default(0), RATED]]  # 20263; 0: of all time
    user: ClassVar[Annotated[UserId, Key(), Person(), RATED]]
    mu: Annotated[float, Default(None), RATED] = 25.0
    sigma: Annotated[float, Default(None), RATED] = 25.0 / 3.0
    played: Annotated[int, Default(None), RATED] = 0
    won: Annotated[int, Default(None), RATED] = 0
    drawn: Annotated[int, Default(None), RATED] = 0
    lost: Annotated[int, Default(None), RATED] = 0
    streak: Annotated[int, RUN] = 0
    longest: Annotated[int, RUN] = 0
    places: Annotated[tuple[int, ...], Default("[]"), RATED] = ()

    @property
    def value(self) -> float:
        """What leaderboards order by: a cautious estimate of strength."""
        return self.mu - 3 * self.sigma


FRESH = Rating()
"""The rating of a user who has not played."""


class Result(NamedTuple):
    """The result of a match: its users, all different, and their ranks, in the same order."""

    users: tuple[int, ...]
    ranks: tuple[int, ...]


@cache
def _make_model() -> PlackettLuce:
    # Importing openskill takes longer than any rating.
    from openskill.models import PlackettLuce

    return PlackettLuce()


def rate_result(before: Mapping[int, Rating], result: Result) -> dict[int, Rating]:
    """The ratings of a match's players after it; players who are not in `before` start as `FRESH`."""
    old = [before.get(user, FRESH) for user in result.users]
    teams = [[_make_model().create_rating([rating.mu, rating.sigma])] for rating in old]
    new = _make_model().rate(teams, ranks=[float(rank) for rank in result.ranks])
    shared = result.ranks.count(1) > 1
    return {
        user: Rating(team[0].mu, team[0].sigma, *count_result(rating, rank, shared))
        for user, rank, rating, team in zip(result.users, result.ranks, old, new, strict=True)
    }


def count_result(rating: Rating, rank: int, shared: bool) -> tuple[int, int, int, int, int, int, tuple[int, ...]]:
    """The counts of a rating, in the order of its fields, after one more result: the user's rank, and whether the first
    rank was shared."""
    won = rank == 1 and not shared
    streak = rating.streak + 1 if won else 0
    return (
        rating.played + 1,
        rating.won + won,
        rating.drawn + (rank == 1 and shared),
        rating.lost + (rank != 1),
        streak,
        max(streak, rating.longest),
        count_place(rating.places, rank),
    )


def count_place(places: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """The counts of each place, with one more at `rank`.

    >>> count_place((2,), 3)
    (2, 0, 1)
    """
    longer = [*places, *[0] * (rank - len(places))]
    longer[rank - 1] += 1
    return tuple(longer)


def fold_results(results: Iterable[Result], before: Mapping[int, Rating] | None = None) -> dict[int, Rating]:
    """The ratings of all players after these results, oldest first."""
    ratings = dict(before or {})
    for result in results:
        ratings.update(rate_result(ratings, result))
    return ratings


# Careers: each player's rating on a leaderboard after each of their last matches; drawn as a chart in /profile.


LAST = 100
"""The number of matches kept of each player."""


class ResultsMark(NamedTuple):
    """How far a server's results were read: the end of its last match, and the last alias that was assigned."""

    ended: int | None
    alias: int | None


class ResultsSince(NamedTuple):
    """Results of a leaderboard, oldest first, and the mark they reach to: all of them (`whole`), or those since an
    earlier mark."""

    mark: ResultsMark
    whole: bool
    results: tuple[Result, ...]


class RatingCareer(NamedTuple):
    """A player's ratings (μ − 3σ) after each of their last matches, and the number of their matches."""

    values: tuple[float, ...]
    played: int


@dataclass(frozen=True, slots=True)
class Careers:
    """The careers of a leaderboard, up to a mark."""

    mark: ResultsMark
    ratings: Mapping[int, Rating]
    values: Mapping[int, tuple[float, ...]]

    def find_career(self, user: int) -> RatingCareer | None:
        """A player's career; None if no match of theirs has counted."""
        return RatingCareer(self.values[user], self.ratings[user].played) if user in self.values else None


def extend_careers(before: Careers | None, came: ResultsSince) -> Careers:
    """The careers after new results."""
    known = None if came.whole else before
    ratings, values = (dict(known.ratings), dict(known.values)) if known else ({}, {})
    for result in came.results:
        after = rate_result(ratings, result)
        ratings.update(after)
        for user, rating in after.items():
            values[user] = (*values.get(user, ())[1 - LAST :], rating.value)
    return Careers(came.mark, ratings, values)


# The computer level that a user beats about half the time, from results against it and the losses of their moves.


STEP = math.log(3)
"""The factor, as a logarithm, by which one level of strength changes the odds of winning."""
SPREAD = 1.5
"""The standard deviation of players' strengths, in levels (the prior)."""
SCATTER = 0.6
"""The standard deviation of the loss of a single move, relative to that of a random move."""
FEWEST = 10
"""The least number of judged moves for an estimate."""
STRENGTHS = [tenth / 10 for tenth in range(10 * LEVELS[-1] + 11)]


class LossRate(NamedTuple):
    """The points that a user's moves lost at a game, and the loss of the first level there, relative to random
    moves."""

    lost: GameLosses
    first: float

    def compute_expected_loss(self, strong: float) -> float:
        """The expected loss at a strength in levels, relative to that of random moves."""
        return self.first * max(0.0, (LEVELS[-1] - strong) / (LEVELS[-1] - LEVELS[0]))

    def compute_points_at(self, level: int) -> float:
        """The expected loss of a level in place of these moves, in points a move."""
        return self.lost.by_lot / self.lost.moves * self.compute_expected_loss(level)


class LevelAdvice(NamedTuple):
    """The level that suits a user, how many of ten matches they should win against it, and the next level, None where
    there is none; their loss in points a move, and that expected of the next level in the same positions, where
    known."""

    level: int
    wins: int
    next_level: int | None
    loses: float | None = None
    next_loses: float | None = None


def estimate_strength(results: Sequence[ResultAgainstComputer], losing: LossRate | None = None) -> float:
    """A user's strength at a game, in levels: the most likely one by the results against the computer and the points
    lost."""
    return max(STRENGTHS, key=lambda one: (_compute_likelihood(one, results) + _likely_to_lose(one, losing), -one))


def advise_level(
    results: Sequence[ResultAgainstComputer], offered: range, losing: LossRate | None = None
) -> LevelAdvice | None:
    """The level that suits a user, among those offered; None without any evidence."""
    losing = losing if losing and losing.lost.moves >= FEWEST else None
    if not losing and not any(one.unaided + one.drawn + one.lost for one in results):
        return None
    strong = estimate_strength(results, losing)
    level = min(max(round(strong), offered[0]), offered[-1])
    following = level + 1 if level < offered[-1] else None
    wins = min(max(round(10 * _compute_win_chance(strong, level)), 1), 9)
    advice = LevelAdvice(level, wins, following)
    if not losing:
        return advice
    loses = losing.lost.points / losing.lost.moves
    return advice._replace(loses=loses, next_loses=losing.compute_points_at(following) if following else None)


def _compute_win_chance(strong: float, level: int) -> float:
    return 1 / (1 + math.exp(STEP * (level - strong)))


def _compute_likelihood(strong: float, results: Sequence[ResultAgainstComputer]) -> float:
    """The log-likelihood of a strength by the results, up to a constant."""
    found = -0.5 * ((strong - USUAL) / SPREAD) ** 2
    for one in results:
        wins = _compute_win_chance(strong, one.level)
        found += (one.unaided + one.drawn / 2) * math.log(wins) + (one.lost + one.drawn / 2) * math.log(1 - wins)
    return found


def _likely_to_lose(strong: float, losing: LossRate | None) -> float:
    """The log-likelihood of a strength by the points that the user's moves lost, up to a constant."""
    if not losing:
        return 0.0
    return -0.5 * losing.lost.moves * ((losing.lost.beside - losing.compute_expected_loss(strong)) / SCATTER) ** 2
