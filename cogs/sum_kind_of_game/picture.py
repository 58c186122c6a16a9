"""Draws Sum Kind Of Game: the grid, and in every square that scores the two numbers that add up to it.

The band at the foot of a square has the pair from its row, that at its head the pair from its column, each in the
colour of the seat that counts it; where squares are too small for that, the bands are empty, and when the match is over
further pictures list the pairs. How many squares of a line score stands in the margin, and each seat's next number
beside its total.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from bot.core.values.seats import BOTH
from cogs.sum_kind_of_game.rules import SumKindOfGame, sums
from rendering import boards, legend, margins
from rendering.boards import GAP, HAIR, Layout
from rendering.legend import Entry, colour
from rendering.margins import Sign
from rendering.pages import described, lists, page, progress, told
from rendering.paper import worked
from rendering.shapes import EDGE, LABEL, LEAST, TINT_INKS, Box, Ink, Picture, Shape, Text, width

TITLE, NAME = "Sum Kind Of Game", "sum-kind-of-game"
SIDES = ("rows", "columns")

# In points.
LEFT = EDGE + width("00", LABEL) + GAP
RIGHT = GAP + width("0", LABEL) + EDGE
SCORES = GAP + LABEL + 12
"""What the scores below the board take."""
LARGEST = 34
"""The type of a pair at most."""
SAMPLE = 44
"""The side of a square in the key."""

# In squares.
BAND = 0.3
"""The height of a band at the head or foot of a square."""
PAIR = 0.96
"""The room for the numbers of a pair."""
NUMBER = 0.42
"""The type of the number between the bands."""


def pictures(position: SumKindOfGame) -> tuple[Picture, ...]:
    """The board with its pairs and scores."""
    layout = _layout(position.size)
    key = [
        Sign(f"is the sum of two others in its {SIDES[seat - 1][:-1]}", SAMPLE, partial(_sample, layout, seat))
        for seat in BOTH
    ]
    base, shapes = boards.grid(layout), _shapes(position, layout)
    board = page(layout, NAME, _alt(position), base, shapes, _entries(position), key)
    return (board,) if position.turn or _fits(layout) else (board, *_lists(position))


@lru_cache(maxsize=16)
def _layout(size: int) -> Layout:
    return Layout(columns=size, rows=size, left=LEFT, right=RIGHT, below=SCORES)


@lru_cache(maxsize=16)
def _fits(layout: Layout) -> bool:
    """Whether squares are wide enough for the numbers of any pair."""
    most = round(layout.columns) ** 2 // 2
    return width(f"{most // 2}+{most // 2}", LEAST) * layout.point <= PAIR


def _shapes(position: SumKindOfGame, layout: Layout) -> Iterator[Shape]:
    yield from _numbers(position, layout)
    for seat in BOTH:
        yield from worked(_pairs(position, seat, layout))
    tags = [position.working_of(seat) for seat in BOTH]
    rows, columns = (map(str, position.line_scores(seat)) for seat in BOTH)
    yield from worked(margins.right_of_rows(layout, rows, tags=tags[0]))
    yield from worked(margins.below_columns(layout, columns, tags=tags[1]))


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
            if _fits(layout):
                y = row + (1 - BAND / 2 - inset if seat == 1 else BAND / 2 + inset)
                words = f"{found.less}+{found.more}"
                size = layout.fit(words, PAIR, min(LARGEST, 0.8 * BAND / layout.point))
                yield Text(column + 0.5, y, words, size, on=TINT_INKS[seat - 1])


def _band(layout: Layout, seat: int, x: float, y: float, side: float, inset: float) -> Iterator[Shape]:
    """The ground of a pair, at the foot of a square for a row, at its head for a column."""
    top = y + side * (1 - BAND) - inset if seat == 1 else y + inset
    yield Box(x + inset, top, side - 2 * inset, BAND * side, TINT_INKS[seat - 1])


def _sample(layout: Layout, seat: int, x: float, y: float) -> Iterable[Shape]:
    side = SAMPLE * layout.point
    yield from _band(layout, seat, x, y - side / 2, side, 0)
    yield Box(x, y - side / 2, side, side, None, "ink", HAIR * layout.point)


def _lists(position: SumKindOfGame) -> Iterator[Picture]:
    """The sums of every line, where squares have no room for their pairs."""
    for seat in BOTH:
        *facts, _ = position.working_of(seat)
        entry = _entries(position)[seat - 1]
        alt = f"The sums in every {SIDES[seat - 1][:-1]}: {entry.total}."
        yield from lists(f"{NAME}-{SIDES[seat - 1]}", alt, [told(fact, fact) for fact in facts], (entry,))


def _entries(position: SumKindOfGame) -> tuple[Entry, ...]:
    labels = [_label(position, seat) for seat in BOTH]
    return legend.summed(position, labels)


def _label(position: SumKindOfGame, seat: int) -> str:
    side, following = SIDES[seat - 1], position.following(seat)
    return f"{side}, next {following}" if position.turn and following else side


def _alt(position: SumKindOfGame) -> str:
    placed, squares = len(position.placed), position.size**2
    places = (f"{colour(seat)} places {position.following(seat)}" for seat in position.turn)
    now = "".join(f"{who}, move {placed} of {squares}" for who in places)
    board, said = f"{position.size} by {position.size}", progress(position, placed, squares, now)
    return described(TITLE, board, said, legend.entries(position, SIDES))
