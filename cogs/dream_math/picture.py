"""Dream Math as a picture: the grid, and between every two neighbours what the pair scores.

The score of a pair in a row stands on the side that its squares share, on seat 1's colour; that of a pair in a column
on seat 2's. Where a pair with GCD 1 scores more than its GCD, its plate is dark. Beside each line is the sum of its
pairs, and under that, on a tint, the 5 that it earns when the sum is a prime.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bot.core.seats import BOTH
from cogs.dream_math.rules import BONUS, DreamMath, LineScore, Methods, Pair
from rendering import boards
from rendering import legend as legends
from rendering.boards import GAP, Layout, width
from rendering.legend import Entry
from rendering.shapes import (
    EDGE,
    LABEL,
    LEAST,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Ink,
    Picture,
    Shape,
    Text,
)

TITLE, NAME = "Dream Math", "dream-math"

# In points.
LEFT = EDGE + width("0", LABEL) + GAP
LARGEST = 34
"""The type of a pair's score."""
APART = 19
"""How far the middles of a sum and of the 5 it earns are above and below the middle of both."""
SCORES = GAP + LABEL + 18
"""What the sums below the board take; what they earn for primes takes `2 * APART` more."""
KEY = 46
"""The height of a line of the key."""
HIGH, AROUND, ROUND = 1.24, 12, 7
"""The height of a plate in parts of its type, what it is wider than its number, and the radius of its corners."""
CLOSE = 6
"""From this size on squares are small: plates are narrower by a third of `AROUND`, numbers too."""

# In squares.
PLATE = 0.2
"""The type of a pair's score, as long as that is legible and not too large."""
NUMBER, CLOSE_NUMBER = 0.36, 0.31
"""The type of the numbers that were placed."""
LOWER, HIGHER = 0.66, 0.33
"""Where in its square the score of a pair in a row and a number stand if both would be too wide beside each other."""

SMALLER, ELSE_GCD, JUST_GCD = "GCD 1: the smaller number", "else the GCD", "a pair scores its GCD"
PRIME = "the pairs of the line add up to a prime"
WORDS = {
    "gcd": "GCD",
    "max": "larger",
    "min": "smaller",
    "product": "product",
    "ratio": "ratio",
    "divisors": "divisors of sum",
}
"""What a pair may score, in the key."""


def pictures(position: DreamMath) -> tuple[Picture, ...]:
    """The board with the scores of its pairs and lines."""
    page = _page(position.size, position.methods, position.variant)
    return (
        Picture(
            name=NAME,
            extent=page.layout.extent,
            base=_base(page),
            shapes=tuple(_shapes(position, page)),
            alt=_alt(position),
        ),
    )


class Page(NamedTuple):
    """Where things stand for a size, a variant and its methods: what is in points is from the board downwards."""

    layout: Layout
    methods: Methods
    variant: str
    plate: float
    """The type of a pair's score in points."""
    around: float
    """What a plate is wider than its number, in points."""
    number: float
    """The type of a number in squares."""
    numbers: float
    """Where in its square a number stands, from the top."""
    beside: float
    """Where in its row the score of a pair stands."""
    key: float
    legend: float


@lru_cache(maxsize=128)
def _page(size: int, methods: Methods, variant: str) -> Page:
    products, close = "product" in methods, size >= CLOSE
    key = SCORES + (2 * APART if variant != "simple" else 0)
    legend = key + KEY * KEYED[variant] + 10
    most = size**2 * (size**2 if products else 1) * (size - 1)
    right = GAP + max(width("0" * len(str(most)), LABEL), width("+5", LEAST) + AROUND) + EDGE
    layout = Layout(columns=size, rows=size, left=LEFT, right=right, below=legend + legends.old_height(2))
    plate = max(LEAST, min(LARGEST, PLATE / layout.point))
    number, around = (CLOSE_NUMBER, AROUND * 2 / 3) if close else (NUMBER, AROUND)
    numbers, beside = (HIGHER, LOWER) if close and products else (0.5, 0.5)
    return Page(layout, methods, variant, plate, around, number, numbers, beside, key, legend)


@lru_cache(maxsize=128)
def _base(page: Page) -> tuple[Shape, ...]:
    return (*boards.grid(page.layout), *_key(page))


def _shapes(position: DreamMath, page: Page) -> Iterator[Shape]:
    yield from _numbers(position, page)
    for seat in BOTH:
        *tags, _ = position.working_of(seat)
        for place, (result, tag) in enumerate(zip(position.results(seat), tags, strict=True)):
            for pair in result.pairs:
                yield from _pair(page, seat, place, pair, tag)
            yield from _line(page.layout, seat, place, result, tag)
    yield from legends.old(page.layout, _entries(position), page.legend)


