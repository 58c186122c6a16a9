"""The picture of Sum Kind Of Game: numbers, pairs and scores are where they belong, and can be read."""

from __future__ import annotations

import random

import pytest

from cogs.sum_kind_of_game.picture import pictures
from cogs.sum_kind_of_game.rules import SumKindOfGame, find_sums
from rendering.shapes import Box, Chip, Picture, Text, text_width

SIZES = range(4, 11, 2)


def played(size: int, plies: int | None = None, seed: int = 1) -> SumKindOfGame:
    """A random position after so many plies; the end of the match if none are given."""
    lot, position = random.Random(seed), SumKindOfGame(size)
    for _ in range(size**2 if plies is None else plies):
        (seat,) = position.turn
        position = position.play(seat, lot.choice(list(position.moves(seat))))
    return position


def drawn(position: SumKindOfGame) -> Picture:
    return pictures(position)[0]


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 0.4, 1])
def test_numbers_and_pairs(size: int, share: float) -> None:
    position = played(size, int(share * size**2))
    picture = drawn(position)
    inside = [text for text in texts(picture) if 0 < text.x < size and 0 < text.y < size]
    numbers = {int(text.y) * size + int(text.x): text.text for text in inside if "+" not in text.text}
    assert numbers == {index: str(value) for index, value in enumerate(position.cells) if value}
    for seat, tint in ((1, "tint1"), (2, "tint2")):
        wanted = {
            (found.place, place) if seat == 1 else (place, found.place): f"{found.less}+{found.more}"
            for place, line in enumerate(position.list_lines(seat))
            for found in find_sums(line)
        }
        bands = [it for it in picture.shapes if isinstance(it, Box) and it.fill == tint and it.top < size]
        assert [(int(band.left), int(band.top)) for band in bands] == list(wanted)
        # Those of rows stand at the foot of a square, those of columns at its head.
        assert all(((band.top + band.height / 2) % 1 > 0.5) == (seat == 1) for band in bands)
        pairs = {(int(it.x), int(it.y)): it for it in inside if it.on == tint}
        assert {square: text.text for square, text in pairs.items()} == (wanted if size <= 6 else {})
        for band, text in zip(bands, pairs.values(), strict=False):
            assert band.top < text.y < band.top + band.height and text_width(text.text, text.size) < 1
    gold = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == "gold" and shape.top < size]
    assert [int(box.top) * size + int(box.left) for box in gold] == list(position.placed[-1:])


def test_each_seat_sees_its_next_number() -> None:
    picture = drawn(played(6, 14))
    assert [text.text for text in texts(picture) if "next" in text.text] == ["rows, next 8", "columns, next 11"]
    assert "6 by 6. Blue places 8, move 14 of 36" in picture.alt
    last = drawn(played(6, 35))
    assert "Orange places 1" in last.alt
    assert [text.text for text in texts(last) if "next" in text.text] == ["columns, next 1"]


def test_the_end_and_withdrawals_are_said() -> None:
    position = played(6)
    picture = drawn(position)
    assert "6 by 6. Finished after 36 moves" in picture.alt
    assert [text.text for text in texts(picture)][-4:] == ["rows", "10", "columns", "11"]
    assert [text.text for text in texts(picture) if text.on == "gold" and text.y > 6] == ["11"]
    assert [shape.seat for shape in picture.shapes if isinstance(shape, Chip)] == [1, 2]
    assert picture.alt == "Sum Kind Of Game. 6 by 6. Finished after 36 moves. Rows 10 and columns 11."
    left = drawn(played(4, 3).withdraw(1))
    assert "4 by 4. Blue is out after 3 of 16 moves" in left.alt and "next" not in left.alt


@pytest.mark.parametrize("size", [8, 10])
def test_pairs_that_have_no_room_in_squares_are_listed_in_the_end(size: int) -> None:
    assert len(pictures(played(size, size))) == 1
    position = played(size)
    _, *listed = pictures(position)
    for seat, picture in enumerate(listed, 1):
        said = " ".join(text.text for text in texts(picture))
        assert all(fact in said for fact in position.working_of(seat)[:-1])
