"""How long people and servers have kept at the daily puzzle, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.core.puzzle.stored_puzzles import PuzzleTry

MOST_TRIES = 3


class Streak(NamedTuple):
    """The days in a row that go on today, and the most there ever were."""

    now: int
    best: int


class Career(NamedTuple):
    """A user's results: puzzles tried, those solved in one, two and three tries, and the streak."""

    tried: int
    solved: tuple[int, int, int]
    streak: Streak


def personal(days: Sequence[int], today: int) -> Streak:
    """The streak of a user, from the days of the solved puzzles, ascending; one missed day a week, from Monday to
    Sunday, is forgiven, and today is not missed yet.

    >>> personal((8, 9, 11), 12), personal((8, 9, 12), 12), personal((8, 9), 13)
    (Streak(now=3, best=3), Streak(now=1, best=2), Streak(now=0, best=2))
    """
    run = best = 0
    forgiven, solved = set[int](), set(days)
    for day in range(min(days, default=today), today + 1):
        week = (day - 1) // 7
        if day in solved:
            run += 1
        elif run and day != today:
            run = 0 if week in forgiven else run
            forgiven.add(week)
        best = max(best, run)
    return Streak(run, best)


def of_server(days: Sequence[int], last: int) -> int:
    """The number of consecutive days until `last` on which a user of a server solved the puzzle; the latest day comes
    first.

    >>> of_server((12, 11, 9), 12), of_server((12, 11, 9), 13)
    (2, 0)
    """
    past = [day for day in days if day <= last]
    return next((at for at, day in enumerate(past) if day != last - at), len(past))


def career(tries: Sequence[PuzzleTry], today: int) -> Career:
    """A user's results, from all their tries in order."""
    solved = [one for one in tries if one.solved]
    counts = [sum(one.number == number for one in solved) for number in range(1, MOST_TRIES + 1)]
    streak = personal([one.day for one in solved], today)
    return Career(len({one.day for one in tries}), (counts[0], counts[1], counts[2]), streak)
