"""Draws Binary Primes: the board, and when the match is over how every line came to its prime.

The prime of each column stands below it, that of each row at its right, a dash where there is none. A triangle stands
at the end of the line from which its prime is read, full where filled squares are the 1s and hollow where empty ones
are. When the match is over, further pictures list the lines digit by digit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from bot.games.position import BOTH
from bot.games.reasons import shorten_product
from cogs.binary_primes.rules import BinaryPrimes, Reading, best_reading
from rendering import boards
from rendering import pages as rendering_pages
from rendering.boards import HAIR, Direction, Layout, Sign, make_remark_sign
from rendering.pages import (
    LegendEntry,
    ListRow,
    describe_board,
    describe_progress,
    make_heading_row,
    make_list_pages,
    make_page,
)
from rendering.shapes import EDGE, LABEL, LEAST, POINTS, Box, Picture, Shape, Text, group_digits, text_width

TITLE, NAME = "Binary Primes", "binary-primes"
STAGGERED = 9
"""From this size on the primes of neighbouring columns stand at different heights."""
BESIDE = 42
"""Points between the board and the numbers about it, where the triangles are."""
TRIANGLE, HOLLOW = 32, 3
"""Size and line weight in points."""
KEY = ((0, "read from here, filled squares as 1s"), (HOLLOW, "read from here, empty squares as 1s"))
BESIDE_LINES, NO_PRIME = "at each line: its largest prime (- : none, counts as 1)", "-"
WAYS: tuple[tuple[Direction, Direction], tuple[Direction, Direction]] = (("down", "up"), ("right", "left"))
"""Which way columns and rows are read, forwards and backwards."""
ENDS = (("from the top", "from the bottom"), ("from the left", "from the right"))
HEADING = "as each was read; dark squares are filled"

CELL, ROW = 46, 60
"""A digit's square in the lists at most, and the height of a line."""
START = EDGE + text_width("00", LABEL) + 44
"""Where the digits of a line begin."""


def pictures(position: BinaryPrimes) -> tuple[Picture, ...]:
    """The board; when the match is over also the columns and the rows as they were read."""
    if position.turn:
        return (_make_board(position),)
    return (_make_board(position), *(picture for seat in BOTH for picture in _make_lists(position, seat)))


# The board.


@lru_cache(maxsize=16)
def _make_layout(size: int) -> Layout:
    widest = group_digits(2**size - 1)
    return Layout(
        columns=size,
        rows=size,
        left=EDGE / 2 + text_width(str(size), LABEL) + BESIDE,
        right=BESIDE + text_width(widest, LABEL) + EDGE / 2,
        above=boards.ABOVE + BESIDE - boards.GAP,
        below=BESIDE + LABEL * 1.15 * _count_levels(size) + 12,
    )


def _count_levels(size: int) -> int:
    return 2 if size >= STAGGERED else 1


def _make_board(position: BinaryPrimes) -> Picture:
    layout, entries = _make_layout(position.size), _shorten_products(position)
    board, said = f"{position.size} by {position.size}", describe_progress(position, position.plies, position.length)
    base, shapes = boards.draw_grid(layout, points=BESIDE), _draw_on_board(position, layout)
    key = [make_remark_sign(BESIDE_LINES)]
    key += [Sign(words, TRIANGLE, partial(_draw_sample, layout, hollow)) for hollow, words in KEY]
    return make_page(layout, NAME, describe_board(TITLE, board, said, entries), base, shapes, entries, key)


def _draw_on_board(position: BinaryPrimes, layout: Layout) -> Iterator[Shape]:
    tags = [() if position.turn else position.working_of(seat) for seat in BOTH]
    columns, rows = (map(_format_prime, position.line_scores(seat)) for seat in BOTH)
    yield from boards.draw_pieces(layout, position)
    yield from boards.draw_column_numbers(
        layout, columns, tags=tags[0], gap=BESIDE, levels=_count_levels(position.size)
    )
    yield from boards.draw_row_numbers(layout, rows, tags=tags[1], gap=BESIDE)
    yield from _draw_triangles(position, layout)


