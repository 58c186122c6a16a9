"""The daily puzzle of each day: a position of a game in which exactly one move keeps the best result.

The puzzle of a day follows from the date alone, so it is the same everywhere. The games take turns as evenly as their
numbers of puzzles allow, in an order drawn once, and no puzzle comes again before all have been used. A day is counted
as `datetime.date.toordinal` counts it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from bot.core.game.game import Game
from bot.core.game.position import Position
from bot.core.library.catalogue import folded, games, puzzle_lines
from bot.core.values.seats import Seat

Day = int
FIRST: Day = 739_621
"""The day of the puzzle with the number 1: Monday, January 5, 2026."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the one move that keeps its best result, and by how much the mover is ahead at the end after that
    move and after the next best; `grade` is the weakest level of the computer that always finds it."""

    game: Game
    position: Position
    best: str
    value: int
    second: int
    grade: int

    @property
    def seat(self) -> Seat:
        """Who is to move."""
        return self.position.turn[0]


def number(day: Day) -> int:
    """The number of a day's puzzle."""
    return day - FIRST + 1


def of_day(day: Day) -> Puzzle:
    """The puzzle of a day; at a time before the first they are counted backwards."""
    lines = order()
    return read(lines[(day - FIRST) % len(lines)])


@cache
def order() -> tuple[dict[str, Any], ...]:
    """All puzzles, as they follow one another."""
    mixed = defaultdict[str, list[dict[str, Any]]](list)
    for key, game in games().items():
        mixed[key] = sorted(puzzle_lines(game), key=_lot)
    placed = [
        ((at + int(_lot(line), 16) / 16**64) / len(lines), _lot(line), line)
        for lines in mixed.values()
        for at, line in enumerate(lines)
    ]
    return tuple(line for _, _, line in sorted(placed, key=lambda one: one[:2]))


def read(line: dict[str, Any]) -> Puzzle:
    """A puzzle from its line."""
    game = games()[line["game"]]
    position = folded(game, line).position
    return Puzzle(game, position, line["best"], line["value"], line["second"], line["grade"])


@cache
def _drawn(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _lot(line: dict[str, Any]) -> str:
    return _drawn(json.dumps([line["game"], line["options"], line["moves"]], sort_keys=True))
