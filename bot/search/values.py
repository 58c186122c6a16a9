"""What a result is worth to each seat: by how much it is ahead, and its share of the match."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.game import Position
from bot.core.mind import Mind

MARGIN = 0.2
"""How much of a reward is for the margin: winning comes first."""


def results(position: Position, mind: Mind) -> Sequence[int]:
    """The running or final result of every seat, the higher the better."""
    if position.withdrawn or not any(scores := position.scores()):
        ranks = position.ranks()
        if ranks is not None:
            return [-rank for rank in ranks]
        return [0] * len(position.scores())
    return [-score for score in scores] if mind.lowest_wins else scores


def margins(found: Sequence[float]) -> tuple[float, ...]:
    """By how much each seat is ahead of the best other; negative where it is behind.

    >>> margins((5, 3, 9))
    (-4, -6, 4)
    """
    if len(found) == 2:
        ahead = found[0] - found[1]
        return ahead, -ahead
    return tuple(mine - max(other for place, other in enumerate(found) if place != at) for at, mine in enumerate(found))


def rewards(found: Sequence[float]) -> tuple[float, ...]:
    """What the search is after for each seat, from 0 to 1: to win, and by much rather than by little.

    >>> rewards((4, 4)), rewards((6, 2))
    ((0.5, 0.5), (0.95, 0.05))
    """
    total = sum(map(abs, found)) or 1
    return tuple(_reward(ahead, ahead / total) for ahead in margins(found))


def _reward(ahead: float, share: float) -> float:
    won = (ahead > 0) - (ahead < 0)
    return round(0.5 + 0.5 * ((1 - MARGIN) * won + MARGIN * max(-1.0, min(1.0, share))), 12)
