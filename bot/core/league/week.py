"""What happened in a server in a week: the closest match, the biggest surprise, a streak, and who solved most puzzles.

>>> ann, bea = UserId(1001), UserId(1002)
>>> channel, lost = ChannelId(1), ((1, 1), (2, 8))
>>> far, close = (Finished(MatchId(one), channel, "plexus", (Came(ann, 1, 9), Came(bea, 2, low))) for one, low in lost)
>>> closest((far, close)).match, surprise((far, close), {ann: 900, bea: 1000})
(2, (1, 100))
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from bot.core.league.stored_league import Loaded
from bot.core.values.ids import ChannelId, MatchId, UserId

LONG = 2
"""So many wins in a row are a streak."""


class Came(NamedTuple):
    """How somebody came out of a match: rank, and score where there is one."""

    user: UserId
    rank: int
    score: int | None


class Finished(NamedTuple):
    """A match between people that is over, and where it was challenged; its winner comes first."""

    match: MatchId
    channel: ChannelId
    game: str
    people: tuple[Came, ...]


class Solver(NamedTuple):
    """Somebody who solved so many puzzles of the week in so many tries."""

    user: UserId
    solved: int
    tries: int


class Streak(NamedTuple):
    """Who has won how many matches in a row."""

    users: tuple[UserId, ...]
    wins: int


class Week(NamedTuple):
    """What is told of a week: how many matches between people were finished; of those played to their end the closest,
    and one with how far the loser is rated above the winner; how many matches its winners have won in a row, who solved
    puzzles, and the leagues."""

    matches: int
    closest: Finished | None
    surprise: tuple[Finished, int] | None
    wins: Mapping[UserId, int]
    solvers: tuple[Solver, ...]
    leagues: tuple[Loaded, ...]

    @property
    def streak(self) -> Streak | None:
        """The longest streak."""
        return streak(self.wins)

    @property
    def champions(self) -> tuple[Solver, ...]:
        """The best solvers."""
        return champions(self.solvers)

    @property
    def listed(self) -> list[UserId]:
        """Those who stand in its lists, or would if somebody else had not: the best first."""
        winners = sorted((user for user, wins in self.wins.items() if wins >= LONG), key=lambda user: -self.wins[user])
        solvers = sorted(self.solvers, key=lambda one: (-one.solved, one.tries))
        members = [member.user for one in self.leagues for member in one.members]
        return [one for one in dict.fromkeys((*winners, *(one.user for one in solvers), *members)) if one > 0]

    def without(self, gone: Collection[UserId]) -> Week:
        """The same, with lists in which those who have left the server do not stand."""
        wins = {user: count for user, count in self.wins.items() if user not in gone}
        return self._replace(wins=wins, solvers=tuple(one for one in self.solvers if one.user not in gone))

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened."""
        return not self.matches and not self.champions


def closest(matches: Sequence[Finished]) -> Finished | None:
    """The match of two whose scores differ least, beside all that was scored; the earliest of several."""
    close = [(gap, one) for one in matches if (gap := _gap(one)) is not None]
    return min(close, key=lambda found: found[0])[1] if close else None


def _gap(one: Finished) -> Fraction | None:
    scores = [came.score for came in one.people]
    if len(scores) != 2 or scores[0] is None or scores[1] is None or not any(scores):
        return None
    return Fraction(abs(scores[0] - scores[1]), abs(scores[0]) + abs(scores[1]))


def surprise(matches: Sequence[Finished], rated: Mapping[UserId, int]) -> tuple[MatchId, int] | None:
    """The match of two in which the winner is rated furthest below the loser, and by how much."""
    found = [
        (rated[lost.user] - rated[won.user], one.match)
        for one in matches
        if len(one.people) == 2
        for won, lost in [one.people]
        if won.rank < lost.rank and {won.user, lost.user} <= {*rated}
    ]
    most, match = max(found, key=lambda one: one[0], default=(0, MatchId(0)))
    return (match, most) if most > 0 else None


def streak(wins: Mapping[UserId, int]) -> Streak | None:
    """The longest streak of those who won this week."""
    most = max(wins.values(), default=0)
    return Streak(tuple(user for user, count in wins.items() if count == most), most) if most >= LONG else None


def champions(solvers: Sequence[Solver]) -> tuple[Solver, ...]:
    """Those who solved most puzzles, in the fewest tries."""
    best = max(((one.solved, -one.tries) for one in solvers), default=(0, 0))
    return tuple(one for one in solvers if one.solved and (one.solved, -one.tries) == best)
