"""Seats: who plays, who looks, and who came first.

Seats count from 1 in turn order. What every game of several seats needs of them, rotation and ranking, is written here
once.
"""

from __future__ import annotations

from collections.abc import Sequence

Seat = int
"""Who plays: 1, 2, … in turn order."""

Viewer = Seat | None
"""Who looks: a seat, or None for a spectator."""


def ranking(results: Sequence[int], withdrawn: Sequence[Seat] = ()) -> tuple[int, ...]:
    """Rank seats by result, highest first: 1 + the number of seats that did better.

    Seats that withdrew (in the order in which they left) come after all who stayed, the last to leave first.
    """
    stayed = len(withdrawn)
    merit = [
        (withdrawn.index(seat), 0) if seat in withdrawn else (stayed, result) for seat, result in enumerate(results, 1)
    ]
    return tuple(1 + sum(other > mine for other in merit) for mine in merit)
