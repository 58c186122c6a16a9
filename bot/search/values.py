"""Turns the scores of a position into what they are worth to each seat: its margin and its share of the match."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.game.mind import Mind
from bot.core.game.position import Position
from bot.core.values.seats import Seat

LARGE = 10**300
"""The greatest margin that enters a mean: results are exact at any size, but floats hold no more than this."""


def results(position: Position, mind: Mind) -> Sequence[int]:
    """The running or final result of every seat, the higher the better: its score, or in a game without scores 1 for
    the seats that came first. Seats that have left come after all others."""
    scores = position.scores()
    if not any(scores):
        ranks = position.ranks()
        return [0] * len(scores) if ranks is None else [int(rank == 1) for rank in ranks]
    return ranked([-score for score in scores] if mind.lowest_wins else scores, position.withdrawn)


def ranked(found: Sequence[int], withdrawn: Sequence[Seat]) -> Sequence[int]:
    """Results in which those who have left are behind all who stay.

    >>> ranked((5, 9, 2), (2,))
    [5, 1, 2]
    """
    if not withdrawn or len(withdrawn) == len(found):
        return found
    behind = min(result for seat, result in enumerate(found, 1) if seat not in withdrawn) - 1
    return [behind if seat in withdrawn else result for seat, result in enumerate(found, 1)]


def margins(found: Sequence[float]) -> tuple[float, ...]:
    """By how much each seat is ahead of the best other; negative where it is behind.

    >>> margins((5, 3, 9))
    (-4, -6, 4)
    """
    if len(found) == 2:
        ahead = found[0] - found[1]
        return ahead, -ahead
    if len(found) < 2:
        return tuple(found)
    first, second = sorted(found, reverse=True)[:2]
    return tuple(mine - (second if mine == first else first) for mine in found)


def held(margin: float) -> float:
    """A margin as a float, whatever its size.

    >>> held(3), held(-(10**400)) == -1e300
    (3.0, True)
    """
    return float(max(-LARGE, min(LARGE, margin)))


def share(margin: float, total: float) -> float:
    """A margin beside all that was scored, from -1 to 1; exact numbers of any size are divided without loss.

    >>> share(2, 8), share(10**400, 2 * 10**400), share(0, 0)
    (0.25, 0.5, 0.0)
    """
    return max(-1.0, min(1.0, margin / total)) if total else 0.0
