"""The pictures of Another Binary Primes: the column, how many primes begin at each mark, and lists of all of them."""

from __future__ import annotations

import random

import pytest

from cogs.another_binary_primes import picture as drawing
from cogs.another_binary_primes.picture import BEGIN, DOTS, FRESH, pictures
from cogs.another_binary_primes.rules import AnotherBinaryPrimes, find_primes
from rendering.shapes import Box, Chip, Picture, Text
from rendering.shapes import Path as Polygon

HIGHEST = 1.6
"""The greatest height of a picture, in widths."""
RICHEST = "010100011010010101111000111001011001001101101010"
"""A column with more primes than any that a long search came upon but two."""


def marked(squares: int, marks: int | None = None, seed: int = 1) -> AnotherBinaryPrimes:
    position = AnotherBinaryPrimes(squares)
    order = random.Random(seed).sample(range(1, squares + 1), position.length)
    for square in order[:marks]:
        position = position.play(position.turn[0], str(square))
    return position


def column(line: str) -> AnotherBinaryPrimes:
    position = AnotherBinaryPrimes(len(line))
    for square in (at for at, digit in enumerate(line, 1) if digit == "1"):
        position = position.play(position.turn[0], str(square))
    return position


SAMPLES = (
    *(marked(squares, marks) for squares in (8, 17, 32, 33, 48) for marks in (1, squares // 3, None)),
    column(RICHEST),
    column(RICHEST[::-1]),
    marked(16, 3).withdraw(2),
)


def name(position: AnotherBinaryPrimes) -> str:
    return position.line(1)


def of(picture: Picture) -> list[Text]:
    return [shape for shape in (*picture.base, *picture.shapes) if isinstance(shape, Text)]


def texts(picture: Picture) -> list[str]:
    return [text.text for text in of(picture)]


def counts(picture: Picture, seat: int) -> dict[float, int]:
    """The counts of a seat, by their height."""
    tint = f"tint{seat}"
    return {text.y: int(text.text) for text in of(picture) if text.on == tint}


def test_marks_stand_in_their_squares_and_the_latest_on_gold() -> None:
    position = marked(16, 5)
    (board,) = pictures(position)
    chips = {(chip.y, chip.seat) for chip in board.shapes if isinstance(chip, Chip) and chip.x == 0.5}
    assert chips == {(at - 0.5, position.owner(at)) for at in range(1, 17) if position.owner(at)}
    assert [text.text for text in board.base if isinstance(text, Text)] == [str(at) for at in range(1, 17)]
    gold = [shape for shape in board.shapes if isinstance(shape, Box) and shape.fill == "gold" and 0 < shape.left < 0.1]
    assert position.last and [int(shape.top) + 1 for shape in gold] == [position.last]
    assert "16 squares. 5 of 8 marks made" in board.alt


def test_a_mark_says_how_many_primes_begin_there_and_which() -> None:
    position = column("10011100")
    board = pictures(position)[0]
    assert counts(board, 1) == {0.5: 2, 3.5: 2} and counts(board, 2) == {5.5: 2, 3.5: 1}
    primes_at = {(text.x < 0, text.y): text.tag for text in of(board) if text.tag.startswith("from the") and text.y < 8}
    assert primes_at[True, 0.5] == "from the top: 19 = 10011, squares 1 to 5"
    assert primes_at[False, 3.5] == "from the bottom: 2 = 10, squares 4 to 3"
    assert board.alt == (
        "Another Binary Primes. 8 squares. Finished after 4 moves. From the top 4 primes and from the bottom 3 primes."
    )


@pytest.mark.parametrize("position", SAMPLES, ids=name)
def test_counts_add_up_to_the_scores(position: AnotherBinaryPrimes) -> None:
    board = pictures(position)[0]
    for seat, score in zip((1, 2), position.scores(), strict=True):
        tint = f"tint{seat}"
        assert sum(int(text.text) for text in of(board) if text.on == tint) == score


def test_what_the_latest_mark_brought_is_on_gold_until_the_match_is_over() -> None:
    # 1, then 4: 10 = 2 is old; 1001 is no prime; from 4 on 10 is no new one. Then 5: 10011 = 19, 11 = 3.
    position = AnotherBinaryPrimes(16)
    for square in 1, 4, 5:
        position = position.play(position.turn[0], str(square))
    (board,) = pictures(position)
    on_gold = [text.text for text in of(board) if text.on == "gold"]
    assert on_gold == ["19", "3", "3"] and FRESH in texts(board) and BEGIN in texts(board)
    over = pictures(position.withdraw(1))[0]
    assert [text.text for text in of(over) if text.on == "gold"] == ["2"] and FRESH not in texts(over)


def test_a_folded_column_has_a_gold_rim_where_something_is_new() -> None:
    position = AnotherBinaryPrimes(32).play(1, "20").play(2, "21")
    (board,) = pictures(position)
    rims = [shape for shape in board.shapes if isinstance(shape, Box) and shape.fill == "gold" and shape.width > 0.6]
    # 11 = 3 begins at 20 from the top, at 21 from the bottom; 10 = 2 was there at both.
    assert len(rims) == 4
    assert [text.text for text in of(board) if text.on in ("tint1", "tint2")] == ["1", "1", "1", "1"]


@pytest.mark.parametrize(("squares", "columns"), [(8, 1), (17, 1), (18, 2), (34, 2), (35, 3), (48, 3)])
def test_a_long_column_is_folded_and_arrows_say_how_it_is_read(squares: int, columns: int) -> None:
    board = pictures(AnotherBinaryPrimes(squares))[0]
    heads = [shape for shape in board.base if isinstance(shape, Polygon)]
    down = [head for head in heads if head.fill == "seat1"]
    up = [head for head in heads if head.fill == "seat2"]
    assert len(down) == len(up) == columns
    assert all(head.spots[0][1] > 3 and head.spots[0][1] > head.spots[1][1] for head in down)
    assert all(head.spots[0][1] < 1 and head.spots[0][1] < head.spots[1][1] for head in up)


def test_primes_that_do_not_fit_are_left_to_the_list() -> None:
    runs = find_primes("1" * 40)
    shown = drawing._fit_runs(runs, 120)  # pyright: ignore[reportPrivateUsage]  -- rare on boards
    assert 0 < len(shown) < len(runs)
    assert drawing._fit_runs(runs[:3], 400) == runs[:3]  # pyright: ignore[reportPrivateUsage]  -- rare on boards
    assert DOTS == "..."


def test_lists_show_each_prime_in_its_place() -> None:
    _, top, bottom = pictures(column("10011100"))
    assert [it for it in texts(top) if " to " in it] == ["1 to 2", "4 to 5", "4 to 6", "1 to 5"]
    assert [it for it in texts(bottom) if " to " in it] == ["4 to 3", "6 to 5", "6 to 4"]
    digits = [text for text in of(top) if text.text in ("0", "1")]
    by_line = {y: "".join(text.text for text in digits if text.y == y) for y in [text.y for text in digits]}
    assert list(by_line.values()) == ["10", "11", "111", "10011"]
    assert texts(top)[-1] == "4 primes"
    assert pictures(marked(8, 0).withdraw(1))[1].alt == "Every prime read from the top, in its place: no primes."


def test_how_the_match_stands_is_said() -> None:
    assert "48 squares. Finished after 24 moves" in pictures(marked(48))[0].alt
    assert "16 squares. Orange is out after 3 of 8 moves" in pictures(marked(16, 3).withdraw(2))[0].alt
