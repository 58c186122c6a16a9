"""Boards as text: for alternative texts, and wherever no picture is shown."""

from __future__ import annotations

from collections.abc import Sequence

from bot.core.game.grids.squares import letter

MARKS = ".#O"
"""How a text board shows an empty square and those of seats 1 and 2."""


def text_board(
    rows: Sequence[Sequence[object]], right: Sequence[object] = (), below: Sequence[object] = (), even: bool = True
) -> str:
    """Rows with their coordinates, letters above and numbers at the left, and what stands in the margins.

    A cell with 0 is empty. Columns are equally wide, or, not `even`, each as wide as it must be.

    >>> print(text_board(["#.", ".O"], (3, 10), (2, 11)))
       a  b
    1  #  .   3
    2  .  O  10
       2 11
    """
    size, heads = len(rows), [letter(column) for column in range(len(rows[0]))]
    table = [heads, *([str(cell or ".") for cell in row] for row in rows), [*map(str, below)] or [""] * len(heads)]
    wide = [max(map(len, column)) for column in zip(*table, strict=True)]
    wide = [max(wide)] * len(wide) if even else wide
    label, edge = len(str(size)), max([len(str(item)) for item in right], default=0)
    sides = ["", *map(str, range(1, size + 1)), ""]
    ends = ["", *(f"  {item:>{edge}}" for item in right), *[""] * (size - len(right)), ""]
    lines = [
        f"{side.ljust(label)} {' '.join(map(str.rjust, row, wide))}{end}".rstrip()
        for side, row, end in zip(sides, table, ends, strict=True)
    ]
    return "\n".join(lines if below else lines[:-1])


def text_row(cells: Sequence[object], first: int = 1) -> tuple[str, str]:
    """A row of squares that are counted from some number, as two lines: their numbers, and what they hold.

    >>> print(*text_row("10."), sep="\\n")
     1 2 3
     1 0 .
    """
    wide = 1 + len(str(first + len(cells) - 1))
    return "".join(f"{first + at:>{wide}}" for at in range(len(cells))), "".join(f"{cell:>{wide}}" for cell in cells)
