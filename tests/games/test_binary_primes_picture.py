"""The pictures of Binary Primes: everything that counts is on them, and can be read."""

from __future__ import annotations

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cogs.binary_primes.picture import pictures
from cogs.binary_primes.rules import BinaryPrimes, best_reading
from rendering.painter import paint
from rendering.shapes import Box, Chip, Picture, Text, group_digits
from rendering.shapes import Path as Polygon

GOLDEN = Path(__file__).parents[1] / "rendering" / "golden"
SIZES = range(3, 12, 2)


def played(size: int, plies: int | None = None, seed: int = 1) -> BinaryPrimes:
    """A random position after so many plies; the end of the match if none are given."""
    lot, position = random.Random(seed), BinaryPrimes(size)
    for _ in range(position.length if plies is None else plies):
        (seat,) = position.turn
        position = position.play(seat, lot.choice(list(position.moves(seat))))
    return position


def texts(picture: Picture) -> list[str]:
    return [shape.text for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


def test_a_board_shows_pieces_primes_and_totals() -> None:
    position = played(7, 17)
    (board,) = pictures(position)
    chips = [shape for shape in board.shapes if isinstance(shape, Chip)]
    on_squares = {(chip.x, chip.y, chip.seat) for chip in chips if 0 < chip.y < 7}
    owners = {(i % 7 + 0.5, i // 7 + 0.5, position.owner(i)) for i in range(49) if position.owner(i)}
    assert on_squares == owners
    assert position.last is not None
    (gold,) = [shape for shape in board.shapes if isinstance(shape, Box) and shape.fill == "gold"]
    assert (int(gold.left), int(gold.top)) == (position.last % 7, position.last // 7)
    shown = [shape.text for shape in board.shapes if isinstance(shape, Text)]
    assert shown[:14] == [str(prime) for seat in (1, 2) for prime in position.line_scores(seat)]
    assert [group_digits(score) for score in position.scores()] == [shown[-3], shown[-1]]
    assert "7 by 7. Move 17 of 24" in board.alt
    assert "Columns" in board.alt and group_digits(position.scores()[0]) in board.alt


def test_a_triangle_stands_where_a_prime_is_read_from() -> None:
    # a1, b1 and a2 are filled: column a and row 1 are 110, read backwards 011 = 3; column c and row 3 are empty.
    position = BinaryPrimes(3, (1, 0b1010), 0, withdrawn=(2,))
    board, *_ = pictures(position)
    readings = [best_reading(line) for seat in (1, 2) for line in position.list_lines(seat)]
    triangles = [shape for shape in board.shapes if isinstance(shape, Polygon)][:-2]
    assert len(triangles) == sum(reading is not None for reading in readings)
    for triangle, reading in zip(triangles, filter(None, readings), strict=True):
        assert (triangle.fill is None) == (reading.ones == "empty")
        x, y = triangle.spots[0]
        assert (max(x, y) > 3) == reading.backwards and (min(x, y) < 0) != reading.backwards


@pytest.mark.parametrize("size", SIZES)
def test_a_list_shows_the_digits_as_read(size: int) -> None:
    position = played(size, seed=5)
    for seat, page in zip((1, 2), pictures(position)[1:], strict=True):
        shown = [shape for shape in page.shapes if isinstance(shape, Text)]
        told = [text.y for text in shown if text.tag][:size]
        for y, line in zip(told, position.list_lines(seat), strict=True):
            _, *digits, _, _ = (text.text for text in shown if text.y == y)
            reading = best_reading(line)
            assert "".join(digits) == (f"{reading.prime:b}" if reading else "")


def test_withdrawing_is_said() -> None:
    position = played(5, 3).withdraw(2)
    board, *_ = pictures(position)
    assert "5 by 5. Orange is out after 3 of 12 moves" in board.alt
    assert "5 by 5. Finished after 12 moves" in pictures(played(5))[0].alt


def test_golden(image_snapshot: Callable[..., None]) -> None:
    board, columns, _ = pictures(played(3))
    for picture in (board, columns):
        image = Image.open(BytesIO(paint.encode_png(picture))).convert("RGB")
        image_snapshot(image, GOLDEN / f"{picture.name}.png", 0.1)
