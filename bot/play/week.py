"""A server's week: the closest match, the biggest upset, the longest streak, and the best solvers of puzzles.

>>> ann, bea = UserId(1001), UserId(1002)
>>> channel, lost = ChannelId(1), ((1, 1), (2, 8))
>>> results = [(MatchId(one), (PlayerResult(ann, 1, 9), PlayerResult(bea, 2, low))) for one, low in lost]
>>> far, close = (FinishedMatch(match, channel, "plexus", result) for match, result in results)
>>> find_closest_match((far, close), {"plexus"}).match
2
>>> find_biggest_upset((far, close), {1: {ann: 900, bea: 1000}, 2: {ann: 900}})
(1, 100)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from bot.play.ids import ChannelId, MatchId, UserId
from bot.play.league_tables import LoadedLeague
from bot.play.ratings import FRESH, Rating, Result, rate_result

LONG = 2
"""The least number of consecutive wins that is a streak."""
SURPRISING = 50
"""The least rating difference, in points, by which the loser of an upset was ahead."""


class PlayerResult(NamedTuple):
    """A user's result in a match: rank, and score where there is one."""

    user: UserId
    rank: int
    score: int | None


class FinishedMatch(NamedTuple):
    """A match between people that is over, and where it was challenged; its winner comes first. One that ended `early`,
    by a withdrawal, on time or by agreement, says nothing by its scores."""

    match: MatchId
    channel: ChannelId
    game: str
    people: tuple[PlayerResult, ...]
    early: bool = False


class RatedMatch(NamedTuple):
    """A rated match that counts: its number, when it ended, and how."""

    match: MatchId
    ended: int
    result: Result


class WeekRatings(NamedTuple):
    """The ratings in a week: those of a match's players before each match, and each winner's consecutive wins at the
    end."""

    before: Mapping[MatchId, Mapping[UserId, Rating]]
    wins: Mapping[UserId, int]


class WeekSolver(NamedTuple):
    """A user with the number of puzzles of the week that they solved, and of their tries."""

    user: UserId
    solved: int
    tries: int


class WinStreak(NamedTuple):
    """Who has won how many matches in a row."""

    users: tuple[UserId, ...]
    wins: int


class Week(NamedTuple):
    """The summary of a week: the number of finished matches between people; the closest of those played to the end, or
    the only one, or else the only one that ended early; the biggest upset, with the rating difference before it; the
    consecutive wins of its winners in rated matches; the solvers of puzzles, and the leagues; where there is neither a
    closest match nor an only one, who won a match, most often first."""

    matches: int
    closest: FinishedMatch | None
    only: FinishedMatch | None
    surprise: tuple[FinishedMatch, int] | None
    wins: Mapping[UserId, int]
    solvers: tuple[WeekSolver, ...]
    leagues: tuple[LoadedLeague, ...]
    winners: tuple[UserId, ...]

    @property
    def streak(self) -> WinStreak | None:
        return find_longest_streak(self.wins)

    @property
    def champions(self) -> tuple[WeekSolver, ...]:
        return find_best_solvers(self.solvers)

    @property
    def listed_users(self) -> list[UserId]:
        """The users whom its lists show, or would show if others were excluded: the best first."""
        winners = sorted((user for user, wins in self.wins.items() if wins >= LONG), key=lambda user: -self.wins[user])
        solvers = sorted(self.solvers, key=lambda one: (-one.solved, one.tries))
        members = [member.user for one in self.leagues for member in one.members]
        listed = dict.fromkeys((*winners, *(one.user for one in solvers), *self.winners, *members))
        return [one for one in listed if one > 0]

    def exclude_users(self, gone: Collection[UserId]) -> Week:
        """The same week without the users who have left the server."""
        wins = {user: count for user, count in self.wins.items() if user not in gone}
        solvers = tuple(one for one in self.solvers if one.user not in gone)
        winners = tuple(user for user in self.winners if user not in gone)
        return self._replace(wins=wins, solvers=solvers, winners=winners)

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened."""
        return not self.matches and not self.champions and all(one.league.state == "live" for one in self.leagues)


def find_closest_match(matches: Sequence[FinishedMatch], scored: Collection[str]) -> FinishedMatch | None:
    """The match of two with the smallest score difference relative to the total; the earliest of several. Only of games
    in `scored`, as other games have no margin. None if there are fewer than two to compare."""
    close = [(gap, one) for one in matches if one.game in scored and (gap := _relative_gap(one)) is not None]
    return min(close, key=lambda found: found[0])[1] if len(close) > 1 else None


def find_only_match(matches: Sequence[FinishedMatch]) -> FinishedMatch | None:
    """The match of two that was the only one; None where there were others."""
    return matches[0] if len(matches) == 1 and len(matches[0].people) == 2 else None


def list_match_winners(matches: Sequence[FinishedMatch]) -> tuple[UserId, ...]:
    """Who won a match, most often first; draws have no winner, and nobody is listed who has deleted their data."""
    won = Counter(
        came.user
        for one in matches
        for came in one.people
        if came.rank == 1 and came.user > 0 and any(other.rank > 1 for other in one.people)
    )
    return tuple(user for user, _ in won.most_common())


def _relative_gap(one: FinishedMatch) -> Fraction | None:
    scores = [came.score for came in one.people]
    if len(scores) != 2 or scores[0] is None or scores[1] is None or not any(scores):
        return None
    return Fraction(abs(scores[0] - scores[1]), abs(scores[0]) + abs(scores[1]))


def trace_ratings(counted: Sequence[RatedMatch], since: int) -> WeekRatings:
    """The ratings since a moment, from all matches that count."""
    now, before, winners = dict[int, Rating](), dict[MatchId, dict[UserId, Rating]](), dict[UserId, None]()
    for match, ended, result in counted:
        users = [UserId(user) for user in result.users]
        after = rate_result(now, result)
        if ended >= since:
            before[match] = {user: now.get(user, FRESH) for user in users}
            winners |= {user: None for user in users if after[user].streak}
        now |= after
    return WeekRatings(before, {user: now[user].streak for user in winners if now[user].streak})


def find_biggest_upset(
    matches: Sequence[FinishedMatch], before: Mapping[MatchId, Mapping[UserId, int]]
) -> tuple[MatchId, int] | None:
    """The match of two in which the winner was rated furthest below the loser, and by how much; the earliest of
    several. `before`: for each match that counts, the settled ratings of its players."""
    found = [
        (points[lost.user] - points[won.user], one.match)
        for one in matches
        if len(one.people) == 2 and (points := before.get(one.match))
        for won, lost in [one.people]
        if won.rank < lost.rank and {won.user, lost.user} <= {*points}
    ]
    most, match = max(found, key=lambda one: one[0], default=(0, MatchId(0)))
    return (match, most) if most >= SURPRISING else None


def find_longest_streak(wins: Mapping[UserId, int]) -> WinStreak | None:
    """The longest streak of those who won this week."""
    most = max(wins.values(), default=0)
    return WinStreak(tuple(user for user, count in wins.items() if count == most), most) if most >= LONG else None


def find_best_solvers(solvers: Sequence[WeekSolver]) -> tuple[WeekSolver, ...]:
    """Those who solved most puzzles, in the fewest tries."""
    best = max(((one.solved, -one.tries) for one in solvers), default=(0, 0))
    return tuple(one for one in solvers if one.solved and (one.solved, -one.tries) == best)
