"""The picture of Palindromic Rows/Columns: pieces, bars on what differs, and flips are where they belong."""

from __future__ import annotations

import random

import pytest

from cogs.palindromic_rows_columns.picture import pictures
from cogs.palindromic_rows_columns.rules import PalindromicRowsColumns, find_differing_pairs
from rendering.shapes import SEAT_INKS, Box, Chip, Line, Picture, Text

SIZES = range(4, 13)


def played(size: int, plies: int | None = None, seed: int = 1) -> PalindromicRowsColumns:
    """A random position after so many plies; the end of the match if none are given."""
    lot, position = random.Random(seed), PalindromicRowsColumns(size)
    for _ in range(position.length if plies is None else plies):
        (seat,) = position.turn
        position = position.play(seat, lot.choice(list(position.moves(seat))))
    return position


def drawn(position: PalindromicRowsColumns) -> Picture:
    (picture,) = pictures(position)
    return picture


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def bars(picture: Picture, size: int, level: bool) -> list[Line]:
    """The level or the upright bars on the board."""
    lines = [shape for shape in picture.shapes if isinstance(shape, Line) and shape.y1 < size]
    return [line for line in lines if (line.y1 == line.y2) == level]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_pieces_and_the_last_move(size: int, share: float) -> None:
    position = played(size, int(share * PalindromicRowsColumns(size).length), seed=size)
    picture = drawn(position)
    chips = [shape for shape in picture.shapes if isinstance(shape, Chip) and shape.y < size]
    owned = {index: position.owner(index) for index in range(size**2) if position.owner(index)}
    assert {int(chip.y) * size + int(chip.x): chip.seat for chip in chips} == owned
    gold = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == "gold" and shape.top < size]
    assert [int(box.top) * size + int(box.left) for box in gold] == ([] if position.last is None else [position.last])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0.3, 1])
def test_a_bar_is_on_both_squares_of_every_pair_that_differs(size: int, share: float) -> None:
    position = played(size, int(share * PalindromicRowsColumns(size).length), seed=size + 20)
    picture = drawn(position)
    for seat, level in ((1, True), (2, False)):
        found = sorted((int(bar.x1), int(bar.y1)) for bar in bars(picture, size, level))
        places = [
            (place, along)
            for place, line in enumerate(position.list_lines(seat))
            for it in find_differing_pairs(line)
            for along in it
        ]
        assert found == sorted((along, place) if seat == 1 else (place, along) for place, along in places)
        for bar in bars(picture, size, level):
            owner = position.owner(int(bar.y1) * size + int(bar.x1))
            inks = ("paper", SEAT_INKS[owner - 1]) if owner else (SEAT_INKS[seat - 1], "paper")
            assert (bar.ink, bar.on) == inks
            place = int(bar.y1 if level else bar.x1)
            assert bar.tag == position.working_of(seat)[place]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", [1, 2])
def test_flips_stand_in_the_margin_and_palindromes_on_a_tint(size: int, seed: int) -> None:
    position = played(size, seed=seed)
    picture = drawn(position)
    for seat, tint in ((1, "tint1"), (2, "tint2")):
        tagged = {text.tag: text for text in texts(picture)}
        *facts, total = position.working_of(seat)
        for place, (fact, flips) in enumerate(zip(facts, position.line_scores(seat), strict=True)):
            text = tagged[fact]
            along, away = (text.y, text.x) if seat == 1 else (text.x, text.y)
            assert (text.text, along, text.ink) == (str(flips), place + 0.5, "ink") and away > size
            assert text.on == ("paper" if flips else tint)
        plates = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == tint]
        # One more is in the key.
        assert len(plates) == position.line_scores(seat).count(0) + 1
        assert tagged[total].text.split()[0] == str(position.scores()[seat - 1])


@pytest.mark.parametrize("size", [6, 7])
def test_the_mirrors_stand_in_the_middle(size: int) -> None:
    dashed = [shape for shape in drawn(played(size, 0)).base if isinstance(shape, Line) and shape.dash]
    assert [(line.ink, line.x1 == line.x2 == size / 2, line.y1 == line.y2 == size / 2) for line in dashed] == [
        ("seat1", True, False),
        ("seat2", False, True),
    ]


def test_the_fewest_flips_stand_on_gold() -> None:
    position = played(12)
    assert (position.scores(), position.ranks()) == ((36, 42), (1, 2))
    picture = drawn(position)
    assert [text.text for text in texts(picture)][-4:] == ["rows", "36 flips", "columns", "42 flips"]
    assert [text.text for text in texts(picture) if text.on == "gold"] == ["36 flips"]
    assert (
        picture.alt
        == "Palindromic Rows/Columns. 12 by 12. Finished after 72 moves. Rows 36 flips and columns 42 flips."
    )


def test_one_flip_is_singular() -> None:
    position = PalindromicRowsColumns(4).play(1, "a1")
    assert [text.text for text in texts(drawn(position))][-3::2] == ["1 flip", "1 flip"]


def test_the_subtitle_says_how_far_the_match_is() -> None:
    assert "6 by 6. Move 9 of 18" in drawn(played(6, 9)).alt
    assert "6 by 6. Blue is out after 9 of 18 moves" in drawn(played(6, 9).withdraw(1)).alt
    assert "5 by 5. Finished after 12 moves" in drawn(played(5)).alt