def _numbers(position: DreamMath, page: Page) -> Iterator[Shape]:
    for value, index in enumerate(position.placed, 1):
        row, column = divmod(index, position.size)
        on: Ink = "paper"
        if index == position.placed[-1]:
            on = "gold"
            yield boards.shaded(page.layout, column, row)
        size = page.layout.fit(str(value), 0.6, page.number / page.layout.point)
        yield Text(column + 0.5, row + page.numbers, str(value), size, on=on)


def _pair(page: Page, seat: int, place: int, pair: Pair, tag: str) -> Iterator[Shape]:
    """What a pair scores, on the side that its squares share; dark where its GCD is 1 and it scores more than that."""
    x, y = (pair.place + 1, place + page.beside) if seat == 1 else (place + 0.5, pair.place + 1)
    dark = pair.coprime and page.variant != "simple"
    yield from _plate(page.layout, x, y, seat, str(pair.score), page.plate, page.around, dark, tag)


def _plate(
    layout: Layout,
    x: float,
    y: float,
    seat: int,
    text: str,
    points: float = LEAST,
    around: float = AROUND,
    dark: bool = False,
    tag: str = "",
) -> Iterator[Shape]:
    """A text on a seat's tint, or in paper on its full colour."""
    unit = layout.point
    wide, high = max(width(text, points) + around, HIGH * points) * unit, HIGH * points * unit
    fill = SEAT_INKS[seat - 1] if dark else TINT_INKS[seat - 1]
    yield Box(x - wide / 2, y - high / 2, wide, high, fill, radius=ROUND * unit, tag=tag)
    if text:
        yield Text(x, y, text, points * unit, "paper" if dark else "ink", on=fill, tag=tag)


def _line(layout: Layout, seat: int, place: int, result: LineScore, tag: str) -> Iterator[Shape]:
    """The sum of a line's pairs in the margin, and under it what the line earns for a prime."""
    unit, apart = layout.point, APART * layout.point * (result.bonus > 0)
    if seat == 1:
        x, y = layout.columns + (layout.right + GAP - EDGE) / 2 * unit, place + 0.5
    else:
        x, y = place + 0.5, layout.rows + (GAP + LABEL / 2) * unit + apart
    size = layout.fit(str(result.sum), 0.86) if seat == 2 else LABEL * unit
    yield Text(x, y - apart, str(result.sum), size, tag=tag)
    if result.bonus:
        yield from _plate(layout, x, y + apart, seat, f"+{result.bonus}", tag=tag)


# The key.

KEYED = {"simple": 1, "dream": 2, "house": 3}
"""How many lines the key of a variant has."""


def _key(page: Page) -> Iterator[Shape]:
    """What the plates mean."""
    layout, unit, (left, right) = page.layout, page.layout.point, page.layout.edges
    y = layout.rows + (page.key + KEY / 2) * unit
    if page.variant == "simple":
        yield from _keyed(layout, left, y, JUST_GCD)
        return
    yield from _keyed(layout, left, y, SMALLER, dark=True)
    if page.variant == "dream":
        yield from _keyed(layout, left + (right - left) * 0.56, y, ELSE_GCD)
    else:
        y += KEY * unit
        two, three, more = (WORDS[name] for name in page.methods[1:])
        yield from _keyed(layout, left, y, f"GCD 2: {two}, 3: {three}, more: {more}")
    yield from _keyed(layout, left, y + KEY * unit, PRIME, f"+{BONUS}")


def _keyed(layout: Layout, x: float, y: float, words: str, sample: str = "", dark: bool = False) -> Iterator[Shape]:
    unit = layout.point
    wide = max(HIGH * LEAST, width(sample, LEAST) + AROUND)
    for seat in BOTH:
        yield from _plate(layout, x + (seat - 0.5) * (wide + 6) * unit - 3 * unit, y, seat, sample, dark=dark)
    x += (2 * wide + 20) * unit
    yield Text(x, y, words, layout.fit(words, layout.edges[1] - x, LEAST), "faded", "left")


# What both say.


def _entries(position: DreamMath) -> list[Entry]:
    scores, ranks = position.scores(), position.ranks()
    return [
        Entry(
            seat,
            f"{position.axis(seat)}s{f', next {position.following(seat)}' if seat in position.turn else ''}",
            str(scores[seat - 1]),
            ranks is not None and ranks[seat - 1] == 1,
            position.working_of(seat)[-1],
        )
        for seat in BOTH
    ]


def _progress(position: DreamMath) -> str:
    board = f"{position.size} by {position.size}, {position.variant}"
    placed, squares = len(position.placed), position.size**2
    if position.withdrawn:
        return f"{board}, seat {position.withdrawn[0]} withdrew after {placed} of {squares} moves"
    if not position.turn:
        return f"{board}, finished after {placed} moves"
    return f"{board}, seat {position.turn[0]} places {position.following(position.turn[0])} of {squares}"


def _alt(position: DreamMath) -> str:
    totals = "; ".join(f"{entry.label}: {entry.total}" for entry in _entries(position))
    return f"{TITLE}, {_progress(position)}. {totals}."
