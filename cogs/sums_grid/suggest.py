"""Grids offered while somebody types one: their own so far, with their scores, and what they have typed, filled up.

How far a grid reaches that has not been submitted is for the player to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from bot.core.game.notation import wholes
from bot.core.game.position import MoveError, Suggestion
from cogs.sums_grid.action import EXAMPLE, checked, counted
from cogs.sums_grid.sums import Grid, reach

LONGEST = 100
"""The most characters of a move that can be offered; a grid of 25 numbers of four digits is longer."""


def grids(typed: str, size: int, best: Grid, latest: Grid) -> Iterator[Suggestion]:
    """The best and the latest grid as far as they begin as typed, then the typed one; at first an example."""
    text = " ".join(typed.lower().split()).removeprefix("grid").strip()
    notes = {str(best): f"your best so far, reaches {reach(best)}"} if best else {}
    if latest != best:
        notes[str(latest)] = f"your latest, reaches {reach(latest)}"
    own = [(grid, note) for grid, note in notes.items() if grid.startswith(text)]
    if not own and not text:
        own = [(EXAMPLE[size], "what a grid looks like")]
    if text and (grid := filled(text, size)):
        added = size**2 - len(re.findall("[0-9]+", text))
        own.append((str(grid), f"with {counted(added)} added" if added else ""))
    offered = (Suggestion(f"grid {grid}", note) for grid, note in own)
    yield from (suggestion for suggestion in offered if len(suggestion.move) <= LONGEST)


def filled(text: str, size: int) -> Grid:
    """The grid that begins with what is typed, filled up with the least numbers left; empty where there is none."""
    try:
        rows = [wholes(piece) for piece in re.split("[/;]", text.rstrip(" ,/;"))]
        if len(rows) > 1 and any(len(row) != size for row in rows[:-1]):
            return Grid()
        begun = [value for row in rows for value in row]
        left = (value for value in count(1) if value not in begun)
        whole = [*begun, *(next(left) for _ in range(size**2 - len(begun)))]
        return Grid(checked([whole[first : first + size] for first in range(0, len(whole), size)], size))
    except MoveError:
        return Grid()
