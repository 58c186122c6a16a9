"""The two moves of the game as values: read from forgiving text, written as notation, and offered while one is typed.

How far a grid reaches that has not been submitted is for the player to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from bot.core.game.notation import quote, tidy, wholes
from bot.core.game.position import Illegal, MoveError, Suggestion, Unreadable
from bot.core.values.plural import Plural
from cogs.sums_grid.sums import Grid, reach

LARGEST = 9999
EXAMPLE = {
    2: "1 2 / 3 4",
    3: "1 2 3 / 4 5 6 / 7 8 9",
    4: "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16",
    5: "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 24 25",
}
"""What a grid of each size looks like in writing."""
ROW_END = re.compile(r" ?\n?[/;]\n? ?|\n")
LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")
LONGEST = 100
"""The most characters of a move that can be offered; a grid of 25 numbers of four digits is longer."""


class Submit(NamedTuple):
    """Hand in a grid, row by row; whether it fits the match is for `checked` to say."""

    rows: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return "grid " + " / ".join(" ".join(map(str, row)) for row in self.rows)


class Done(NamedTuple):
    """End one's match."""

    def __str__(self) -> str:
        return "done"


Action = Submit | Done
UNEQUAL = "All rows of a grid are equally long, but row 1 has {first} and row {number} has {other}."
NUMBERS = Plural("1 number", "{number} numbers")
SHAPE = Plural(
    "The grid needs {size} rows of {size} numbers. This one has 1 row of {numbers}.",
    "The grid needs {size} rows of {size} numbers. This one has {number} rows of {numbers}.",
)
TWICE_IN_A_ROW = "{value} is there twice, in row {row}. All {all} numbers of a grid must be different."
TWICE = "{value} is there twice, in rows {row} and {other}. All {all} numbers of a grid must be different."


def parsed(text: str, size: int) -> Action:
    """The move that a text means, or `Unreadable`; the size is for the examples in its sentences."""
    folded = tidy(text)
    word, _, rest = re.sub(r"^grid\b ?:? ?\n*", "grid ", folded).partition(" ")
    if word == "done":
        if rest:
            raise Unreadable(f"Write done alone, without {quote(rest)}.")
        return Done()
    if word == "grid" and not rest:
        raise Unreadable("The numbers are missing. Write them row by row.")
    return Submit(_rows(rest if word == "grid" else folded, size))


def _rows(text: str, size: int) -> tuple[tuple[int, ...], ...]:
    if text.startswith("grid "):
        raise Unreadable("The word grid is there twice. Write it once, or leave it out.")
    if not re.match(r" *[0-9]", text):
        raise Unreadable(f"{quote(text)} isn't a grid. Write numbers row by row, or write done.")
    pieces = ROW_END.split(re.sub(r"\s*\n\s*", "\n", text))
    if not pieces[-1].strip():
        pieces.pop()
    if not all(piece.strip() for piece in pieces):
        raise Unreadable("A row of this grid is empty. Write one / between two rows.")
    rows = tuple(wholes(LEADING_ZEROS.sub("", piece)) for piece in pieces)
    if len(rows) == 1 and len(rows[0]) == size**2:
        # All numbers one after another: where the count is right, the rows are clear.
        return tuple(rows[0][first : first + size] for first in range(0, size**2, size))
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            facts = {"first": counted(len(rows[0])), "number": number, "other": counted(len(row))}
            raise Unreadable(UNEQUAL.format(**facts))
    return rows


def checked(rows: Sequence[Sequence[int]], size: int) -> tuple[int, ...]:
    """The numbers of the grid with these rows, or `Illegal` where it is none for a match of this size."""
    if (len(rows), len(rows[0])) != (size, size):
        told = SHAPE.of(len(rows), size=size, numbers=counted(len(rows[0])))
        raise Illegal(told)
    first: dict[int, int] = {}
    for number, row in enumerate(rows, 1):
        for value in row:
            if not 1 <= value <= LARGEST:
                raise Illegal(f"{value} is out of bounds. The numbers of a grid are 1 to {LARGEST}.")
            if value in first:
                told = TWICE_IN_A_ROW if first[value] == number else TWICE
                raise Illegal(told.format(value=value, row=first[value], other=number, all=size**2))
            first[value] = number
    return tuple(value for row in rows for value in row)


def counted(numbers: int) -> str:
    """So many numbers, in words."""
    return NUMBERS.of(numbers)


# What is offered while a grid is typed.


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
