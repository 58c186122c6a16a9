"""The picture of Sum Of Products: numbers, marks, counts and scores are where they belong, and can be read."""

from __future__ import annotations

import random

import pytest

from cogs.sum_of_products.picture import pictures
from cogs.sum_of_products.rules import SumOfProducts, SumOfProductsOptions, count_factors
from rendering.shapes import Box, Chip, Line, Picture, Text

SIZES = range(3, 10)


def played(size: int, plies: int | None = None, seed: int = 1) -> SumOfProducts:
    """A random position after so many plies; the end of the match if none are given."""
    lot, position = random.Random(seed), SumOfProducts.start(SumOfProductsOptions(size), 2)
    for _ in range(size**2 if plies is None else plies):
        (seat,) = position.turn
        position = position.play(seat, lot.choice(list(position.moves(seat))))
    return position


def drawn(position: SumOfProducts) -> Picture:
    (picture,) = pictures(position)
    return picture


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def marked(picture: Picture, size: int, ink: str) -> set[int]:
    """The squares of the grid that have a stroke in an ink."""
    lines = [shape for shape in picture.shapes if isinstance(shape, Line) and shape.ink == ink]
    return {int(line.y1) * size + int(line.x1) for line in lines if 0 < line.x1 < size and 0 < line.y1 < size}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 0.3, 0.7, 1])
def test_numbers_and_marks(size: int, share: float) -> None:
    position = played(size, int(share * size**2), seed=size)
    picture = drawn(position)
    inside = [text for text in texts(picture) if 0 < text.x < size and 0 < text.y < size]
    assert [int(text.text) for text in inside] == [value for value in position.cells if value]
    assert marked(picture, size, "seat1") == position.counting_squares(1)
    assert marked(picture, size, "seat2") == position.counting_squares(2)
    faded = {int(text.y) * size + int(text.x) for text in inside if text.ink == "faded"}
    written = {index for index, value in enumerate(position.cells) if value}
    assert faded == written - position.counting_squares(1) - position.counting_squares(2)
    gold = [shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == "gold" and shape.top < size]
    assert [int(box.top) * size + int(box.left) for box in gold] == ([] if position.last is None else [position.last])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", [1, 2])
def test_counts_and_scores_beside_every_line(size: int, seed: int) -> None:
    position = played(size, seed=seed)
    picture = drawn(position)
    for seat, tint in ((1, "tint1"), (2, "tint2")):
        for place, line in enumerate(position.list_lines(seat)):
            where = [(text.x, text.y) if seat == 1 else (text.y, text.x) for text in texts(picture)]
            beside = sorted(
                (along, text.text, text.ink, text.on)
                for (along, across), text in zip(where, texts(picture), strict=True)
                if along > size and across == place + 0.5
            )
            multiplied = tuple(int(text) for _, text, ink, on in beside if (ink, on) == ("ink", tint))
            assert multiplied == count_factors(line)
            counts = [int(text) for _, text, _, _ in beside[:-1]]
            assert counts == [line.count(value) for value in range(1, size + 1) if value in line]
            assert beside[-1][1:] == (str(position.line_scores(seat)[place]), "ink", "paper")


def test_the_legend_names_what_each_seat_counts_and_the_winner_stands_on_gold() -> None:
    position = played(6, seed=1)
    assert position.ranks() == (2, 1)
    picture = drawn(position)
    assert [shape.seat for shape in picture.shapes if isinstance(shape, Chip)] == [1, 2]
    assert [text.text for text in texts(picture)][-4:] == ["rows", "15", "columns", "16"]
    assert [text.text for text in texts(picture) if text.on == "gold" and text.y > 6] == ["16"]
    assert picture.alt == "Sum Of Products. 6 by 6. Finished after 36 moves. Rows 15 and columns 16."


def test_the_subtitle_says_how_far_the_match_is() -> None:
    assert "6 by 6. Move 14 of 36" in drawn(played(6, 14)).alt
    assert "6 by 6. Blue is out after 14 of 36 moves" in drawn(played(6, 14).withdraw(1)).alt
