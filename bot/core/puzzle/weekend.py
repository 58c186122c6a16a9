"""The weekend's puzzles: grids and curves for one, which have no one best move. A server's best result is the mark.

>>> [of_day(day) for day in (7 * 105_713 + 5, 7 * 105_713 + 6, 7 * 105_713 + 7)]
[None, 105713, 105713]
"""

from __future__ import annotations

from typing import Any

from bot.core.puzzle.puzzles import Day

SATURDAY = 5
BOARDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("sums-grid", {"size": 3}), ("within-the-curve", {"size": 8}), ("sums-grid", {"size": 3, "diagonals": "yes"}),
    ("sums-grid", {"size": 4}), ("within-the-curve", {"size": 10}), ("sums-grid", {"size": 4, "diagonals": "yes"}),
    ("sums-grid", {"size": 5}), ("within-the-curve", {"size": 12}), ("sums-grid", {"size": 5, "diagonals": "yes"}),
)  # fmt: skip
"""The games that are played alone, and their options, one a weekend."""


def of_day(day: Day) -> int | None:
    """The number of the weekend in which a day lies; None for other days."""
    week, weekday = divmod(day - 1, 7)
    return week if weekday >= SATURDAY else None


def board(weekend: int) -> tuple[str, dict[str, Any]]:
    """The game and the options of a weekend."""
    return BOARDS[weekend % len(BOARDS)]
