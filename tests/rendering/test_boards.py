"""The generators of boards: where things stand, and that they can be read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest

from rendering import boards
from rendering.boards import Layout
from rendering.shapes import DIGIT_HEIGHT, LEAST, Line, Shape, Text, text_width
from rendering.theme import seat_mark
from tests.rendering.samples import picture

PHONE = 350
"""The width of a picture on a phone, in pixels."""


def texts(shapes: Iterable[Shape]) -> list[Text]:
    return [shape for shape in shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", [3, 7, 11, 16])
def test_a_grid_has_its_lines_and_coordinates(size: int) -> None:
    layout = Layout(size, size)
    shapes = boards.draw_grid(layout)
    assert sum(isinstance(shape, Line) for shape in shapes) == 2 * (size + 1)
    names = [text.text for text in texts(shapes)]
    assert names == [chr(97 + column) for column in range(size)] + [str(row + 1) for row in range(size)]
    assert [text.x for text in texts(shapes)[:size]] == [column + 0.5 for column in range(size)]


@pytest.mark.parametrize("size", [3, 7, 11, 16])
def test_coordinates_and_margins_can_be_read_on_a_phone(size: int) -> None:
    layout = Layout(size, size, right=140, below=120)
    beside = [*boards.draw_row_numbers(layout, ["509"] * size), *boards.draw_column_numbers(layout, ["9"] * size)]
    page = picture(layout, (), ())
    for text in (*texts(boards.draw_grid(layout)), *beside):
        assert text.size >= LEAST * page.squares_per_point
        assert DIGIT_HEIGHT * round(text.size * page.pixels_per_square) / page.pixel_size[0] * PHONE >= 9


def test_degrees_run_clockwise_from_the_top() -> None:
    assert boards.spot_on_circle(0) == pytest.approx((1, 0))
    assert boards.spot_on_circle(90) == pytest.approx((2, 1))
    assert boards.spot_on_circle(270) == pytest.approx((0, 1))


def test_every_seat_has_a_mark_of_its_own() -> None:
    drawings = [tuple(type(shape) for shape in seat_mark(seat, False)) for seat in range(1, 9)]
    spots = [str(seat_mark(seat, False)).replace(f"seat{seat}", "") for seat in range(1, 9)]
    assert drawings[0] == ()
    assert all(one != other for one, other in combinations(spots, 2))


def test_neighbours_on_two_levels_do_not_touch() -> None:
    layout = Layout(11, 11, right=160, below=200)
    numbers = list(boards.draw_column_numbers(layout, ["2039"] * 11, levels=2))
    level = [number for number in numbers if number.y == numbers[0].y]
    assert len(level) == 6
    assert all(b.x - a.x > text_width("2039", a.size) for a, b in zip(level, level[1:], strict=False))


def test_arrows_point_where_they_say() -> None:
    tips = {direction: boards.draw_arrow(0, 0, direction, 1).spots[0] for direction in boards.TURNS}
    assert tips == {"right": (0.45, 0), "left": (-0.45, 0), "down": (0, 0.45), "up": (0, -0.45)}
