"""Ratings: estimates of a user's strength at a game, from finished matches.

A rating is a fold over results, oldest first, so that it can always be computed again. The mathematics is openskill's
(Plackett-Luce: matches of any number of players, shared ranks included); nothing here stores or waits.

>>> after = rated({}, Result((7, 8), (1, 2)))
>>> after[7].mu > FRESH.mu > after[8].mu
True
>>> after[7].won, after[8].lost
(1, 1)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from bot.core.values.ids import GuildId, UserId
from bot.core.values.rows import Default, Key, Person, Told

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

RATED, RUN = Told("the ratings that follow from the results"), Told("how many matches you won in a row")


@dataclass(frozen=True, slots=True)
class Rating:
    """An estimate of a user's strength, normal with this mean and deviation, and the counts of their results.

    `won` counts sole first ranks, `drawn` shared first ranks, `lost` the rest; `streak` is how many of the last were
    won one after another, `longest` the most that ever were; `places` how often they came out first, second and so on.
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
    """How a match ended: its users, all different, and their ranks, in the same order."""

    users: tuple[int, ...]
    ranks: tuple[int, ...]


@cache
def _model() -> PlackettLuce:
    # Importing openskill takes longer than any rating.
    from openskill.models import PlackettLuce

    return PlackettLuce()


def rated(before: Mapping[int, Rating], result: Result) -> dict[int, Rating]:
    """The ratings of a match's players after it; who is not in `before` is `FRESH`."""
    old = [before.get(user, FRESH) for user in result.users]
    teams = [[_model().create_rating([rating.mu, rating.sigma])] for rating in old]
    new = _model().rate(teams, ranks=[float(rank) for rank in result.ranks])
    shared = result.ranks.count(1) > 1
    return {
        user: Rating(team[0].mu, team[0].sigma, *tallied(rating, rank, shared))
        for user, rank, rating, team in zip(result.users, result.ranks, old, new, strict=True)
    }


def tallied(rating: Rating, rank: int, shared: bool) -> tuple[int, int, int, int, int, int, tuple[int, ...]]:
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
        counted(rating.places, rank),
    )


def counted(places: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """The counts of each place, with one more at `rank`.

    >>> counted((2,), 3)
    (2, 0, 1)
    """
    longer = [*places, *[0] * (rank - len(places))]
    longer[rank - 1] += 1
    return tuple(longer)


def folded(results: Iterable[Result], before: Mapping[int, Rating] | None = None) -> dict[int, Rating]:
    """Everybody's rating after these results, oldest first."""
    ratings = dict(before or {})
    for result in results:
        ratings.update(rated(ratings, result))
    return ratings
