"""Shapes and lettering: values that can be compared, counted on and measured."""

from __future__ import annotations

import pytest

from rendering.shapes import (
    INKS,
    SEAT_INKS,
    TINT_INKS,
    Box,
    Chip,
    Path,
    Picture,
    Text,
    fit_type_size,
    group_digits,
    inks_of,
    text_width,
    wrap_text,
)
from tests.rendering.samples import drawn, others, seats


def name(picture: Picture) -> str:
    return picture.name


def test_shapes_are_values() -> None:
    assert Chip(0.5, 0.5, 0.8, 1) == Chip(0.5, 0.5, 0.8, 1)
    assert len({Text(0, 0, "7", 1), Text(0, 0, "7", 1), Text(0, 0, "7", 1, tag="row 1")}) == 2
    assert hash(seats()) == hash(seats()) and seats() == seats()


def test_a_shape_names_all_inks_it_needs() -> None:
    assert inks_of(Chip(0, 0, 1, 3, on="gold")) == {"seat3", "gold"}
    assert inks_of(Box(0, 0, 1, 1, "tint1", "faded")) == {"tint1", "faded", "paper"}
    assert inks_of(Path(((0, 0), (1, 1)), None, fill="white")) == {None, "white", "paper"}


def test_the_inks_of_seats_are_in_the_order_of_seats() -> None:
    assert tuple(f"seat{seat}" for seat in range(1, 9)) == SEAT_INKS
    assert tuple(f"tint{seat}" for seat in range(1, 9)) == TINT_INKS
    assert len(set(INKS)) == len(INKS)


@pytest.mark.parametrize("picture", [seats(), drawn(), *others()], ids=name)
def test_a_picture_is_about_900_pixels_wide_with_whole_pixels_a_square(picture: Picture) -> None:
    wide, high = picture.pixel_size
    assert 880 <= wide <= 920
    assert abs(high - (picture.extent[3] - picture.extent[1]) * picture.pixels_per_square) <= 0.5


def test_numbers_are_grouped_and_text_is_wrapped() -> None:
    assert [group_digits(number) for number in (0, 999, 1000, 2**63)] == [
        "0",
        "999",
        "1 000",
        "9 223 372 036 854 775 808",
    ]
    assert wrap_text("one two three", 10, text_width("one two", 10)) == ("one two", "three")
    assert wrap_text("incomprehensible", 10, 5) == ("incomprehensible",)
    assert wrap_text("now 1 702, at 5 21", 10, text_width("now 1", 10)) == ("now", "1 702,", "at 5", "21")
    assert fit_type_size("1000", 32, text_width("1000", 16), 10) == pytest.approx(16)
    assert fit_type_size("1000", 32, 1, 10) == 10