def _format_prime(value: int) -> str:
    return group_digits(value) if value > 1 else NO_PRIME


def _draw_triangles(position: BinaryPrimes, layout: Layout) -> Iterator[Shape]:
    size, away = TRIANGLE * layout.squares_per_point, BESIDE / 2 * layout.squares_per_point
    for seat in BOTH:
        for place, line in enumerate(position.list_lines(seat)):
            if reading := best_reading(line):
                along = position.size + away if reading.backwards else -away
                x, y = (place + 0.5, along) if seat == 1 else (along, place + 0.5)
                hollow = HOLLOW * layout.squares_per_point * (reading.ones == "empty")
                yield boards.draw_arrow(x, y, WAYS[seat - 1][reading.backwards], size, hollow=hollow)


def _draw_sample(layout: Layout, hollow: float, x: float, y: float) -> Iterable[Shape]:
    unit = layout.squares_per_point
    yield boards.draw_arrow(x + TRIANGLE / 2 * unit, y, "right", TRIANGLE * unit, hollow=hollow * unit)


# The lists of a finished match.


def _make_lists(position: BinaryPrimes, seat: int) -> Iterator[Picture]:
    *facts, product = position.working_of(seat)
    lines = zip(position.list_lines(seat), facts, strict=True)
    rows = [
        ListRow(ROW, partial(_draw_list_row, position, seat, place, line, fact))
        for place, (line, fact) in enumerate(lines)
    ]
    axis, entry = position.find_axis(seat), _make_legend_entries(position)[seat - 1]._replace(tag=product)
    alt = f"How each {axis} came to its prime. {'; '.join(facts)}."
    yield from make_list_pages(f"{NAME}-{axis}s", alt, rows, (entry,), make_heading_row(HEADING))


def _draw_list_row(position: BinaryPrimes, seat: int, place: int, line: str, fact: str, y: float) -> Iterator[Shape]:
    reading, right = best_reading(line), POINTS - EDGE
    yield Text(EDGE, y, boards.column_name(place) if seat == 1 else boards.row_name(place), LABEL, "faded", "left")
    words = ENDS[seat - 1][reading.backwards] if reading else "no prime"
    prime = group_digits(reading.prime) if reading else NO_PRIME
    said = right - max(text_width("0000", LABEL), text_width(prime, LABEL)) - 20 - text_width(ENDS[seat - 1][1], LEAST)
    yield from _draw_digits(y, line, reading, min(CELL, (said - 16 - START) / len(line)))
    yield Text(said, y, words, LEAST, "faded", "left")
    yield Text(right, y, prime, LABEL, "ink", "right", tag=fact)


def _draw_digits(y: float, line: str, reading: Reading | None, cell: float) -> Iterator[Shape]:
    """The squares of a line in the order of reading, with their digits from the first 1 on."""
    squares = line[::-1] if reading and reading.backwards else line
    digits = reading.digits if reading else " " * len(line)
    if reading:
        yield boards.draw_arrow(START - 20, y, "right", TRIANGLE, hollow=HOLLOW * (reading.ones == "empty"))
    first, side = digits.find("1"), 0.9 * cell
    for place, (square, digit) in enumerate(zip(squares, digits, strict=True)):
        x, filled = START + (place + 0.5) * cell, square == "1"
        yield Box(x - side / 2, y - side / 2, side, side, "ink" if filled else None, "ink", HAIR, 0.12 * cell)
        if reading and place >= first:
            ink, on = ("paper", "ink") if filled else ("ink", "paper")
            yield Text(x, y, digit, max(LEAST, 0.72 * cell), ink, on=on)


def _make_legend_entries(position: BinaryPrimes) -> tuple[LegendEntry, ...]:
    totals = [group_digits(score) for score in position.scores()]
    return rendering_pages.make_legend_entries(position, ("columns", "rows"), totals)


def _shorten_products(position: BinaryPrimes) -> tuple[LegendEntry, ...]:
    """The legend of the board, with products as people compare them."""
    scores = position.scores()
    totals = tuple(shorten_product(score, max(scores)) for score in scores)
    return rendering_pages.make_legend_entries(position, ("columns", "rows"), totals)
