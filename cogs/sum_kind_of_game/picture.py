"""Sum Kind Of Game as a picture: the grid, and in every square that scores the two numbers of which it is the sum.

The band at the foot of a square has the pair from its row, that at its head the pair from its column, each in the
colour of the seat that counts it. How many squares of a line score stands in the margin, and each seat's next number
beside its total.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bot.core.seats import BOTH
from cogs.sum_kind_of_game.rules import SumKindOfGame, sums
from rendering import boards, margins
from rendering import legend as legends
from rendering.boards import GAP, HAIR, Layout, width
from rendering.legend import Entry
from rendering.shapes import EDGE, LABEL, LEAST, TINT_INKS, Box, Ink, Picture, Shape, Text

TITLE, NAME = "Sum Kind Of Game", "sum-kind-of-game"

# In points.
LEFT = EDGE + width("00", LABEL) + GAP
RIGHT = GAP + width("0", LABEL) + EDGE
SCORES = GAP + LABEL + 12
"""What the scores below the board take."""
LARGEST = 34
"""The type of a pair."""
KEY, SAMPLE = 60, 44
"""The height of the key, and the side of a square there."""

# In squares.
BAND = 0.3
"""The height of a band at the head or foot of a square."""
NUMBER = 0.42
"""The type of the number between the bands."""


def pictures(position: SumKindOfGame) -> tuple[Picture, ...]:
    """The board with its pairs and scores."""
    layout = _layout(position.size)
    return (
        Picture(
            name=NAME,
            extent=layout.extent,
            base=boards.grid(layout),
            shapes=tuple(_shapes(position, layout)),
            alt=_alt(position),
        ),
    )


@lru_cache(maxsize=16)
def _layout(size: int) -> Layout:
    return Layout(columns=size, rows=size, left=LEFT, right=RIGHT, below=SCORES + KEY + legends.old_height(2))


def _shapes(position: SumKindOfGame, layout: Layout) -> Iterator[Shape]:
    yield from _numbers(position, layout)
    for seat in BOTH:
        yield from _pairs(position, seat, layout)
    tags = [position.working_of(seat) for seat in BOTH]
    rows, columns = (map(str, position.line_scores(seat)) for seat in BOTH)
    yield from margins.right_of_rows(layout, rows, tags=tags[0])
    yield from margins.below_columns(layout, columns, tags=tags[1])
    yield from _key(layout)
    yield from legends.old(layout, _entries(position), SCORES + KEY)


def _numbers(position: SumKindOfGame, layout: Layout) -> Iterator[Shape]:
    for index, value in enumerate(position.cells):
        if value:
            row, column = divmod(index, position.size)
            on: Ink = "paper"
            if index == position.placed[-1]:
                on = "gold"
                yield boards.shaded(layout, column, row)
            yield Text(
                *boards.centre(column, row), str(value), layout.fit(str(value), 0.8, NUMBER / layout.point), on=on
            )


def _pairs(position: SumKindOfGame, seat: int, layout: Layout) -> Iterator[Shape]:
    """For each square that is a sum in a line of a seat the two numbers that make it."""
    inset = HAIR / 2 * layout.point
    for place, line in enumerate(position.lines(seat)):
        for found in sums(line):
            column, row = (found.place, place) if seat == 1 else (place, found.place)
            yield from _band(layout, seat, column, row, 1, inset)
            y = row + (1 - BAND / 2 - inset if seat == 1 else BAND / 2 + inset)
            words = f"{found.less}+{found.more}"
            size = layout.fit(words, 0.96, min(LARGEST, 0.8 * BAND / layout.point))
            yield Text(column + 0.5, y, words, max(size, LEAST * layout.point), on=TINT_INKS[seat - 1])


def _band(layout: Layout, seat: int, x: float, y: float, side: float, inset: float) -> Iterator[Shape]:
    """The ground of a pair, at the foot of a square for a row, at its head for a column."""
    top = y + side * (1 - BAND) - inset if seat == 1 else y + inset
    yield Box(x + inset, top, side - 2 * inset, BAND * side, TINT_INKS[seat - 1])


def _key(layout: Layout) -> Iterator[Shape]:
    """What the bands mean."""
    unit, (x, _) = layout.point, layout.edges
    y, side = layout.rows + (SCORES + KEY / 2) * unit, SAMPLE * unit
    for seat in BOTH:
        yield from _band(layout, seat, x, y - side / 2, side, 0)
        yield Box(x, y - side / 2, side, side, None, "ink", HAIR * unit)
        words = f"the sum of two in its {SumKindOfGame.AXES[seat - 1]}"
        yield Text(x + side + 16 * unit, y, words, LEAST * unit, "faded", "left")
        x += side + width(words, LEAST * unit) + 60 * unit


def _entries(position: SumKindOfGame) -> list[Entry]:
    scores, ranks = position.scores(), position.ranks()
    return [
        Entry(
            seat,
            f"{position.axis(seat)}s{_next(position, seat)}",
            str(scores[seat - 1]),
            ranks is not None and ranks[seat - 1] == 1,
            position.working_of(seat)[-1],
        )
        for seat in BOTH
    ]


def _next(position: SumKindOfGame, seat: int) -> str:
    following = position.following(seat)
    return f", next {following}" if position.turn and following else ""


def _progress(position: SumKindOfGame) -> str:
    board, placed, squares = f"{position.size} by {position.size}", len(position.placed), position.size**2
    if position.withdrawn:
        return f"{board}, seat {position.withdrawn[0]} withdrew after {placed} of {squares} moves"
    if not position.turn:
        return f"{board}, finished after {placed} moves"
    (seat,) = position.turn
    return f"{board}, move {placed} of {squares}, seat {seat} places {position.following(seat)}"


def _alt(position: SumKindOfGame) -> str:
    totals = ", ".join(f"{position.axis(seat)}s {score}" for seat, score in zip(BOTH, position.scores(), strict=True))
    return f"{TITLE}, {_progress(position)}: {totals}."
