"""Each seat has one colour: that of its square in sentences and of its pieces on boards."""

from __future__ import annotations

import unicodedata

import pytest

from bot.features.board.words import CHIPS
from rendering.pages import seat_colour
from rendering.shapes import SEAT_INKS, SEAT_PENS, TINT_INKS
from rendering.theme import HEX
from tests.contract.drawing import LEGIBLE, contrast

SQUARES = {
    "🟥": "DD2E44", "🟧": "F4900C", "🟨": "FDCB58", "🟩": "78B159", "🟦": "55ACEE", "🟪": "AA8ED6", "🟫": "C1694F",
    "⬛": "31373D", "⬜": "E6E7E8",
}  # fmt: skip
"""How Discord draws the squares: the one fill of 1f7e5.svg and its neighbours, 2b1b.svg and 2b1c.svg in the package
`@discordapp/twemoji` 16.0.1."""
SEATS = range(1, 9)


def test_each_seat_has_a_square_of_its_own() -> None:
    assert len(CHIPS) == len(set(CHIPS)) == len(SEATS) == len(SEAT_INKS)


@pytest.mark.parametrize("seat", SEATS)
def test_pieces_have_the_colour_of_the_square_in_sentences(seat: int) -> None:
    square = CHIPS[seat - 1]
    assert HEX[SEAT_INKS[seat - 1]] == SQUARES[square]
    assert seat_colour(seat).upper() in unicodedata.name(square).split()


@pytest.mark.parametrize("seat", SEATS)
def test_what_is_written_on_a_seats_colours_can_be_read(seat: int) -> None:
    assert contrast(SEAT_PENS[seat - 1], SEAT_INKS[seat - 1]) >= LEGIBLE
    assert contrast("ink", TINT_INKS[seat - 1]) >= LEGIBLE
