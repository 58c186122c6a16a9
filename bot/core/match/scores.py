"""Computes the course of a match's scores: the score of each seat after every move, and the changes of the lead.

Moves that were taken back do not count, and a seat that left has no score from then on. For matches that are over:
before that, the course may tell secrets, and the caller sees to it.

>>> from bot.core.library.catalogue import games
>>> courses(Match.start(games()["binary-primes"], {"size": 3}, 2).play(1, "b2").play(2, "a1").withdraw(1))
((343, 245, 105), (343, 245, 105))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.core.match.match import Match
from bot.core.match.record import Withdrawal
from bot.core.values.seats import Seat

Courses = Sequence[Sequence[int]]
"""For each seat its scores after 0, 1, 2 … moves, for as long as it is in the match."""


class Lead(NamedTuple):
    """The only leader at the end, from after which move on, and how often the lead went from one seat to another."""

    seat: Seat | None
    since: int
    changes: int


def courses(match: Match) -> tuple[tuple[int, ...], ...]:
    """The scores of every seat after each move."""
    now = Match.start(match.game, match.options.record(), match.seats)
    told = [list(scores) for scores in zip(now.scores, strict=True)]
    for line in match.standing:
        staying, now = set(range(1, match.seats + 1)).difference(now.withdrawn), now.enter(*line)
        for seat in staying:
            if isinstance(line, Withdrawal):
                # Leaving is no move; but it may be what a score changes by.
                told[seat - 1].pop()
            told[seat - 1].append(now.scores[seat - 1])
    return tuple(map(tuple, told))


def lead(told: Courses, lowest_wins: bool = False) -> Lead:
    """How the lead went.

    >>> lead([[0, 1, 1, 5], [0, 0, 3, 3]]), lead([[0, 2], [0, 2]]), lead([[0, 1, 1], [0, 0]])
    (Lead(seat=1, since=3, changes=2), Lead(seat=None, since=0, changes=0), Lead(seat=1, since=1, changes=0))
    """
    last = max(map(len, told)) - 1
    leaders = [leader(told, move, lowest_wins) for move in range(last + 1)]
    since = next((move for move in range(last, 0, -1) if leaders[move - 1] != leaders[last]), 0)
    ahead = [seat for seat in leaders if seat]
    return Lead(leaders[last], since, sum(one != other for one, other in pairwise(ahead)))


def leader(told: Courses, move: int, lowest_wins: bool = False) -> Seat | None:
    """The only leader after a move, among the seats still in the match; None where several lead."""
    there = {seat: scores[move] for seat, scores in enumerate(told, 1) if len(scores) > move}
    best = min(there.values()) if lowest_wins else max(there.values())
    ahead = [seat for seat, score in there.items() if score == best]
    return ahead[0] if len(ahead) == 1 else None
