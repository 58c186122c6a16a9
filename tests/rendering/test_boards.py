"""The generators of boards: where things stand, and that they can be read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest

from rendering import boards
from rendering.boards import Entry, Layout, grouped, width
from rendering.lettering import DIGIT_HEIGHT
from rendering.marks import mark
from rendering.shapes import POINTS, Box, Chip, Line, Shape, Text
from tests.rendering.samples import picture, seats


def texts(shapes: Iterable[Shape]) -> list[Text]:
    return [shape for shape in shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", [3, 7, 11, 16])
def test_a_grid_has_its_lines_and_coordinates(size: int) -> None:
    layout = Layout(size, size)
    shapes = boards.grid(layout)
    assert sum(isinstance(shape, Line) for shape in shapes) == 2 * (size + 1)
    names = [text.text for text in texts(shapes)]
    assert names == [chr(97 + column) for column in range(size)] + [str(row + 1) for row in range(size)]
    assert [text.x for text in texts(shapes)[:size]] == [column + 0.5 for column in range(size)]


@pytest.mark.parametrize("size", [3, 7, 11, 16])
def test_coordinates_and_margins_are_a_fortieth_of_the_picture_high(size: int) -> None:
    layout = Layout(size, size, right=140, below=120)
    margins = [*boards.right_of_rows(layout, ["509"] * size), *boards.below_columns(layout, ["9"] * size)]
    page = picture(layout, (), ())
    for text in (*texts(boards.grid(layout)), *margins):
        digits = DIGIT_HEIGHT * round(text.size * page.scale)
        assert digits + 0.5 >= page.pixels[0] / 40


def test_a_row_is_numbered_and_folded() -> None:
    layout = Layout(12, 4)
    assert boards.folded(layout, 12) == (11, 0)
    x, y = boards.folded(layout, 13)
    assert x == 0 and y > 1.5
    assert [text.text for text in texts(boards.folded_row(layout, 14))] == [str(place) for place in range(1, 15)]


def test_degrees_run_clockwise_from_the_top() -> None:
    assert boards.on_circle(0) == pytest.approx((1, 0))
    assert boards.on_circle(90) == pytest.approx((2, 1))
    assert boards.on_circle(270) == pytest.approx((0, 1))


@pytest.mark.parametrize(("seat_count", "abreast"), [(count, abreast) for count in range(1, 9) for abreast in (1, 2)])
def test_a_legend_stays_on_its_page(seat_count: int, abreast: int) -> None:
    layout = Layout(8, 8, below=20 + boards.legend_height(seat_count, abreast))
    entries = [Entry(seat, f"seat {seat}", grouped(10**8 * seat)) for seat in range(1, seat_count + 1)]
    shapes = list(boards.legend(layout, entries, 20, abreast))
    chips = [shape for shape in shapes if isinstance(shape, Chip)]
    assert [chip.seat for chip in chips] == list(range(1, seat_count + 1))
    left, right = layout.edges
    assert all(left < chip.x < right and chip.y + chip.size / 2 < layout.extent[3] for chip in chips)
    totals = [text for text in texts(shapes) if text.anchor == "right"]
    assert [text.text for text in totals] == [entry.total for entry in entries]
    assert len({text.size for text in totals}) == 1


def test_the_longest_total_fits_on_a_line_of_its_own() -> None:
    layout = Layout(11, 11, right=160)
    total = grouped(2039**11)
    shapes = texts(boards.legend(layout, [Entry(1, "columns", total)], 20, 1))
    label, number = shapes
    assert number.text == total and len(total.replace(" ", "")) == 37
    assert number.x - width(total, number.size) > label.x + width("columns", label.size)
    assert number.size / layout.point >= POINTS / 40


def test_the_winner_stands_on_gold() -> None:
    shapes = seats().shapes
    assert [text.text for text in texts(shapes) if text.on == "gold"] == [grouped(3 * 7919**2)]
    assert [box.fill for box in shapes if isinstance(box, Box) and box.radius] == ["gold"]


def test_every_seat_has_a_mark_of_its_own() -> None:
    drawings = [tuple(type(shape) for shape in mark(seat, False)) for seat in range(1, 9)]
    spots = [str(mark(seat, False)).replace(f"seat{seat}", "") for seat in range(1, 9)]
    assert drawings[0] == ()
    assert all(one != other for one, other in combinations(spots, 2))


def test_neighbours_on_two_levels_do_not_touch() -> None:
    layout = Layout(11, 11, right=160, below=200)
    numbers = list(boards.below_columns(layout, ["2039"] * 11, levels=2))
    level = [number for number in numbers if number.y == numbers[0].y]
    assert len(level) == 6
    assert all(b.x - a.x > width("2039", a.size) for a, b in zip(level, level[1:], strict=False))


def test_arrows_point_where_they_say() -> None:
    tips = {direction: boards.arrow(0, 0, direction, 1).spots[0] for direction in boards.TURNS}
    assert tips == {"right": (0.45, 0), "left": (-0.45, 0), "down": (0, 0.45), "up": (0, -0.45)}
