"""The picture of Divisor Over Sums: sums are where they belong, and say nothing of divisors before the choice."""

from __future__ import annotations

import random

import pytest

from cogs.divisor_over_sums.picture import CLOSE, LOWER, pictures
from cogs.divisor_over_sums.rules import DivisorOverSums
from rendering.shapes import Box, Chip, Picture, Text

SIZES = range(3, 9)


def played(size: int, plies: int | None = None, seed: int = 1) -> DivisorOverSums:
    """A random position after so many plies; the end of the match if none are given."""
    lot, position = random.Random(seed), DivisorOverSums(size)
    for _ in range(size**2 + 2 if plies is None else plies):
        (seat,) = position.turn
        position = position.play(seat, lot.choice(list(position.moves(seat))))
    return position


def drawn(position: DivisorOverSums) -> Picture:
    (picture,) = pictures(position)
    return picture


def texts(picture: Picture) -> list[Text]:
    return [shape for shape in picture.shapes if isinstance(shape, Text)]


def sums(picture: Picture, size: int, seat: int) -> dict[tuple[float, float], Text]:
    """The texts on the lines between columns (blue) or between rows (orange)."""
    inside = [text for text in texts(picture) if 0 < text.x < size and 0 < text.y < size]
    return {(it.x, it.y): it for it in inside if (it.x if seat == 1 else it.y) % 1 == 0}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_numbers_in_squares_and_sums_on_lines(size: int, share: float) -> None:
    position = played(size, int(share * size**2))
    picture = drawn(position)
    inside = [text for text in texts(picture) if text.x % 1 == 0.5 and 0 < text.y % 1 <= 0.5 and text.y < size]
    numbers = {int(text.y) * size + int(text.x): text.text for text in inside}
    assert numbers == {index: str(value) for index, value in enumerate(position.cells) if value}
    beside = LOWER if size >= CLOSE else 0.5
    across = {(found.column + 1, found.row + beside): str(found.total) for found in position.sums_of(1)}
    down = {(found.column + 0.5, found.row + 1): str(found.total) for found in position.sums_of(2)}
    assert {spot: text.text for spot, text in sums(picture, size, 1).items()} == across
    assert {spot: text.text for spot, text in sums(picture, size, 2).items()} == down
    gold = [it for it in picture.shapes if isinstance(it, Box) and it.fill == "gold" and it.top < size]
    last = [] if position.chosen else list(position.placed[-1:])
    assert [int(box.top) * size + int(box.left) for box in gold] == last


@pytest.mark.parametrize("size", SIZES)
def test_before_a_seat_has_chosen_its_sums_all_look_alike(size: int) -> None:
    position = played(size, size**2)
    for seat in (1, 2):
        looks = {(text.ink, text.on) for text in sums(drawn(position), size, seat).values()}
        assert looks == {("ink", f"tint{seat}")}
    after = drawn(played(size, size**2 + 1))
    assert {(text.ink, text.on) for text in sums(after, size, 2).values()} == {("ink", "tint2")}
    assert not any("best" in text.text for picture in (drawn(position), after) for text in texts(picture))
    assert not any(text.tag for text in texts(drawn(position)))
    gold = [shape for shape in after.shapes if isinstance(shape, Box) and shape.fill == "gold"]
    assert not gold, "the last move is the choice, not a number"


@pytest.mark.parametrize("seed", range(5))
def test_after_the_choice_the_divided_sums_stand_out(seed: int) -> None:
    position = played(4, seed=seed)
    for seat, divisor in enumerate(position.chosen, 1):
        for text in sums(drawn(position), 4, seat).values():
            divided = int(text.text) % divisor == 0
            assert (text.ink, text.on) == (("paper", f"seat{seat}") if divided else ("faded", "paper"))


def test_the_best_divisors_are_named_in_the_end() -> None:
    said = [text.text for text in texts(drawn(played(4)))]
    assert said[-4:] == ["rows: 2 x 13", "26", "columns: 1 x 20", "20"]
    assert said[-8:-6] == ["best for rows: 3 x 17 = 51", "best for columns: 2 x 21 = 42"]


def test_what_comes_next_is_said() -> None:
    placing = drawn(played(4, 7))
    assert "4 by 4. Orange places 8, move 7 of 16" in placing.alt
    assert [text.text for text in texts(placing) if "next" in text.text] == ["rows, next 9", "columns, next 8"]
    assert "4 by 4. The grid is full, and blue chooses a divisor of its sums" in drawn(played(4, 16)).alt
    assert "4 by 4. The grid is full, and orange chooses a divisor of its sums" in drawn(played(4, 17)).alt
    assert "4 by 4. Blue chose 13 and orange chose 20" in drawn(played(4)).alt
    assert "4 by 4. Orange is out after 17 moves" in drawn(played(4, 17).withdraw(2)).alt
    assert [shape.seat for shape in placing.shapes if isinstance(shape, Chip)] == [1, 2]
