"""The pictures of Palindromes/Antipalindromes: the row, a bar for every middle, and lists of what was counted."""

from __future__ import annotations

import random

import pytest

from cogs.palindromes_antipalindromes.picture import pictures
from cogs.palindromes_antipalindromes.rules import Palindromes, find_middles
from rendering.shapes import Box, Picture, Text
from tests.contract.drawing import touching

GROWING, SUM = "an empty square may still make it longer", "= 2 + 4 + 6: all that are around this middle"
WORST = ("0011" * 10, "0" * 40, "0011" * 5, "0" * 20, "01" * 15, "0011" * 4)
"""Rows full of long stretches."""


def filled(row: str, plies: int | None = None, seed: int = 1) -> Palindromes:
    """A row filled in a random order, up to `plies`."""
    position = Palindromes("." * len(row))
    order = random.Random(seed).sample(range(1, len(row) + 1), len(row))
    for at in order[:plies]:
        position = position.play(position.turn[0], f"{at} {row[at - 1]}")
    return position


def lot(length: int, plies: int | None = None, seed: int = 1) -> Palindromes:
    lots = random.Random(seed)
    return filled("".join(lots.choice("01") for _ in range(length)), plies, seed)


def of(picture: Picture) -> list[Text]:
    return [shape for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


def bars(picture: Picture, seat: int) -> list[Box]:
    return [shape for shape in picture.shapes if isinstance(shape, Box) and shape.fill == f"tint{seat}"]


def test_every_square_is_numbered_and_filled_ones_hold_their_digit() -> None:
    (picture,) = pictures(Palindromes("01.1....", 2))
    assert [text.text for text in of(picture)[:11]] == ["1", "0", "2", "1", "3", "4", "1", "5", "6", "7", "8"]
    dark = [int(box.left) for box in picture.shapes if isinstance(box, Box) and box.fill == "ink"]
    assert dark == [1, 3]
    # What was written last stands on gold.
    assert [box.left for box in picture.shapes if isinstance(box, Box) and box.fill == "gold"] == [1]
    assert "8 squares. Move 3 of 8" in picture.alt
    assert picture.alt == "Palindromes/Antipalindromes. 8 squares. Move 3 of 8. Palindromes 0 and antipalindromes 2."


def test_a_bar_spans_the_longest_about_its_middle_above_or_below_the_row() -> None:
    position = Palindromes("10011011", 4)
    board = pictures(position)[0]
    row = next(box.top for box in board.shapes if isinstance(box, Box) and box.fill == "ink")
    for seat in 1, 2:
        drawn = bars(board, seat)
        counted = position.middles_of(seat)
        assert {(round(bar.left) + 1, round(bar.left + bar.width)) for bar in drawn} == {
            (middle.start, middle.end) for middle in counted
        }
        assert all((bar.top < row) == (seat == 1) for bar in drawn)
        assert {bar.tag for bar in drawn} == set(position.working_of(seat)[:-1])
    numbers = [text.text for text in of(board) if text.on == "tint2"]
    assert sorted(numbers) == ["12", "2", "2", "2"]


def test_what_may_still_grow_has_an_outline_until_the_match_is_over() -> None:
    position = Palindromes("110.0011", 1)
    board = pictures(position)[0]
    outlined = {bar.tag for seat in (1, 2) for bar in bars(board, seat) if bar.line}
    assert outlined == {position.explain(middle) for middle in find_middles(position.row) if middle.growing}
    assert GROWING in [text.text for text in of(board)]
    for other in Palindromes("11......", 1), position.withdraw(1):
        board = pictures(other)[0]
        assert not any(bar.line for seat in (1, 2) for bar in bars(board, seat))
        said = [text.text for text in of(board)]
        assert GROWING not in said and SUM in said


@pytest.mark.parametrize("row", WORST)
def test_bars_do_not_overlap(row: str) -> None:
    drawn = pictures(filled(row))
    assert not any(next(touching(picture), None) for picture in drawn)
    board = drawn[0]
    every = [*bars(board, 1), *bars(board, 2)]
    for at, one in enumerate(every):
        for other in every[:at]:
            apart = one.left >= other.left + other.width or other.left >= one.left + one.width
            assert apart or one.top >= other.top + other.height or other.top >= one.top + one.height


def test_a_bar_goes_on_on_the_next_line_with_its_number_once() -> None:
    # The middle after 20 of 40 squares. At the end of the first line.
    row = "." * 17 + "010" + "101" + "." * 17
    position = Palindromes(row, 18)
    (board,) = pictures(position)
    tag = "010101, length 6, is an antipalindrome at 18: 2 + 4 + 6 = 12"
    parts = [shape for shape in board.shapes if isinstance(shape, Box) and shape.tag == tag]
    assert [(round(part.left), round(part.left + part.width)) for part in parts] == [(17, 20), (0, 3)]
    assert [shape.text for shape in board.shapes if isinstance(shape, Text) and shape.tag == tag] == ["12"]


def test_lists_show_each_longest_in_its_place() -> None:
    position = Palindromes("10011011", 4)
    _, _, antipalindromes = pictures(position)
    said = [text.text for text in of(antipalindromes)]
    assert [it for it in said if " to " in it] == ["1 to 2", "1 to 6", "5 to 6", "6 to 7"]
    assert "2 + 4 + 6 = 12" in said and said[-1] == "18"
    digits = [text for text in of(antipalindromes) if text.text in ("0", "1")]
    by_line = {y: "".join(text.text for text in digits if text.y == y) for y in [text.y for text in digits]}
    assert list(by_line.values()) == ["10", "100110", "10", "01"]


def test_long_lists_have_several_pages_and_long_sums_dots() -> None:
    drawn = pictures(filled("0" * 40))
    assert [picture.name.removeprefix("palindromes-antipalindromes") for picture in drawn] == [
        "",
        "-palindromes-1",
        "-palindromes-2",
        "-antipalindromes",
    ]
    assert drawn[-1].alt == "There are none."
    assert "2 + ... + 40 = 420" in [text.text for text in of(drawn[1])]


def test_how_the_match_stands_is_said() -> None:
    assert "16 squares. Finished after 16 moves" in pictures(lot(16))[0].alt
    left = pictures(lot(16, 9).withdraw(1))
    assert "16 squares. Blue is out after 9 of 16 moves" in left[0].alt
